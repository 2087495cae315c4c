# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Read once by bin/crail, bin/start-crail.sh and the like, on the host where something is started. Every line is an example; remove the
# "#" to use it. What is set here needs no "export".

# The Java to run on, 17 or newer. Unless set, the one in PATH.
# JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64

# Further options for the JVM of a namenode and of a datanode, separated by blanks. A namenode needs at most 250 bytes of heap for a file
# of one block; 1.5 GiB of heap hold about 5 million such files. With many millions, -XX:+UseZGC avoids pauses of 100 ms.
# CRAIL_NAMENODE_JAVA_OPTIONS="-Xms2g -Xmx2g"
# CRAIL_DATANODE_JAVA_OPTIONS="-Xmx256m"

# The same for all JVMs, those of commands included.
# CRAIL_EXTRA_JAVA_OPTIONS="-Djava.net.preferIPv6Addresses=true"

# Any key of crail-site.conf can be set here as well: upper case, "_" for ".". This overrides the file.
# CRAIL_NAMENODE_ADDRESS=crail://namenode.example:9060

# Of the servers that bin/start-crail.sh starts: where their pid and log files are, and further options of ssh. Unless set, run and
# logs in CRAIL_HOME, and none.
# CRAIL_PID_DIR=/var/run/crail
# CRAIL_LOG_DIR=/var/log/crail
# CRAIL_SSH_OPTS="-l crail -i /home/operator/.ssh/crail"

# What is taken from the permissions of log and pid files; 022 unless set. Data is for the user of the servers alone in
# any case.
# umask 027
