# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2317,SC2154 # functions are called by name; pid_of is of hosts.sh
#
# A cluster as an operator would run it: started by the scripts on host1, on hosts 2 and 3 as well; host5 refuses the key, and "nobody" is
# down. Run by dev/deploy-lab/run. Each check is one function, and leaves the cluster as the next one expects it.

BASIC=('crail.namenode.address = crail://host1:9060' 'crail.storage.tcp.storagelimit = 32m' 'crail.storage.tcp.allocationsize = 16m')

HEALTHY=(env CRAIL_READY_FILE=/srv/crail/run/namenode.ready /srv/crail/libexec/healthy)

failed=0

# Runs a function, and tells how it went, with all it said if it failed: check WHAT FUNCTION
check() {
    local output start=$SECONDS
    if output=$("$2" 2>&1); then
        printf 'ok: %s (%s s)\n' "$1" $((SECONDS - start))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s (%s s)\n%s\n' "$1" $((SECONDS - start)) "$output"
        begin_anew
    fi
}

# What a check that failed has left is no affair of the next one.
begin_anew() {
    local pid
    for pid in $(pgrep -f 'org\.apache\.crail\.cli\.Crail'); do
        kill -KILL "$pid" 2>/dev/null || true
        within 20 is_gone "$pid" || true
    done
    on host1 rm -f /srv/crail/run/cluster.plan
}

# Whether a command ends with an exit code, and so many of its lines match; shows what it said: says CODE LINES PATTERN COMMAND...
says() {
    local code=$1 lines=$2 pattern=$3 output status=0
    shift 3
    output=$("$@" 2>&1) || status=$?
    printf '%s: exit code %s\n%s\n' "$*" "$status" "$output"
    [ "$status" -eq "$code" ] && [ "$(grep -c -e "$pattern" <<<"$output")" -eq "$lines" ] && return
    printf '^ not exit code %s and %s lines of %s\n' "$code" "$lines" "$pattern"
    return 1
}

starts() {
    says 0 "$1" ' started (pid [0-9]*) at ' crail_on host1 start-crail.sh
}

# Stops a cluster of so many processes, none of which may be left.
stops() {
    says 0 "$1" ' stopped (pid [0-9]*)$' crail_on host1 stop-crail.sh && nothing_is_left
}

nothing_is_left() {
    [ "$(servers)" -eq 0 ] && [ -z "$(on host1 find /srv/crail/run -name 'cluster.plan')" ] && return
    pgrep -fa 'org\.apache\.crail\.cli\.Crail' || on host1 cat /srv/crail/run/cluster.plan
    return 1
}

is_configured() {
    configure "${BASIC[@]}" &&
        slaves '# first the one with the namenode' host1 '' 'host2  # twice' 'host2 -- -p 50021' 'host3 -c 0' &&
        says 0 1 'a namenode on host1, 4 datanodes: nothing is wrong' crail_on host1 crail conf check
}

shows_what_it_would_do() {
    says 0 1 "daemon' start 120 'datanode-host2-1' 'datanode' 'datanode-host2-2' 'datanode -- -p 50021'" \
        crail_on host1 start-crail.sh --dry-run && nothing_is_left
}

starts_on_all_hosts() {
    starts 5 && says 0 1 '^datanodes: 4 live, 0 silent' crail_on host3 crail report
}

# What the scripts ask host2 for, they ask for once, however many datanodes it has.
needs_one_connection_to_a_host() {
    local before after
    before=$(grep -c '^Accepted publickey' "$SHARED/host2.log")
    says 0 5 ' runs (pid [0-9]*) at ' crail_on host1 status-crail.sh || return
    after=$(grep -c '^Accepted publickey' "$SHARED/host2.log")
    printf 'connections: %s before, %s after\n' "$before" "$after"
    [ "$before" -eq 1 ] && [ "$after" -eq 2 ]
}

leaves_what_runs() {
    says 0 5 ' runs already (pid [0-9]*) at ' crail_on host1 start-crail.sh && [ "$(servers)" -eq 5 ]
}

