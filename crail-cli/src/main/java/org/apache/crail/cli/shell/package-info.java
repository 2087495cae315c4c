/* SPDX-License-Identifier: Apache-2.0 */
/** Many commands in one process: scripts, and lines that a person types. */
package org.apache.crail.cli.shell;
