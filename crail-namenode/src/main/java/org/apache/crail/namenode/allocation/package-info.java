/* SPDX-License-Identifier: Apache-2.0 */
/** Which blocks nodes get: the first one, small ones, and further ones. */
package org.apache.crail.namenode.allocation;
