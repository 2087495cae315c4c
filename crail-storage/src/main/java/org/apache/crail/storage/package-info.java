/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage-tier SPI: what a tier implements so that clients can reach its blocks ({@code StorageClient},
 * {@code StorageEndpoint}) and datanodes can offer them ({@code StorageServer}).
 */
package org.apache.crail.storage;
