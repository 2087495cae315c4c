# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What scripts share that run Java on jars, wherever their tree is. Names of directories are quoted, and only names of files are
# patterns: exists "$directory"/name-*.jar.

# Whether there is a file; of those that a pattern stands for, the first.
exists() {
    [ -e "$1" ]
}

# Fails where a directory has a name that cannot be in a class path: require_class_path DIRECTORY...
require_class_path() {
    local directory
    for directory; do
        case "$directory" in
            *:*)
                printf '%s: %s has a colon in its name, which ends a part of the class path of Java; use another directory\n' \
                    "$(basename -- "$0")" "$directory" >&2
                exit 1
                ;;
        esac
    done
}
