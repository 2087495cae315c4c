/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.nio.charset.StandardCharsets;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.DataNodeInfo;

/** Checks what datanodes say of themselves. Immutable. */
final class OfferCheck {
    private static final int MAX_HOST_BYTES = 255;

    /** With the longest host, 64 blocks, which clients ask for at once, fit a message. */
    private static final int MAX_LOCATOR_BYTES = 640;

    private static final int MAX_MEDIUM_BYTES = 255;
    private static final int MAX_PORT = 65535;

    private final int storageClasses;

    OfferCheck(int storageClasses) {
        this.storageClasses = storageClasses;
    }

    void check(RegionOffer offer) throws InvalidRequestException {
        DataNodeInfo info = offer.datanode();
        int hostBytes = bytes(info.host());
        if (hostBytes == 0 || hostBytes > MAX_HOST_BYTES || info.getPort() < 1 || info.getPort() > MAX_PORT) {
            throw new InvalidRequestException("cannot register a datanode with a host of " + hostBytes
                    + " bytes at port " + info.getPort() + ": it needs a host of 1 to " + MAX_HOST_BYTES
                    + " bytes and a port of 1 to " + MAX_PORT);
        }
        if (bytes(info.locator()) > MAX_LOCATOR_BYTES) {
            throw new InvalidRequestException("cannot register datanode " + printable(info.address())
                    + ": its locator is longer than " + MAX_LOCATOR_BYTES + " bytes; use shorter names");
        }
        if (bytes(offer.medium()) > MAX_MEDIUM_BYTES) {
            throw new InvalidRequestException("cannot register datanode " + printable(info.address())
                    + ": its medium's name is longer than " + MAX_MEDIUM_BYTES + " bytes; use shorter names");
        }
        if (hasControls(info.host()) || hasControls(info.locator()) || hasControls(offer.medium())) {
            throw new InvalidRequestException("cannot register datanode " + printable(info.identity())
                    + ": its host, locator or medium holds control characters; leave them out");
        }
        if (info.getStorageClass() < 0 || info.getStorageClass() >= storageClasses) {
            throw new InvalidRequestException("cannot register datanode " + info.identity() + " in storage class "
                    + info.getStorageClass() + ": the cluster has classes 0 to " + (storageClasses - 1)
                    + "; give it one of these or raise crail.storage.classes");
        }
        if (info.getStorageType() < 0) {
            throw new InvalidRequestException("cannot register datanode " + info.identity() + " with storage type "
                    + info.getStorageType() + ": a storage type is the place of its tier in crail.storage.types");
        }
        if (offer.epochAfter() < 0 || offer.epochAfter() > Long.MAX_VALUE - DatanodeLife.EPOCHS) {
            throw new InvalidRequestException("cannot register datanode " + info.identity() + ": no epochs are left"
                    + " behind " + offer.epochAfter() + "; restart it");
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
