/* SPDX-License-Identifier: Apache-2.0 */
/**
 * RDMA verbs on this machine: finds and loads the native half of DiSNI, and says what is missing where it cannot be
 * used.
 */
package org.apache.crail.verbs;
