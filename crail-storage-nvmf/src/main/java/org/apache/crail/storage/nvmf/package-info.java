/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The {@code nvmf} tier: flash on NVMe over Fabrics targets. Datanodes only describe a target's namespace to the
 * namenode and watch the target; clients read and write it themselves.
 */
package org.apache.crail.storage.nvmf;
