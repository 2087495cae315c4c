/* SPDX-License-Identifier: Apache-2.0 */
/** Typed failures: one table of codes, one exception per code. All types are immutable. */
package org.apache.crail.error;
