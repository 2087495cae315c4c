/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Says in one line what went wrong. All methods are thread safe. */
public final class FailureText {
    private FailureText() {}

    /** The failure itself, without the exceptions that only carry it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (isCarrier(cause) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static boolean isCarrier(Throwable failure) {
        return failure instanceof ExecutionException
                || failure instanceof CompletionException
                || failure instanceof UncheckedIOException;
    }

    /** The failure in one line. */
    public static String line(Throwable failure) {
        Throwable cause = cause(failure);
        return text(cause).replaceAll("\\s*\\R\\s*", "; ");
    }

    private static String text(Throwable cause) {
        if (cause instanceof FileSystemException local) {
            return local(local);
        }
        String message = cause.getMessage();
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
    }

    private static String local(FileSystemException failure) {
        String file = "local file " + failure.getFile();
        if (failure instanceof NoSuchFileException) {
            return file + " does not exist; check its path";
        }
        if (failure instanceof AccessDeniedException) {
            return file + " may not be read or written by this user; check its rights";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return file + " exists; choose another name, or use -f to replace it";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return file + " is a directory that is not empty; choose another name";
        }
        return file + ": " + (failure.getReason() == null ? failure.getClass().getSimpleName() : failure.getReason());
    }
}
