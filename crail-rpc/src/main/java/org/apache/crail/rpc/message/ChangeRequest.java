/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.StatusChange;

/**
 * Sets owner, group, permission, times or lifetime of a node.
 *
 * @param path which
 * @param change what
 */
public record ChangeRequest(CrailPath path, StatusChange change) implements Request<StatusResponse> {

    @Override
    public Operation operation() {
        return Operation.CHANGE;
    }

    /** A late copy must not undo what others have set since. */
    @Override
    public boolean remembered() {
        return true;
    }

    @Override
    public StatusResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, StatusResponse::decode, Operation.CHANGE);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(path)
                + optionalLength(change.owner())
                + optionalLength(change.group())
                + 4
                + 8
                + 8
                + 8
                + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, path);
        putOptional(out, change.owner());
        putOptional(out, change.group());
        out.putInt(change.permission());
        out.putLong(change.modificationTimeMs());
        out.putLong(change.accessTimeMs());
        out.putLong(change.timeToLiveMs());
        out.putLong(change.endsInMs());
    }

    static ChangeRequest decode(ByteBuffer in) throws CrailException {
        CrailPath path = Wire.getPath(in);
        String owner = getOptional(in);
        String group = getOptional(in);
        int permission = in.getInt();
        long modificationTimeMs = in.getLong();
        long accessTimeMs = in.getLong();
        long timeToLiveMs = in.getLong();
        long endsInMs = in.getLong();
        StatusChange change =
                new StatusChange(owner, group, permission, modificationTimeMs, accessTimeMs, timeToLiveMs, endsInMs);
        return new ChangeRequest(path, change);
    }

    private static int optionalLength(String text) {
        return 1 + (text == null ? 0 : Wire.textLength(text));
    }

    private static void putOptional(ByteBuffer out, String text) {
        Wire.putFlag(out, text != null);
        if (text != null) {
            Wire.putText(out, text);
        }
    }

    private static String getOptional(ByteBuffer in) {
        return Wire.getFlag(in) ? Wire.getText(in) : null;
    }
}
