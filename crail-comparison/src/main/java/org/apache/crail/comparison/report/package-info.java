/* SPDX-License-Identifier: Apache-2.0 */
/** Figures of all placements as rows, tables, pages and charts, beside the targets that are to be reached. */
package org.apache.crail.comparison.report;
