/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Feeds decoders with what Jazzer makes up. A target is a class with a method {@code fuzzerTestOneInput}, in the
 * package of what it tests; the corpus of each is in {@code src/test/corpus}.
 */
package org.apache.crail.fuzz;
