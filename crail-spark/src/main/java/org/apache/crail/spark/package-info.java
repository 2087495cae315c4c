/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Spark's shuffle in Crail. Spark's own writers sort and serialize; their output goes to one file for each attempt of a
 * map task, and readers fetch ranges of these files. Which attempt counts is known by Spark's map output tracker alone.
 *
 * <p>All classes are compiled against one version of Spark and run with others. So of Scala they use iterators, options
 * and tuples only.
 */
package org.apache.crail.spark;
