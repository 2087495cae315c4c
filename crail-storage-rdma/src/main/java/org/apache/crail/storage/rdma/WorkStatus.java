/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import org.apache.crail.error.ErrorCode;

/** What a work completion says: the table of {@code enum ibv_wc_status}. Stateless. */
final class WorkStatus {
    static final int SUCCESS = 0;
    static final int FLUSHED = 5;
    static final int REMOTE_ACCESS = 10;
    static final int RETRIES_EXCEEDED = 12;

    private static final String[] NAMES = {
        "IBV_WC_SUCCESS",
        "IBV_WC_LOC_LEN_ERR",
        "IBV_WC_LOC_QP_OP_ERR",
        "IBV_WC_LOC_EEC_OP_ERR",
        "IBV_WC_LOC_PROT_ERR",
        "IBV_WC_WR_FLUSH_ERR",
        "IBV_WC_MW_BIND_ERR",
        "IBV_WC_BAD_RESP_ERR",
        "IBV_WC_LOC_ACCESS_ERR",
        "IBV_WC_REM_INV_REQ_ERR",
        "IBV_WC_REM_ACCESS_ERR",
        "IBV_WC_REM_OP_ERR",
        "IBV_WC_RETRY_EXC_ERR",
        "IBV_WC_RNR_RETRY_EXC_ERR",
        "IBV_WC_LOC_RDD_VIOL_ERR",
        "IBV_WC_REM_INV_RD_REQ_ERR",
        "IBV_WC_REM_ABORT_ERR",
        "IBV_WC_INV_EECN_ERR",
        "IBV_WC_INV_EEC_STATE_ERR",
        "IBV_WC_FATAL_ERR",
        "IBV_WC_RESP_TIMEOUT_ERR",
        "IBV_WC_GENERAL_ERR",
        "IBV_WC_TM_ERR",
        "IBV_WC_TM_RNDV_INCOMPLETE",
    };

    private WorkStatus() {}

    static String name(int status) {
        return status >= 0 && status < NAMES.length ? NAMES[status] : "status " + status;
    }

    /** Which failure of a transfer it is, chosen so that the client does what helps. */
    static ErrorCode code(int status) {
        return switch (status) {
            case 9, REMOTE_ACCESS ->
                ErrorCode.STALE_BLOCK; // keys that are no longer valid: the namenode knows new ones
            case 1, 2, 3, 4, 6, 8, 14 -> ErrorCode.INTERNAL; // the fault is on this side
            case 11 -> ErrorCode.STORAGE_FAILURE;
            default -> ErrorCode.DATANODE_UNREACHABLE;
        };
    }

    /** What happened, for a message. */
    static String explain(int status) {
        return name(status)
                + switch (status) {
                    case 9, REMOTE_ACCESS -> ": the datanode does not offer this memory, maybe it started anew";
                    case RETRIES_EXCEEDED, 13 -> ": the datanode does not answer";
                    case FLUSHED -> ": the connection ended";
                    case 11 -> ": the datanode's device failed";
                    case 4, 8 -> ": the buffer's memory is not registered any more";
                    default -> "";
                };
    }
}