# Begun over ssh or not, a server has the same environment, that of conf/crail-env.sh in it, once; the umask set there; a directory
# and files of its own.
has_nothing_of_a_shell() {
    local host pid facts=()
    for host in host1 host2; do
        pid=$(on "$host" head -n 1 "/srv/crail/run/datanode-$host-1.pid") && wait_for_java "$pid" || return
        facts+=("$(tr '\0' '\n' <"/proc/$pid/environ" | sort | sed "s/$host/hostN/g; /^PATH=/d"; grep Umask "/proc/$pid/status"
            readlink "/proc/$pid/cwd" "/proc/$pid/fd/0" "/proc/$pid/fd/1" | sed "s/$host/hostN/g"; ps -o tty= -p "$pid")")
    done
    printf '%s\n' "${facts[@]}"
    [ "${facts[0]}" = "${facts[1]}" ] && grep -q 'READ_SO_OFTEN=x$' <<<"${facts[0]}" && grep -q '0027$' <<<"${facts[0]}" &&
        grep -q '^/srv/crail/logs$' <<<"${facts[0]}" && ! grep -q ^SSH_ <<<"${facts[1]}"
}

wait_for_java() {
    within 20 grep -q proc_crail "/proc/$1/cmdline"
}

reads_elsewhere_what_was_written() {
    local sum
    on host2 sh -c 'head -c 9000000 /dev/urandom >/tmp/data'
    on host3 rm -f /tmp/data
    sum=$(on host2 sha256sum /tmp/data) && crail_on host2 crail fs -put /tmp/data /data &&
        crail_on host3 crail fs -get /data /tmp/data && [ "$(on host3 sha256sum /tmp/data)" = "$sum" ] &&
        crail_on host1 crail fs -rm /data
}

# The hosts that have blocks of a file.
hosts_of() {
    crail_on host1 crail fsck -t blockStatistics -f "$1" | awk '$1 ~ /:[0-9]+/ && $2 > 0 { sub(/:[0-9]+.*/, "", $1); print $1 }' | sort -u
}

keeps_blocks_on_the_writers_host() {
    local class of_wish of_none
    class=$(crail_on host3 crail iobench -t printLocationclass | sed -n 's/^locationClass //p')
    crail_on host3 crail iobench -t write -f /near -s 1m -k 12 -w 0 -p "$class" -q &&
        crail_on host3 crail iobench -t write -f /any -s 1m -k 12 -w 0 -q || return
    of_wish=$(hosts_of /near) of_none=$(hosts_of /any)
    printf 'class %s; with it on %s, without on %s\n' "$class" "$of_wish" "$of_none"
    [ "$of_wish" = 10.99.0.3 ] && [ "$(wc -l <<<"$of_none")" -gt 1 ] && crail_on host3 crail fs -rm /near /any
}

tells_of_one_that_was_killed() {
    local pid
    pid=$(on host3 head -n 1 /srv/crail/run/datanode-host3-1.pid) && kill -KILL "$pid" && within 20 is_gone "$pid" &&
        says 1 1 'datanode-host3-1 .* it has ended by itself' crail_on host1 status-crail.sh
}

is_gone() {
    [ ! -e "/proc/$1" ]
}

# With a slaves file that is wrong, and a host in it that was not there before.
stops_what_was_started() {
    slaves 'host2 -x' 'host4' && says 2 1 'slaves, line 1: "-x" is not known' crail_on host1 start-crail.sh &&
        says 0 4 ' runs (pid [0-9]*) at ' status_in_spite_of_one &&
        says 0 1 'datanode-host3-1 .* had ended by itself' crail_on host1 stop-crail.sh && nothing_is_left
}

status_in_spite_of_one() {
    ! crail_on host1 status-crail.sh
}

stops_nothing_twice() {
    slaves host1 host2 && says 0 3 ' was not running$' crail_on host1 stop-crail.sh
}

