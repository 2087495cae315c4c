/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.cli.context.OpenStore;
import picocli.CommandLine.ExitCode;

/** Creates directories with classes of their own. All methods are thread safe. */
final class DirectoryCreation {
    private DirectoryCreation() {}

    static int createDirectory(FsckRequest request) throws Exception {
        try (OpenStore open = request.context().openStore()) {
            CrailNode ignored = open.store()
                    .create(
                            request.path().toString(),
                            CrailNodeType.DIRECTORY,
                            CrailStorageClass.get(request.storageClass()),
                            CrailLocationClass.get(request.locationClass()),
                            true)
                    .get();
        }
        request.console().line("created directory " + request.path());
        return ExitCode.OK;
    }
}
