#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares the nvmf tier with jNVMf alone and with the kernel's own initiator, in turns; to be run in a guest:
# dev/rdma-lab/run --time 900 -- dev/rdma-lab/flash.sh [OPTION OF bin/bench nvmf...]
set -euo pipefail

cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
# See the README about compiled code that is replaced.
export CRAIL_EXTRA_JAVA_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# What "nvme connect" does.
modprobe nvme-rdma
printf 'transport=rdma,traddr=%s,trsvcid=4420,nqn=%s' "$LAB_ADDRESS" "$LAB_NQN" >/dev/nvme-fabrics
for ((tries = 0; tries < 300; tries++)); do
    [ ! -b /dev/nvme0n1 ] || break
    sleep 0.1
done
exec bin/bench nvmf --address "$LAB_ADDRESS" --nqn "$LAB_NQN" --device /dev/nvme0n1 "$@"
