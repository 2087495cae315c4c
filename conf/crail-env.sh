# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Read by bin/crail before it starts Java, and by bin/start-crail.sh and the like. Every line is an example; remove the "#" to use it.

# The Java to run on, 17 or newer. Unless set, the one in PATH.
# export JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64

# Further options for the JVM, separated by blanks. A namenode needs at most 250 bytes of heap for a file of one block;
# 1.5 GiB of heap hold about 5 million such files.
# export CRAIL_EXTRA_JAVA_OPTIONS="-Xms2g -Xmx2g"

# Any key of crail-site.conf can be set here as well: upper case, "_" for ".". This overrides the file.
# export CRAIL_NAMENODE_ADDRESS=crail://namenode.example:9060

# Of the servers that bin/start-crail.sh starts: where their pid and log files are, and further options of ssh. Unless set, run and
# logs in CRAIL_HOME, and none.
# export CRAIL_PID_DIR=/var/run/crail
# export CRAIL_LOG_DIR=/var/log/crail
# export CRAIL_SSH_OPTS="-l crail -i /home/operator/.ssh/crail"
