/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.crail.internal.Spelling;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the names of tests. All methods are thread safe. */
final class BenchTypeConverter implements ITypeConverter<BenchType>, Iterable<String> {
    private static final List<String> LABELS =
            Arrays.stream(BenchType.values()).map(BenchType::label).toList();

    BenchTypeConverter() {}

    @Override
    public BenchType convert(String text) {
        for (BenchType type : BenchType.values()) {
            if (type.label().equalsIgnoreCase(text)) {
                return type;
            }
        }
        throw new TypeConversionException("\"" + text + "\" is no test; "
                + Spelling.nearest(text, LABELS)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("use one of " + String.join(", ", LABELS)));
    }

    @Override
    public Iterator<String> iterator() {
        return LABELS.iterator();
    }
}
