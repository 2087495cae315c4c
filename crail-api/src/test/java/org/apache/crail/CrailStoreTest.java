/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CrailStoreTest {
    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
    private final List<CrailStore> given = new ArrayList<>();

    @BeforeEach
    void forget() {
        FakeStoreProvider.OPENED.clear();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (CrailStore store : given) {
            store.close();
        }
        CrailConstants.updateConstants(CrailConfiguration.createEmptyConfiguration());
    }

    private FakeStore open() throws Exception {
        CrailStore store = CrailStore.newInstance(conf);
        given.add(store);
        return (FakeStore) store;
    }

    @Test
    void shouldShareOneStoreUntilTheLastCallerClosesIt() throws Exception {
        FakeStore store = open();
        assertThat(open()).isSameAs(store);
        store.close();
        assertThat(store.timesClosed).isZero();
        given.remove(0);
        store.close();
        given.clear();
        assertThat(store.timesClosed).isOne();
        store.close();
        assertThat(store.timesClosed).isOne();
        assertThat(open()).isNotSameAs(store);
    }

    @Test
    @DisplayName("D31: stores with configurations of their own work side by side")
    void shouldOpenStoresOfTheirOwnWithoutSingleton() throws Exception {
        conf.set(CrailKeys.SINGLETON, false);
        FakeStore first = open();
        conf.set(CrailKeys.BLOCK_SIZE, 2L << 20);
        FakeStore second = open();
        assertThat(second).isNotSameAs(first);
        assertThat(FakeStoreProvider.OPENED.get(0).get(CrailKeys.BLOCK_SIZE)).isEqualTo(1L << 20);
        assertThat(FakeStoreProvider.OPENED.get(1).get(CrailKeys.BLOCK_SIZE)).isEqualTo(2L << 20);
        first.close();
        first.close();
        assertThat(first.timesClosed).isOne();
        assertThat(second.timesClosed).isZero();
    }

    @Test
    void shouldRefuseASecondSingletonForAnotherCluster() throws Exception {
        FakeStore store = open();
        conf.set("crail.namenode.address", "crail://other:1");
        assertThatThrownBy(this::open)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail://other:1")
                .hasMessageContaining("crail.singleton");
        conf.set("crail.namenode.address", null);
        conf.set(CrailKeys.CLUSTER_ID, "other");
        assertThatThrownBy(this::open).isInstanceOf(ConfigurationException.class);
        conf.set(CrailKeys.CLUSTER_ID, "crail");
        conf.set(CrailKeys.DEBUG, true);
        assertThat(open()).isSameAs(store);
    }

    @Test
    void shouldStayUnopenedWhenOpeningFails() throws Exception {
        FakeStoreProvider.failNext = true;
        assertThatThrownBy(this::open).hasMessage("no namenode");
        assertThat(open()).isNotNull();
        assertThat(FakeStoreProvider.OPENED).hasSize(1);
    }

    @Test
    void shouldRefuseWrongValuesBeforeAnythingIsOpened() {
        conf.set("crail.slicesize", "3000");
        assertThatThrownBy(this::open).isInstanceOf(ConfigurationException.class);
        assertThat(FakeStoreProvider.OPENED).isEmpty();
    }

    @Test
    void shouldShowTheConfigurationInTheConstantsForOldPrograms() throws Exception {
        conf.set(CrailKeys.BUFFER_SIZE, 2 << 20);
        assertThat(open()).isNotNull();
        assertThat(CrailConstants.BUFFER_SIZE).isEqualTo(2 << 20);
    }

    @Test
    void shouldSayWhenNoImplementationIsOnTheClassPath() throws Exception {
        URL main = CrailStore.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader parent = new WithoutTestClasses(getClass().getClassLoader());
        try (URLClassLoader loader = new URLClassLoader(new URL[] {main}, parent)) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                Class<?> confType = loader.loadClass(CrailConfiguration.class.getName());
                Object empty = confType.getMethod("createEmptyConfiguration").invoke(null);
                Class<?> storeType = loader.loadClass(CrailStore.class.getName());
                assertThatThrownBy(() ->
                                storeType.getMethod("newInstance", confType).invoke(null, empty))
                        .cause()
                        .hasToString(
                                "org.apache.crail.error.ConfigurationException: cannot open a store: no implementation"
                                        + " of org.apache.crail.spi.CrailStoreProvider is on the class path; add the jar"
                                        + " crail-client");
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    /** Sees libraries, but nothing of Crail. */
    private static final class WithoutTestClasses extends ClassLoader {
        private final ClassLoader libraries;

        WithoutTestClasses(ClassLoader libraries) {
            super(getPlatformClassLoader());
            this.libraries = libraries;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.apache.crail.")) {
                throw new ClassNotFoundException(name);
            }
            return libraries.loadClass(name);
        }
    }
}
