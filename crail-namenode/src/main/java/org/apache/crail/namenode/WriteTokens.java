/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.message.MapRequest;

/**
 * Who may write a file: whoever holds its write token. A token lives for a while after it was last used; its holder may
 * go on even later, unless another writer has taken the file over. Stateless; needs the namespace's write lock.
 */
final class WriteTokens {
    /** No token has this value. */
    static final long NONE = 0;

    private WriteTokens() {}

    /** Gives out a new token. */
    static long grant(Node node, Namespace namespace) {
        long token;
        do {
            token = Surroundings.nextSecret();
        } while (token == NONE || token == MapRequest.REPAIR || token == node.token);
        node.token = token;
        node.writing = true;
        renew(node, namespace);
        return token;
    }

    /** Whether somebody holds a token that has not expired. */
    static boolean isTaken(Node node, long nowNs) {
        return node.writing && nowNs - node.tokenDueNs < 0;
    }

    /** Checks that a token is the one that was given out last. */
    static void require(Node node, long token) throws TokenMismatchException {
        if (!node.writing || token != node.token) {
            throw new TokenMismatchException("cannot write node " + node.fd + ": "
                    + (node.writing ? "another writer has taken over" : "this writer has given its token back")
                    + "; look the node up again for writing");
        }
    }

    static void giveBack(Node node) {
        node.writing = false;
    }

    /** Whether the holder of this token has given it back, and nobody has written since. */
    static boolean isGivenBack(Node node, long token) {
        return !node.writing && token != NONE && token == node.token;
    }

    /** Lets the token live anew. */
    static void renew(Node node, Namespace namespace) {
        node.tokenDueNs = namespace.nowNs() + namespace.settings().tokenExpirationNs();
    }
}
