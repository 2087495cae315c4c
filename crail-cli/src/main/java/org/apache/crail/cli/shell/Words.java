/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a line as a shell does: blanks part words, {@code '..'} takes all literally, {@code ".."} all but the
 * backslash before a quote or a backslash, {@code \} the next character, and {@code #} at the begin of a word ends the
 * line. Nothing is expanded. Used by one thread.
 */
final class Words {
    private static final char ESCAPE = '\\';
    private static final char NONE = 0;

    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private char quote = NONE;
    private boolean isInWord;

    private Words() {}

    /**
     * The words of a line.
     *
     * @throws IllegalArgumentException if a quote is not closed
     */
    static List<String> of(String line) {
        Words words = new Words();
        words.split(line);
        if (words.quote != NONE) {
            throw new IllegalArgumentException("the quote " + words.quote + " is not closed: " + line.strip());
        }
        words.endWord();
        return words.words;
    }

    private void split(String line) {
        for (int i = 0; i < line.length(); i++) {
            char letter = line.charAt(i);
            if (letter == ESCAPE && i + 1 < line.length() && isEscape(line.charAt(i + 1))) {
                i++;
                add(line.charAt(i));
            } else if (quote == NONE && letter == '#' && !isInWord) {
                return;
            } else {
                take(letter);
            }
        }
    }

    /** Whether a backslash stands for the next character. */
    private boolean isEscape(char next) {
        return quote == NONE || (quote == '"' && (next == '"' || next == ESCAPE));
    }

    private void take(char letter) {
        if (letter == quote) {
            quote = NONE;
        } else if (quote == NONE && (letter == '\'' || letter == '"')) {
            quote = letter;
            isInWord = true;
        } else if (quote == NONE && Character.isWhitespace(letter)) {
            endWord();
        } else {
            add(letter);
        }
    }

    private void add(char letter) {
        word.append(letter);
        isInWord = true;
    }

    private void endWord() {
        if (isInWord) {
            words.add(word.toString());
        }
        word.setLength(0);
        isInWord = false;
    }
}
