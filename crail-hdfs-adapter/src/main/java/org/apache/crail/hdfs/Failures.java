/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.crail.error.CrailException;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/** Turns failures of a store into those that Hadoop's contract names, with the path in the message. Stateless. */
final class Failures {
    private Failures() {}

    /** A call that ends by itself and declares more than it throws. */
    static <T> T call(Object path, Callable<T> call) throws IOException {
        try {
            return call.call();
        } catch (InterruptedException e) {
            throw interrupted(path, e);
        } catch (IOException e) {
            throw translate(path, e);
        } catch (Exception e) { // the historic signatures declare nothing narrower
            throw new PathIOException(path.toString(), e.toString(), e);
        }
    }

    /** Begins an operation and waits for its result. Operations have time limits of their own. */
    static <T> T await(Object path, Callable<? extends Future<T>> operation) throws IOException {
        return call(path, () -> wait(operation.call()));
    }

    /** As {@link #await}, but leaves failures as they are. */
    static <T> T awaitTyped(Object path, Callable<? extends Future<T>> operation) throws IOException {
        try {
            return wait(operation.call());
        } catch (InterruptedException e) {
            throw interrupted(path, e);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // the historic signatures declare nothing narrower
            throw new PathIOException(path.toString(), e.toString(), e);
        }
    }

    /**
     * Waits for an operation that has begun, until it is over: its buffer belongs to it until then. An interrupt shows
     * afterwards, in the thread's flag.
     */
    static <T> T finish(Object path, Future<T> operation) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait(operation);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (IOException e) {
            throw translate(path, e);
        } catch (Exception e) { // the historic signatures declare nothing narrower
            throw new PathIOException(path.toString(), e.toString(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes all, also after a failure; throws the first one. */
    static void closeAll(Object path, Collection<? extends AutoCloseable> all) throws IOException {
        IOException failure = null;
        for (AutoCloseable each : all) {
            try {
                Object ignored = call(path, () -> {
                    each.close();
                    return null;
                });
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else if (e != failure) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static <T> T wait(Future<T> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException typed) {
                // a new one, since one failure may be thrown to several callers
                throw typed.again(typed.getMessage());
            }
            if (e.getCause() instanceof IOException other) {
                throw other;
            }
            throw e;
        }
    }

    private static InterruptedIOException interrupted(Object path, InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException exception = new InterruptedIOException(path + ": interrupted");
        exception.initCause(cause);
        return exception;
    }

    /** What a caller who knows Hadoop expects instead of {@code failure}. */
    static IOException translate(Object path, IOException failure) {
        if (!(failure instanceof CrailException typed)) {
            return failure;
        }
        String message = path + ": " + typed.getMessage();
        IOException translated =
                switch (typed.code()) {
                    case NODE_NOT_FOUND, PARENT_NOT_FOUND, STALE_NODE -> new FileNotFoundException(message);
                    case NODE_EXISTS -> new FileAlreadyExistsException(message);
                    case PARENT_NOT_CONTAINER -> new ParentNotDirectoryException(message);
                    case NOT_EMPTY -> new PathIsNotEmptyDirectoryException(path.toString());
                    case NO_FREE_BLOCKS, BLOCKS_PENDING -> new ClusterStorageCapacityExceededException(message);
                    case NAMENODE_UNREACHABLE, DATANODE_UNREACHABLE -> new ConnectException(message);
                    case TIMEOUT -> new SocketTimeoutException(message);
                    default -> new PathIOException(path.toString(), typed.code().name()); // it adds the cause's message
                };
        translated.initCause(typed);
        return translated;
    }
}
