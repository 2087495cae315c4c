/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

/** A value as text, and where it comes from. Immutable. */
record ConfigValue(String text, ConfigOrigin origin) {}
