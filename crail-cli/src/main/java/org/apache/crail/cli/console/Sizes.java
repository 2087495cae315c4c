/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.util.Locale;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.error.ConfigurationException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of bytes as people write and read them. All methods are thread safe. */
public final class Sizes implements ITypeConverter<Long> {
    private static final ConfigKey<Long> BYTES = ConfigKey.bytes("size")
            .group("")
            .defaultText("0")
            .atLeast(0L)
            .text("")
            .build();
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final int STEP = 1024;

    /** For the parser. */
    public Sizes() {}

    /** Reads 4096, 64k, 1m, 2g. */
    @Override
    public Long convert(String text) {
        try {
            return BYTES.parse(text);
        } catch (ConfigurationException e) {
            throw new TypeConversionException("\"" + text + "\" is not " + BYTES.allowed());
        }
    }

    /** At most four digits and a unit, e.g. "1.5 MiB". */
    public static String human(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        boolean whole = unit == 0 || value == Math.rint(value);
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }
}
