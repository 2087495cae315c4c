/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JvmOptionsTest {
    private static final String ARROW = "--add-opens=java.base/java.nio=ALL-UNNAMED";
    private static final String TOUCHED = "-XX:+AlwaysPreTouch";

    @Test
    void shouldSetCollectorAndHeapOfAllJvms() {
        assertThat(JvmOptions.server(List.of())).containsExactly("-XX:+UseG1GC", "-Xms512m", "-Xmx512m");
        assertThat(JvmOptions.client(List.of("-Dkey=value")))
                .containsExactly(TOUCHED, "-XX:+UseG1GC", "-Xms2g", "-Xmx2g", "-Dkey=value", ARROW);
    }

    @Test
    void shouldLeaveThemToUsersWhoNameOthers() {
        assertThat(JvmOptions.client(List.of("-XX:+UseZGC")))
                .containsExactly(TOUCHED, "-Xms2g", "-Xmx2g", "-XX:+UseZGC", ARROW);
        assertThat(JvmOptions.client(List.of("-Xmx4g"))).containsExactly(TOUCHED, "-XX:+UseG1GC", "-Xmx4g", ARROW);
        assertThat(JvmOptions.client(List.of("-XX:-AlwaysPreTouch")))
                .containsSubsequence(TOUCHED, "-XX:-AlwaysPreTouch");
    }
}
