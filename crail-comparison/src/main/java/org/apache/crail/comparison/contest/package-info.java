/* SPDX-License-Identifier: Apache-2.0 */
/** The process of a placement: systems that do the same work one after the other, round by round. */
package org.apache.crail.comparison.contest;
