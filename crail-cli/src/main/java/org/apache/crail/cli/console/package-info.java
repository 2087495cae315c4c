/* SPDX-License-Identifier: Apache-2.0 */
/** What users read and write at a terminal: lines, tables, sizes, progress and failures. */
package org.apache.crail.cli.console;
