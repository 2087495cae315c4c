/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTemplateTest {
    private final ConfigCatalog catalog = ConfigCatalog.of(new CrailKeyList());

    @Test
    void shouldListEveryKeyCommentedOut() {
        String text = new ConfigTemplate(catalog).text();
        assertThat(text.lines()).allMatch(line -> line.isEmpty() || line.startsWith("#"));
        assertThat(text.lines()).allMatch(line -> line.length() <= 120 && line.equals(line.stripTrailing()));
        assertThat(catalog.keys()).allMatch(key -> text.contains("\n#" + key.name() + " ="));
        assertThat(text).contains("#crail.blocksize = 1m\n").endsWith("\n");
    }

    @Test
    void shouldGiveTheDefaultsWhenUncommented(@TempDir Path directory) throws Exception {
        String text = new ConfigTemplate(catalog).text().replaceAll("(?m)^#crail", "crail");
        Path file = Files.writeString(directory.resolve("crail-site.conf"), text);
        CrailConfiguration conf = new CrailConfiguration(file, new Properties(), Map.of());
        conf.validate();
        CrailConfiguration defaults = CrailConfiguration.createEmptyConfiguration();
        for (ConfigKey<?> key : catalog.keys()) {
            assertThat((Object) conf.get(key)).as(key.name()).isEqualTo(defaults.get(key));
        }
    }

    @Test
    void shouldDocumentEveryKey() {
        String text = new ConfigDocs(catalog).text();
        assertThat(catalog.keys()).allMatch(key -> text.contains("| `" + key.name() + "` | " + key.typeName()));
        assertThat(text.lines().filter(line -> line.startsWith("| `"))).hasSameSizeAs(catalog.keys());
    }
}
