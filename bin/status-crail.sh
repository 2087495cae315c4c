#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows which processes of the cluster run. See --help.
set -euo pipefail

home=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
DEFAULT_LIMIT=20
SLAVES_HELP="show what this file describes, not what was started from here"
. "$home/libexec/cluster.sh"

usage() {
    cat <<USAGE
Usage: status-crail.sh [OPTION...] [NAME...]

Prints a line for each process that start-crail.sh has started from this host (if none, for those that are configured): whether it
runs, its pid, and where it listens. If the namenode is among them and runs, it is asked which datanodes it hears.
Exit code: 0 if all run and are ready, and the namenode answers and hears all datanodes; 1 if not, 2 if the options or the
configuration are wrong.

$(common_options)
USAGE
}

# Prints what the namenode says; fails if it does not answer, or does not hear a datanode: one that runs may hang.
ask_namenode() {
    local report away state addresses width text
    width=$(width_of_names)
    if ! report=$(timeout "$limit" "$home/bin/crail" report 2>&1); then
        printf '%-*s  FAILED: the namenode does not answer: %s\n' "$width" cluster "$(tail -n 1 <<<"$report")"
        return 1
    fi
    away=
    for state in silent stopped; do
        addresses=$(awk -v row=" $state +[0-9]" '$0 ~ row { print $1 }' <<<"$report" | paste -s -d ' ')
        away+=${addresses:+$state: $addresses; }
    done
    text=$(sed -n 's/^datanodes: //p' <<<"$report")
    printf '%-*s  %s\n' "$width" cluster "${away:+FAILED: $away}$text"
    [ -z "$away" ]
}

prepare "$@"
read_started
require_wanted
status=0
# shellcheck disable=SC2046 # indices are words
act_on status $(those '*') || status=1
for i in $(those namenode); do
    if ! $dry_run && [ "${codes[i]:-1}" -eq 0 ]; then
        ask_namenode || status=1
    fi
done
exit $status
