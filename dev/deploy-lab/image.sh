#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Does on a host of the lab what container/Dockerfile says, without an engine: its base is this machine's own tree, below a layer in memory.
#
#   image.sh build              makes the tree of the image
#   image.sh run ARGUMENT...    runs its entry point, as its user, with its variables and what begins with CRAIL_ here
#   image.sh healthy            runs its health check
set -euo pipefail

SHARED=/media ROOT=/srv/image LAYERS=/srv/layers

# What stands behind a word of the Dockerfile, lines that go on put together.
directive() {
    sed -e ':a' -e '/\\$/{N;s/\\\n *//;ta' -e '}' "$SHARED/Dockerfile" | sed -n "s/^$1 //p"
}

# The strings of an array, a line each.
strings() {
    sed 's/^[^[]*\["//; s/"\]$//; s/", *"/\n/g' <<<"$1"
}

build() {
    mkdir -p "$ROOT" "$LAYERS/upper" "$LAYERS/work"
    mount -t overlay -o "lowerdir=/,upperdir=$LAYERS/upper,workdir=$LAYERS/work" overlay "$ROOT"
    mount -t proc proc "$ROOT/proc"
    mount --rbind /dev "$ROOT/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
    cp -- /etc/hosts /etc/nsswitch.conf "$ROOT/etc"
    # shellcheck disable=SC2016 # the engine expands it
    [ "$(directive ADD)" = 'crail-${VERSION}.tar.gz /opt/' ]
    tar -xzf "$SHARED/crail.tar.gz" -C "$ROOT/opt"
    chroot "$ROOT" sh -ec "$(directive RUN)"
}

# A command in the image, with its variables and as its user.
inside() {
    local variables=() name
    readarray -t variables < <(directive ENV)
    for name in $(compgen -e CRAIL_); do
        variables+=("$name=${!name}")
    done
    exec chroot --userspec="$(directive USER)" "$ROOT" env -i PATH="$PATH" HOME=/ "${variables[@]}" "$@"
}

run() {
    local entry
    readarray -t entry < <(strings "$(directive ENTRYPOINT)")
    inside "${entry[@]}" "$@"
}

healthy() {
    local check
    readarray -t check < <(strings "$(directive HEALTHCHECK)")
    inside "${check[@]}"
}

"$@"
