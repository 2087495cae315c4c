/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.Iterator;
import org.apache.crail.CrailContainer;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;

/** Tests on names. All methods are thread safe. */
final class NameTests {
    private NameTests() {}

    static void createFile(BenchTask task, int operations, Meter meter) throws Exception {
        create(task, CrailNodeType.DATAFILE, operations, 1, meter);
    }

    static void createFileAsync(BenchTask task, int operations, Meter meter) throws Exception {
        create(task, CrailNodeType.DATAFILE, operations, task.options().batch(), meter);
    }

    static void createMultiFile(BenchTask task, int operations, Meter meter) throws Exception {
        create(task, CrailNodeType.MULTIFILE, operations, 1, meter);
    }

    private static void create(BenchTask task, CrailNodeType type, int operations, int batch, Meter meter)
            throws Exception {
        OperationsInFlight<CrailNode> inFlight = new OperationsInFlight<>(batch, meter, node -> 0);
        for (int i = 0; i < operations; i++) {
            inFlight.awaitRoom();
            long startNs = System.nanoTime();
            inFlight.add(startNs, task.create(task.child(i), type));
        }
        inFlight.awaitAll();
    }

    static void getFile(BenchTask task, int operations, Meter meter) throws Exception {
        lookUp(task, operations, 1, meter);
    }

    static void getFileAsync(BenchTask task, int operations, Meter meter) throws Exception {
        lookUp(task, operations, task.options().batch(), meter);
    }

    private static void lookUp(BenchTask task, int operations, int batch, Meter meter) throws Exception {
        OperationsInFlight<CrailNode> inFlight = new OperationsInFlight<>(batch, meter, node -> {
            task.found(node);
            return 0;
        });
        for (int i = 0; i < operations; i++) {
            inFlight.awaitRoom();
            long startNs = System.nanoTime();
            inFlight.add(startNs, task.store().lookup(task.path()));
        }
        inFlight.awaitAll();
    }

    static void enumerate(BenchTask task, int operations, Meter meter) throws Exception {
        CrailContainer container = task.existing().asContainer();
        for (int i = 0; i < operations; i++) {
            long startNs = System.nanoTime();
            Iterator<String> names = container.listEntries();
            while (names.hasNext()) {
                names.next();
            }
            meter.done(startNs, 0);
        }
    }

    static void browse(BenchTask task, int operations, Meter meter) throws Exception {
        CrailContainer container = task.existing().asContainer();
        for (int i = 0; i < operations; i++) {
            Iterator<String> names = container.listEntries();
            while (names.hasNext()) {
                String name = names.next();
                long startNs = System.nanoTime();
                task.store().lookup(name).get();
                meter.doneWithinRound(startNs, 0);
            }
            meter.roundDone();
        }
    }
}
