# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What bin/start-crail.sh, bin/stop-crail.sh and bin/status-crail.sh share: the plan of the cluster, and running libexec/daemon on its
# hosts, on all at once and by one ssh for each.
#
# What has been started is kept in cluster.plan of CRAIL_PID_DIR ($CRAIL_HOME/run), a line for each process: name, host, arguments. So
# stop and status need neither Java nor a valid configuration, and find what has left the slaves file since.

MOST_AT_ONCE=32
SSH_OPTIONS=(-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o LogLevel=ERROR)

# Servers get what the operator has exported, on all hosts alike, before what conf/crail-env.sh of their host sets.
exported=()
for variable in $(compgen -e); do
    case "$variable" in
        CRAIL_HOME | CRAIL_ENVIRONMENT | CRAIL_SSH_OPTS | CRAIL_DAEMON* | CRAIL_READY_FILE) ;;
        JAVA_HOME | CRAIL_*) exported+=("$variable=${!variable}") ;;
    esac
done
. "${home:?}/libexec/environment.sh"
read -r -a ssh_more <<<"${CRAIL_SSH_OPTS:-}"

slaves=() limit='' dry_run=false
wanted=() # names of processes, of which something is to be done with these only; none: with all
names=() hosts=() arguments=() # of the processes of the cluster, the namenode first
own_names=() own_addresses=() # of this host

fail() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 2
}

common_options() {
    cat <<USAGE
  --slaves FILE    $SLAVES_HELP
  --limit SECONDS  for each process ($DEFAULT_LIMIT)
  --dry-run        only print what would be run, and where
  -h, --help       print this text

With a NAME only that process is meant, which may be a pattern: datanode-node2-1, 'datanode-node2-*', namenode.

Hosts are reached by ssh without a password (BatchMode), but for this one; CRAIL_SSH_OPTS holds further options of ssh. The
tree is expected in the same place on all hosts ($home), as is
CRAIL_HOME ($CRAIL_HOME).

The slaves file has one datanode on each line:

  host [-t tier class] [-c storage class] [-- options of the tier]

"#" begins a comment. A host may be in several lines; each datanode of it then has a port of its own ("-- -p 0": any free one).
Addresses of IPv6 have no brackets here:

  node1
  node2 -c 0                                  # memory
  node2 -c 1 -- -p 50021 -d /mnt/flash/crail  # a directory of a disk

The namenode runs where crail.namenode.address of $CRAIL_HOME/conf/crail-site.conf says; every host needs that file,
with the same address. "crail conf check" says what is wrong in both files, and on which line. Examples of both are below
$home/conf/examples.

A process is called namenode, or datanode-HOST-N, N being its place among the lines of the host. On its host, NAME.log and NAME.out
(what it prints besides) are in $CRAIL_HOME/logs, and NAME.pid is in $CRAIL_HOME/run, unless
CRAIL_LOG_DIR and CRAIL_PID_DIR in conf/crail-env.sh of that host say otherwise. What was started is kept in cluster.plan beside
the files of pids here.

Servers get JAVA_HOME and what begins with CRAIL_ of this environment, then what conf/crail-env.sh of their host sets.
See $home/docs/deploy.md.
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
            -*) fail "$1 is not known; see $(basename -- "$0") --help" ;;
            *) wanted+=("$1") ;;
        esac
        shift
    done
    limit=${limit:-$DEFAULT_LIMIT}
}

# Takes a plan as "crail conf plan" prints it, without what is there already.
add_plan() {
    local name host rest i
    local -A known=()
    for i in "${!names[@]}"; do
        known["${names[i]} ${hosts[i]}"]=true
    done
    while IFS=$'\t' read -r name host rest; do
        [[ $name =~ ^(namenode|datanode-.*)$ ]] || fail "the plan has a process \"$name\", which is none"
        [ -z "${known["$name $host"]:-}" ] || continue
        known["$name $host"]=true
        names+=("$name") hosts+=("$host") arguments+=("$rest")
    done
}

# What the configuration says.
read_configured() {
    local configured
    configured=$("$home/bin/crail" conf plan ${slaves[@]+"${slaves[@]}"}) || exit 2
    add_plan <<<"$configured"
}

