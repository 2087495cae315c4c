/* SPDX-License-Identifier: Apache-2.0 */
/** Sub-commands that run servers. */
package org.apache.crail.cli.server;
