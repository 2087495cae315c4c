/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

/** What fsck can do. Immutable. */
enum FsckType {
    GET_LOCATIONS("getLocations", "/tmp.dat", Locations::print),
    DIRECTORY_DUMP("directoryDump", "/", TreeDump::directory),
    NAMENODE_DUMP("namenodeDump", "/", TreeDump::namenode),
    BLOCK_STATISTICS("blockStatistics", "/", Locations::statistics),
    PING("ping", "/", Checks::ping),
    CREATE_DIRECTORY("createDirectory", "/", DirectoryCreation::createDirectory),
    BLOCKS("blocks", "/", Checks::blocks),
    LOST_FILES("lostFiles", "/", LostFiles::perform);

    private final String label;
    private final String defaultPath;

    @SuppressWarnings("ImmutableEnumChecker") // method references without state
    private final Action action;

    FsckType(String label, String defaultPath, Action action) {
        this.label = label;
        this.defaultPath = defaultPath;
        this.action = action;
    }

    String label() {
        return label;
    }

    String defaultPath() {
        return defaultPath;
    }

    Action action() {
        return action;
    }

    /** Does it; returns the exit code. */
    interface Action {
        int perform(FsckRequest request) throws Exception;
    }
}
