/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.crail.internal.Spelling;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the names of fsck's types. All methods are thread safe. */
final class FsckTypeConverter implements ITypeConverter<FsckType>, Iterable<String> {
    private static final List<String> LABELS =
            Arrays.stream(FsckType.values()).map(FsckType::label).toList();

    FsckTypeConverter() {}

    @Override
    public FsckType convert(String text) {
        for (FsckType type : FsckType.values()) {
            if (type.label().equalsIgnoreCase(text)) {
                return type;
            }
        }
        throw new TypeConversionException("\"" + text + "\" is no type; "
                + Spelling.nearest(text, LABELS)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("use one of " + String.join(", ", LABELS)));
    }

    @Override
    public Iterator<String> iterator() {
        return LABELS.iterator();
    }
}
