/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The rdma tier: blocks in the memory of datanodes, which clients read and write by one-sided RDMA, without a processor
 * of the datanode. A read is one signalled RDMA READ; a write is an RDMA WRITE and, in the same post, a signalled RDMA
 * READ of its last byte, which returns when all before it is in memory. Threads: callers post what fits the send queue
 * themselves, and complete a transfer that is alone and done at once; what does not fit waits in the order of its
 * arrival; one thread for each device takes all other completions and completes futures. Whatever goes wrong with a
 * connection, its queue pair is destroyed before any of its transfers fails, so that hardware writes into no buffer
 * that its owner has back.
 */
package org.apache.crail.storage.rdma;
