/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/** A table: holds key-values. Thread safe as {@link CrailContainer}. */
public interface CrailTable extends CrailContainer {}
