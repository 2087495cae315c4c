#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows which processes of the cluster run. See --help.
set -euo pipefail

home=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
DEFAULT_LIMIT=20
. "$home/libexec/cluster.sh"

usage() {
    cat <<USAGE
Usage: status-crail.sh [OPTION...]

Prints a line for the namenode and for each datanode of the slaves file: whether it runs, its pid, and where it listens.
Exit code: 0 if all run and are ready, 1 if not, 2 if the options or the configuration are wrong.

$(common_options)
USAGE
}

prepare "$@"
act_on status 0 "$last"
