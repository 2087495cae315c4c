/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStatistics;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;

/** A store in which something else happens just before each move. Used by one thread. */
@SuppressWarnings("try") // the store's close declares Exception
class MoveHook extends CrailStore {
    private final CrailStore store;
    private final Callable<?> before;

    MoveHook(CrailStore store, Callable<?> before) {
        this.store = store;
        this.before = before;
    }

    @Override
    public CrailNamespace namespace() {
        return (CrailNamespace) Proxy.newProxyInstance(
                CrailNamespace.class.getClassLoader(),
                new Class<?>[] {CrailNamespace.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("move")) {
                        before.call();
                    }
                    return method.invoke(store.namespace(), arguments);
                });
    }

    @Override
    public Upcoming<CrailNode> rename(String source, String destination) throws Exception {
        return store.rename(source, destination);
    }

    @Override
    public Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable)
            throws Exception {
        return store.create(path, type, storageClass, locationClass, enumerable);
    }

    @Override
    public Upcoming<CrailNode> lookup(String path) throws Exception {
        return store.lookup(path);
    }

    @Override
    public Upcoming<CrailNode> delete(String path, boolean recursive) throws Exception {
        return store.delete(path, recursive);
    }

    @Override
    public CrailBuffer allocateBuffer() throws Exception {
        return store.allocateBuffer();
    }

    @Override
    public void freeBuffer(CrailBuffer buffer) throws Exception {
        store.freeBuffer(buffer);
    }

    @Override
    public CrailStatistics getStatistics() {
        return store.getStatistics();
    }

    @Override
    public CrailLocationClass getLocationClass() {
        return store.getLocationClass();
    }

    @Override
    protected void closeFileSystem() {}
}
