/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.junit.jupiter.api.Test;

/** A retried request is executed once if executing it twice would make a difference. */
class RememberedRequestsTest {
    private static final CrailPath PATH = CrailPath.ROOT;

    @Test
    void shouldRememberWhatChangesTheTree() {
        assertThat(new CreateRequest(PATH, CrailNodeType.TABLE, 0, 0, true).remembered())
                .isTrue();
        assertThat(new RemoveRequest(PATH, true).remembered()).isTrue();
        assertThat(new MoveRequest(PATH, PATH).remembered()).isTrue();
    }

    @Test
    void shouldRememberALookupThatTakesAToken() {
        assertThat(new LookupRequest(PATH, true).remembered()).isTrue();
        assertThat(new LookupRequest(PATH, false).remembered()).isFalse();
    }

    @Test
    void shouldRememberACloseBesideWhichAnotherWriterMayHaveCome() {
        assertThat(new SyncRequest(1, 2, 3, SyncRequest.End.CLOSED).remembered())
                .isTrue();
    }

    @Test
    void shouldRememberAMapThatReplacesABlock() {
        BlockInfo unreachable = new BlockInfo(new DataNodeInfo(0, 0, 0, "host", 1), 0, 0, 4096, 1, 1);
        assertThat(new MapRequest(1, 2, 3, 4, unreachable).remembered()).isTrue();
    }

    @Test
    void shouldNotRememberWhatCanBeDoneTwice() {
        assertThat(new SyncRequest(1, 2, 3, SyncRequest.End.NONE).remembered()).isFalse();
        assertThat(new MapRequest(1, 2, 3, 4).remembered()).isFalse();
        assertThat(new PingRequest(1).remembered()).isFalse();
    }
}
