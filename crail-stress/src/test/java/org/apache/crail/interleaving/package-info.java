/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs threads in all kinds of orders, one step of one of them at a time, with Fray. A test is in the package of what
 * it tests.
 */
package org.apache.crail.interleaving;
