#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stops the cluster that bin/start-crail.sh has started. See --help.
set -euo pipefail

home=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
DEFAULT_LIMIT=30
. "$home/libexec/cluster.sh"

usage() {
    cat <<USAGE
Usage: stop-crail.sh [OPTION...]

Stops the datanodes of the slaves file, then the namenode: with SIGTERM, and after the limit with SIGKILL. Only processes that
start-crail.sh has started are touched. Prints a line for each, also for what was not running.
Exit code: 0 if nothing runs any more and nothing had to be killed, 1 if not, 2 if the options or the configuration are wrong.

$(common_options)
USAGE
}

prepare "$@"
status=0
act_on stop 1 "$last" || status=1
act_on stop 0 0 || status=1
exit $status
