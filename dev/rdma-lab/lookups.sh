#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares lookups over DaRPC with lookups over Netty, in turns; to be run in a guest:
# dev/rdma-lab/run --time 900 -- dev/rdma-lab/lookups.sh [ROUNDS] [LOOKUPS]
set -euo pipefail

cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
# See the README about compiled code that is replaced.
export CRAIL_EXTRA_JAVA_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
rounds=${1:-3} lookups=${2:-1000}
crail=$(compgen -G 'crail-dist/target/crail-*/bin/crail' | head -n 1)

# The configuration of a cluster whose metadata goes over a transport, on this machine's verbs device: options NAME PORT
options() {
    local class=org.apache.crail.namenode.rpc.tcp.TcpNameNode
    [ "$1" = netty ] || class=org.apache.crail.namenode.rpc.darpc.DaRPCNameNode
    printf '%s\n' "-Dcrail.namenode.rpctype=$class" "-Dcrail.namenode.address=crail://$LAB_ADDRESS:$2" \
        -Dcrail.storage.tcp.port=0 -Dcrail.unixsockets=false -Dcrail.rpctimeout=60s -Dcrail.connecttimeout=60s
}
# shellcheck disable=SC2034 # both are used by reference
readarray -t netty < <(options netty 9061)
# shellcheck disable=SC2034
readarray -t darpc < <(options darpc 9062)

servers=()
trap 'kill "${servers[@]}" && wait' EXIT
for transport in netty darpc; do
    declare -n conf=$transport
    "$crail" mini "${conf[@]}" -n 1 -s 16m &
    servers+=($!)
    until "$crail" iobench "${conf[@]}" -q -t write -k 1 -s 4096 -f /file >/dev/null 2>&1; do
        kill -0 "${servers[-1]}"
    done
done
for ((round = 1; round <= rounds; round++)); do
    for transport in netty darpc; do
        declare -n conf=$transport
        echo "== $transport"
        "$crail" iobench "${conf[@]}" -q -t getFile -k "$lookups" -w 300 -f /file
        echo "== $transport, 32 in flight"
        "$crail" iobench "${conf[@]}" -q -t getFileAsync -b 32 -k "$lookups" -w 300 -f /file
    done
done
