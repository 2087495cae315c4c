/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import com.ibm.jnvmf.IoQueuePair;
import com.ibm.jnvmf.NamespaceIdentifier;
import com.ibm.jnvmf.NvmCompletionQueueEntry;
import com.ibm.jnvmf.NvmIoCommand;
import com.ibm.jnvmf.NvmIoCommandCapsule;
import com.ibm.jnvmf.NvmIoCommandSqe;
import com.ibm.jnvmf.NvmReadCommand;
import com.ibm.jnvmf.NvmResponseCapsule;
import com.ibm.jnvmf.NvmWriteCommand;
import com.ibm.jnvmf.OperationCallback;
import com.ibm.jnvmf.RdmaException;
import com.ibm.jnvmf.Response;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.crail.error.CrailException;

/**
 * A place for a command in flight: the two commands that are used again and again, and how far the present one is. It
 * is done when it has been sent and answered. Guarded like its device.
 */
final class JnvmfSlot {
    private static final Pattern UNKNOWN_VALUE = Pattern.compile("No enum with value (\\d+)");

    private final int number;
    private final List<JnvmfSlot> completed;
    private final Consumer<String> onTransportFailure;
    private final NvmIoCommand<? extends NvmIoCommandCapsule> read;
    private final NvmIoCommand<? extends NvmIoCommandCapsule> write;
    private final OperationCallback sending = new Progress(() -> sent = true);
    private final OperationCallback answering = new Progress(() -> answered = true);
    private NvmIoCommand<? extends NvmIoCommandCapsule> current;
    private Response<NvmResponseCapsule> response;
    private boolean sent;
    private boolean answered;
    private int unknownType;
    private int unknownStatus;

    /**
     * Prepares the commands.
     *
     * @param completed where it adds itself when it is done
     * @param onTransportFailure told why the transport could not deliver
     */
    JnvmfSlot(
            int number, IoQueuePair pair, int namespace, List<JnvmfSlot> completed, Consumer<String> onTransportFailure)
            throws IOException {
        this.number = number;
        this.completed = completed;
        this.onTransportFailure = onTransportFailure;
        this.read = prepared(new NvmReadCommand(pair), namespace);
        this.write = prepared(new NvmWriteCommand(pair), namespace);
    }

    private <T extends NvmIoCommand<?>> T prepared(T command, int namespace) {
        command.getCommandCapsule()
                .getSubmissionQueueEntry()
                .setNamespaceIdentifier(new NamespaceIdentifier(namespace));
        command.setCallback(sending);
        return command;
    }

    int number() {
        return number;
    }

    /** Begins a command; what it moves is to be set in the entry. */
    NvmIoCommandSqe prepare(boolean isWrite) {
        current = isWrite ? write : read;
        response = current.newResponse();
        response.setCallback(answering);
        sent = false;
        answered = false;
        unknownStatus = NvmeStatus.UNKNOWN;
        return current.getCommandCapsule().getSubmissionQueueEntry();
    }

    void execute() throws IOException {
        current.execute(response);
    }

    /** Takes the command for done if jNVMf did not know its status, or the type of that. */
    void completeIfMisunderstood(RuntimeException failure) {
        if (response == null || answered) {
            return;
        }
        NvmCompletionQueueEntry entry = response.getResponseCapsule().getCompletionQueueEntry();
        boolean hasType = entry.getStatusCodeType() != null;
        if (hasType ? entry.getStatusCode() == null : isBegun(entry)) {
            Matcher known = UNKNOWN_VALUE.matcher(String.valueOf(failure.getMessage()));
            int value = known.matches() ? Integer.parseInt(known.group(1)) : NvmeStatus.UNKNOWN;
            unknownType = hasType ? NvmeStatus.UNKNOWN : value;
            unknownStatus = hasType ? value : NvmeStatus.UNKNOWN;
            answered = true;
            completed.add(this);
        }
    }

    /** Whether jNVMf has read what stands before the status; before, both are zero. */
    private static boolean isBegun(NvmCompletionQueueEntry entry) {
        return entry.getCommandIdentifier() != 0 || entry.getSubmissionQueueHeadPointer() != 0;
    }

    /** Why the command failed, or null. */
    CrailException failure() {
        NvmCompletionQueueEntry entry = response.getResponseCapsule().getCompletionQueueEntry();
        response = null;
        int type = entry.getStatusCodeType() == null
                ? unknownType
                : entry.getStatusCodeType().toInt();
        int code = entry.getStatusCode() == null
                ? unknownStatus
                : entry.getStatusCode().toInt();
        return type == 0 && code == 0 ? null : NvmeStatus.failure(type, code);
    }

    /** Notes what jNVMf tells of a command or of its answer. */
    private final class Progress implements OperationCallback {
        private final Runnable done;

        Progress(Runnable done) {
            this.done = done;
        }

        @Override
        public void onStart() {}

        @Override
        public void onComplete() {
            done.run();
            if (sent && answered) {
                completed.add(JnvmfSlot.this);
            }
        }

        @Override
        public void onFailure(RdmaException exception) {
            onTransportFailure.accept(exception.getMessage());
        }
    }
}
