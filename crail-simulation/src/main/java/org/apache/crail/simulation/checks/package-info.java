/* SPDX-License-Identifier: Apache-2.0 */
/** The promises, and how a breach is told. */
package org.apache.crail.simulation.checks;
