/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.internal.Counted;
import org.apache.crail.internal.SharedTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open streams of a store: closes them with it, and renews the write tokens of those that write. Thread safe. */
final class OpenStreams {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);

    /** How often within the life of a token it is looked at; each second look renews it. */
    private static final int LOOKS_PER_TOKEN = 6;

    private final Set<CoreInputStream> inputs = ConcurrentHashMap.newKeySet();
    private final Set<CoreOutputStream> outputs = ConcurrentHashMap.newKeySet();
    private final CoreStreamStatistics statistics = new CoreStreamStatistics();
    private final Future<?> renewal;

    OpenStreams(StoreParts parts) {
        long tokenNs = 2 * parts.settings().leaseNs();
        long periodNs = tokenNs / LOOKS_PER_TOKEN;
        this.renewal = SharedTimer.every(Math.max(1, periodNs / 1_000_000), () -> renewAll(parts, periodNs));
    }

    private void renewAll(StoreParts parts, long periodNs) {
        long nowNs = parts.blocks().nowNs();
        for (CoreOutputStream stream : outputsInOrder()) {
            stream.renewTokenIfOlderThan(periodNs, nowNs);
        }
    }

    /** In an order that does not depend on where objects lie, so that a run of the simulation can be repeated. */
    private List<CoreOutputStream> outputsInOrder() {
        List<CoreOutputStream> ordered = new ArrayList<>(outputs);
        ordered.sort(Comparator.comparingLong(stream -> stream.getFile().getFd()));
        return ordered;
    }

    CoreStreamStatistics statistics() {
        return statistics;
    }

    void opened(CoreInputStream stream) {
        inputs.add(stream);
        statistics.opened(false);
    }

    void opened(CoreOutputStream stream) {
        outputs.add(stream);
        statistics.opened(true);
    }

    void closed(CoreInputStream stream) {
        if (inputs.remove(stream)) {
            statistics.closed(false);
        }
    }

    void closed(CoreOutputStream stream) {
        if (outputs.remove(stream)) {
            statistics.closed(true);
        }
    }

    /** Closes all streams; answers what failed. */
    List<IOException> closeAll() {
        List<IOException> failures = new ArrayList<>();
        for (CoreInputStream stream : inputs) {
            try {
                stream.close();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        List<CoreOutputStream> writing = outputsInOrder();
        warnOfOpen(writing);
        for (CoreOutputStream stream : writing) {
            try {
                stream.close();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        return failures;
    }

    private static void warnOfOpen(List<CoreOutputStream> writing) {
        List<CoreOutputStream> open =
                writing.stream().filter(stream -> !stream.isClosed()).toList();
        if (!open.isEmpty()) {
            LOG.warn(
                    "the store closes {} that nobody has closed, one to {}: bytes that a buffered stream has collected"
                            + " are lost; close streams before their store",
                    Counted.of(open.size(), "output stream"),
                    open.get(0).getFile().getPath());
        }
    }

    /** Renews no more. */
    void stop() {
        renewal.cancel(false);
    }
}
