#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds libdisni.so if this machine can: build.sh OUT JAVA_HOME [asan | simulated]. Where something is missing it says so in
# one line, removes what an earlier build left, and exits with 0: everything else works without the library.
set -eu

out=$1 java_home=$2 target=${3:-library}
here=$(cd -- "$(dirname -- "$0")" && pwd)
CC=${CC:-cc}

missing=
lacks() {
    missing=${missing:+$missing, }$1
}

# Headers of the libraries, as the compiler finds them.
has_header() {
    printf '#include <%s>\n' "$1" | "$CC" -isystem "$java_home/include" -isystem "$java_home/include/linux" \
        -E -x c - >/dev/null 2>&1
}

# A JRE that lies in its JDK, as it was up to Java 8, has the headers beside it.
[ -e "$java_home/include/jni.h" ] || [ ! -e "$java_home/../include/jni.h" ] || java_home=$java_home/..
java_home=$(cd -- "$java_home" && pwd -P) # its path gets into the output otherwise

command -v make >/dev/null || lacks "make"
if command -v "$CC" >/dev/null; then
    has_header jni.h || lacks "jni.h (of the JDK)"
    has_header infiniband/verbs.h || lacks "infiniband/verbs.h (Debian: libibverbs-dev)"
    has_header rdma/rdma_cma.h || lacks "rdma/rdma_cma.h (Debian: librdmacm-dev)"
else
    lacks "a C compiler (Debian: gcc libc6-dev)"
fi

if [ -n "$missing" ]; then
    echo "crail-verbs: libdisni.so is not built, RDMA will not be available: missing $missing"
    rm -f -- "$out/libdisni.so" "$out/asan/libdisni.so" "$out/simulated/libdisni.so"
    exit 0
fi
set --
if [ "$target" = simulated ]; then
    # Tests load AddressSanitizer into their JVM from the path in this file; where there is none, they do without.
    sanitizer=$("$CC" -print-file-name=libasan.so)
    mkdir -p -- "$out/simulated"
    case "$sanitizer" in
        /*) printf '%s' "$sanitizer" >"$out/simulated/sanitizer" ;;
        *)
            echo "crail-verbs: the simulated device is built without AddressSanitizer: $CC has no libasan.so (Debian: libgcc-VERSION-dev)"
            [ ! -e "$out/simulated/sanitizer" ] || rm -f -- "$out/simulated/libdisni.so" "$out/simulated/sanitizer"
            set -- SANITIZE=
            ;;
    esac
fi
exec make -s -C "$here" CC="$CC" OUT="$out" JNI="$java_home/include" "$@" "$target"
