/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.spi.CrailStoreProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open stores of this JVM: which one is the singleton and how many hold it. All methods are thread safe. */
final class StoreRegistry {
    static final StoreRegistry INSTANCE = new StoreRegistry();

    private static final Logger LOG = LoggerFactory.getLogger(CrailStore.class);

    @GuardedBy("this")
    private CrailStore singleton;

    @GuardedBy("this")
    private CrailConfiguration singletonConf;

    @GuardedBy("this")
    private int references;

    @GuardedBy("this")
    private final Set<CrailStore> closed = Collections.newSetFromMap(new WeakHashMap<>());

    CrailStore open(CrailConfiguration conf) throws Exception {
        CrailConfiguration own = conf.copy();
        own.validate();
        return own.get(CrailKeys.SINGLETON) ? share(own) : create(own);
    }

    private synchronized CrailStore share(CrailConfiguration conf) throws Exception {
        if (singleton == null) {
            singleton = create(conf);
            singletonConf = conf;
        } else {
            checkSameCluster(conf);
            logDifferences(singletonConf, conf);
        }
        references++;
        return singleton;
    }

    private static CrailStore create(CrailConfiguration conf) throws Exception {
        conf.warnings().forEach(LOG::warn);
        CrailStoreProvider provider = provider();
        CrailConstants.updateConstants(conf);
        return provider.open(conf);
    }

    private static CrailStoreProvider provider() throws ConfigurationException {
        ClassLoader own = CrailStore.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        Optional<CrailStoreProvider> found = ServiceLoader.load(CrailStoreProvider.class, own)
                .findFirst()
                .or(() -> ServiceLoader.load(CrailStoreProvider.class, context).findFirst());
        return found.orElseThrow(() -> new ConfigurationException("cannot open a store: no implementation of "
                + CrailStoreProvider.class.getName() + " is on the class path; add the jar crail-client"));
    }

    @GuardedBy("this")
    private void checkSameCluster(CrailConfiguration conf) throws ConfigurationException {
        List<URI> addresses = singletonConf.get(CrailKeys.NAMENODE_ADDRESS);
        String cluster = singletonConf.get(CrailKeys.CLUSTER_ID);
        if (!conf.get(CrailKeys.NAMENODE_ADDRESS).equals(addresses)
                || !conf.get(CrailKeys.CLUSTER_ID).equals(cluster)) {
            throw new ConfigurationException(
                    "cannot open a store for cluster " + conf.get(CrailKeys.CLUSTER_ID) + " at "
                            + conf.get(CrailKeys.NAMENODE_ADDRESS)
                            + ": the store that all callers of this JVM share is open for "
                            + cluster + " at " + addresses + "; set " + CrailKeys.SINGLETON
                            + " = false to open one of its own");
        }
    }

    private static void logDifferences(CrailConfiguration open, CrailConfiguration wanted) {
        SortedSet<String> keys = new TreeSet<>(wanted.asMap().keySet());
        keys.addAll(open.asMap().keySet());
        keys.removeIf(key -> Objects.equals(wanted.get(key), open.get(key)));
        if (!keys.isEmpty()) {
            LOG.warn("the shared store is open already and keeps its values of {}", keys);
        }
    }

    void release(CrailStore store) throws Exception {
        if (lastReference(store)) {
            store.closeFileSystem();
        }
    }

    private synchronized boolean lastReference(CrailStore store) {
        if (store == singleton) {
            references--;
            if (references > 0) {
                return false;
            }
            singleton = null;
            singletonConf = null;
        }
        return closed.add(store);
    }
}
