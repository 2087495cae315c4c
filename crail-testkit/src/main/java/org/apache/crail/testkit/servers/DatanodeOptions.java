/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.util.List;

/**
 * What a datanode is started with besides its configuration. Immutable.
 *
 * @param tier class of its storage tier
 * @param storageClass what its blocks belong to
 * @param tierArguments options of the tier
 */
public record DatanodeOptions(String tier, int storageClass, List<String> tierArguments) {}
