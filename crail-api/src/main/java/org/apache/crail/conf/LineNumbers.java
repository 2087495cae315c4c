/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.configuration2.PropertiesConfiguration;

/** On which line of a file each key stands, noted while the file is read. Used by one thread. */
final class LineNumbers extends PropertiesConfiguration.JupIOFactory {
    private final Map<String, Integer> lines = new HashMap<>();

    @Override
    public PropertiesConfiguration.PropertiesReader createPropertiesReader(Reader in) {
        return new NotingReader(in, lines);
    }

    /**
     * The line, from 1, on which a key of the file, or its value if that goes over several, ends; the last one of
     * several.
     */
    int of(String key) {
        return lines.get(key);
    }

    private static final class NotingReader extends PropertiesConfiguration.JupPropertiesReader {
        private final Map<String, Integer> lines;

        NotingReader(Reader in, Map<String, Integer> lines) {
            super(in);
            this.lines = lines;
        }

        @Override
        public boolean nextProperty() throws IOException {
            boolean found = super.nextProperty();
            if (found) {
                lines.put(getPropertyName(), getLineNumber());
            }
            return found;
        }
    }
}
