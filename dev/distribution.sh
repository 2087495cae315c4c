# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What scripts share that run the distribution beside Hadoop and Spark. To be sourced after libexec/prepare.sh; they set
# home, the root of the project, and read failed, which is 1 after a check that failed.
# shellcheck disable=SC2034,SC2154

LONG_LIMIT=900 # seconds for Spark, and for what is loaded

failed=0

# One check; what it prints is shown if it fails: check NAME COMMAND...
check() {
    local name=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then
        say "ok: $name"
    else
        failed=1
        say "FAILED: $name"
        tail -n 40 -- "$work/check.log"
    fi
}

skip_check() {
    say "skipped: $1: $2"
}

address='' # of the namenode, as soon as there is one to be stopped

# Sets work and dist, a directory and the unpacked tarball in it, which go with the script: unpack NAME
unpack() {
    local tarball
    tarball=$(find "$home/crail-dist/target" -maxdepth 1 -name 'crail-*.tar.gz' 2>/dev/null | head -n 1) || true
    [ -n "$tarball" ] || fail "the tarball is not built; run: mvn -DskipTests package"
    work=$(mktemp -d "${TMPDIR:-/tmp}/$1.XXXXXX")
    dist=$work/dist
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    mkdir -- "$dist"
    tar -xzf "$tarball" --strip-components=1 -C "$dist"
}

# Ends what runs, and exits with the status of what came before: clean_up [STATUS]
clean_up() {
    local status=${1:-$?}
    trap - EXIT INT TERM
    [ -z "$address" ] || "$dist/bin/stop-crail.sh" >"$work/stop.log" || cat -- "$work/stop.log"
    rm -rf -- "$work"
    exit "$status"
}

# Starts a namenode and so many datanodes on this machine, with the lines of standard input in their configuration:
# start_cluster DATANODES
start_cluster() {
    local variable i
    for variable in $(compgen -e CRAIL_; compgen -e HADOOP_; compgen -e SPARK_; compgen -e PYSPARK_); do
        unset "$variable" # the environment overrides files
    done
    export CRAIL_HOME=$work/crail
    mkdir -p -- "$CRAIL_HOME/conf" "$CRAIL_HOME/data"
    cp -- "$dist"/conf/logback*.xml "$CRAIL_HOME/conf/"
    address=crail://localhost:$(free_port)
    {
        printf '%s\n' "crail.namenode.address = $address" "crail.storage.tcp.datapath = $CRAIL_HOME/data"
        cat
    } >"$CRAIL_HOME/conf/crail-site.conf"
    for ((i = 0; i < $1; i++)); do
        printf 'localhost -- -p 0\n'
    done >"$CRAIL_HOME/conf/slaves"
    "$dist/bin/start-crail.sh"
}

# Spark in an environment of its own below dev/spark/target; sets python, which has it: install_spark VERSION
install_spark() {
    local -r environment=$home/dev/spark/target/spark-$1
    python=$environment/bin/python
    [ ! -e "$environment/complete" ] || return 0
    rm -rf -- "$environment"
    python3 -m venv "$environment" &&
        timeout --foreground --kill-after 10 "$LONG_LIMIT" "$python" -m pip install -q --disable-pip-version-check \
            "pyspark==$1" &&
        touch -- "$environment/complete"
}

# The same, or says why a check is left out: provide_spark NAME VERSION
provide_spark() {
    provide venv
    if [ -n "$(missing_tools venv)" ]; then
        skip_check "$1" "python3 cannot make environments"
    elif ! install_spark "$2" >"$work/pip.log" 2>&1; then
        skip_check "$1" "cannot be installed: $(tail -n 1 -- "$work/pip.log")"
    else
        return 0
    fi
    return 1
}
