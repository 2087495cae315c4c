/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/** Results for programs. All methods are thread safe. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    /** A record, with all that it holds, as text. */
    public static String of(Record value) throws JsonProcessingException {
        return MAPPER.writeValueAsString(value);
    }
}
