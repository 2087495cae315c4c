/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What tiers that keep their blocks in the memory of datanodes have in common: the directories and mapped files that
 * hold the regions, and the keys and options with which a datanode is told of them. For tiers of Crail only.
 */
package org.apache.crail.storage.memory;
