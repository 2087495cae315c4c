/* SPDX-License-Identifier: Apache-2.0 */
/** Targets of NVMe over Fabrics in the kernel, made and broken by tests; only in the lab. */
package org.apache.crail.testkit.nvme;
