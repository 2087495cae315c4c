/* SPDX-License-Identifier: Apache-2.0 */
/** What the namenode and the datanodes tell of nodes, blocks and datanodes. */
package org.apache.crail.metadata;
