/* SPDX-License-Identifier: Apache-2.0 */
#include "waiting.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define FAILURE_PAUSE_MS 100

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

deadline deadline_after(int timeout_ms)
{
    if (timeout_ms < 0) {
        return FOR_EVER;
    }
    return timeout_ms == 0 ? 0 : now_ms() + timeout_ms;
}

/* What is left, as poll takes it. */
static int remaining_ms(deadline end)
{
    int64_t left;

    if (end == FOR_EVER) {
        return -1;
    }
    if (end == 0) {
        return 0;
    }
    left = end - now_ms();
    if (left <= 0) {
        return 0;
    }
    return left > INT_MAX ? INT_MAX : (int)left;
}

bool is_over(deadline end)
{
    return remaining_ms(end) == 0;
}

enum wait_result wait_readable(int fd, int wake_fd, deadline end)
{
    for (;;) {
        struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = wake_fd, .events = POLLIN}};
        int timeout_ms = remaining_ms(end);
        int ready = poll(fds, 2, timeout_ms);

        if (ready < 0 && errno != EINTR) {
            pause_after_failure(wake_fd, end);
            return WAIT_BROKEN;
        }
        if (ready > 0 && fds[1].revents != 0) {
            return WAIT_CLOSED;
        }
        if (ready > 0 && (fds[0].revents & POLLIN) != 0) {
            return WAIT_READABLE;
        }
        if (ready > 0) {
            pause_after_failure(wake_fd, end);
            return WAIT_BROKEN;
        }
        if (timeout_ms == 0 || (ready == 0 && remaining_ms(end) == 0)) {
            return WAIT_TIMED_OUT;
        }
    }
}

void pause_after_failure(int wake_fd, deadline end)
{
    struct pollfd wake = {.fd = wake_fd, .events = POLLIN};
    int left = remaining_ms(end);

    (void)poll(&wake, 1, left < 0 || left > FAILURE_PAUSE_MS ? FAILURE_PAUSE_MS : left);
}

int wake_create(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void wake_all(int wake_fd)
{
    const uint64_t one = 1;

    /* Nobody reads it, so it stays readable; it cannot overflow, since a handle is closed once. */
    (void)!write(wake_fd, &one, sizeof(one));
}

int make_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags == -1 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
