/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A block that goes from one node to another while its former user still transfers. */
public final class FenceRaces {
    private static final int BLOCK = 0;
    private static final long FORMER = 1;
    private static final long PRESENT = 2;

    private FenceRaces() {}

    /** A block of one int, with the fence, which has admitted the former epoch. */
    @State
    public static class Block {
        final BlockFence fence = BlockFence.inProcess(1);
        int content; // as the bytes of a region: nothing but the fence puts it in order

        /** In the hands of the former user. */
        public Block() {
            fence.admit(BLOCK, FORMER);
        }

        /** As a server's socket receives a piece. */
        final void receive(long epoch) {
            if (fence.enter(BLOCK, epoch)) {
                content = (int) epoch;
                fence.leave(BLOCK, epoch);
            }
        }

        /** As a process on the datanode's host copies from a region; 0 if it was not done. */
        final int copy(long epoch) {
            if (!fence.raise(BLOCK, epoch)) {
                return 0;
            }
            int copied = content;
            VarHandle.fullFence();
            return fence.isCurrent(BLOCK, epoch) ? 1 + copied : 0;
        }
    }

    /** What the former user's socket receives does not land in what the present one has written. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "the present user's")
    @Outcome(expect = FORBIDDEN, desc = "the former user's")
    public static class LateReceive {
        @Actor
        public void former(Block block) {
            block.receive(FORMER);
        }

        @Actor
        public void present(Block block) {
            block.fence.admit(BLOCK, PRESENT);
            block.receive(PRESENT);
        }

        @Arbiter
        public void end(Block block, I_Result result) {
            result.r1 = block.content;
        }
    }

    /** The same if the present user copies by itself, where the fence says that nobody else writes. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "0, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "the present user's, or left to the server")
    @Outcome(expect = FORBIDDEN, desc = "the former user's")
    public static class LateReceiveBesideCopy {
        @Actor
        public void former(Block block) {
            block.receive(FORMER);
        }

        @Actor
        public void present(Block block, II_Result result) {
            if (block.fence.raise(BLOCK, PRESENT) && block.fence.tryClear(BLOCK, PRESENT)) {
                block.content = (int) PRESENT;
                result.r1 = 1;
            }
        }

        @Arbiter
        public void end(Block block, II_Result result) {
            result.r2 = block.content;
        }
    }

    /** A former user that copies from the block does not take what the present one has written for its own. */
    @JCStressTest
    @Outcome(
            id = {"0", "1"},
            expect = ACCEPTABLE,
            desc = "refused, or its own")
    @Outcome(expect = FORBIDDEN, desc = "the present user's")
    public static class LateCopy {
        @Actor
        public void former(Block block, I_Result result) {
            result.r1 = block.copy(FORMER);
        }

        @Actor
        public void present(Block block) {
            block.fence.admit(BLOCK, PRESENT);
            block.receive(PRESENT);
        }
    }

    /** Of two that raise the epoch, the higher one holds. */
    @JCStressTest
    @Outcome(id = "3", expect = ACCEPTABLE, desc = "the higher one")
    @Outcome(expect = FORBIDDEN, desc = "a lower one")
    public static class Raise {
        @Actor
        public void second(Block block) {
            block.fence.raise(BLOCK, PRESENT);
        }

        @Actor
        public void third(Block block) {
            block.fence.raise(BLOCK, PRESENT + 1);
        }

        @Arbiter
        public void end(Block block, I_Result result) {
            result.r1 = (int) block.fence.seen(BLOCK);
        }
    }
}
