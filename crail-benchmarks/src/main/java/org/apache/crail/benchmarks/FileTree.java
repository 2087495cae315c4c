/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.server.MetadataService;

/**
 * Files of one block each in directories of 1,000, and an order to visit them in: consecutive visits go to places far
 * from each other, as those of many clients do. Immutable.
 *
 * @param files how many there are
 */
record FileTree(int files) {
    private static final int DIRECTORY_SIZE = 1000;
    private static final long STRIDE = 7919;

    /** Creates the files and their directories. */
    void create(MetadataService service) throws CrailException {
        for (int file = 0; file < files; file++) {
            if (file % DIRECTORY_SIZE == 0) {
                service.create(create(directory(file), CrailNodeType.DIRECTORY));
            }
            service.create(create(path(file), CrailNodeType.DATAFILE));
        }
    }

    static CreateRequest create(String path, CrailNodeType type) throws CrailException {
        return new CreateRequest(CrailPath.parse(path), type, 0, 0, false);
    }

    private static String directory(int file) {
        return "/d" + file / DIRECTORY_SIZE;
    }

    /** The path of a file. */
    String path(int file) {
        return directory(file) + "/part-" + file;
    }

    /** The file that a visit goes to. */
    int fileOfVisit(int visit) {
        return (int) (visit * STRIDE % files);
    }

    /** The requests of all visits, allocated in that order, so that they are read from memory one behind the other. */
    LookupRequest[] lookups() throws CrailException {
        LookupRequest[] lookups = new LookupRequest[files];
        for (int visit = 0; visit < files; visit++) {
            lookups[visit] = new LookupRequest(CrailPath.parse(path(fileOfVisit(visit))), false);
        }
        return lookups;
    }
}
