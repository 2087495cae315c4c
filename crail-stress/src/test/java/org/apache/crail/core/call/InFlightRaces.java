/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The last operation of a stream ends while somebody begins to wait for that, as a close does. */
@JCStressTest
@State
@Outcome(id = "true", expect = ACCEPTABLE, desc = "it is told")
@Outcome(id = "false", expect = FORBIDDEN, desc = "it waits for ever")
public class InFlightRaces {
    private final InFlight inFlight = new InFlight();
    private CompletableFuture<Void> idle;

    public InFlightRaces() {
        inFlight.begin();
    }

    @Actor
    public void end() {
        inFlight.end();
    }

    @Actor
    public void await() {
        idle = inFlight.idle();
    }

    @Arbiter
    public void told(Z_Result result) {
        result.r1 = idle.isDone();
    }
}
