/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/**
 * A file: bytes written once from begin to end, by one writer at a time, and read by any number of readers. All methods
 * are thread safe; the streams are not.
 */
public interface CrailFile extends CrailNode {
    /**
     * Opens an asynchronous stream at the begin of the file. The caller closes it.
     *
     * @param readHint number of bytes, counted from the begin, that the caller will probably read in sequence: metadata
     *     up to there is asked for ahead of time; 0 for none
     */
    CrailInputStream getDirectInputStream(long readHint) throws Exception;

    /**
     * Opens an asynchronous stream at the end of the file. The caller closes it.
     *
     * @param writeHint number of bytes, counted from the begin, up to which the caller will probably write: blocks up
     *     to there are asked for ahead of time; 0 for none
     * @throws Exception if this object does not hold the write token, which only the one that create gave does, or if
     *     it has an open output stream already
     */
    CrailOutputStream getDirectOutputStream(long writeHint) throws Exception;

    /**
     * Takes the write token and opens an asynchronous stream at the end of the file, as it is then; also for an object
     * that was looked up. Waits for the namenode. The caller closes the stream.
     *
     * @param writeHint as for {@link #getDirectOutputStream}
     * @throws Exception {@link org.apache.crail.error.TokenTakenException} if another writer has the file open, and has
     *     not closed it within some 60 ms, {@link org.apache.crail.error.StaleNodeException} if the path leads to
     *     another node now
     */
    default CrailOutputStream openForAppend(long writeHint) throws Exception {
        throw new UnsupportedOperationException(getClass().getName() + " cannot append to " + getPath());
    }

    /** The write token; 0 if this object is for reading only. */
    long getToken();

    /** The node's id; never used twice. */
    long getFd();

    /**
     * Opens a blocking stream with read-ahead at the begin of the file. The caller closes it; see {@link
     * #getDirectInputStream}.
     */
    default CrailBufferedInputStream getBufferedInputStream(long readHint) throws Exception {
        return new FileBufferedInputStream(this, readHint);
    }

    /**
     * Opens a blocking stream with write-behind at the end of the file. The caller closes it; see {@link
     * #getDirectOutputStream}.
     */
    default CrailBufferedOutputStream getBufferedOutputStream(long writeHint) throws Exception {
        return new CrailBufferedOutputStream(this, writeHint);
    }

    /** Opens a blocking stream with write-behind as {@link #openForAppend} does. The caller closes it. */
    default CrailBufferedOutputStream openBufferedForAppend(long writeHint) throws Exception {
        return new CrailBufferedOutputStream(this, openForAppend(writeHint));
    }
}
