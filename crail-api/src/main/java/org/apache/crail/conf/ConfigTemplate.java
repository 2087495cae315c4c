/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.List;

/**
 * Prints {@code conf/crail-site.conf}: every declared key, commented out, with type, default and meaning. Immutable and
 * thread safe.
 */
public final class ConfigTemplate {
    private static final int WIDTH = 100;

    private final ConfigCatalog catalog;

    /** Prints the keys of {@code catalog}. */
    public ConfigTemplate(ConfigCatalog catalog) {
        this.catalog = catalog;
    }

    /** The text of the file; ends with a line feed. */
    public String text() {
        StringBuilder out = new StringBuilder();
        comment(
                out,
                "Configuration of Crail. Generated from the keys that the modules declare; a line without # sets a key. "
                        + "A system property of the key's name overrides this file, and an environment variable overrides "
                        + "both: CRAIL_STORAGE_TCP_PORT for crail.storage.tcp.port. $NAME and ${NAME} stand for environment "
                        + "variables, $$ for a dollar sign. Sizes take k, m, g and t, durations us, ms, s, min and h.");
        catalog.groups().forEach((group, keys) -> group(out, group, keys));
        return out.toString();
    }

    private static void group(StringBuilder out, String group, List<ConfigKey<?>> keys) {
        out.append("\n# ---- ").append(group).append(" ----\n");
        keys.forEach(key -> key(out, key));
    }

    private static void key(StringBuilder out, ConfigKey<?> key) {
        out.append('\n');
        comment(out, key.text());
        comment(
                out,
                "Type: " + key.typeName() + "; " + key.allowed() + ". Default: " + orEmpty(key.defaultText()) + ".");
        out.append('#').append(key.name()).append(" = ");
        out.append(sample(key)).append('\n');
        trimLine(out);
    }

    private static String sample(ConfigKey<?> key) {
        return key.defaultKey() == null ? key.defaultText() : sample(key.defaultKey());
    }

    private static String orEmpty(String text) {
        return text.isEmpty() ? "empty" : text;
    }

    private static void trimLine(StringBuilder out) {
        int end = out.length() - 1;
        while (out.charAt(end - 1) == ' ') {
            out.deleteCharAt(--end);
        }
    }

    /** Appends text as lines that begin with # and are broken between words. */
    private static void comment(StringBuilder out, String text) {
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > WIDTH) {
                out.append('\n');
                column = 0;
            }
            out.append(column == 0 ? "# " : " ").append(word);
            column += (column == 0 ? 2 : 1) + word.length();
        }
        out.append('\n');
    }
}
