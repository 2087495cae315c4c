/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECT_TIMEOUT_MS 10000

struct settings settings;

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

static int positive(const char *name, int default_value)
{
    const char *value = getenv(name);
    char *end = NULL;
    long number = value == NULL ? 0 : strtol(value, &end, 10);

    return number > 0 && number <= INT_MAX && *end == '\0' ? (int)number : default_value;
}

void read_settings(void)
{
    settings.debug = is_set("CRAIL_VERBS_DEBUG");
    settings.raw_events = is_set("CRAIL_VERBS_RAW_EVENTS");
    settings.flush_on_disconnect = is_set("CRAIL_VERBS_FLUSH_ON_DISCONNECT");
    settings.connect_timeout_ms = positive("CRAIL_VERBS_CONNECT_TIMEOUT_MS", CONNECT_TIMEOUT_MS);
}

void debug_log(const char *format, ...)
{
    char line[512];
    va_list arguments;

    if (!settings.debug) {
        return;
    }
    va_start(arguments, format);
    if (vsnprintf(line, sizeof(line), format, arguments) >= 0) {
        fprintf(stderr, "crail-verbs: %s\n", line);
    }
    va_end(arguments);
}
