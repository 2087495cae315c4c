/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Makes the exceptions of codes. Apart from {@link ErrorCode}, as the JVM loads all of them with this class, which a
 * process without failures does not need. Stateless.
 */
final class ErrorExceptions {
    private ErrorExceptions() {}

    static CrailException create(ErrorCode code, String message, Throwable cause) {
        return switch (code) {
            case INTERNAL -> new InternalErrorException(message, cause);
            case PROTOCOL_MISMATCH -> new ProtocolMismatchException(message, cause);
            case CLUSTER_MISMATCH -> new ClusterMismatchException(message, cause);
            case INVALID_REQUEST -> new InvalidRequestException(message, cause);
            case INVALID_PATH -> new InvalidPathException(message, cause);
            case NODE_NOT_FOUND -> new NodeNotFoundException(message, cause);
            case NODE_EXISTS -> new NodeExistsException(message, cause);
            case PARENT_NOT_FOUND -> new ParentNotFoundException(message, cause);
            case PARENT_NOT_CONTAINER -> new ParentNotContainerException(message, cause);
            case NODE_TYPE_MISMATCH -> new NodeTypeMismatchException(message, cause);
            case NOT_EMPTY -> new NotEmptyException(message, cause);
            case INVALID_MOVE -> new InvalidMoveException(message, cause);
            case STALE_NODE -> new StaleNodeException(message, cause);
            case TOKEN_TAKEN -> new TokenTakenException(message, cause);
            case TOKEN_MISMATCH -> new TokenMismatchException(message, cause);
            case POSITION_OUT_OF_RANGE -> new PositionOutOfRangeException(message, cause);
            case NO_FREE_BLOCKS -> new NoFreeBlocksException(message, cause);
            case DATANODE_NOT_REGISTERED -> new DatanodeNotRegisteredException(message, cause);
            case DATANODE_LOST -> new DatanodeLostException(message, cause);
            case DATANODE_UNREACHABLE -> new DatanodeUnreachableException(message, cause);
            case NAMENODE_UNREACHABLE -> new NamenodeUnreachableException(message, cause);
            case TIMEOUT -> new OperationTimeoutException(message, cause);
            case STALE_BLOCK -> new StaleBlockException(message, cause);
            case BLOCK_BOUNDS -> new BlockBoundsException(message, cause);
            case STORAGE_FAILURE -> new StorageFailureException(message, cause);
            case CLOSED -> new ClosedException(message, cause);
            case CONFIGURATION -> new ConfigurationException(message, cause);
            case OUT_OF_MEMORY -> new BufferExhaustedException(message, cause);
            case DATANODE_REPLACED -> new DatanodeReplacedException(message, cause);
            case ADDRESS_TAKEN -> new AddressTakenException(message, cause);
            case SESSION_LOST -> new SessionLostException(message, cause);
            case NAMENODE_BUSY -> new NamenodeBusyException(message, cause);
            case BLOCKS_PENDING -> new BlocksPendingException(message, cause);
        };
    }
}
