/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The namenode: the service behind the metadata protocol, a class for each kind of operation, and the process that runs
 * them.
 */
package org.apache.crail.namenode;
