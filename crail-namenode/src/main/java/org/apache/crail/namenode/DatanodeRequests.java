/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.error.CrailException;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.block.RegionOffer;
import org.apache.crail.namenode.block.Registered;
import org.apache.crail.rpc.message.ForgetRequest;
import org.apache.crail.rpc.message.ForgetResponse;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.HeartbeatResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RegisterResponse;

/**
 * What datanodes and their operators ask of the block store, which knows no messages. Thread safe for heartbeats; all
 * else needs the namespace's write lock.
 */
final class DatanodeRequests {
    private final BlockStore blocks;
    private final NamenodeClock clock;

    DatanodeRequests(Namespace namespace) {
        this.blocks = namespace.blocks();
        this.clock = namespace.clock();
    }

    RegisterResponse register(RegisterRequest request) throws CrailException {
        RegionOffer offer = new RegionOffer(
                request.datanode(),
                request.incarnation(),
                request.medium(),
                request.epochAfter(),
                request.epochLimit(),
                request.inUse(),
                request.regions());
        Registered registered = blocks.register(offer, clock.nanoTime());
        return new RegisterResponse(registered.blocks(), registered.epochLimit());
    }

    HeartbeatResponse heartbeat(HeartbeatRequest request) throws CrailException {
        return new HeartbeatResponse(
                blocks.heartbeat(request.datanode(), request.incarnation(), request.last(), clock.nanoTime()));
    }

    ForgetResponse forget(ForgetRequest request) throws CrailException {
        return new ForgetResponse(blocks.forget(request.datanode()));
    }
}
