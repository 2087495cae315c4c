/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.List;

/**
 * Prints {@code docs/configuration.md}: every declared key with type, default and meaning. Immutable and thread safe.
 */
public final class ConfigDocs {
    private static final String INTRODUCTION =
            """
            # Configuration

            This page is generated from the keys that the modules declare.

            A value comes from, each place overriding those before it:

            1. the default below;
            2. the file `$CRAIL_HOME/conf/crail-site.conf`, in the syntax of `java.util.Properties`, UTF-8. `$NAME` and
               `${NAME}` stand for environment variables, `$$` for a dollar sign. A variable that is not set is an
               error;
            3. a system property of the key's name: `-Dcrail.storage.tcp.port=50030`;
            4. an environment variable: `CRAIL_STORAGE_TCP_PORT` for `crail.storage.tcp.port`, that is, the key in capital
               letters with `_` in place of anything else;
            5. what the program sets with `CrailConfiguration.set`.

            Sizes are numbers of bytes, or numbers with `k`, `m`, `g` or `t` for powers of 1,024. Durations are numbers with
            `us`, `ms`, `s`, `min` or `h`; the text of each key says what a plain number counts. A value that is ill-typed or
            out of range is an error. It names the key, the value, where it was set and what would be right. A `crail.*` key
            that no module declares gets a warning with the key that was probably meant.
            """;

    private final ConfigCatalog catalog;

    /** Prints the keys of {@code catalog}. */
    public ConfigDocs(ConfigCatalog catalog) {
        this.catalog = catalog;
    }

    /** The text of the page; ends with a line feed. */
    public String text() {
        StringBuilder out = new StringBuilder(INTRODUCTION);
        catalog.groups().forEach((group, keys) -> group(out, group, keys));
        return out.toString();
    }

    private static void group(StringBuilder out, String group, List<ConfigKey<?>> keys) {
        out.append("\n## ").append(group).append("\n\n| key | type | default | meaning |\n| --- | --- | --- | --- |\n");
        for (ConfigKey<?> key : keys) {
            out.append("| ").append(code(key.name()));
            out.append(" | ").append(escape(key.typeName() + ": " + choicesAsCode(key, key.allowed(), "")));
            out.append(" | ").append(defaultOf(key));
            out.append(" | ")
                    .append(escape(choicesAsCode(key, key.text(), "(?=:)")))
                    .append(" |\n");
        }
    }

    private static String defaultOf(ConfigKey<?> key) {
        if (key.defaultKey() != null) {
            return "the value of " + code(key.defaultKey().name());
        }
        return key.defaultText().isEmpty() ? "empty" : code(key.defaultText());
    }

    /** A text with the values of a choice as code, where {@code next} follows. */
    private static String choicesAsCode(ConfigKey<?> key, String text, String next) {
        if (!key.typeName().equals("choice")) {
            return text;
        }
        String values = key.allowed().replace("one of ", "").replace(", ", "|");
        return text.replaceAll("\\b(" + values + ")\\b" + next, "`$1`");
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static String escape(String text) {
        return text.replace("|", "\\|");
    }
}
