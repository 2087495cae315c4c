/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailStore;
import org.apache.crail.testkit.ForwardingStore;

/** A store in which something else happens just before each move. Used by one thread. */
@SuppressWarnings("try") // the store's close declares Exception
class MoveHook extends ForwardingStore {
    private final Callable<?> before;

    MoveHook(CrailStore store, Callable<?> before) {
        super(store);
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
                    return method.invoke(super.namespace(), arguments);
                });
    }
}
