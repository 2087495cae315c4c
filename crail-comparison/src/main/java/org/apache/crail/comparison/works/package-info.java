/* SPDX-License-Identifier: Apache-2.0 */
/** The work that systems do, how much of it, and the load by which it is measured. */
package org.apache.crail.comparison.works;
