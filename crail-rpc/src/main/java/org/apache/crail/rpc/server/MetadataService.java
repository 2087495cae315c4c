/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.ChangeRequest;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.ForgetRequest;
import org.apache.crail.rpc.message.ForgetResponse;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.HeartbeatResponse;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.MoveResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RegisterResponse;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.message.StatusRequest;
import org.apache.crail.rpc.message.StatusResponse;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncResponse;

/**
 * What a namenode does, one method per operation. Each either answers or fails with a typed error and has changed
 * nothing. Methods are called by many threads at once; they must not block, but for {@link #check}.
 */
public interface MetadataService {
    /** What is equal for the whole cluster; the answer to every session that is opened. */
    HelloResponse cluster();

    CreateResponse create(CreateRequest request) throws CrailException;

    LookupResponse lookup(LookupRequest request) throws CrailException;

    SyncResponse sync(SyncRequest request) throws CrailException;

    RemoveResponse remove(RemoveRequest request) throws CrailException;

    MoveResponse move(MoveRequest request) throws CrailException;

    MapResponse map(MapRequest request) throws CrailException;

    MapResponse locate(LocateRequest request) throws CrailException;

    RegisterResponse register(RegisterRequest request) throws CrailException;

    HeartbeatResponse heartbeat(HeartbeatRequest request) throws CrailException;

    ChildrenResponse children(ChildrenRequest request) throws CrailException;

    StatusResponse status(StatusRequest request) throws CrailException;

    StatusResponse change(ChangeRequest request) throws CrailException;

    ReportResponse report(ReportRequest request) throws CrailException;

    /** May take long, and is called on a thread of its own, one call at a time. */
    CheckResponse check(CheckRequest request) throws CrailException;

    ForgetResponse forget(ForgetRequest request) throws CrailException;
}
