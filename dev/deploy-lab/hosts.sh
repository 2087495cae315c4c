#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# First process of a lab, in namespaces of its own: makes what hosts share, and runs a script that makes and uses them with the functions
# here. Host N is called hostN and has 10.99.0.N and fd99::N.
set -euo pipefail

HOSTS=10
SHARED=/media # what all hosts see: keys, names, the tarball
PORT_OF_SSH=22
OPERATOR=61000 # a user without rights, who has a home and a key on each host

declare -A pid_of=() # the first process of each host, which is its sshd

share() {
    local n
    mount -t tmpfs -o mode=755 tmpfs "$SHARED"
    cp -- "$TARBALL" "$SHARED/crail.tar.gz"
    cp -- "$TREE/container/Dockerfile" "$LAB/image.sh" "$SHARED"
    ssh-keygen -q -t ed25519 -N '' -C lab -f "$SHARED/key"
    ssh-keygen -q -t ed25519 -N '' -C lab -f "$SHARED/host_key"
    printf '* %s\n' "$(cat -- "$SHARED/host_key.pub")" >"$SHARED/known_hosts"
    printf '%s\n' '127.0.0.1 localhost' '::1 localhost' >"$SHARED/hosts"
    for ((n = 1; n <= HOSTS; n++)); do
        printf '%s\n' "10.99.0.$n host$n" "fd99::$n six$n" "10.99.0.$n both$n" "fd99::$n both$n" >>"$SHARED/hosts"
    done
    # Names that conf/examples use, and one for an address that no host has.
    printf '%s\n' '10.99.0.1 node1 namenode' '10.99.0.2 node2 storage2' '10.99.0.3 storage1' '10.99.0.99 nobody' >>"$SHARED/hosts"
    sed 's/^hosts:.*/hosts: files/' /etc/nsswitch.conf >"$SHARED/nsswitch.conf"
    { grep -v '^operator:' /etc/passwd && printf 'operator:x:%s:%s::/srv/operator:/bin/bash\n' "$OPERATOR" "$OPERATOR"; } >"$SHARED/passwd"
    : >"$SHARED/environment"
    [ -z "${JAVA_HOME:-}" ] || printf 'JAVA_HOME=%s\n' "$JAVA_HOME" >"$SHARED/environment"
    # shellcheck disable=SC2016 # it is expanded on hosts
    printf '%s\n' 'umask 027' 'READ_SO_OFTEN=${READ_SO_OFTEN:-}x' 'CRAIL_NAMENODE_JAVA_OPTIONS="-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"' \
        'CRAIL_DATANODE_JAVA_OPTIONS="-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"' \
        "CRAIL_SSH_OPTS='-F none -i $SHARED/key -o UserKnownHostsFile=$SHARED/known_hosts -o ConnectTimeout=20'" \
        '[ -d /srv/java ] && JAVA_HOME=/srv/java' >>"$SHARED/environment" # which is false
}

# What runs in a host: host N AUTHORIZED-KEYS
host() {
    local n=$1
    hostname "host$n"
    for directory in /tmp /run /srv /mnt /dev/shm; do
        mount -t tmpfs tmpfs "$directory"
    done
    mkdir /mnt/flash
    mount -t ramfs ramfs /mnt/flash # no tmpfs: files there are read and written, as those on a disk are
    mount --bind "$SHARED/hosts" /etc/hosts
    mount --bind "$SHARED/nsswitch.conf" /etc/nsswitch.conf
    mount --bind "$SHARED/passwd" /etc/passwd
    mkdir /run/sshd /srv/crail
    tar -xzf "$SHARED/crail.tar.gz" --strip-components=1 -C /srv/crail
    cp -- "$SHARED/environment" /srv/crail/conf/crail-env.sh
    cp -- "$2" "/run/authorized"
    install -d -o "$OPERATOR" -g "$OPERATOR" /srv/operator /srv/operator/.ssh
    install -o "$OPERATOR" -m 600 -T "$SHARED/key" /srv/operator/.ssh/id_ed25519
    install -o "$OPERATOR" -m 600 -t /srv/operator/.ssh "$SHARED/known_hosts"
    printf '%s\n' "Port $PORT_OF_SSH" "HostKey $SHARED/host_key" 'AuthorizedKeysFile /run/authorized' 'StrictModes no' 'UsePAM no' \
        'PidFile none' 'PermitRootLogin yes' 'PasswordAuthentication no' 'UseDNS no' 'Subsystem sftp internal-sftp' 'MaxStartups 3:100:3' >/run/sshd_config
    ip link set lo up
    within 20 ip link show eth0
    ip addr add "10.99.0.$n/24" dev eth0
    ip addr add "fd99::$n/64" dev eth0 nodad
    ip link set eth0 up
    exec "$(command -v sshd)" -D -e -f /run/sshd_config
}

