/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.crail.error.ConfigurationException;

/**
 * Replaces {@code $VAR} and <code>${VAR}</code> in a value by environment variables; {@code $$} stands for one {@code
 * $}.
 */
final class VariableExpansion {
    private static final Pattern REFERENCE =
            Pattern.compile("\\$(?:(\\$)|\\{([^}]*)\\}|([A-Za-z_][A-Za-z0-9_]*)|(\\{))");
    private static final int ESCAPE = 1;
    private static final int BRACED = 2;
    private static final int PLAIN = 3;
    private static final int UNCLOSED = 4;

    private VariableExpansion() {}

    /**
     * Expands {@code value} once; what a variable holds is not expanded again.
     *
     * @throws ConfigurationException if a variable is not set or a brace not closed; names {@code where}
     */
    static String expand(String value, Map<String, String> environment, String where) throws ConfigurationException {
        Matcher matcher = REFERENCE.matcher(value);
        StringBuilder expanded = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(replacement(matcher, environment, where)));
        }
        return matcher.appendTail(expanded).toString();
    }

    private static String replacement(Matcher matcher, Map<String, String> environment, String where)
            throws ConfigurationException {
        if (matcher.group(ESCAPE) != null) {
            return "$";
        }
        if (matcher.group(UNCLOSED) != null) {
            throw new ConfigurationException(where + ": \"${\" without \"}\"; write ${NAME}, or $$ for a dollar sign");
        }
        String name = matcher.group(BRACED) != null ? matcher.group(BRACED) : matcher.group(PLAIN);
        String replacement = environment.get(name);
        if (replacement == null) {
            throw new ConfigurationException(
                    where + ": environment variable " + name + " is not set; set it, or write $$ for a dollar sign");
        }
        return replacement;
    }
}
