#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stops the cluster that bin/start-crail.sh has started. See --help.
set -euo pipefail

home=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
DEFAULT_LIMIT=30
SLAVES_HELP="stop the datanodes that this file describes, not what was started from here"
. "$home/libexec/cluster.sh"

usage() {
    cat <<USAGE
Usage: stop-crail.sh [OPTION...] [NAME...]

Stops what start-crail.sh has started from this host, whatever the slaves file says by now: the datanodes, then the namenode, with
SIGTERM, and after the limit with SIGKILL. Only processes that start-crail.sh has started are touched. Prints a line for each, also for
what was not running. What could not be reached is tried again by the next stop.
Exit code: 0 if nothing runs any more and nothing had to be killed, 1 if not, 2 if the options or the configuration are wrong
or another start or stop is under way.

$(common_options)
USAGE
}

prepare "$@"
keep_others_out
read_started # what the start that was waited for has added counts
require_wanted
status=0
# shellcheck disable=SC2046 # indices are words
act_on stop $(those 'datanode-*') || status=1
# shellcheck disable=SC2046
[ ${#slaves[@]} -gt 0 ] || act_on stop $(those namenode) || status=1
forget_stopped
exit $status
