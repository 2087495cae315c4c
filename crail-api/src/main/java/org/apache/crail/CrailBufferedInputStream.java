/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.InputStream;

/** Placeholder. */
public abstract class CrailBufferedInputStream extends InputStream {}
