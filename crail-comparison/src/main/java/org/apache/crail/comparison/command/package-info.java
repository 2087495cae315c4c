/* SPDX-License-Identifier: Apache-2.0 */
/** The command behind bin/compare. */
package org.apache.crail.comparison.command;
