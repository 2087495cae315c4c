/* SPDX-License-Identifier: Apache-2.0 */
/** What must be true of the store, by what its clients were told. */
package org.apache.crail.simulation.model;
