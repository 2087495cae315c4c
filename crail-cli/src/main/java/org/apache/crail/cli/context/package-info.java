/* SPDX-License-Identifier: Apache-2.0 */
/** What commands work with: the options that all of them take, the configuration, the namenodes and the store. */
package org.apache.crail.cli.context;
