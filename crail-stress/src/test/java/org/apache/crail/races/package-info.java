/* SPDX-License-Identifier: Apache-2.0 */
/** Runs races of threads with jcstress, and judges them. A race is a class in the package of what it tests. */
package org.apache.crail.races;
