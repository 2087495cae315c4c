/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

/**
 * What is wrong with a line of a file, and what would be right. Immutable.
 *
 * @param line from 1, or 0 if it is about the whole
 */
record Problem(int line, String text) {}
