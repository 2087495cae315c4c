/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRAIL_VERBS_SETTINGS_H
#define CRAIL_VERBS_SETTINGS_H

#include <stdatomic.h>
#include <stdbool.h>

/* Switches, read from the environment when the library is loaded and, but for the last, constant from then on. */
struct settings {
    /* CRAIL_VERBS_DEBUG=1: events of the connection manager and failures that Java cannot be told go to standard error. */
    bool debug;
    /* CRAIL_VERBS_RAW_EVENTS=1: failed connects are reported by their own event numbers, on which DiSNI's endpoints hang. */
    bool raw_events;
    /*
     * CRAIL_VERBS_FLUSH_ON_DISCONNECT=1: when the peer disconnects, answer it and flush the queue pair at once, where DiSNI
     * leaves both to the program's close (pitfall P28).
     */
    bool flush_on_disconnect;
    /*
     * CRAIL_VERBS_CONNECT_TIMEOUT_MS, 10000 unless set: how long a peer has to answer a connect or an accept, if the program
     * did not give a longer timeout for resolving the address. The kernel itself gives up after a minute or more.
     */
    int connect_timeout_ms;
    /*
     * Set by Java, by any thread, and 0 unless it does: the retry count, for the receiver that is not ready too, of connects
     * whose program has left its own at 0 (pitfall P15). Connects with both at 0 also flush on disconnect (P28).
     */
    atomic_int default_retries;
};

extern struct settings settings;

void read_settings(void);

/* Writes a line to standard error if CRAIL_VERBS_DEBUG is set. Never called while posting or polling (P37). */
void debug_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
