/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.message.CheckResponse;

/**
 * What goes between {@link RemoteServers} and {@link ServerAgent}: a word that says what it is, and strings. Immutable.
 *
 * @param word a verb of {@link AgentSession}, {@link #DONE} or {@link #FAILED}
 * @param values what belongs to it
 */
record AgentMessage(String word, List<String> values) {
    static final String DONE = "done";
    static final String FAILED = "failed";

    static AgentMessage of(String word, Object... values) {
        List<String> strings = new ArrayList<>();
        for (Object value : values) {
            strings.add(String.valueOf(value));
        }
        return new AgentMessage(word, strings);
    }

    static AgentMessage failure(CrailException failure) {
        return of(FAILED, failure.code(), failure.getMessage());
    }

    /** The failure that {@link #failure} was made of. */
    CrailException toFailure() {
        return ErrorCode.valueOf(values.get(0)).exception("on the servers' host: " + values.get(1));
    }

    /** With a configuration behind the values. */
    AgentMessage with(CrailConfiguration configuration) {
        List<String> all = new ArrayList<>(values);
        for (Map.Entry<String, String> entry : configuration.asMap().entrySet()) {
            all.add(entry.getKey());
            all.add(entry.getValue());
        }
        return new AgentMessage(word, all);
    }

    /** The configuration that stands behind the first {@code from} values. */
    CrailConfiguration configuration(int from) {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        for (int i = from; i < values.size(); i += 2) {
            configuration.set(values.get(i), values.get(i + 1));
        }
        return configuration;
    }

    static AgentMessage of(StartedDatanode datanode) {
        DataNodeInfo info = datanode.info();
        return of(
                DONE,
                info.getStorageType(),
                info.getStorageClass(),
                info.getLocationClass(),
                info.host(),
                info.getPort(),
                datanode.capacityBytes(),
                info.locator());
    }

    StartedDatanode toDatanode() {
        DataNodeInfo info =
                new DataNodeInfo(integer(0), integer(1), integer(2), values.get(3), integer(4), values.get(6));
        return new StartedDatanode(info, Long.parseLong(values.get(5)));
    }

    static AgentMessage of(CheckResponse check) {
        AgentMessage counts = of(
                DONE,
                check.nodes(),
                check.registered(),
                check.free(),
                check.allocated(),
                check.pending(),
                check.lost());
        counts.values().addAll(check.problems());
        return counts;
    }

    CheckResponse toCheck() {
        return new CheckResponse(
                number(0), number(1), number(2), number(3), number(4), number(5), values.subList(6, values.size()));
    }

    private long number(int index) {
        return Long.parseLong(values.get(index));
    }

    String text(int index) {
        return values.get(index);
    }

    int integer(int index) {
        return Integer.parseInt(values.get(index));
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(word);
        out.writeInt(values.size());
        for (String value : values) {
            out.writeUTF(value);
        }
        out.flush();
    }

    static AgentMessage read(DataInputStream in) throws IOException {
        String word = in.readUTF();
        int count = in.readInt();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(in.readUTF());
        }
        return new AgentMessage(word, values);
    }
}
