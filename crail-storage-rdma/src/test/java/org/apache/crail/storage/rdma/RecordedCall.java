/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import java.util.List;

/** A call that posts to a list. Not thread safe. */
final class RecordedCall extends SVCPostSend {
    private final List<IbvSendWR> requests;
    private final List<Request> posted;
    private boolean valid = true;

    RecordedCall(List<IbvSendWR> requests, List<Request> posted) {
        this.requests = requests;
        this.posted = posted;
    }

    /** A work request with one element, as it was when it was posted. */
    record Request(int opcode, int flags, long slot, long remoteAddress, int remoteKey, Element element) {}

    /** Memory of this host. */
    record Element(long address, int length, int key) {}

    @Override
    public SVCPostSend execute() {
        for (IbvSendWR request : requests) {
            IbvSge element = request.getSge(0);
            posted.add(new Request(
                    request.getOpcode(),
                    request.getSend_flags(),
                    request.getWr_id(),
                    request.getRdma().getRemote_addr(),
                    request.getRdma().getRkey(),
                    new Element(element.getAddr(), element.getLength(), element.getLkey())));
        }
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostSend free() {
        valid = false;
        return this;
    }

    @Override
    public SendWRMod getWrMod(int index) {
        return new RequestMod(requests.get(index));
    }

    private record RequestMod(IbvSendWR request) implements SendWRMod {
        @Override
        public void setWr_id(long id) {
            request.setWr_id(id);
        }

        @Override
        public void setSend_flags(int flags) {
            request.setSend_flags(flags);
        }

        @Override
        public long getWr_id() {
            return request.getWr_id();
        }

        @Override
        public int getNum_sge() {
            return request.getNum_sge();
        }

        @Override
        public int getOpcode() {
            return request.getOpcode();
        }

        @Override
        public int getSend_flags() {
            return request.getSend_flags();
        }

        @Override
        public RdmaMod getRdmaMod() {
            return new PlaceMod(request.getRdma());
        }

        @Override
        public SgeMod getSgeMod(int index) {
            return new ElementMod(request.getSge(index));
        }
    }

    private record PlaceMod(IbvSendWR.Rdma place) implements RdmaMod {
        @Override
        public void setRemote_addr(long address) {
            place.setRemote_addr(address);
        }

        @Override
        public long getRemote_addr() {
            return place.getRemote_addr();
        }

        @Override
        public void setRkey(int key) {
            place.setRkey(key);
        }

        @Override
        public int getRkey() {
            return place.getRkey();
        }

        @Override
        public void setReserved(int reserved) {
            place.setReserved(reserved);
        }

        @Override
        public int getReserved() {
            return place.getReserved();
        }
    }

    private record ElementMod(IbvSge element) implements SgeMod {
        @Override
        public void setAddr(long address) {
            element.setAddr(address);
        }

        @Override
        public long getAddr() {
            return element.getAddr();
        }

        @Override
        public void setLength(int length) {
            element.setLength(length);
        }

        @Override
        public int getLength() {
            return element.getLength();
        }

        @Override
        public void setLkey(int key) {
            element.setLkey(key);
        }

        @Override
        public int getLkey() {
            return element.getLkey();
        }
    }
}
