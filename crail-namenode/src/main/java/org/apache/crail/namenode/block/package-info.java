/* SPDX-License-Identifier: Apache-2.0 */
/** Blocks: which datanodes offer them, which are free, and which wait until they may be given out again. */
package org.apache.crail.namenode.block;
