/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hdfs")
class UmaskTest {
    private final Configuration configuration = new Configuration(false);
    private final Umask umask = new Umask();

    private String left(String text) {
        configuration.set(FsPermission.UMASK_LABEL, text);
        return left();
    }

    private String left() {
        return umask.applyTo(new FsPermission((short) 0777), configuration).toString();
    }

    @Test
    void shouldFollowTheConfigurationAtOnce() {
        assertThat(left()).isEqualTo("rwxr-xr-x"); // Hadoop's own
        assertThat(left("077")).isEqualTo("rwx------");
        assertThat(left("u=rwx,g=rx,o=")).isEqualTo("rwxr-x---");
        assertThat(left("077")).isEqualTo("rwx------");
        configuration.unset(FsPermission.UMASK_LABEL);
        assertThat(left()).isEqualTo("rwxr-xr-x");
    }

    @Test
    void shouldFollowAnotherConfiguration() {
        assertThat(left("077")).isEqualTo("rwx------");
        assertThat(umask.applyTo(new FsPermission((short) 0777), new Configuration(false)))
                .hasToString("rwxr-xr-x");
    }

    @Test
    void shouldRefuseWhatIsNoMaskEachTime() {
        assertThat(left("027")).isEqualTo("rwxr-x---");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> left("everybody"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("everybody");
        }
        assertThat(left("027")).isEqualTo("rwxr-x---");
    }
}
