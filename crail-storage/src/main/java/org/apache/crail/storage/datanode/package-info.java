/* SPDX-License-Identifier: Apache-2.0 */
/** The datanode process: offers the regions of one tier to a namenode and tells it that they are there. */
package org.apache.crail.storage.datanode;
