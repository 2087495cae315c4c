/* SPDX-License-Identifier: Apache-2.0 */
/** Nodes: where they hang, which blocks they have, who writes them, and what becomes of those that are removed. */
package org.apache.crail.namenode.tree;
