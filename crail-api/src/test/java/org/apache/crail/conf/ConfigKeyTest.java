/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.DurationText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigKeyTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "512,512",
        "1k,1024",
        "1K,1024",
        "3 m,3145728",
        "1gb,1073741824",
        "2GiB,2147483648",
        "1t,1099511627776"
    })
    void shouldReadSizes(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
        assertThat(ByteSize.parse(ByteSize.format(bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"10,10000", "10s,10000", "10 ms,10", "2min,120000", "1h,3600000", "0,0", "1500ms,1500"})
    void shouldReadDurations(String text, long millis) {
        Duration duration = DurationText.parse(text, ChronoUnit.SECONDS);
        assertThat(duration).isEqualTo(Duration.ofMillis(millis));
        assertThat(DurationText.parse(DurationText.format(duration), ChronoUnit.HOURS))
                .isEqualTo(duration);
    }

    @Test
    void shouldTakeTheDefaultOfAnotherKey() throws Exception {
        ConfigKey<Long> derived = ConfigKey.bytes("crail.test.size")
                .group("Test")
                .defaultFrom(CrailKeys.REGION_SIZE)
                .text("Test.")
                .build();
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        assertThat(conf.get(derived)).isEqualTo(1L << 30);
        conf.set(CrailKeys.REGION_SIZE, 4096L);
        assertThat(conf.get(derived)).isEqualTo(4096);
        conf.set(derived, 1L);
        assertThat(conf.get(derived)).isEqualTo(1);
    }

    @Test
    void shouldRefuseADefaultThatItsOwnRangeForbids() {
        ConfigKey.Builder<Integer> key = ConfigKey.port("crail.test.port")
                .group("Test")
                .defaultText("70000")
                .text("Test.");
        assertThatThrownBy(key::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("70000");
    }

    @Test
    void shouldNameTheEnvironmentVariable() {
        ConfigKey<Integer> key = ConfigKey.integer("crail.namenode.tcp.queueDepth-x")
                .group("Test")
                .defaultText("1")
                .text("Test.")
                .build();
        assertThat(key.environmentName()).isEqualTo("CRAIL_NAMENODE_TCP_QUEUEDEPTH_X");
    }

    @Test
    void shouldSayWhatIsAllowed() {
        assertThat(CrailKeys.NAMENODE_BLOCKSELECTION.allowed()).isEqualTo("one of roundrobin, random, sequential");
        assertThatThrownBy(() -> CrailKeys.SHADOW_REPLICATION.parse("0"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("crail.shadowreplication = \"0\": the value must be a whole number, from 1 to 1024");
    }

    @Test
    void shouldListEveryDeclaredKeyOnce() throws Exception {
        List<Object> declared = new ArrayList<>(constantsOf(CrailKeys.class));
        declared.addAll(constantsOf(ElasticKeys.class));
        assertThat(declared).containsExactlyInAnyOrderElementsOf(new CrailKeyList().keys());
        assertThat(ConfigCatalog.load().keys()).containsAll(new CrailKeyList().keys());
    }

    private static List<Object> constantsOf(Class<?> type) throws IllegalAccessException {
        List<Object> constants = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers()) && field.getType() == ConfigKey.class) {
                constants.add(field.get(null));
            }
        }
        return constants;
    }

    @Test
    void shouldRefuseAKeyThatIsDeclaredTwice() {
        ConfigKeys other = () -> List.of(ConfigKey.string("crail.user")
                .group("Test")
                .defaultText("")
                .text("Test.")
                .build());
        assertThatThrownBy(() -> ConfigCatalog.of(new CrailKeyList(), other))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("crail.user");
    }
}
