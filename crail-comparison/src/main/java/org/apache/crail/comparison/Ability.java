/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

/** What a system can be asked to do; the methods of {@link PeerClient} that belong to it must be there. */
public enum Ability {
    /** {@link PeerClient#put} and {@link PeerClient#get}. */
    VALUES,
    /** {@link PeerClient#putAll} and {@link PeerClient#getAll}. */
    VALUES_AT_ONCE,
    /** {@link PeerClient#lookup}. */
    LOOKUP,
    /** {@link PeerClient#create} and {@link PeerClient#createAndSync}. */
    CREATE,
    /** {@link PeerClient#lookupAll} and {@link PeerClient#createAll}. */
    PIPELINE,
    /** {@link PeerClient#write} and {@link PeerClient#read}. */
    STREAM,
    /** {@link PeerClient#openNew} and {@link PeerClient#append}. */
    APPEND,
    /** {@link PeerClient#readAt}, of what {@link PeerClient#write} has written. */
    RANDOM_READ,
    /** {@link PeerClient#writeTable} and {@link PeerClient#sumTable}. */
    TABLES,
    /** {@link PeerClient#list}. */
    LIST,
    /** {@link PeerClient#enumerate} of some thousand names. */
    ENUMERATE,
    /** {@link PeerClient#enumerate} of a hundred thousand names, which must be made in a few seconds. */
    ENUMERATE_MANY
}
