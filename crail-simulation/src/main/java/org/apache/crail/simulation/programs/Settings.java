/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What one seed runs with: each has some kinds of operations and faults and not others, so that rare ones meet.
 * Immutable.
 *
 * @param focus what programs do most
 * @param faults what goes wrong
 * @param comparesEpochs whether datanodes refuse transfers of earlier allocations, as not all tiers can
 * @param tokenMs the life of a write token
 * @param rpcTimeoutMs limit of a call
 * @param dataTimeoutMs limit of a transfer
 * @param blocks of each datanode
 * @param partBytes size of shared parts, 0 for none
 * @param clients how many stores
 * @param operations how many each client does
 * @param files how many paths of files there are
 * @param keys how many keys there are
 * @param evicts whether values go when the store is nearly full
 * @param mostThinkMs how long clients wait between operations at most
 */
record Settings(
        Focus focus,
        Set<Fault> faults,
        boolean comparesEpochs,
        long tokenMs,
        long rpcTimeoutMs,
        long dataTimeoutMs,
        int blocks,
        int partBytes,
        int clients,
        int operations,
        int files,
        int keys,
        boolean evicts,
        long mostThinkMs) {
    /** The size of a block. */
    static final int BLOCK_BYTES = 4096;

    /** So many blocks are written when nothing goes wrong any more. */
    static final int MOST_BLOCKS_OF_LAST_LOOK = 6;

    private static final long RPC_TIMEOUT_MS = 2_000;
    private static final int PART_BYTES = 1024;
    private static final int BLOCKS_TO_ONE = 8;
    private static final int MORE_KEYS = 6;
    private static final long[] TOKENS_MS = {2_000, 10_000, 10_000};
    private static final long[] THINKS_MS = {20, 300, 2_000};

    static Settings of(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> duel(random);
            case 2 -> mixed(random, Focus.VALUES);
            case 3 -> mixed(random, Focus.NAMES);
            default -> mixed(random, Focus.FILES_AND_VALUES);
        };
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    private static Settings duel(SplittableRandom random) {
        Set<Fault> faults = EnumSet.of(Fault.PAUSES);
        choose(faults, Fault.DELAYS, random.nextBoolean());
        choose(faults, Fault.BREAKS, random.nextBoolean());
        choose(faults, Fault.CUTS, random.nextInt(4) == 0);
        return new Settings(
                Focus.ONE_FILE,
                faults,
                true,
                TOKENS_MS[0],
                RPC_TIMEOUT_MS,
                1_000,
                20 + random.nextInt(20),
                random.nextBoolean() ? 0 : PART_BYTES,
                2 + random.nextInt(2),
                80 + random.nextInt(80),
                1,
                1,
                false,
                THINKS_MS[1]);
    }

    private static Settings mixed(SplittableRandom random, Focus focus) {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        boolean isMostlyValues = focus == Focus.VALUES;
        choose(faults, Fault.DELAYS, random.nextBoolean() || isMostlyValues);
        choose(faults, Fault.BREAKS, random.nextBoolean() || isMostlyValues);
        choose(faults, Fault.CUTS, random.nextInt(3) == 0);
        choose(faults, Fault.PAUSES, random.nextInt(3) > 0);
        choose(faults, Fault.CRASHES, random.nextInt(3) == 0);
        choose(faults, Fault.RESTARTS, random.nextInt(5) == 0);
        choose(faults, Fault.TWINS, random.nextInt(6) == 0);
        choose(faults, Fault.NAMENODES, random.nextInt(5) == 0);
        Settings drawn = new Settings(
                focus,
                faults,
                random.nextInt(4) > 0,
                TOKENS_MS[random.nextInt(TOKENS_MS.length)],
                RPC_TIMEOUT_MS,
                random.nextBoolean() ? 1_000 : 2_000,
                12 + random.nextInt(30),
                random.nextInt(4) == 0 ? 0 : PART_BYTES,
                2 + random.nextInt(3),
                40 + random.nextInt(80),
                1 + random.nextInt(3),
                1 + random.nextInt(2),
                false,
                THINKS_MS[random.nextInt(THINKS_MS.length)]);
        return focus == Focus.VALUES && drawn.tokenMs == TOKENS_MS[0] ? drawn.evicting() : drawn;
    }

    /** A small store for many values. */
    private Settings evicting() {
        return new Settings(
                focus,
                faults,
                comparesEpochs,
                tokenMs,
                rpcTimeoutMs,
                dataTimeoutMs,
                2 + blocks / BLOCKS_TO_ONE,
                partBytes,
                clients,
                operations,
                files,
                keys + MORE_KEYS,
                true,
                mostThinkMs);
    }

    private static void choose(Set<Fault> faults, Fault fault, boolean isChosen) {
        if (isChosen) {
            faults.add(fault);
        }
    }
}