says_why_something_does_not_start() {
    local output=$SHARED/output
    slaves host1 'host2 -- -p 22' 'host3 -- -d /missing/directory' 'host5' 'nobody'
    says 1 2 ' started (pid [0-9]*) at ' crail_on host1 start-crail.sh >"$output" 2>&1 || {
        cat -- "$output"
        return 1
    }
    cat -- "$output"
    grep -q '^datanode-host2-1 *FAILED: it ended before it was ready' "$output" && grep -q '    | .*10\.99\.0\.2.*22' "$output" &&
        grep -q '^datanode-host3-1 *FAILED: it ended before it was ready' "$output" && grep -q '    | .*/missing' "$output" &&
        grep -q '^datanode-host5-1 *FAILED: .*Permission denied.*takes the key' "$output" &&
        grep -q '^datanode-nobody-1 *FAILED: .*check that the host is up' "$output" && ! grep -q $'\r' "$output"
}

# Without a namenode no datanode gets anywhere; each is told of nevertheless.
starts_nothing_without_a_namenode() {
    configure "${BASIC[@]/9060/22}" && slaves host1 host2 || return
    says 1 2 '^datanode-host[12]-1  not started, as the namenode does not run$' crail_on host1 start-crail.sh &&
        says 1 1 '^namenode  *FAILED: it ended before it was ready' crail_on host1 start-crail.sh &&
        says 0 3 ' was not running' crail_on host1 stop-crail.sh && nothing_is_left
}

stops_although_some_hosts_are_away() {
    says 1 2 ' stopped (pid [0-9]*)$' crail_on host1 stop-crail.sh && [ "$(servers)" -eq 0 ] &&
        says 1 2 'FAILED: .*check that the host is up' crail_on host1 stop-crail.sh && on host1 rm /srv/crail/run/cluster.plan
}

takes_a_name_with_two_addresses() {
    configure "${BASIC[@]/host1/both1}" && slaves both2 host3 && starts 3 && reads_elsewhere_what_was_written && stops 3
}

runs_over_ipv6() {
    configure "${BASIC[@]/host1/[fd99::1]}" && slaves fd99::2 six3 && starts 3 &&
        says 0 2 '^\[fd99[0:]*:[23]\]:50020' crail_on host2 crail report && reads_elsewhere_what_was_written && stops 3
}

# An example of conf/examples, but for the size of what a datanode offers: example NAME PROCESSES CLASSES
example() {
    local host
    for host in "${!pid_of[@]}"; do
        on "$host" sh -c "sed 's/storagelimit = .*/storagelimit = 32m/' /srv/crail/conf/examples/$1/crail-site.conf >/srv/crail/conf/crail-site.conf
            echo crail.storage.tcp.allocationsize = 16m >>/srv/crail/conf/crail-site.conf"
    done
    on host1 cp "/srv/crail/conf/examples/$1/slaves" /srv/crail/conf/slaves
    starts "$2" && says 0 "$3" '^[0-2]  *[1-9][0-9]*  *[0-9]* MiB' crail_on host3 crail report &&
        reads_elsewhere_what_was_written && stops "$2"
}

co_located() {
    example co-located 5 2
}

disaggregated() {
    example disaggregated 5 2
}

mixed() {
    example mixed 6 3
}

# What needs hardware that is not here is checked only.
other_examples_are_right() {
    local name
    for name in rdma nvmf; do
        says 0 1 ': nothing is wrong' crail_on host1 crail conf check --conf "/srv/crail/conf/examples/$name/crail-site.conf" \
            --slaves "/srv/crail/conf/examples/$name/slaves" || return
    done
}

# A datanode that finds no namenode is not ready in time, runs on, and is stopped.
tells_of_one_that_is_late() {
    configure "${BASIC[@]}"
    says 1 1 'FAILED: not ready within 5 s (pid [0-9]*, still trying)' on host3 /srv/crail/libexec/daemon start 5 late datanode &&
        says 0 1 'stopped (pid' on host3 /srv/crail/libexec/daemon stop 30 late && nothing_is_left
}

