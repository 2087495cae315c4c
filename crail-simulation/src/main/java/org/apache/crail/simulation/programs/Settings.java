/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.SplittableRandom;

/**
 * What one seed runs with: each has some kinds of operations and faults and not others, so that rare ones meet.
 *
 * @param tokenMs the life of a write token
 * @param rpcTimeoutMs limit of a call
 * @param dataTimeoutMs limit of a transfer
 * @param blocks of each datanode
 * @param partBytes size of shared parts, 0 for none
 * @param clients how many stores
 * @param operations how many each client does
 * @param files how many paths of files there are
 * @param keys how many keys there are
 * @param mostThinkMs how long clients wait between operations at most
 * @param delays whether messages are delayed
 * @param breaks whether connections break
 * @param cuts whether ways are cut
 * @param pauses whether processes are stopped
 * @param crashes whether clients crash
 * @param restarts whether datanodes start anew
 * @param duels whether all write to the same file, while processes are stopped often
 */
public record Settings(
        long tokenMs,
        long rpcTimeoutMs,
        long dataTimeoutMs,
        int blocks,
        int partBytes,
        int clients,
        int operations,
        int files,
        int keys,
        long mostThinkMs,
        boolean delays,
        boolean breaks,
        boolean cuts,
        boolean pauses,
        boolean crashes,
        boolean restarts,
        boolean duels) {
    /** The size of a block. */
    public static final int BLOCK_BYTES = 4096;

    private static final long[] TOKENS_MS = {2_000, 10_000, 10_000};
    private static final long[] THINKS_MS = {20, 300, 2_000};

    static Settings of(SplittableRandom random) {
        return random.nextInt(4) == 0 ? duel(random) : mixed(random);
    }

    private static Settings duel(SplittableRandom random) {
        return new Settings(
                TOKENS_MS[0],
                2_000,
                1_000,
                20 + random.nextInt(20),
                random.nextBoolean() ? 0 : 1024,
                2 + random.nextInt(2),
                80 + random.nextInt(80),
                1,
                1,
                THINKS_MS[1],
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(4) == 0,
                true,
                false,
                false,
                true);
    }

    private static Settings mixed(SplittableRandom random) {
        long tokenMs = TOKENS_MS[random.nextInt(TOKENS_MS.length)];
        return new Settings(
                tokenMs,
                2_000,
                random.nextBoolean() ? 1_000 : 2_000,
                12 + random.nextInt(30),
                random.nextInt(4) == 0 ? 0 : 1024,
                2 + random.nextInt(3),
                40 + random.nextInt(80),
                1 + random.nextInt(3),
                1 + random.nextInt(2),
                THINKS_MS[random.nextInt(THINKS_MS.length)],
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextInt(3) > 0,
                random.nextInt(3) == 0,
                random.nextInt(5) == 0,
                false);
    }
}
