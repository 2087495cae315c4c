/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.conf.CrailConfiguration;

/**
 * A process whose threads put values all the time, several puts of each under way, until it is killed. Used by one
 * thread.
 */
public final class RestlessWriter {
    private static final int THREADS = 3;
    private static final int UNDER_WAY = 4;

    private RestlessWriter() {}

    /** Puts values of some keys of a table; says that it has begun by ending the standard output. */
    public static void main(String[] args) throws Exception {
        CountDownLatch begun = new CountDownLatch(2 * THREADS * UNDER_WAY);
        try (TestClient client = TestClient.open(CrailConfiguration.createConfigurationFromFile())) {
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(() -> putValues(client, args[0], begun));
                thread.setDaemon(true);
                thread.start();
            }
            begun.await();
            System.out.close();
            System.in.read(); // ends with the process that started this one
        }
    }

    private static void putValues(TestClient client, String table, CountDownLatch begun) {
        Random random = new Random();
        Deque<CrailOutputStream> underWay = new ArrayDeque<>();
        try {
            while (true) {
                if (underWay.size() == UNDER_WAY) {
                    underWay.remove().close();
                }
                underWay.add(put(client, table + "/" + random.nextInt(KilledClientTest.KEYS), random));
                begun.countDown();
            }
        } catch (Exception e) {
            System.exit(1);
        }
    }

    private static CrailOutputStream put(TestClient client, String path, Random random) throws Exception {
        byte[] value = KilledClientTest.value(random.nextLong() >>> 1);
        CrailFile file = client.putting(path);
        CrailOutputStream stream = file.getDirectOutputStream(value.length);
        TestClient.await(stream.write(TestClient.buffer(value)));
        return stream;
    }
}
