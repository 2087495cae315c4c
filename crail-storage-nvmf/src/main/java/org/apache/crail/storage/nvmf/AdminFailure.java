/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import com.ibm.jnvmf.UnsuccessfulComandException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What jNVMf says of a command of its admin queue that failed, in words that help. Stateless. */
final class AdminFailure {
    /** jNVMf gives the status in its text only, with this spelling. */
    private static final Pattern STATUS = Pattern.compile("StatusCodeType: (\\d+) .*SatusCode: (\\d+) ");

    private AdminFailure() {}

    /**
     * The status by name if the target answered with one; of an ended connection jNVMf says no more than that its books
     * are wrong.
     */
    static IOException of(Exception failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        Matcher status = STATUS.matcher(String.valueOf(root.getMessage()));
        if (root instanceof UnsuccessfulComandException && status.find()) {
            return NvmeStatus.failure(Integer.parseInt(status.group(1)), Integer.parseInt(status.group(2)));
        }
        if (root instanceof IllegalArgumentException) {
            return new IOException(
                    "the target answered with a status that jNVMf does not know (" + root.getMessage() + ")", failure);
        }
        return new IOException(
                "the connection has ended, or the target does not answer (" + root.getMessage() + ")", failure);
    }
}
