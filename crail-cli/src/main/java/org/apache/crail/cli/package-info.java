/* SPDX-License-Identifier: Apache-2.0 */
/** The {@code crail} command: the table of its sub-commands and what is wrong with a command line. */
package org.apache.crail.cli;
