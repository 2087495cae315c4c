/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.RemoveRequest;
import org.junit.jupiter.api.Test;

/** A namenode after an Error inside a change, and one that has hardly any memory. */
class DoubtTest {
    private final AtomicBoolean isBroken = new AtomicBoolean();
    private final AtomicInteger goodLooks = new AtomicInteger();
    private final List<Throwable> told = new ArrayList<>();
    private final NameNodeService service = service();

    private NameNodeService service() {
        try {
            NamenodeSettings settings = NamenodeSettings.of(CrailConfiguration.createEmptyConfiguration(), 1);
            NameNodeService made = new NameNodeService(settings, clock());
            made.onDoubt(told::add);
            return made;
        } catch (CrailException e) {
            throw new AssertionError(e);
        }
    }

    /** Has no memory for the time when it is broken. */
    private NamenodeClock clock() {
        return new NamenodeClock() {
            @Override
            public long nanoTime() {
                breakIfItIsTime();
                return NamenodeClock.SYSTEM.nanoTime();
            }

            @Override
            public long currentTimeMillis() {
                breakIfItIsTime();
                return NamenodeClock.SYSTEM.currentTimeMillis();
            }
        };
    }

    private void breakIfItIsTime() {
        if (isBroken.get() && goodLooks.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("injected");
        }
    }

    private void create(String path) throws CrailException {
        service.create(new CreateRequest(CrailPath.parse(path), CrailNodeType.DIRECTORY, -1, -1, false));
    }

    private void lookup(String path) throws CrailException {
        service.lookup(new LookupRequest(CrailPath.parse(path), false));
    }

    @Test
    void shouldMakeNoFurtherChangeAfterAnErrorInOneAndTellOnce() throws Exception {
        create("/a");
        isBroken.set(true);
        assertThatThrownBy(() -> create("/b")).isInstanceOf(OutOfMemoryError.class);
        isBroken.set(false);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> create("/c"))
                    .isInstanceOf(InternalErrorException.class)
                    .hasMessageContaining("restart");
        }
        assertThat(told).singleElement().isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void shouldTellOfAnErrorWhileItReclaims() {
        goodLooks.set(1); // before it has the lock
        isBroken.set(true);
        assertThatThrownBy(service::reclaim).isInstanceOf(OutOfMemoryError.class);
        isBroken.set(false);
        assertThat(told).singleElement().isInstanceOf(OutOfMemoryError.class);
        service.reclaim();
        assertThatThrownBy(() -> create("/a")).isInstanceOf(InternalErrorException.class);
    }

    @Test
    void shouldRefuseCreationsOnlyWhileMemoryIsShort() throws Exception {
        create("/a");
        service.memoryShort(true);

        assertThatThrownBy(() -> create("/b"))
                .isInstanceOf(BufferExhaustedException.class)
                .hasMessageContaining("crail.namenode.heaplimit");
        lookup("/a");
        service.remove(new RemoveRequest(CrailPath.parse("/a"), true));

        service.memoryShort(false);
        create("/a");
        lookup("/a");
    }
}
