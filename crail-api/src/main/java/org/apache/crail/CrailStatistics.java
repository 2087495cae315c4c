/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the parts of a store have counted, by name. All methods are thread safe if those of the providers are. */
public class CrailStatistics {
    private static final Logger LOG = LoggerFactory.getLogger(CrailStatistics.class);

    private final ConcurrentNavigableMap<String, StatisticsProvider> providers = new ConcurrentSkipListMap<>();

    /** Makes one without providers. */
    public CrailStatistics() {}

    /** Adds a provider; if there is one of its name already, that one takes over the counts instead. */
    public void addProvider(StatisticsProvider provider) {
        StatisticsProvider first = providers.putIfAbsent(provider.providerName(), provider);
        if (first != null && first != provider) {
            first.mergeStatistics(provider);
        }
    }

    /** Logs what all providers say, at level INFO, under a heading that holds {@code tag}. */
    public void print(String tag) {
        LOG.info("CrailStatistics, tag={}", tag);
        providers.values().forEach(p -> LOG.info("provider={} [{}]", p.providerName(), p.printStatistics()));
    }

    /** What the provider of a name says, e.g. that of {@code core/input}; empty if there is none of that name. */
    public Optional<String> text(String providerName) {
        return Optional.ofNullable(providers.get(providerName)).map(StatisticsProvider::printStatistics);
    }

    /** The counts of the provider of a name, e.g. of {@code core/transfers}; none if it is not there or has none. */
    public SortedMap<String, Long> counts(String providerName) {
        StatisticsProvider provider = providers.get(providerName);
        return provider == null ? Collections.emptySortedMap() : provider.counts();
    }

    /** What all providers say, a line for each. */
    @Override
    public String toString() {
        return providers.values().stream()
                .map(provider -> provider.providerName() + " [" + provider.printStatistics() + "]")
                .collect(Collectors.joining("\n"));
    }

    /** Sets all counts to zero. */
    public void reset() {
        providers.values().forEach(StatisticsProvider::resetStatistics);
    }

    /** A part that counts. Implementations are thread safe. */
    public interface StatisticsProvider {
        /** The name under which counts are shown and added up, e.g. {@code core/input}. */
        String providerName();

        /** The counts as text. */
        String printStatistics();

        /** The counts as numbers, by name; none if there is only text. */
        default SortedMap<String, Long> counts() {
            return Collections.emptySortedMap();
        }

        /** Adds the counts of {@code provider}, which has the same name, to those of this one. */
        void mergeStatistics(StatisticsProvider provider);

        /** Sets the counts to zero. */
        void resetStatistics();
    }
}
