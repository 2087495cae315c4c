/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.rpc.message.CreateRequest;

/** A namenode whose changes find less and less stack, until one of them fails half done. */
public final class DoubtfulNamenode {
    private static int attempts;

    private DoubtfulNamenode() {}

    /** The program; argument: the file with its configuration. */
    public static void main(String[] arguments) throws Exception {
        CrailConfiguration configuration = CrailConfiguration.createConfigurationFromFile(arguments[0]);
        Namenode namenode = Namenode.start(configuration, new NamenodeOptions(null, 0));
        LastWords.endInDoubt(namenode);
        change(namenode);
        dive(namenode);
        namenode.close();
    }

    @SuppressWarnings("InfiniteRecursion") // it is to end with the stack
    private static void dive(Namenode namenode) throws CrailException {
        try {
            dive(namenode);
        } catch (StackOverflowError e) {
            change(namenode);
        }
    }

    private static void change(Namenode namenode) throws CrailException {
        CrailPath path = CrailPath.parse("/" + attempts++);
        namenode.service().create(new CreateRequest(path, CrailNodeType.DIRECTORY, -1, -1, false));
    }
}
