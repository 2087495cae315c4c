# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the scripts of operators begin with, bin/crail included: CRAIL_HOME, and conf/crail-env.sh, which is read once, not again by
# each script that another one calls. Expects the tree that the script is in as "home".

export CRAIL_HOME=${CRAIL_HOME:-${home:?}}
case "$CRAIL_HOME" in
    /*) ;;
    *) CRAIL_HOME=$PWD/$CRAIL_HOME ;;
esac
if [ "${CRAIL_ENVIRONMENT:-}" != "$CRAIL_HOME" ] && [ -r "$CRAIL_HOME/conf/crail-env.sh" ]; then
    set -a # what it sets without "export" reaches Java as well
    # shellcheck source=/dev/null
    . "$CRAIL_HOME/conf/crail-env.sh" || true # its last command may be a condition
    set +a
fi
export CRAIL_ENVIRONMENT=$CRAIL_HOME # whose file has been read

# A number for what the lines of a file set; comments, blank lines and a missing file set nothing.
fingerprint() {
    { sed -e 's/^[[:space:]]*//; s/[[:space:]]*$//' -e '/^[#!]/d; /^$/d' -- "$1" 2>/dev/null || true; } | cksum | tr ' ' -
}