kills_one_that_does_not_stop() {
    configure "${BASIC[@]}" && slaves host2 && starts 2 || return
    kill -STOP "$(on host2 head -n 1 /srv/crail/run/datanode-host2-1.pid)"
    says 1 1 'datanode-host2-1 *killed (pid [0-9]*)' crail_on host1 stop-crail.sh --limit 2 && [ "$(servers)" -eq 0 ] &&
        says 0 1 'datanode-host2-1 *was not running' crail_on host1 stop-crail.sh && nothing_is_left
}

# A pid that some other process has now, here host2's sshd, which began at another time.
leaves_other_processes_alone() {
    local other=${pid_of[host2]:?}
    printf '%s\n' "$other" "1 $(cat /proc/sys/kernel/random/boot_id)" | on host2 tee /srv/crail/run/other.pid >/dev/null
    says 0 1 'was not running: it had ended by itself' on host2 /srv/crail/libexec/daemon stop 5 other && kill -0 "$other"
}

# The port of a server is free as soon as it is told to have stopped.
starts_again_at_once() {
    slaves host2 && starts 2 && stops 2 && starts 2 && stops 2 && starts 2 && stops 2
}

# Somebody without rights goes from the tarball to a running cluster, as docs/deploy.md tells; steps 4 and 6 are the page's own lines.
a_user_without_rights_does_as_the_document_says() {
    local host tree
    for host in host1 host2; do
        on_as_operator "$host" tar -xzf "$SHARED/crail.tar.gz" || return
    done
    tree=$(on host1 sh -c 'echo /srv/operator/crail-*') || return
    on_as_operator host1 sh -ec "printf '%s\n' 'crail.namenode.address = crail://node1:9060' 'crail.storage.tcp.storagelimit = 96m' \
        'crail.storage.tcp.allocationsize = 16m' >$tree/conf/crail-site.conf; printf '%s\n' node1 node2 >$tree/conf/slaves; date >some-file" &&
        operators sh -ec "$(page 4 '^ssh \|^scp ' | sed "s:/opt/crail-[^/]*:$tree:g")" || return
    says 0 1 ': nothing is wrong' operators crail conf check && says 0 3 ' started (pid [0-9]*) at ' operators start-crail.sh &&
        says 0 3 '^datanodes: 2 live, 0 silent\|/some-file$\|^ops 100$' operators sh -ec "$(page 6)" &&
        says 0 3 ' runs (pid [0-9]*) at ' operators status-crail.sh || return
    [ "$(ps -o uid= -C java | sort -u | tr -d ' ')" = "$OPERATOR" ] && says 0 3 ' stopped (pid [0-9]*)$' operators stop-crail.sh && no_servers
}

# The commands of a step of docs/deploy.md in his tree: page STEP [PATTERN]
page() {
    on host1 sh -c "sed -n '/^## $1\\./,/^## $(($1 + 1))\\./s/^    //p' /srv/operator/crail-*/docs/deploy.md" | grep -e "${2:-.}"
}

# The command lines of the units of systemd, with and without what /etc/default says of a datanode, as the user without rights.
units_start_servers() {
    local pids=()
    configure "${BASIC[@]}" 'crail.storage.types = org.apache.crail.storage.tcp.TcpStorageTier' 'crail.storage.classes = 2'
    run_unit host1 crail-namenode >"$SHARED/unit1.log" 2>&1 &
    pids+=($!)
    run_unit host2 crail-datanode@ 0 >"$SHARED/unit2.log" 2>&1 &
    pids+=($!)
    run_unit host3 crail-datanode@ 1 'CRAIL_DATANODE_TIER=-t org.apache.crail.storage.tcp.TcpStorageTier' \
        'CRAIL_DATANODE_OPTIONS=-p 50021 -d /srv/operator/data' >"$SHARED/unit3.log" 2>&1 &
    pids+=($!)
    if ! { within 60 has_datanodes 2 && says 0 1 '^10\.99\.0\.2:50020 .* 0  *live' crail_on host1 crail report &&
        says 0 1 '^10\.99\.0\.3:50021 .* 1  *live' crail_on host1 crail report; }; then
        cat -- "$SHARED"/unit[123].log
        return 1
    fi
    end_servers "${pids[@]}"
}

has_datanodes() {
    crail_on host1 crail report | grep "^datanodes: $1 live"
}

