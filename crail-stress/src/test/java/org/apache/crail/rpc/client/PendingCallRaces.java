/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** An answer comes while the thread that has asked looks once more, and gives up to look. */
@JCStressTest
@State
@Outcome(id = "7", expect = ACCEPTABLE, desc = "the call has its answer")
@Outcome(expect = FORBIDDEN, desc = "the answer is lost")
public class PendingCallRaces {
    private static final PingResponse ANSWER = new PingResponse(7);

    private final PendingCall<PingResponse> call = new PendingCall<>(new PingRequest(6), 0, 1000);

    public PendingCallRaces() {
        call.beginWatch();
    }

    @Actor
    public void answer() {
        if (!call.leave(ANSWER)) {
            call.end(ANSWER);
        }
    }

    @Actor
    public void look() {
        call.look();
        call.endWatch();
    }

    @Arbiter
    public void end(I_Result result) {
        PingResponse answer = call.getNow(null);
        result.r1 = answer == null ? 0 : answer.number();
    }
}
