/* SPDX-License-Identifier: Apache-2.0 */
/** Sub-commands that ask about a cluster and its configuration. */
package org.apache.crail.cli.admin;
