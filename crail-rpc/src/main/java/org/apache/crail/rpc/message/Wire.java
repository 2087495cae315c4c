/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.Region;

/** The layout in bytes of the values that several messages share. Stateless. */
final class Wire {
    static final int FILE_LENGTH = 8 + 1 + 8 + 8 + 8 + 1 + 4 + 4 + 4 + 8;

    static final int REGION_LENGTH = 8 + 8 + 8 + 4;

    private static final int BLOCK_FIXED_LENGTH = 8 + 8 + 4 + 4 + 4 + 8;
    private static final int DATANODE_FIXED_LENGTH = 4 + 4 + 4 + 4;

    /** Flags of a status. */
    private static final int OWNER_OF_FORMER = 1;

    private static final int LAYOUT = 2;

    private static final int LIFETIME = 4;

    private Wire() {}

    static <T> T decode(ByteBuffer in, Decoder<T> decoder, Operation operation) throws CrailException {
        try {
            T message = decoder.decode(in);
            if (in.hasRemaining()) {
                throw new ProtocolMismatchException(
                        operation + ": " + in.remaining() + " bytes follow the end of the message");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new ProtocolMismatchException(operation + ": the message ends before its last field", e);
        }
    }

    static int pathLength(CrailPath path) {
        return 2 + path.utf8().length;
    }

    static void putPath(ByteBuffer out, CrailPath path) {
        out.putShort((short) path.utf8().length);
        out.put(path.utf8());
    }

    static CrailPath getPath(ByteBuffer in) throws CrailException {
        return CrailPath.ofUtf8(getBytes(in));
    }

    static int textLength(String text) {
        return 2 + utf8Length(text);
    }

    /** Bytes in UTF-8, without making them; half of a surrogate pair becomes a question mark. */
    private static int utf8Length(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x800 && !Character.isSurrogate(c)) {
                bytes += 2;
            } else if (c >= 0x80 && c < 0x800) {
                bytes++;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 2;
                i++;
            }
        }
        return bytes;
    }

    static void putText(ByteBuffer out, String text) {
        int length = utf8Length(text);
        out.putShort((short) length);
        if (length == text.length()) { // one byte for each character
            int begin = out.position(); // moved once, not by each byte
            out.position(begin + length);
            for (int i = 0; i < length; i++) {
                char c = text.charAt(i);
                out.put(begin + i, (byte) (c < 0x80 ? c : '?'));
            }
        } else {
            out.put(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    static String getText(ByteBuffer in) {
        return new String(getBytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] getBytes(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    static void putFlag(ByteBuffer out, boolean flag) {
        out.put((byte) (flag ? 1 : 0));
    }

    static boolean getFlag(ByteBuffer in) {
        return in.get() != 0;
    }

    static CrailNodeType getType(ByteBuffer in) throws CrailException {
        byte label = in.get();
        try {
            return CrailNodeType.parse(label);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(e.getMessage(), e);
        }
    }

    static void putFile(ByteBuffer out, FileInfo file) {
        putNode(out, file);
        out.putLong(file.layout());
    }

    static FileInfo getFile(ByteBuffer in) throws CrailException {
        return getNode(in, true);
    }

    private static void putNode(ByteBuffer out, FileInfo file) {
        out.putLong(file.getFd());
        out.put((byte) file.getType().getLabel());
        out.putLong(file.getCapacity());
        out.putLong(file.getToken());
        out.putLong(file.getModificationTime());
        putFlag(out, file.isEnumerable());
        out.putInt(file.children());
        out.putInt(file.storageClass());
        out.putInt(file.locationClass());
    }

    private static FileInfo getNode(ByteBuffer in, boolean hasLayout) throws CrailException {
        return new FileInfo(
                in.getLong(),
                getType(in),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                getFlag(in),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                hasLayout ? in.getLong() : 0);
    }

    /** The length of a status behind {@code former}, whose owner is not told again; null if none comes before it. */
    static int statusLength(NodeStatus status, NodeStatus former) {
        return textLength(status.name())
                + 1
                + FILE_LENGTH
                - (status.file().layout() == 0 ? 8 : 0)
                + 8
                + (hasOwnerOf(status, former) ? 0 : ownershipLength(status.ownership()))
                + (status.lifetime().equals(Lifetime.UNLIMITED) ? 0 : 8 + 8 + 1);
    }

    static void putStatus(ByteBuffer out, NodeStatus status, NodeStatus former) {
        boolean isOwnerOfFormer = hasOwnerOf(status, former);
        boolean hasLayout = status.file().layout() != 0;
        putText(out, status.name());
        Lifetime lifetime = status.lifetime();
        boolean isLimited = !lifetime.equals(Lifetime.UNLIMITED);
        out.put((byte)
                ((isOwnerOfFormer ? OWNER_OF_FORMER : 0) | (hasLayout ? LAYOUT : 0) | (isLimited ? LIFETIME : 0)));
        putNode(out, status.file());
        if (hasLayout) {
            out.putLong(status.file().layout());
        }
        out.putLong(status.accessTimeMs());
        if (!isOwnerOfFormer) {
            putOwnership(out, status.ownership());
        }
        if (isLimited) {
            out.putLong(lifetime.timeToLiveMs());
            out.putLong(lifetime.remainingMs());
            putFlag(out, lifetime.hasEnd());
        }
    }

    static NodeStatus getStatus(ByteBuffer in, NodeStatus former) throws CrailException {
        String name = getText(in);
        int flags = in.get();
        FileInfo file = getNode(in, (flags & LAYOUT) != 0);
        long accessTimeMs = in.getLong();
        boolean isOwnerOfFormer = (flags & OWNER_OF_FORMER) != 0;
        if (isOwnerOfFormer && former == null) {
            throw new ProtocolMismatchException(name + " has the owner of the node before it, but is the first");
        }
        Ownership ownership = isOwnerOfFormer ? former.ownership() : getOwnership(in);
        Lifetime lifetime =
                (flags & LIFETIME) == 0 ? Lifetime.UNLIMITED : new Lifetime(in.getLong(), in.getLong(), getFlag(in));
        return new NodeStatus(name, file, ownership, accessTimeMs, lifetime);
    }

    private static boolean hasOwnerOf(NodeStatus status, NodeStatus former) {
        return former != null && status.ownership().equals(former.ownership());
    }

    static int ownershipLength(Ownership ownership) {
        return textLength(ownership.owner()) + textLength(ownership.group()) + 4;
    }

    static void putOwnership(ByteBuffer out, Ownership ownership) {
        putText(out, ownership.owner());
        putText(out, ownership.group());
        out.putInt(ownership.permission());
    }

    static Ownership getOwnership(ByteBuffer in) {
        String owner = getText(in);
        String group = getText(in);
        return new Ownership(owner, group, in.getInt());
    }

    static int datanodeLength(DataNodeInfo datanode) {
        return DATANODE_FIXED_LENGTH + textLength(datanode.host()) + textLength(datanode.locator());
    }

    static void putDatanode(ByteBuffer out, DataNodeInfo datanode) {
        out.putInt(datanode.getStorageType());
        out.putInt(datanode.getStorageClass());
        out.putInt(datanode.getLocationClass());
        out.putInt(datanode.getPort());
        putText(out, datanode.host());
        putText(out, datanode.locator());
    }

    static DataNodeInfo getDatanode(ByteBuffer in) {
        int storageType = in.getInt();
        int storageClass = in.getInt();
        int locationClass = in.getInt();
        int port = in.getInt();
        String host = getText(in);
        return new DataNodeInfo(storageType, storageClass, locationClass, host, port, getText(in));
    }

    /** The length of a block that may be absent (null). */
    static int blockLength(BlockInfo block) {
        return 1 + (block == null ? 0 : BLOCK_FIXED_LENGTH + datanodeLength(block.getDnInfo()));
    }

    static void putBlock(ByteBuffer out, BlockInfo block) {
        putFlag(out, block != null);
        if (block != null) {
            out.putLong(block.getLba());
            out.putLong(block.getAddr());
            out.putInt(block.start());
            out.putInt(block.getLength());
            out.putInt(block.getLkey());
            out.putLong(block.epoch());
            putDatanode(out, block.getDnInfo());
        }
    }

    static BlockInfo getBlock(ByteBuffer in) {
        if (!getFlag(in)) {
            return null;
        }
        long lba = in.getLong();
        long address = in.getLong();
        int start = in.getInt();
        int length = in.getInt();
        int key = in.getInt();
        long epoch = in.getLong();
        BlockInfo block = new BlockInfo(getDatanode(in), lba, address, length, key, epoch);
        return start == 0 ? block : block.part(start, length - start);
    }

    static void putRegion(ByteBuffer out, Region region) {
        out.putLong(region.lba());
        out.putLong(region.address());
        out.putLong(region.length());
        out.putInt(region.key());
    }

    static Region getRegion(ByteBuffer in) {
        long lba = in.getLong();
        long address = in.getLong();
        long length = in.getLong();
        int key = in.getInt();
        return new Region(lba, address, length, key);
    }

    static <T> List<T> getList(ByteBuffer in, Decoder<T> element) throws CrailException {
        int count = getCount(in);
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(element.decode(in));
        }
        return list;
    }

    static int getCount(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return count;
    }
}
