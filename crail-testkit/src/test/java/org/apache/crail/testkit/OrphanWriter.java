/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import org.apache.crail.CrailFile;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.conf.CrailConfiguration;

/** A process that writes a file, says so, and waits for its death without having synced. Used by one thread. */
public final class OrphanWriter {
    private OrphanWriter() {}

    /** Writes so many bytes to a path; says so by ending the standard output. */
    public static void main(String[] args) throws Exception {
        try (TestClient client = TestClient.open(CrailConfiguration.createConfigurationFromFile())) {
            CrailFile file = client.createFile(args[0]);
            CrailOutputStream stream = file.getDirectOutputStream(0);
            TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, Integer.parseInt(args[1])))));
            System.out.close();
            System.in.read(); // ends with the process that started this one
        }
    }
}
