/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.List;
import java.util.function.LongSupplier;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.storage.StorageTier;

/**
 * What a store is opened with; for tests and tools of Crail itself, which bring a transport, tiers or a clock of their
 * own. Whatever is not set is made from the configuration. Not thread safe; the store copies what it needs.
 */
final class StoreContext {
    private final CrailConfiguration configuration;
    private RpcTransport transport;
    private List<StorageTier> tiers;
    private LongSupplier nanoClock = Surroundings::nanoTime;

    private StoreContext(CrailConfiguration configuration) {
        this.configuration = configuration.copy();
    }

    /** A context that makes everything from a copy of {@code configuration}. */
    static StoreContext of(CrailConfiguration configuration) {
        return new StoreContext(configuration);
    }

    /** Uses a transport that has been initialised; the caller closes it after the store. Returns this. */
    StoreContext transport(RpcTransport ownTransport) {
        transport = ownTransport;
        return this;
    }

    /** Uses these tiers, by storage type, instead of those that crail.storage.types names. Returns this. */
    StoreContext tiers(List<StorageTier> ownTiers) {
        tiers = List.copyOf(ownTiers);
        return this;
    }

    /** Measures leases with this clock instead of {@link Surroundings#nanoTime}. Returns this. */
    StoreContext nanoClock(LongSupplier clock) {
        nanoClock = clock;
        return this;
    }

    CrailConfiguration configuration() {
        return configuration;
    }

    /** Null if the configuration tells. */
    RpcTransport transport() {
        return transport;
    }

    /** Null if the configuration tells. */
    List<StorageTier> tiers() {
        return tiers;
    }

    LongSupplier nanoClock() {
        return nanoClock;
    }
}