# systemd makes words of variables as a shell does, and none of those that are not set: run_unit HOST UNIT [CLASS VARIABLE...]
run_unit() {
    local command
    command=$(on "$1" sed -n "s/^ExecStart=//p" "/srv/crail/conf/systemd/$2.service" | sed "s:/opt/crail/:/srv/crail/:; s/%i/${3:-}/")
    on_as_operator "$1" env "${@:4}" sh -c "exec $command"
}

# Files of root, from a start by root, are no obstacle that only bash tells of.
tells_of_files_of_somebody_else() {
    local run
    run=$(on host1 sh -c 'echo /srv/operator/crail-*/run') || return
    on host1 chown root "$run/cluster.plan.lock" && says 2 1 'cluster\.plan\.lock cannot be written; let them be of operator' operators start-crail.sh &&
        on host1 rm "$run/cluster.plan.lock" && on host2 chown root "$run/datanode-node2-1.lock" || return
    says 1 1 '^datanode-node2-1  FAILED: .*datanode-node2-1\.lock cannot be written; let it be of operator' operators start-crail.sh &&
        on host2 rm "$run/datanode-node2-1.lock" && on host2 chown root "$run/../logs/datanode-node2-1.log" || return
    says 1 1 '^datanode-node2-1  FAILED: .*datanode-node2-1\.log cannot be written; let it be of operator' operators start-crail.sh &&
        says 0 2 ' stopped (pid [0-9]*)$' operators stop-crail.sh && no_servers
}

# A command of the tree that he has unpacked.
# shellcheck disable=SC2016 # it is expanded there
operators() {
    on_as_operator host1 sh -c 'PATH=$PATH:$(echo "$PWD"/crail-*/bin) && exec "$@"' sh "$@"
}

# With limits so small, and lines so long, that a test reaches them: as many files as there may be, and the last lines are found whatever file
# they are in.
rotates_logs() {
    local log=/srv/crail/logs/datanode-host2-1.log first pid expected
    trap 'on host2 mv /srv/crail/conf/logback-daemon.xml.kept /srv/crail/conf/logback-daemon.xml' EXIT # of the check
    on host2 sed -i.kept -e 's/20MB/4KB/; s:<maxIndex>5</:<maxIndex>2</:' -e 's/1 second/1 millisecond/; s/%msg/%-1000msg/' \
        /srv/crail/conf/logback-daemon.xml
    configure "${BASIC[@]}" && slaves host2 && starts 2 && first=$(on host2 stat -c %i "$log") || return
    within 90 logs_are_rotated "$log" "$first" || return
    pid=$(on host2 head -n 1 /srv/crail/run/datanode-host2-1.pid) && kill -KILL "$pid" && within 20 is_gone "$pid" || return
    on host2 sh -c "ls -l $log*"
    expected=$(on host2 sh -c "cat $log.1 $log | tail -n 15" | sed 's/^/    | /')
    says 0 3 . on host2 find /srv/crail/logs -name "${log##*/}*" &&
        says 1 1 'datanode-host2-1 .* it has ended by itself' crail_on host1 status-crail.sh &&
        [ "$(crail_on host1 status-crail.sh | grep '^    | ')" = "$expected" ] || return
    slaves 'host2 -- -p 22'
    says 1 0 'not the transfer protocol' crail_on host1 start-crail.sh && says 1 1 '^datanode-host2-1 *FAILED' crail_on host1 start-crail.sh &&
        says 0 1 ' stopped (pid [0-9]*)$' crail_on host1 stop-crail.sh && nothing_is_left
}

# Has a datanode log a few of the 20 lines that strangers may cause in a minute. Succeeds when its log file of then is gone, and the newest one
# is too short for all that is to be shown.
logs_are_rotated() {
    on host3 bash -c 'for i in {1..4}; do echo "this is no message of Crail" >/dev/tcp/host2/50020; done'
    ! on host2 find "${1%/*}" -name "${1##*/}*" -inum "$2" | grep -q . && [ "$(on host2 sed -n '$=' "$1")" -lt 15 ]
}

