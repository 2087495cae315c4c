/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What tiers have in common that keep their blocks in files of datanodes, in memory or on a disk: the directories, the
 * disks, and the keys and options with which a datanode is told of them. For tiers of Crail only.
 */
package org.apache.crail.storage.file;
