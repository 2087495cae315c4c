/* SPDX-License-Identifier: Apache-2.0 */
/** The sub-commands of {@code crail fs}: files and directories at a shell. */
package org.apache.crail.cli.fs;