# A stop that waits for a start stops what that has added. Here it is the lock of a start that it waits for.
stops_what_was_started_meanwhile() {
    local holder stopper
    configure "${BASIC[@]}" && slaves host2 && starts 2 && mkfifo "$SHARED/release" || return
    on host1 flock /srv/crail/run/cluster.plan.lock sh -c 'echo held; read -r _' <"$SHARED/release" >"$SHARED/held" 2>&1 &
    holder=$!
    exec 7>"$SHARED/release"
    within 20 grep held "$SHARED/held" || return
    crail_on host1 stop-crail.sh >"$SHARED/stopped" 2>&1 7>&- &
    stopper=$!
    within 60 pgrep -f '^flock -w [0-9]* 8$' || return
    says 0 1 'started (pid' on host3 /srv/crail/libexec/daemon start 100 datanode-host3-1 datanode || return
    printf 'datanode-host3-1\thost3\tdatanode\n' | on host1 tee -a /srv/crail/run/cluster.plan
    exec 7>&-
    wait "$holder" || true
    wait "$stopper" && says 0 3 ' stopped (pid [0-9]*)$' cat -- "$SHARED/stopped" && nothing_is_left
}

# The image's tree, made and run as container/Dockerfile says but without an engine: servers on two hosts, a client on the third.
the_image_runs() {
    local host pids=()
    for host in host1 host2 host3; do
        on "$host" bash "$SHARED/image.sh" build || return
    done
    in_image host1 run namenode >"$SHARED/image1.log" 2>&1 &
    pids+=($!)
    in_image host2 run datanode >"$SHARED/image2.log" 2>&1 &
    pids+=($!)
    if ! { within 60 in_image host1 healthy && within 60 in_image host2 healthy && says 1 1 '^not ready: there is no' in_image host3 healthy &&
        says 0 1 '^datanodes: 1 live, 0 silent' in_image host3 run report &&
        says 0 1 '^ops 10$' in_image host3 run iobench -t write -f /tmp.dat -s 1m -k 10 -w 0 -q &&
        [ "$(ps -o uid= -C java | sort -u | tr -d ' ')" = 10001 ]; }; then
        cat -- "$SHARED"/image[12].log
        return 1
    fi
    end_servers "${pids[@]}"
}

in_image() {
    on "$1" CRAIL_NAMENODE_ADDRESS=crail://host1:9060 CRAIL_STORAGE_TCP_STORAGELIMIT=32m timeout 300 bash "$SHARED/image.sh" "${@:2}"
}

no_servers() {
    [ "$(servers)" -eq 0 ]
}

# Ends all servers, which are to end well, as are the processes of this script that they ran in: end_servers PID...
end_servers() {
    local pid
    for pid in $(pgrep -f proc_crail); do
        kill -TERM "$pid"
    done
    within 20 no_servers || return
    for pid in "$@"; do
        wait "$pid" || [ $? -eq 143 ] || return # a JVM that SIGTERM has ended
    done
}

# A site file that was forgotten or is another one is told of before anything waits; so is what a slow start waits for.
tells_of_a_site_file_that_differs() {
    configure "${BASIC[@]}" && slaves host2 host3 || return
    on host2 sh -c 'echo crail.storage.tcp.storagelimit = 16m >>/srv/crail/conf/crail-site.conf'
    on host3 rm /srv/crail/conf/crail-site.conf
    says 1 3 '^host2: .*crail-site.conf is not the same as on host1\|^host3: .*crail-site.conf is not there\|^host3: waiting for .*localhost:9060' \
        crail_on host1 start-crail.sh --limit 20 && says 0 3 ' stopped (pid [0-9]*)$' crail_on host1 stop-crail.sh && nothing_is_left
}

