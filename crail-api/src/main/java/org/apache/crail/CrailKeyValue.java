/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/**
 * A value below a table. The last put under a path wins; handles of replaced values are stale. Thread safe as {@link
 * CrailFile}.
 */
public interface CrailKeyValue extends CrailFile {}
