/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.namenode.block.BlockSelection;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.block.BlockStoreSettings;
import org.apache.crail.namenode.block.RegistrationLimits;
import org.junit.jupiter.api.Test;

class WritersTest {
    private static final Ownership ANNA = new Ownership("anna", "staff", 0640);
    private static final long EXPIRATION_NS = 1000;

    private final BlockStore blocks = new BlockStore(
            new BlockStoreSettings(
                    4096,
                    1024,
                    1,
                    BlockSelection.ROUNDROBIN,
                    EXPIRATION_NS,
                    1_000_000,
                    1_000_000,
                    RegistrationLimits.of(1, 1, 1, 0, 0),
                    1),
            0);
    private final Tree tree = new Tree(0, ANNA, 0);
    private final Writers writers = new Writers(blocks, EXPIRATION_NS);

    private Node file() {
        return tree.newNode(CrailNodeType.DATAFILE, true, 0, 0, 0, ANNA, 0);
    }

    @Test
    void shouldLetATokenLiveAnewWithEachUse() throws CrailException {
        Node file = file();
        Writer writer = writers.grant(file, true, 0);
        assertThat(Writers.isTaken(file, EXPIRATION_NS - 1)).isTrue();
        assertThat(Writers.isTaken(file, EXPIRATION_NS)).isFalse();
        assertThat(writers.use(file, writer.token(), EXPIRATION_NS)).isSameAs(writer);
        assertThat(Writers.isTaken(file, 2 * EXPIRATION_NS - 1)).isTrue();
    }

    @Test
    void shouldRefuseATokenThatWasGivenBackOrTakenOver() {
        Node file = file();
        long former = writers.grant(file, true, 0).token();
        long latter = writers.grant(file, false, 0).token();
        assertThatThrownBy(() -> writers.use(file, former, 0)).isInstanceOf(TokenMismatchException.class);
        writers.giveBack(file, 0);
        assertThatThrownBy(() -> writers.use(file, latter, 0)).isInstanceOf(TokenMismatchException.class);
    }

    @Test
    void shouldCountThoseAsLostThatWereNotHeardForTwiceTheLifeOfAToken() throws CrailException {
        Node first = file();
        Node second = file();
        Writer heard = writers.grant(first, true, 0);
        Writer lost = writers.grant(second, true, 0);
        assertThat(writers.use(first, heard.token(), EXPIRATION_NS)).isSameAs(heard);
        assertThat(writers.lost(2 * EXPIRATION_NS - 1)).isNull();
        assertThat(writers.lost(2 * EXPIRATION_NS)).isSameAs(lost);
        writers.giveBack(second, 2 * EXPIRATION_NS);
        assertThat(writers.lost(2 * EXPIRATION_NS)).isNull();
        assertThat(writers.lost(3 * EXPIRATION_NS)).isSameAs(heard);
    }
}
