/* SPDX-License-Identifier: Apache-2.0 */
/** The {@code crail} command: its options, its way of failing, and the table of its sub-commands. */
package org.apache.crail.cli;
