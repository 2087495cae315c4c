/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Blocks that processes of one host share: files that a datanode and its clients map, and the fences that keep the
 * bytes of former allocations out of them. For tiers of Crail only.
 */
package org.apache.crail.local.block;
