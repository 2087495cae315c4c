/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "7 0644 7",
                "1777 0644 1777",
                "u+x 0644 744",
                "+x 0644 755",
                "a-w 0666 444",
                "go= 0755 700",
                "u=rw,g=r,o= 0777 640",
                "ug+rwx,u-w 0 570",
                "+X 0644 644",
                "+X 0744 755",
                "+t 0755 1755"
            })
    void shouldChangePermissionsAsChmodDoes(String mode, String before, String after) {
        assertThat(Integer.toOctalString(Mode.parse(mode).applyTo(Integer.parseInt(before, 8), false)))
                .isEqualTo(after);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "7777", "77777", "u", "z+r", "u+q", "u+r,", ""})
    void shouldRefuseWhatIsNoMode(String mode) {
        assertThat(Mode.parse(mode)).isNull();
    }
}
