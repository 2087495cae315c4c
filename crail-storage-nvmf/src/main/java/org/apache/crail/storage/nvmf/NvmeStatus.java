/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.Map;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;

/** What a target says of a command that failed: the tables of the NVMe base specification. Stateless. */
final class NvmeStatus {
    /** The code is not known. */
    static final int UNKNOWN = -1;

    private static final int TYPE_SHIFT = 8;
    private static final int PATH = 3;
    private static final String[] TYPES = {"generic", "command specific", "media", "path"};

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(0x001, "Invalid Command Opcode"),
            Map.entry(0x002, "Invalid Field in Command"),
            Map.entry(0x003, "Command ID Conflict"),
            Map.entry(0x004, "Data Transfer Error"),
            Map.entry(0x005, "Commands Aborted due to Power Loss Notification"),
            Map.entry(0x006, "Internal Error"),
            Map.entry(0x007, "Command Abort Requested"),
            Map.entry(0x008, "Command Aborted due to SQ Deletion"),
            Map.entry(0x00b, "Invalid Namespace or Format"),
            Map.entry(0x00c, "Command Sequence Error"),
            Map.entry(0x00f, "Data SGL Length Invalid"),
            Map.entry(0x011, "SGL Descriptor Type Invalid"),
            Map.entry(0x020, "Namespace is Write Protected"),
            Map.entry(0x021, "Command Interrupted"),
            Map.entry(0x022, "Transient Transport Error"),
            Map.entry(0x080, "LBA Out of Range"),
            Map.entry(0x081, "Capacity Exceeded"),
            Map.entry(0x082, "Namespace Not Ready"),
            Map.entry(0x083, "Reservation Conflict"),
            Map.entry(0x084, "Format in Progress"),
            Map.entry(0x180, "Conflicting Attributes"),
            Map.entry(0x181, "Invalid Protection Information"),
            Map.entry(0x182, "Attempted Write to Read Only Range"),
            Map.entry(0x280, "Write Fault"),
            Map.entry(0x281, "Unrecovered Read Error"),
            Map.entry(0x282, "End-to-end Guard Check Error"),
            Map.entry(0x285, "Compare Failure"),
            Map.entry(0x286, "Access Denied"),
            Map.entry(0x287, "Deallocated or Unwritten Logical Block"),
            Map.entry(0x300, "Internal Path Error"),
            Map.entry(0x302, "Asymmetric Access Inaccessible"),
            Map.entry(0x303, "Asymmetric Access Transition"));

    private NvmeStatus() {}

    /** The status by its name and numbers. */
    static String name(int type, int code) {
        if (code == UNKNOWN) {
            return type == UNKNOWN
                    ? "an unknown error"
                    : (type < TYPES.length ? TYPES[type] : "type " + type) + " error";
        }
        int status = type << TYPE_SHIFT | code;
        return NAMES.getOrDefault(status, "status") + String.format(java.util.Locale.ROOT, " (0x%03x)", status);
    }

    /** The failure of a transfer, of a type that tells what helps. */
    static CrailException failure(int type, int code) {
        String help = type == PATH
                ? "; the target cannot reach its namespace: enable it again there if it has been taken away"
                : help(type << TYPE_SHIFT | code);
        return code(type, code).exception("the target answered " + name(type, code) + help);
    }

    private static ErrorCode code(int type, int code) {
        if (type == PATH) {
            return ErrorCode.DATANODE_UNREACHABLE; // it may serve again later
        }
        return switch (type << TYPE_SHIFT | code) {
            case 0x005, 0x007, 0x008, 0x00b, 0x021, 0x022, 0x082, 0x084 ->
                ErrorCode.DATANODE_UNREACHABLE; // it may serve again later
            default -> ErrorCode.STORAGE_FAILURE;
        };
    }

    private static String help(int status) {
        return switch (status) {
            case 0x00b -> "; the namespace has been taken away: enable it again at the target";
            case 0x080 -> "; the namespace has become smaller: restart the datanode";
            case 0x020, 0x182 -> "; let the target permit writing";
            default -> "; see the log of the target";
        };
    }
}
