/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.Ownership;

/**
 * Creates a node.
 *
 * @param path where; its parent must exist
 * @param type what
 * @param storageClass where its blocks are preferably allocated; negative for that of the parent
 * @param locationClass where its blocks are preferably placed; negative for that of the parent
 * @param enumerable whether its parent lists it
 * @param replace whether a file takes the place of another file; a key-value always does
 * @param ownership whose it is, where an empty name stands for the parent's owner or group; null for both, with the
 *     usual permission
 * @param timeToLiveMs see {@link org.apache.crail.metadata.Lifetime}; negative for that of the parent, 0 for no limit
 */
public record CreateRequest(
        CrailPath path,
        CrailNodeType type,
        int storageClass,
        int locationClass,
        boolean enumerable,
        boolean replace,
        Ownership ownership,
        long timeToLiveMs)
        implements Request<CreateResponse> {

    /** Stands for the time to live of the parent. */
    public static final long INHERITED = -1;

    /** Replaces no file, and says nothing of owners and lifetimes. */
    public CreateRequest(CrailPath path, CrailNodeType type, int storageClass, int locationClass, boolean enumerable) {
        this(path, type, storageClass, locationClass, enumerable, false, null);
    }

    /** Inherits the time to live. */
    public CreateRequest(
            CrailPath path,
            CrailNodeType type,
            int storageClass,
            int locationClass,
            boolean enumerable,
            boolean replace,
            Ownership ownership) {
        this(path, type, storageClass, locationClass, enumerable, replace, ownership, INHERITED);
    }

    @Override
    public Operation operation() {
        return Operation.CREATE;
    }

    @Override
    public boolean remembered() {
        return true;
    }

    @Override
    public CreateResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, CreateResponse::decode, Operation.CREATE);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(path)
                + 1
                + 4
                + 4
                + 1
                + 1
                + 1
                + (ownership == null ? 0 : Wire.ownershipLength(ownership))
                + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, path);
        out.put((byte) type.getLabel());
        out.putInt(storageClass);
        out.putInt(locationClass);
        Wire.putFlag(out, enumerable);
        Wire.putFlag(out, replace);
        Wire.putFlag(out, ownership != null);
        if (ownership != null) {
            Wire.putOwnership(out, ownership);
        }
        out.putLong(timeToLiveMs);
    }

    static CreateRequest decode(ByteBuffer in) throws CrailException {
        CrailPath path = Wire.getPath(in);
        CrailNodeType type = Wire.getType(in);
        int storageClass = in.getInt();
        int locationClass = in.getInt();
        boolean enumerable = Wire.getFlag(in);
        boolean replace = Wire.getFlag(in);
        Ownership ownership = Wire.getFlag(in) ? Wire.getOwnership(in) : null;
        return new CreateRequest(path, type, storageClass, locationClass, enumerable, replace, ownership, in.getLong());
    }
}
