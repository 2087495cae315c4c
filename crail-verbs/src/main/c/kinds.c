/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

const destructor destructors[KIND_COUNT] = {
    [KIND_EVENT_CHANNEL] = destroy_event_channel,
    [KIND_CM_ID] = destroy_cm_id,
    [KIND_CONTEXT] = NULL,
    [KIND_PD] = destroy_pd,
    [KIND_COMP_CHANNEL] = destroy_comp_channel,
    [KIND_CQ] = destroy_cq,
    [KIND_QP] = destroy_qp,
    [KIND_MR] = destroy_mr,
};

const char *const kind_names[KIND_COUNT] = {
    [KIND_EVENT_CHANNEL] = "event channel",
    [KIND_CM_ID] = "connection id",
    [KIND_CONTEXT] = "device context",
    [KIND_PD] = "protection domain",
    [KIND_COMP_CHANNEL] = "completion channel",
    [KIND_CQ] = "completion queue",
    [KIND_QP] = "queue pair",
    [KIND_MR] = "memory region",
};
