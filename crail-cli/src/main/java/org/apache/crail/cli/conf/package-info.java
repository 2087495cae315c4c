/* SPDX-License-Identifier: Apache-2.0 */
/** {@code crail conf}: checks configuration files, and plans the processes of a cluster. */
package org.apache.crail.cli.conf;