# Makes a host, and waits until its sshd listens: make_host N AUTHORIZED-KEYS
make_host() {
    unshare --net --mount --uts bash "$LAB/hosts.sh" --host "$1" "$2" >"$SHARED/host$1.log" 2>&1 </dev/null &
    pid_of[host$1]=$!
    within 20 in_a_network_of_its_own "$!"
    ip link add "to$1" type veth peer name "eth0" netns "${pid_of[host$1]}"
    ip link set "to$1" master lab up
    within 60 on "host$1" bash -c "exec 3<>/dev/tcp/10.99.0.$1/$PORT_OF_SSH"
}

in_a_network_of_its_own() {
    [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

# Runs a command until it succeeds: within SECONDS COMMAND...
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || {
            printf 'not within its time: %s\n' "$*"
            return 1
        }
        sleep 0.1
    done
}

# Runs a command on a host: on HOST COMMAND...
on() {
    local host=$1
    shift
    nsenter --target "${pid_of[$host]}" --net --mount --uts --wd=/ -- env -i PATH="$PATH" HOME=/root USER=root TERM=dumb "$@"
}

# The same as the user without rights, in his home.
on_as_operator() {
    local host=$1
    shift
    on "$host" setpriv --reuid "$OPERATOR" --regid "$OPERATOR" --clear-groups env HOME=/srv/operator USER=operator LOGNAME=operator \
        ${JAVA_HOME:+"JAVA_HOME=$JAVA_HOME"} timeout 240 sh -c 'cd && exec "$@"' sh "$@"
}

# The product's commands on a host, with a limit of two minutes: crail_on HOST COMMAND ARGUMENT..., COMMAND being crail, start-crail.sh...
crail_on() {
    local host=$1 command=$2
    shift 2
    on "$host" timeout 120 "/srv/crail/bin/$command" "$@"
}

# The cluster's site file, on all hosts: configure LINE...
configure() {
    local host
    for host in "${!pid_of[@]}"; do
        printf '%s\n' "$@" | on "$host" tee /srv/crail/conf/crail-site.conf >/dev/null
    done
}

# The slaves file, on the host that starts the cluster: slaves LINE...
slaves() {
    printf '%s\n' "$@" | on host1 tee /srv/crail/conf/slaves >/dev/null
}

# Servers that run, on whatever host.
servers() {
    pgrep -fc 'org\.apache\.crail\.cli\.Crail' || true
}

keep_logs() {
    local host
    [ -n "$KEEP" ] || return 0
    mkdir -p -- "$KEEP"
    cp -- "$SHARED"/*.log "$KEEP" 2>/dev/null || true
    for host in "${!pid_of[@]}"; do
        mkdir -p -- "$KEEP/$host"
        on "$host" tar -c -C /srv/crail --ignore-failed-read logs conf run 2>/dev/null | tar -xC "$KEEP/$host" 2>/dev/null || true
    done
}

if [ -z "${OUTSIDE:-}" ] || [ "$(readlink /proc/self/ns/net)" = "$OUTSIDE" ]; then
    printf 'hosts.sh would change this machine; use run\n' >&2
    exit 2
fi
if [ "$1" = --host ]; then
    host "$2" "$3"
fi
share
ip link set lo up
ip link add lab type bridge
ip link set lab up
trap keep_logs EXIT
script=$1
shift
# shellcheck source=/dev/null
. "$script"
