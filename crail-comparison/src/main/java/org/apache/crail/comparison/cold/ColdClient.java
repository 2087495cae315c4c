/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;

/**
 * A cold client, in a JVM of its own: opens its client, does one work, and prints the marks that it has passed when all
 * is done. It loads as little besides the system's client as it can.
 */
public final class ColdClient {
    private static final Path STAT = Path.of("/proc/self/stat");
    /** User and system time, counted from what comes after the name of the process. */
    private static final int USER_FIELD = 11;

    /** Of the kernel's interface, whatever its own clock. */
    private static final long MS_PER_TICK = 10;

    private static final long US_PER_MS = 1_000;
    private static final long NS_PER_US = 1_000;

    private final long startMs;
    private final StringBuilder marks = new StringBuilder();
    private long openUs;
    private long openNs;

    private ColdClient(long startMs) {
        this.startMs = startMs;
    }

    /**
     * Runs.
     *
     * @param args the system, see {@link ColdSystems#client}; the address of its servers; the {@link ColdWork}; the
     *     place where it is done; after how many milliseconds it ends early; when this process was started, in
     *     milliseconds of {@link System#currentTimeMillis}; and the marks, ascending, separated by commas
     */
    public static void main(String[] args) {
        int status = 1;
        try {
            ColdClient client = new ColdClient(Long.parseLong(args[5]));
            client.run(
                    ColdSystems.client(args[0]),
                    args[1],
                    ColdWork.valueOf(args[2]),
                    args[3],
                    TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[4])),
                    args[6].split(",", -1));
            System.out.print(client.marks);
            System.out.flush();
            status = 0;
        } catch (Throwable e) { // threads of the system would keep the process alive
            System.err.println("the client failed: " + e);
            e.printStackTrace();
        }
        System.exit(status);
    }

    private void run(Peer peer, String address, ColdWork work, String place, long limitNs, String[] ends)
            throws Exception {
        try (Peer attached = peer) {
            attached.attach(address);
            try (PeerClient client = attached.connect()) {
                open();
                work.begin(client, place, Integer.parseInt(ends[ends.length - 1]));
                int done = 0;
                for (String end : ends) {
                    int most = Integer.parseInt(end);
                    while (done < most && System.nanoTime() - openNs < limitNs) {
                        work.run(client, place, done++);
                        if (done == 1) {
                            mark(done);
                        }
                    }
                    if (done < most) {
                        break;
                    }
                    mark(done);
                }
                work.end(client);
            }
        }
    }

    private void open() throws IOException {
        openNs = System.nanoTime();
        openUs = (System.currentTimeMillis() - startMs) * US_PER_MS;
        mark(0);
    }

    private void mark(int operations) throws IOException {
        long wallUs = openUs + (System.nanoTime() - openNs) / NS_PER_US;
        marks.append(ColdMarks.LINE)
                .append(operations)
                .append(' ')
                .append(wallUs)
                .append(' ')
                .append(processorMs())
                .append('\n');
    }

    /** User and system time of this process; what reads it belongs to what it is part of. */
    private static long processorMs() throws IOException {
        return processorMs(Files.readString(STAT));
    }

    /** The same of the process that a line of {@code /proc/PID/stat} is about. */
    static long processorMs(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1])) * MS_PER_TICK;
    }
}
