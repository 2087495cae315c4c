/* SPDX-License-Identifier: Apache-2.0 */
/** Hadoop's contract of file systems, and its base suites, on a Crail cluster over sockets in this process. */
package org.apache.crail.hdfs;
