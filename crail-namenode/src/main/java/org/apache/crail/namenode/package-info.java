/* SPDX-License-Identifier: Apache-2.0 */
/** The namenode: the tree of nodes, the service behind the metadata protocol, and the process that runs them. */
package org.apache.crail.namenode;
