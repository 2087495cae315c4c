/* SPDX-License-Identifier: Apache-2.0 */
/** The sub-command {@code crail iobench}: measures a cluster. */
package org.apache.crail.cli.iobench;
