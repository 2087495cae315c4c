/* SPDX-License-Identifier: Apache-2.0 */
/** Which blocks nodes get: the first one, small ones of values, further ones, and those of directory records. */
package org.apache.crail.namenode.allocation;
