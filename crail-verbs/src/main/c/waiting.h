/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRAIL_VERBS_WAITING_H
#define CRAIL_VERBS_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* Waits for a file descriptor, ended by time or by another one that tells that the object is being closed. Thread safe. */

enum wait_result { WAIT_READABLE, WAIT_TIMED_OUT, WAIT_CLOSED, WAIT_BROKEN };

/* The end of a wait in milliseconds of the monotonic clock; FOR_EVER for a negative timeout. */
typedef int64_t deadline;
#define FOR_EVER INT64_MAX

deadline deadline_after(int timeout_ms);

/* Whether a deadline is in the past. */
bool is_over(deadline end);

/*
 * Waits until fd is readable. Signals do not end a wait. Where fd is broken for good, waits up to 100 ms and returns
 * WAIT_BROKEN, so that a caller that tries again and again does not take a whole processor (pitfall P12).
 */
enum wait_result wait_readable(int fd, int wake_fd, deadline end);

/* Waits up to 100 ms after a failure that may be lasting. */
void pause_after_failure(int wake_fd, deadline end);

/* Makes what is to be used as wake_fd. Returns -1 and sets errno on failure. */
int wake_create(void);

/* Ends all waits with this wake_fd, now and later. */
void wake_all(int wake_fd);

/* Returns 0, or -1 with errno. */
int make_nonblocking(int fd);

#endif
