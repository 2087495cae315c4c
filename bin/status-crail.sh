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
Usage: status-crail.sh [OPTION...]

Prints a line for each process that start-crail.sh has started from this host (if none, for those that are configured): whether it
runs, its pid, and where it listens.
Exit code: 0 if all run and are ready, 1 if not, 2 if the options or the configuration are wrong.

$(common_options)
USAGE
}

prepare "$@"
read_started
act_on status "${!names[@]}"
