/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Spark's shuffles and broadcasts in Crail. Spark's own writers sort and serialize; their output goes to one file for
 * each attempt of a map task, and readers fetch ranges of these files. Which attempt counts is known by Spark's map
 * output tracker alone. A broadcast is a value of a table, which each executor reads once.
 *
 * <p>All classes are compiled against one version of Spark and run with others. So of Scala they use iterators,
 * sequences, options, tuples and class tags only.
 */
package org.apache.crail.spark;
