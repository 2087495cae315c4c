/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopTasksTest {
    private final LoopTasks tasks = new LoopTasks();
    private final List<Integer> ran = new ArrayList<>();

    private void add(int number) {
        tasks.add(() -> ran.add(number));
    }

    private void poll(boolean isDrained) {
        tasks.beforePoll();
        tasks.afterPoll(isDrained, 3);
    }

    @Test
    void shouldRunTasksInOrderBehindAPollThatEmptiedTheQueue() {
        add(1);
        add(2);

        poll(true);

        assertThat(ran).containsExactly(1, 2);
    }

    @Test
    void shouldRunTasksOfALoopThatAlwaysFindsCompletions() {
        add(1);
        poll(false);
        add(2);
        poll(false);
        assertThat(ran).isEmpty();

        poll(false);
        assertThat(ran).containsExactly(1);

        poll(false);
        poll(false);
        poll(false);
        assertThat(ran).containsExactly(1, 2);
    }

    @Test
    void shouldNotRunATaskBeforeTheCompletionsThatWereThereWhenItWasGiven() {
        tasks.beforePoll();
        add(1);
        tasks.afterPoll(true, 3);

        assertThat(ran).isEmpty();
        poll(true);
        assertThat(ran).containsExactly(1);
    }

    @Test
    void shouldGoOnBehindATaskThatFails() {
        tasks.add(() -> {
            throw new OutOfMemoryError("injected");
        });
        add(1);

        poll(true);

        assertThat(ran).containsExactly(1);
    }

    @Test
    void shouldRunAllTasksOfALoopThatCannotPoll() {
        add(1);
        tasks.beforePoll();
        add(2);

        tasks.runAll();

        assertThat(ran).containsExactly(1, 2);
    }
}
