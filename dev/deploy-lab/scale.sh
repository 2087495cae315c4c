# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Starts many datanodes on ten hosts: dev/deploy-lab/run dev/deploy-lab/scale.sh [DATANODES [SECONDS]]. Fails if that takes longer than SECONDS
# (90), or if a client does not see all of them.

datanodes=${1:-100} limit=${2:-90} of_scale=10
for ((n = 1; n <= of_scale; n++)); do
    make_host "$n" "$SHARED/key.pub"
done
configure 'crail.namenode.address = crail://host1:9060' 'crail.storage.tcp.storagelimit = 1m' 'crail.storage.tcp.allocationsize = 1m'
for ((i = 0; i < datanodes; i++)); do
    printf 'host%s -- -p 0\n' $((i % of_scale + 1))
done | on host1 tee /srv/crail/conf/slaves >/dev/null
start=$(date +%s%N)
on host1 timeout 600 /srv/crail/bin/start-crail.sh --limit 500 >"$SHARED/start.log" 2>&1 || {
    grep -A 20 FAILED "$SHARED/start.log"
    exit 1
}
ms=$((($(date +%s%N) - start) / 1000000))
printf '%s datanodes on %s hosts: started in %s.%03d s\n' "$datanodes" "$of_scale" $((ms / 1000)) $((ms % 1000))
crail_on host2 crail report | grep "^datanodes: $datanodes live"
crail_on host1 stop-crail.sh --limit 100 >"$SHARED/stop.log" || cat -- "$SHARED/stop.log"
[ "$(servers)" -eq 0 ]
[ "$ms" -lt $((limit * 1000)) ]