restarts_one_by_name() {
    configure "${BASIC[@]}" && slaves host2 'host2 -- -p 50021' host3 && starts 4 &&
        says 2 1 'no process is called datanode-host2-9; there are: namenode ' crail_on host1 stop-crail.sh datanode-host2-9 &&
        says 0 1 '^datanode-host2-2 .* stopped (pid [0-9]*)$' crail_on host1 stop-crail.sh datanode-host2-2 &&
        [ "$(servers)" -eq 3 ] && says 0 1 '^datanode-host2-2 .* started' crail_on host1 start-crail.sh datanode-host2-2 &&
        says 0 2 ' runs (pid' crail_on host1 status-crail.sh 'datanode-host2-*' || return
    configure "${BASIC[@]}" 'crail.storage.classes = 2'
    says 0 4 'runs already .*configured differently since it was started' crail_on host1 start-crail.sh && stops 4
}

# A process that runs and does nothing: the namenode misses a datanode, and the health check a namenode.
tells_of_processes_that_hang() {
    configure "${BASIC[@]}" 'crail.storage.keepalive = 100ms' && slaves host2 host3 && starts 3 &&
        says 0 1 '^cluster .* 2 live, 0 silent' crail_on host1 status-crail.sh && on host1 "${HEALTHY[@]}" || return
    kill -STOP "$(on host3 head -n 1 /srv/crail/run/datanode-host3-1.pid)"
    within 30 status_in_spite_of_one && says 1 1 '^cluster  *FAILED: silent: 10.99.0.3:50020; 1 live, 1 silent' crail_on host1 status-crail.sh || return
    kill -CONT "$(on host3 head -n 1 /srv/crail/run/datanode-host3-1.pid)"
    kill -STOP "$(on host1 head -n 1 /srv/crail/run/namenode.pid)"
    says 1 1 '^not healthy: the namenode at' on host1 "${HEALTHY[@]}" || return
    kill -CONT "$(on host1 head -n 1 /srv/crail/run/namenode.pid)"
    on host1 "${HEALTHY[@]}" && stops 3
}

ip link show lab >/dev/null
for n in 1 2 3; do
    make_host "$n" "$SHARED/key.pub"
done
make_host 5 /dev/null
check "the configuration is found right" is_configured
check "a dry run starts nothing" shows_what_it_would_do
check "a cluster starts on three hosts" starts_on_all_hosts
check "several datanodes of a host need one connection" needs_one_connection_to_a_host
check "servers have nothing of the shell that has begun them" has_nothing_of_a_shell
check "a second start leaves what runs" leaves_what_runs
check "what one host has written, another one reads" reads_elsewhere_what_was_written
check "blocks land on the writer's host when that is asked for" keeps_blocks_on_the_writers_host
check "a datanode that was killed is told of" tells_of_one_that_was_killed
check "stop ends what was started, whatever the slaves file says by now" stops_what_was_started
check "a second stop finds nothing" stops_nothing_twice
check "hosts that are down or refuse the key, ports in use and missing paths are told of" says_why_something_does_not_start
check "stop does what it can, and remembers the rest" stops_although_some_hosts_are_away
check "without a namenode no datanode is started, and each is told of" starts_nothing_without_a_namenode
check "names with two addresses" takes_a_name_with_two_addresses
check "IPv6" runs_over_ipv6
check "example co-located" co_located
check "example disaggregated" disaggregated
check "example mixed" mixed
check "examples rdma and nvmf are right" other_examples_are_right
check "a datanode that is late is told of" tells_of_one_that_is_late
check "a site file that differs, and what a start waits for, are told of" tells_of_a_site_file_that_differs
check "one server is stopped and started by name" restarts_one_by_name
check "a datanode or namenode that hangs is told of" tells_of_processes_that_hang
check "a datanode that does not stop is killed" kills_one_that_does_not_stop
check "a process with the number of one that ended is left alone" leaves_other_processes_alone
check "a cluster starts again at once" starts_again_at_once
check "logs are rotated, and their last lines are found" rotates_logs
check "a stop that waits for a start ends what that has started" stops_what_was_started_meanwhile
check "a user without rights goes by docs/deploy.md" a_user_without_rights_does_as_the_document_says
check "the command lines of the units of systemd start servers" units_start_servers
check "files that a start by somebody else has left are told of" tells_of_files_of_somebody_else
check "the tree of the image runs" the_image_runs
[ "$failed" -eq 0 ]
