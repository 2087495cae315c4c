# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What bin/verify, bin/quickstart and bin/compare share: to see what a machine lacks and, where that is allowed, to install it.

# What dev/rdma-lab needs besides a JDK: "kernel" is one with SoftRoCE, "verbs-providers" the user's half of it.
# shellcheck disable=SC2034 # used where this file is read
LAB_TOOLS=(qemu-system-x86_64 kernel busybox rdma ip modprobe cpio gzip verbs-providers)

say() {
    printf '%s\n' "$*"
}

fail() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 1
}

# The feature version of a Java command, 0 if it cannot be run.
java_version() {
    local version
    version=$("$1" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1) || true
    printf '%s\n' "${version:-0}"
}

has_java() {
    local java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    command -v "$java" >/dev/null && [ "$(java_version "$java")" -ge 17 ]
}

has_jdk() {
    has_java && command -v "${JAVA_HOME:+$JAVA_HOME/bin/}javac" >/dev/null
}

# The newest kernel of this machine that the RDMA lab can boot: one with SoftRoCE; nothing if there is none.
lab_kernel() {
    local version
    find /lib/modules -path '*/rdma_rxe.ko*' 2>/dev/null | cut -d / -f 4 | sort -rV | while read -r version; do
        if [ -r "/boot/vmlinuz-$version" ]; then
            printf '%s\n' "$version"
            break
        fi
    done
}

# The Debian packages that bring a tool.
package_of() {
    case "$1" in
        java | jdk)
            if apt-cache show openjdk-17-jdk-headless >/dev/null 2>&1; then
                printf 'openjdk-17-jdk-headless\n'
            else
                printf 'default-jdk-headless\n'
            fi
            ;;
        mvn) printf 'maven\n' ;;
        gcc) printf 'gcc libc6-dev\n' ;;
        qemu-system-x86_64) printf 'qemu-system-x86\n' ;;
        kernel) printf 'linux-image-amd64\n' ;;
        busybox) printf 'busybox-static\n' ;;
        sshd) printf 'openssh-server\n' ;;
        ssh) printf 'openssh-client\n' ;;
        rdma | ip) printf 'iproute2\n' ;;
        modprobe) printf 'kmod\n' ;;
        taskset | setpriv | unshare) printf 'util-linux\n' ;;
        venv) printf 'python3 python3-venv\n' ;;
        verbs-providers) printf 'ibverbs-providers\n' ;;
        verbs-headers) printf 'libibverbs-dev librdmacm-dev\n' ;;
        *) printf '%s\n' "$1" ;;
    esac
}

has_tool() {
    case "$1" in
        java) has_java ;;
        jdk) has_jdk ;;
        kernel) [ -n "$(lab_kernel)" ] ;;
        venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
        verbs-providers) [ -e /etc/libibverbs.d/rxe.driver ] ;;
        verbs-headers) [ -e /usr/include/infiniband/verbs.h ] && [ -e /usr/include/rdma/rdma_cma.h ] ;;
        sshd) [ -x /usr/sbin/sshd ] || command -v sshd >/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

# Prints those of the named tools that are missing.
missing_tools() {
    local tool
    for tool in "$@"; do
        has_tool "$tool" || printf '%s\n' "$tool"
    done
}

# Runs a command while no package may start a service: without_services COMMAND...
without_services() (
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f -- "$policy"' EXIT # also if a signal ends it
        printf '%s\n' '#!/bin/sh' 'exit 101' >"$policy" && chmod +x -- "$policy"
    fi
    "$@"
)

# The units that start a tool's service with the machine, where its package enables any.
units_of() {
    case "$1" in
        sshd) printf 'ssh.service ssh.socket\n' ;;
        redis-server | memcached) printf '%s.service\n' "$1" ;;
    esac
}

# Installs packages, of which no service is started, now or with the machine: a test wants the program only.
install_packages() {
    local tool units absent
    absent=$(missing_tools sshd redis-server memcached)
    without_services apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" >/dev/null ||
        say "apt-get install failed."
    command -v systemctl >/dev/null || return 0
    hash -r
    for tool in $absent; do
        if has_tool "$tool"; then
            read -r -a units < <(units_of "$tool")
            systemctl disable "${units[@]}" >/dev/null 2>&1 || true
        fi
    done
}

# Installs the packages of missing tools if this user may; says what to install otherwise.
provide() {
    local missing packages=() tool
    missing=$(missing_tools "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        say "Missing: ${missing//$'\n'/, }; installing with apt-get."
        export DEBIAN_FRONTEND=noninteractive
        apt-get -qq update || say "apt-get update failed; trying with the lists that are there."
        for tool in $missing; do
            # shellcheck disable=SC2207 # names of packages are words
            packages+=($(package_of "$tool"))
        done
        install_packages "${packages[@]}"
        hash -r
    else
        for tool in $missing; do
            # shellcheck disable=SC2207 # names of packages are words
            packages+=($(package_of "$tool"))
        done
        say "Missing: ${missing//$'\n'/, }. Install (Debian packages): ${packages[*]}"
    fi
}

is_port_free() {
    ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

free_port() {
    local port tries
    for ((tries = 0; tries < 100; tries++)); do
        port=$((20000 + RANDOM % 12000))
        if is_port_free "$port"; then
            printf '%s\n' "$port"
            return
        fi
    done
    fail "no free port found between 20000 and 31999"
}
