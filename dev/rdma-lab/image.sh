# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What a guest of the lab boots: a kernel of this machine, and a small initial file system made for one run. Uses the
# variables of "run" (lab, scratch, hugepages, memlock).
# shellcheck disable=SC2034,SC2154

# Sees whether a guest can be booted, after installing what is missing where that is allowed. Sets $kernel; on failure the
# reason is in $cannot_boot.
can_boot() {
    local missing
    cannot_boot=''
    if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
        cannot_boot="guests are Linux on x86-64, and this machine is $(uname -s) on $(uname -m)"
        return 1
    fi
    provide "${LAB_TOOLS[@]}" >&2
    missing=$(missing_tools "${LAB_TOOLS[@]}")
    if [ -n "$missing" ]; then
        cannot_boot="missing here: ${missing//$'\n'/, }"
        return 1
    fi
    kernel=$(lab_kernel)
}

# Copies modules and what they depend on: copy_modules FOLDER MODULE... The file "order" there says how to load them.
copy_modules() {
    local folder=$1 module file name
    shift
    for module in "$@"; do
        while read -r _ file _; do
            name=$(basename -- "$file")
            name=${name%.ko*}.ko
            [ ! -e "$folder/$name" ] || continue
            case "$file" in
                *.xz) xz -dc -- "$file" ;;
                *.zst) zstd -qdc -- "$file" ;;
                *.gz) gzip -dc -- "$file" ;;
                *) cat -- "$file" ;;
            esac >"$folder/$name"
            printf '%s\n' "$name" >>"$folder/order"
        done < <(modprobe -S "$kernel" --show-depends "$module" | grep '^insmod')
    done
}

# What the guest's scripts have to know: print_environment FOLDER ADDRESS PEER-ADDRESS.
print_environment() {
    printf 'export %s=%q\n' LAB_OUT "$1" LAB_ADDRESS "$2" LAB_PEER "$3" LAB_NQN nqn.2016-06.io.crail:lab \
        PATH "$PATH:/usr/sbin:/sbin" HOME /root LANG C.UTF-8
    [ -z "${JAVA_HOME:-}" ] || printf 'export JAVA_HOME=%q\n' "$JAVA_HOME"
    printf '%s=%q\n' directory "$PWD" hugepages "$hugepages" memlock "$memlock"
}

# Makes $scratch/NAME.initrd: make_initrd NAME FOLDER ADDRESS PEER-ADDRESS COMMAND...
make_initrd() {
    local name=$1 root=$scratch/$1 folder=$2 address=$3 other=$4
    shift 4
    mkdir -p -- "$root"/{bin,modules,lab,proc,sys,dev,host,memory,root}
    cp -- "$(command -v busybox)" "$root/bin/busybox"
    copy_modules "$root/modules" virtio_pci virtio_console 9p 9pnet_virtio overlay
    cp -- "$lab/guest/init" "$root/init"
    cp -- "$lab/guest/main" "$root/lab/main"
    print_environment "$folder" "$address" "$other" >"$root/lab/environment"
    printf 'exec' >"$root/lab/command"
    printf ' %q' "$@" >>"$root/lab/command"
    (cd -- "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$scratch/$name.initrd"
    rm -rf -- "$root"
}
