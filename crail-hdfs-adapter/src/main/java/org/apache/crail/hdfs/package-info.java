/* SPDX-License-Identifier: Apache-2.0 */
/** Hadoop file systems over a Crail store: {@code crail://host:port/path}. */
package org.apache.crail.hdfs;
