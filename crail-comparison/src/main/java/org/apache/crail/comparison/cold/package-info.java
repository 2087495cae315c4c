/* SPDX-License-Identifier: Apache-2.0 */
/** Clients that are cold: each in a JVM of its own, which notes when it has done its first operations. */
package org.apache.crail.comparison.cold;