# What was started and not stopped since; what is configured if there is none, or if a slaves file is named.
read_started() {
    if [ ${#slaves[@]} -eq 0 ] && [ -s "$plan" ]; then
        add_plan <"$plan"
    else
        read_configured
    fi
}

# Writes down what may run from now on; tells of what is no longer configured.
keep_started() {
    local i configured=${#names[@]} kept=() name host _
    local -A started=()
    if [ -s "$plan" ]; then
        while IFS=$'\t' read -r name host _; do
            started["$name $host"]=true
        done <"$plan"
        add_plan <"$plan"
    fi
    for i in "${!names[@]}"; do
        if is_wanted "${names[i]}" || [ -n "${started["${names[i]} ${hosts[i]}"]:-}" ]; then
            kept+=("$i")
        fi
    done
    for ((i = configured; i < ${#names[@]}; i++)); do
        printf '%s on %s is not configured any more; what runs there is left as it is, stop-crail.sh stops it\n' \
            "${names[i]}" "${hosts[i]}"
    done
    $dry_run || write_plan "${kept[@]}"
    names=("${names[@]:0:configured}") hosts=("${hosts[@]:0:configured}") # the others are no affair of a start
    arguments=("${arguments[@]:0:configured}")
}

# Makes the kept plan from the processes of some indices.
write_plan() {
    local i
    for i in "$@"; do
        printf '%s\t%s\t%s\n' "${names[i]}" "${hosts[i]}" "${arguments[i]}"
    done >"$plan.new"
    mv -f -- "$plan.new" "$plan"
}

# Takes what has stopped out of the kept plan.
forget_stopped() {
    local i stopped=("${!names[@]}") left=()
    ! $dry_run && [ -s "$plan" ] || return 0
    add_plan <"$plan"
    for i in "${!names[@]}"; do
        [ "${codes[i]:-1}" -eq 0 ] && [ "$i" -lt ${#stopped[@]} ] || left+=("$i")
    done
    if [ ${#left[@]} -gt 0 ]; then
        write_plan "${left[@]}"
    else
        rm -f -- "$plan"
    fi
}

know_this_host() {
    readarray -t own_names < <(for option in '' -s -f; do hostname $option 2>/dev/null; done)
    readarray -t own_addresses < <(hostname -I 2>/dev/null | tr -s ' ' '\n')
}

is_one_of() {
    local word=$1 other
    shift
    for other in "$@"; do
        [ "$word" != "$other" ] || return 0
    done
    return 1
}

# Whether a host is this one, by its names, and by addresses of what it is called.
is_here() {
    local address
    case "$1" in
        localhost | 127.* | ::1) return 0 ;;
    esac
    ! is_one_of "$1" "${own_names[@]}" || return 0
    while read -r address _; do
        case "$address" in
            127.* | ::1) return 0 ;;
        esac
        ! is_one_of "${address%%%*}" "${own_addresses[@]}" || return 0
    done < <(timeout 10 getent ahosts "$1" 2>/dev/null)
    return 1
}

# Takes notes for the operator, which begin with "# ", out of what a host says, and prints them at once: without_notes HOST
without_notes() {
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        if [[ $line == '# '* ]]; then
            printf '%s: %s\n' "$1" "${line#'# '}" >&2
        else
            printf '%s\n' "$line"
        fi
    done
}

# Runs a script of a POSIX shell on a host; it ends some time after the limit for the lock and that for the process, whatever
# happens, without the lock of this script (8). Options of ssh that come first count. To be called in a process of its own.
on_host() {
    if is_here "$1"; then
        exec timeout "$((2 * limit + 40))" sh <<<"$2" 8>&-
    else
        exec timeout "$((2 * limit + 60))" ssh ${ssh_more[@]+"${ssh_more[@]}"} "${SSH_OPTIONS[@]}" -- "$1" sh <<<"$2" 8>&-
    fi
}

quoted() {
    printf "'%s'" "${1//\'/\'\\\'\'}"
}

# The script for processes of one host, which leaves nothing of the environment that it finds there: script_of ACTION INDEX...
script_of() {
    local action=$1 variable i
    shift
    # shellcheck disable=SC2016 # it is expanded there
    printf 'exec env -i PATH="$PATH" HOME="$HOME" USER="$(id -un)" LOGNAME="$(id -un)" LANG=C.UTF-8'
    for variable in "CRAIL_HOME=$CRAIL_HOME" "CRAIL_DAEMON_SITE=$site $(hostname)" ${exported[@]+"${exported[@]}"}; do
        printf ' %s' "$(quoted "$variable")"
    done
    printf ' bash %s %s %s' "$(quoted "$home/libexec/daemon")" "$action" "$limit"
    for i in "$@"; do
        printf ' %s' "$(quoted "${names[i]}")"
        [ "$action" != start ] || printf ' %s' "$(quoted "${arguments[i]}")"
    done
    printf ' </dev/null\n'
}

# What to say of processes that a host has said nothing about: why EXIT-CODE HOST OUTPUT
why() {
    case $1 in
        124) printf 'FAILED: no answer in time' ;;
        255) printf 'FAILED: %s; check that the host is up and takes the key (ssh %s true)' "${3:-ssh failed}" "$2" ;;
        126 | 127) printf 'FAILED: %s; check that %s is there as well' "${3:-exit code $1}" "$home" ;;
        *) printf 'FAILED: %s (exit code %s)' "${3:-no answer}" "$1" ;;
    esac
}

# Reads what a host has said, prints a line for each of its processes, and notes the codes: tell EXIT-CODE FILE INDEX...
tell() {
    local exit_code=$1 file=$2 line i current='' other=''
    local -A told=()
    shift 2
    while IFS= read -r line; do
        line=${line%$'\r'} # what ssh says ends so
        if [[ $line =~ ^([^$'\t']+)$'\t'([0-9]+)$'\t'(.*)$ ]]; then
            current=${BASH_REMATCH[1]}
            told[$current]=${BASH_REMATCH[3]}
            for i in "$@"; do
                [ "${names[i]}" != "$current" ] || codes[i]=${BASH_REMATCH[2]}
            done
        elif [ -n "$current" ] && [[ $line == '    | '* ]]; then
            told[$current]+=$'\n'$line
        else
            other+=${other:+; }$line
        fi
    done <"$file"
    for i in "$@"; do
        printf '%-*s  %s\n' "$width" "${names[i]}" "${told[${names[i]}]:-$(why "$exit_code" "${hosts[i]}" "$other")}"
        failed=$((failed + (${codes[i]:=1} != 0)))
    done
}

# The length of the longest name.
width_of_names() {
    local i width=0
    for i in "${!names[@]}"; do
        width=$((${#names[i]} > width ? ${#names[i]} : width))
    done
    printf '%s\n' "$width"
}

# Says the same of processes with which nothing has been done: tell_not_begun TEXT INDEX...
tell_not_begun() {
    local text=$1 i width
    width=$(width_of_names)
    shift
    for i in "$@"; do
        printf '%-*s  %s\n' "$width" "${names[i]}" "$text"
    done
}

# Does something with processes, on all hosts at once, and tells of it in order: act_on ACTION INDEX...
act_on() {
    local action=$1 i host code width failed=0 order=()
    local -A indices=() jobs=()
    width=$(width_of_names)
    shift
    for i in "$@"; do
        [ -n "${indices[${hosts[i]}]:-}" ] || order+=("${hosts[i]}")
        indices[${hosts[i]}]+=" $i"
    done
    for host in ${order[@]+"${order[@]}"}; do
        # shellcheck disable=SC2086 # indices are words
        set -- ${indices[$host]}
        if $dry_run; then
            printf '%s:\n%s\n' "$host" "$(script_of "$action" "$@")"
            continue
        fi
        while [ "$(jobs -rp | wc -l)" -ge "$MOST_AT_ONCE" ]; do
            wait -n || true
        done
        { on_host "$host" "$(script_of "$action" "$@")" 2>&1 | without_notes "$host"; } 2>&3 >"$answers/$1" &
        jobs[$host]=$!
    done
    ! $dry_run || return 0
    for host in ${order[@]+"${order[@]}"}; do
        # shellcheck disable=SC2086
        set -- ${indices[$host]}
        code=0
        wait "${jobs[$host]}" || code=$?
        tell "$code" "$answers/$1" "$@"
    done
    return $((failed > 0))
}

# Reads options: prepare OPTION... The plan is to be read next, and where it is changed, others are kept out before.
prepare() {
    local runs=${CRAIL_PID_DIR:-$CRAIL_HOME/run}
    read_options "$@"
    plan=$runs/cluster.plan
    site=$(fingerprint "$CRAIL_HOME/conf/crail-site.conf")
    exec 3>&2
    codes=() # of the processes that something was done with, by index
    if ! $dry_run; then
        mkdir -p -- "$runs" 2>/dev/null || fail "$runs cannot be made; set CRAIL_PID_DIR in conf/crail-env.sh"
    fi
    know_this_host
    answers=$(mktemp -d)
    trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf -- "$answers"' EXIT
}

# Whether something is to be done with a process: is_wanted NAME
is_wanted() {
    local pattern
    for pattern in "${wanted[@]-*}"; do
        # shellcheck disable=SC2053 # it is a pattern
        [[ $1 != $pattern ]] || return 0
    done
    return 1
}

# Fails if a name that was given is of no process.
require_wanted() {
    local pattern
    for pattern in ${wanted[@]+"${wanted[@]}"}; do
        [ -n "$(wanted=("$pattern") && those '*')" ] || fail "no process is called $pattern; there are: ${names[*]}"
    done
}

# The indices of the processes that are wanted and whose names match: those PATTERN
those() {
    local i
    for i in "${!names[@]}"; do
        # shellcheck disable=SC2053 # it is a pattern
        if [[ ${names[i]} == $1 ]] && is_wanted "${names[i]}"; then
            printf '%s\n' "$i"
        fi
    done
}

# Waits for another start or stop that is under way.
keep_others_out() {
    local runs=${plan%/*}
    $dry_run && return
    if ! { exec 8>"$plan.lock"; } 2>/dev/null || [ ! -w "$runs" ]; then
        fail "$runs and $plan.lock cannot be written; let them be of $(id -un), or set CRAIL_PID_DIR in conf/crail-env.sh"
    fi
    flock -w "$((2 * limit + 60))" 8 || fail "another start or stop is under way ($plan.lock)"
}
