# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What bin/start-crail.sh, bin/stop-crail.sh and bin/status-crail.sh share: reads the plan of the cluster and runs
# libexec/daemon for its processes, on their hosts and in parallel.

MOST_AT_ONCE=32
SSH_OPTIONS=(-n -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o LogLevel=ERROR)

export CRAIL_HOME=${CRAIL_HOME:-$home}
case "$CRAIL_HOME" in
    /*) ;;
    *) CRAIL_HOME=$PWD/$CRAIL_HOME ;;
esac
if [ -r "$CRAIL_HOME/conf/crail-env.sh" ]; then
    # shellcheck source=/dev/null
    . "$CRAIL_HOME/conf/crail-env.sh"
fi
read -r -a ssh_more <<<"${CRAIL_SSH_OPTS:-}"

slaves=() limit='' dry_run=false
names=() hosts=() arguments=() # of the processes of the cluster, the namenode first

fail() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 2
}

common_options() {
    cat <<USAGE
  --slaves FILE    read this file, not \$CRAIL_HOME/conf/slaves
  --limit SECONDS  for each process ($DEFAULT_LIMIT)
  --dry-run        only print what would be run, and where
  -h, --help       print this text

Hosts are reached by ssh without a password (BatchMode), but for this one; CRAIL_SSH_OPTS holds further options of ssh. The
tree is expected in the same place on all hosts ($CRAIL_HOME; CRAIL_HOME says another). conf/crail-env.sh is read everywhere; it
may set CRAIL_PID_DIR, CRAIL_LOG_DIR and CRAIL_SSH_OPTS.
USAGE
}

read_options() {
    while [ $# -gt 0 ]; do
        case "$1" in
            --slaves)
                [ $# -gt 1 ] || fail "--slaves lacks its FILE"
                slaves=(--slaves "$2")
                shift
                ;;
            --limit)
                [[ ${2:-} =~ ^[1-9][0-9]{0,4}$ ]] || fail "--limit takes a number of seconds from 1 to 99999"
                limit=$2
                shift
                ;;
            --dry-run) dry_run=true ;;
            -h | --help)
                usage
                exit 0
                ;;
            *) fail "$1 is not known; see $(basename -- "$0") --help" ;;
        esac
        shift
    done
    limit=${limit:-$DEFAULT_LIMIT}
}

read_plan() {
    local plan name host rest
    plan=$("$home/bin/crail" conf plan ${slaves[@]+"${slaves[@]}"}) || exit 2
    while IFS=$'\t' read -r name host rest; do
        [[ $name =~ ^(namenode|datanode-.*)$ ]] || fail "crail conf plan printed \"$name\", which is no process"
        names+=("$name") hosts+=("$host") arguments+=("$rest")
    done <<<"$plan"
}

is_here() {
    case "$1" in
        localhost | 127.* | ::1) return 0 ;;
        *) [ "$1" = "$(hostname)" ] || [ "$1" = "$(hostname -f 2>/dev/null)" ] ;;
    esac
}

# Runs a command line of a POSIX shell on a host; it ends some time after the limit for the lock and that for the process,
# whatever happens. Options of ssh that come first count.
on_host() {
    if is_here "$1"; then
        timeout "$((2 * limit + 40))" sh -c "$2" </dev/null
    else
        timeout "$((2 * limit + 60))" ssh ${ssh_more[@]+"${ssh_more[@]}"} "${SSH_OPTIONS[@]}" -- "$1" "$2"
    fi
}

quoted() {
    printf "'%s'" "${1//\'/\'\\\'\'}"
}

# The command line for a process: command_of ACTION INDEX
command_of() {
    printf 'env CRAIL_HOME=%s bash %s %s %s %s' "$(quoted "$CRAIL_HOME")" "$(quoted "$home/libexec/daemon")" "$1" \
        "$(quoted "${names[$2]}")" "$limit"
    [ "$1" != start ] || printf ' %s' "${arguments[$2]}"
    printf '\n'
}

# One process: its line, behind name and host. act ACTION INDEX
act() {
    local output code=0
    output=$(on_host "${hosts[$2]}" "$(command_of "$1" "$2")" 2>&1) || code=$?
    case $code in
        0 | 1) ;;
        124) output="FAILED: no answer in time"$'\n'$output ;;
        255) output="FAILED: ${output:-ssh failed}; check that the host is up and takes the key (ssh ${hosts[$2]} true)" ;;
        *) output="FAILED: exit code $code; check that $home is there as well"$'\n'$output ;;
    esac
    printf '%-*s  %s\n' "$width" "${names[$2]}" "${output%$'\n'}"
    [ "$code" -eq 0 ]
}

# All processes from one index to another, in parallel, with their lines in order: act_on ACTION FIRST LAST
act_on() {
    local i pids=() failed=0
    if $dry_run; then
        for ((i = $2; i <= $3; i++)); do
            printf '%s: %s\n' "${hosts[i]}" "$(command_of "$1" "$i")"
        done
        return 0
    fi
    for ((i = $2; i <= $3; i++)); do
        while [ "$(jobs -rp | wc -l)" -ge "$MOST_AT_ONCE" ]; do
            sleep 0.05
        done
        act "$1" "$i" >"$answers/$i" &
        pids[i]=$!
    done
    for ((i = $2; i <= $3; i++)); do
        wait "${pids[i]}" || failed=$((failed + 1))
        cat -- "$answers/$i"
    done
    return $((failed > 0))
}

prepare() {
    local name
    read_options "$@"
    read_plan
    width=0
    for name in "${names[@]}"; do
        width=$((${#name} > width ? ${#name} : width))
    done
    answers=$(mktemp -d)
    trap 'rm -rf -- "$answers"' EXIT
    # shellcheck disable=SC2034 # used where this file is read
    last=$((${#names[@]} - 1))
}
