/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.crail.conf.ConfigOrigin.Source;
import org.apache.crail.error.ConfigurationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrailConfigurationTest {
    private static final Map<String, String> NO_ENVIRONMENT = Map.of();

    @TempDir
    private Path directory;

    private CrailConfiguration read(String... lines) throws IOException {
        return read(new Properties(), NO_ENVIRONMENT, lines);
    }

    private CrailConfiguration read(Properties properties, Map<String, String> environment, String... lines)
            throws IOException {
        Path file = Files.write(directory.resolve("crail-site.conf"), List.of(lines));
        return new CrailConfiguration(file, properties, environment);
    }

    private static Properties property(String key, String value) {
        Properties properties = new Properties();
        properties.setProperty(key, value);
        return properties;
    }

    @Test
    void shouldGiveDefaultsWhenNothingIsSet() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        assertThat(conf.get(CrailKeys.BLOCK_SIZE)).isEqualTo(1 << 20);
        assertThat(conf.get(CrailKeys.NAMENODE_ADDRESS)).containsExactly(URI.create("crail://localhost:9060"));
        assertThat(conf.get("crail.blocksize")).isNull();
        assertThat(conf.origin("crail.blocksize").source()).isEqualTo(Source.DEFAULT);
    }

    @Test
    void shouldReadFilesInTheSyntaxOfProperties() throws Exception {
        CrailConfiguration conf = read(
                "# comment",
                "! comment",
                "crail.blocksize=2m",
                "crail.user : anna",
                "crail.namenode.log /var/log/caf\u00e9",
                "crail.storage.types = a.B,\\",
                "   c.D",
                "crail.datanode.host = h   ",
                "crail.locationmap = a\\u002fb",
                "include = other.conf");
        assertThat(conf.get(CrailKeys.BLOCK_SIZE)).isEqualTo(2 << 20);
        assertThat(conf.get(CrailKeys.USER)).isEqualTo("anna");
        assertThat(conf.get(CrailKeys.NAMENODE_LOG)).isEqualTo("/var/log/caf\u00e9");
        assertThat(conf.get(CrailKeys.STORAGE_TYPES)).containsExactly("a.B", "c.D");
        assertThat(conf.get(CrailKeys.DATANODE_HOST)).isEqualTo("h");
        assertThat(conf.get(CrailKeys.LOCATION_MAP)).isEqualTo("a/b");
        assertThat(conf.warnings()).singleElement().asString().contains("unknown configuration key include");
    }

    @Test
    void shouldOverrideFileByPropertyByEnvironmentBySet() throws Exception {
        String key = "crail.storage.keepalive";
        String line = key + " = 1";
        Properties property = property(key, "2");
        Map<String, String> environment = Map.of("CRAIL_STORAGE_KEEPALIVE", "3");

        CrailConfiguration file = read(line);
        assertThat(file.get(CrailKeys.STORAGE_KEEPALIVE)).isEqualTo(Duration.ofSeconds(1));
        assertThat(file.origin(key)).hasToString("file " + directory.resolve("crail-site.conf") + ", line 1");

        CrailConfiguration overridden = read(property, NO_ENVIRONMENT, line);
        assertThat(overridden.get(CrailKeys.STORAGE_KEEPALIVE)).isEqualTo(Duration.ofSeconds(2));
        assertThat(overridden.origin(key)).hasToString("system property");

        CrailConfiguration conf = read(property, environment, line);
        assertThat(conf.get(CrailKeys.STORAGE_KEEPALIVE)).isEqualTo(Duration.ofSeconds(3));
        assertThat(conf.origin(key)).hasToString("environment variable CRAIL_STORAGE_KEEPALIVE");

        conf.set(key, "4");
        assertThat(conf.get(CrailKeys.STORAGE_KEEPALIVE)).isEqualTo(Duration.ofSeconds(4));
        assertThat(conf.origin(key)).hasToString("program");
        conf.set(key, null);
        assertThat(conf.isSet(CrailKeys.STORAGE_KEEPALIVE)).isFalse();
    }

    @Test
    void shouldExpandEnvironmentVariablesInFiles() throws Exception {
        Map<String, String> environment = Map.of("DATA", "/data", "N", "7");
        CrailConfiguration conf =
                read(new Properties(), environment, "crail.cachepath = ${DATA}/c$N/$$x", "crail.user = $DATA$N");
        assertThat(conf.get(CrailKeys.CACHE_PATH)).isEqualTo("/data/c7/$x");
        assertThat(conf.get(CrailKeys.USER)).isEqualTo("/data7");
    }

    @ParameterizedTest
    @CsvSource({"${UNSET}/x, UNSET", "$UNSET, UNSET", "${open, without"})
    void shouldRefuseVariablesThatAreNotSet(String value, String named) {
        assertThatThrownBy(() -> read("crail.cachepath = " + value))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("crail.cachepath")
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"crail.user = \\u004/", "crail\\u004/"})
    void shouldRefuseAnEscapeThatIsNone(String line) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail-site.conf cannot be read")
                .hasMessageContaining("004/");
    }

    @Test
    void shouldRefuseAFileThatIsNotThere() {
        Path missing = directory.resolve("missing.conf");
        assertThatThrownBy(() -> CrailConfiguration.createConfigurationFromFile(missing.toString()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void shouldNeedCrailHomeForTheDefaultFile() {
        assertThatThrownBy(() -> CrailConfiguration.siteFile(NO_ENVIRONMENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CRAIL_HOME");
        assertThat(CrailConfiguration.siteFile(Map.of("CRAIL_HOME", "/opt/crail")))
                .isEqualTo(Path.of("/opt/crail/conf/crail-site.conf"));
    }

    @Test
    void shouldRefuseACrailHomeThatIsNotThere() {
        Map<String, String> home =
                Map.of("CRAIL_HOME", directory.resolve("none").toString());

        assertThatThrownBy(() -> CrailConfiguration.defaultConfiguration(new Properties(), home))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("CRAIL_HOME is " + directory.resolve("none") + ", which is no directory");
    }

    @Test
    void shouldRunOnDefaultsWithoutCrailHome() throws Exception {
        CrailConfiguration conf = CrailConfiguration.defaultConfiguration(property("crail.user", "x"), NO_ENVIRONMENT);
        assertThat(conf.asMap()).containsExactly(Map.entry("crail.user", "x"));
        assertThat(CrailConfiguration.defaultConfiguration(new Properties(), Map.of("CRAIL_HOME", ""))
                        .asMap())
                .isEmpty();
        Map<String, String> home = Map.of("CRAIL_HOME", directory.toString());
        assertThat(CrailConfiguration.defaultConfiguration(new Properties(), home)
                        .asMap())
                .isEmpty();
        Files.createDirectories(directory.resolve("conf"));
        Files.writeString(directory.resolve("conf/crail-site.conf"), "crail.user = y");
        assertThat(CrailConfiguration.defaultConfiguration(new Properties(), home)
                        .get(CrailKeys.USER))
                .isEqualTo("y");
    }

    @Test
    void shouldNameKeyValueOriginAndRangeOfAWrongValue() throws Exception {
        CrailConfiguration conf = read("crail.blocksize = 1x");
        assertThatThrownBy(() -> conf.get(CrailKeys.BLOCK_SIZE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.blocksize = \"1x\"")
                .hasMessageContaining("crail-site.conf")
                .hasMessageContaining("a number of bytes")
                .hasMessageContaining("to 1g");
    }

    @ParameterizedTest
    @CsvSource({
        "crail.blocksize, 0",
        "crail.blocksize, 8g",
        "crail.blocksize, 99999999999999999999",
        "crail.singleton, yes",
        "crail.storage.rootclass, one",
        "crail.namenode.address, http://h:1",
        "crail.namenode.address, crail://h",
        "crail.namenode.address, ''",
        "crail.namenode.blockselection, fifo",
        "crail.namenode.evict, cache",
        "crail.namenode.evict, /",
        "crail.namenode.evict, /a/b",
        "crail.namenode.evict, /..",
        "crail.namenode.evict, '/a,b'",
        "crail.cacheimpl, not-a-class",
        "crail.tokenexpiration, 10 fortnights",
        "crail.elasticstore.scaleup, NaN",
        "crail.locationmap, a-b",
        "crail.clusterid, ''",
    })
    void shouldRefuseWrongValues(String key, String value) {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(key, value);
        assertThatThrownBy(conf::validate)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(value);
    }

    @Test
    void shouldNameAllWrongValuesAtOnce() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.blocksize", "x");
        conf.set("crail.buffersize", "y");
        assertThatThrownBy(conf::validate)
                .hasMessageContaining("crail.blocksize")
                .hasMessageContaining("crail.buffersize");
    }

    @ParameterizedTest
    @CsvSource({
        "crail.slicesize, 3000, crail.buffersize",
        "crail.storage.rootclass, 1, crail.storage.classes",
    })
    void shouldRefuseValuesThatDoNotFitEachOther(String key, String value, String other) {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(key, value);
        assertThatThrownBy(conf::validate)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(value)
                .hasMessageContaining(other);
    }

    @Test
    void shouldCountAtLeastOneStorageClassPerTier() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(CrailKeys.STORAGE_TYPES, List.of("a.A", "b.B", "c.C"));
        conf.set(CrailKeys.STORAGE_ROOTCLASS, 2);
        conf.validate();
        assertThat(CrailKeys.storageClasses(conf)).isEqualTo(3);
        conf.set(CrailKeys.STORAGE_CLASSES, 5);
        assertThat(CrailKeys.storageClasses(conf)).isEqualTo(5);
    }

    @Test
    void shouldReadTheFirstKeyOfAFileWithAMarkOfByteOrder() throws Exception {
        CrailConfiguration conf = read("\uFEFFcrail.user = me");

        assertThat(conf.get(CrailKeys.USER)).isEqualTo("me");
        assertThat(conf.warnings()).isEmpty();
    }

    @Test
    void shouldWarnOfUnknownKeysWithTheOneThatWasMeant() throws Exception {
        CrailConfiguration conf = read(
                new Properties(),
                Map.of("CRAIL_BLOKSIZE", "1", "CRAIL_HOME", "/x", "CRAIL_NAMENODE_SERVICE_HOST", "1.2.3.4"),
                "crail.namenode.adress = crail://h:1",
                "crail.storage.reflex.bindip = 1.2.3.4",
                "other.key = 1",
                "crail.user = a",
                "crail.user = b");
        assertThat(conf.warnings())
                .anyMatch(line ->
                        line.contains("crail.namenode.adress") && line.contains("did you mean crail.namenode.address?"))
                .anyMatch(line -> line.contains("crail.storage.reflex.bindip") && !line.contains("did you mean"))
                .anyMatch(line -> line.contains("CRAIL_BLOKSIZE") && line.contains("CRAIL_BLOCKSIZE"))
                .anyMatch(line -> line.contains("crail.user 2 times") && line.endsWith("that of line 5"))
                .anyMatch(line -> line.contains("other.key") && line.contains("line 3"))
                .hasSize(5);
        assertThat(conf.get(CrailKeys.USER)).isEqualTo("b");
    }

    @Test
    @DisplayName("D31: configurations are independent of each other")
    void shouldBeIndependentOfItsCopies() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        CrailConfiguration copy = conf.copy();
        conf.set(CrailKeys.BLOCK_SIZE, 2L << 20);
        copy.set(CrailKeys.BLOCK_SIZE, 4L << 20);
        assertThat(conf.get(CrailKeys.BLOCK_SIZE)).isEqualTo(2L << 20);
        assertThat(copy.get(CrailKeys.BLOCK_SIZE)).isEqualTo(4L << 20);
        assertThat(CrailConfiguration.createEmptyConfiguration().get(CrailKeys.BLOCK_SIZE))
                .isEqualTo(1L << 20);
    }

    @Test
    void shouldAnswerTheHistoricCalls() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.setInt("crail.buffersize", 4096);
        conf.set("crail.singleton", "False");
        assertThat(conf.get("crail.buffersize")).isEqualTo("4096");
        assertThat(conf.getBoolean("crail.singleton", true)).isFalse();
        assertThat(conf.getBoolean("crail.debug", true)).isTrue();
        conf.set("crail.debug", "maybe");
        assertThatThrownBy(() -> conf.getBoolean("crail.debug", true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("crail.debug");
    }
}
