/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.crail.cli.console.FailureText;

/** Closes things of the store's API, which may throw any exception. All methods are thread safe. */
public final class Closing {
    private Closing() {}

    /** Closes; any failure is an IOException, and an interrupt stays set. */
    public static void close(AutoCloseable resource) throws IOException {
        try {
            resource.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while closing");
        } catch (Exception e) { // what AutoCloseable declares
            throw new IOException(FailureText.line(e), e);
        }
    }
}
