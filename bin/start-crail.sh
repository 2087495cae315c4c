#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Starts the cluster that conf/slaves describes. See --help.
set -euo pipefail

home=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
DEFAULT_LIMIT=120
SLAVES_HELP="read this file, not \$CRAIL_HOME/conf/slaves"
. "$home/libexec/cluster.sh"

usage() {
    cat <<USAGE
Usage: start-crail.sh [OPTION...] [NAME...]

Starts the namenode of crail.namenode.address, then the datanodes of the slaves file, and waits until each has registered
all its memory. What runs already is left as it is. Prints a line for each process; for one that failed, the last lines of
its log. If the namenode fails, no datanode is started. Remove the cause and start again. A host whose crail-site.conf
differs from that of this host, and after 8 s what is waited for, is told at once, on standard error.
Exit code: 0 if all run, 1 if not, 2 if the options or the configuration are wrong or another start or stop is under way, and then
nothing has been started.

$(common_options)
USAGE
}

prepare "$@"
keep_others_out
read_configured
require_wanted
keep_started
status=0
# shellcheck disable=SC2046 # indices are words
if ! act_on start $(those namenode); then
    # shellcheck disable=SC2046
    tell_not_begun 'not started, as the namenode does not run' $(those 'datanode-*')
    exit 1
fi
# shellcheck disable=SC2046
act_on start $(those 'datanode-*') || status=1
exit $status
