/* SPDX-License-Identifier: Apache-2.0 */
/** The sub-command {@code crail fsck}: looks inside a cluster. */
package org.apache.crail.cli.fsck;
