# SPDX-License-Identifier: Apache-2.0
"""Jobs of Spark whose results are known beforehand, while servers and executors are killed and stopped.

Usage: oracle.py expect JAR RESULTS
       oracle.py run JAR RESULTS ADDRESS DISTRIBUTION PIDS SECONDS SEED

"expect" runs each job once on Spark's own shuffles, and writes its rows and hash to the file RESULTS. "run" repeats the
jobs on Crail until the time is over, compares, and prints what it did. DISTRIBUTION starts servers, whose process ids
are in the directory PIDS. Ends with exit code 0 if all jobs ended with the rows and
the hash that were known.
"""

import collections
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from pyspark.sql import SparkSession

ROWS = 200_000
LIMIT_S = 300  # a job that takes longer hangs

SETTINGS = {
    "spark.app.name": "oracle",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "768m",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.deploy.maxExecutorRetries": "-1",
    "spark.task.maxFailures": "20",
    "spark.stage.maxConsecutiveAttempts": "20",
    "spark.speculation": "true",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.multiplier": "1.5",
    "spark.speculation.minTaskRuntime": "500ms",
    "spark.sql.shuffle.partitions": "24",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "128k",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "192k",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2",
    "spark.sql.shuffle.orderIndependentChecksum.enabled": "true",
    "spark.shuffle.sort.bypassMergeThreshold": "10",  # so that map tasks write in both ways
}


def session(jar, master, settings):
    builder = SparkSession.builder.master(master)
    for key, value in (SETTINGS | settings).items():
        builder = builder.config(key, value)
    spark = (
        builder.config("spark.driver.extraClassPath", jar).config("spark.executor.extraClassPath", jar).getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    return spark


# ---- Jobs ----


def summary(frame):
    """Rows and a hash that does not depend on their order."""
    row = frame.selectExpr("cast(xxhash64(*) as decimal(38, 0)) hash").selectExpr("count(1)", "sum(hash)").first()
    return [row[0], str(row[1])]


def numbers(spark, rows=ROWS, parts=12):
    return spark.range(0, rows, 1, parts)


def group_by(spark):
    keyed = numbers(spark).selectExpr("xxhash64(id) % 50021 key", "id")
    return summary(keyed.groupBy("key").agg({"id": "sum", "*": "count"}))


def join(spark):
    left = numbers(spark).selectExpr("xxhash64(id) % 20011 key", "id l")
    right = numbers(spark, ROWS // 2).selectExpr("xxhash64(id, 1) % 20011 key", "id r")
    return summary(left.join(right, "key"))


def skewed_join(spark):
    left = numbers(spark).selectExpr("if(id % 10 < 7, 0, id % 1009) key", "id l", "repeat(sha1(string(id)), 2) text")
    right = numbers(spark, 2000, 4).selectExpr("id key", "sha1(string(id)) name")
    return summary(left.join(right, "key"))


def broadcast_join(spark):
    left = numbers(spark).selectExpr("xxhash64(id) % 30011 key", "id l")
    right = numbers(spark, 20_000, 4).selectExpr("xxhash64(id, 2) % 30011 key", "sha1(string(id)) name")
    return summary(left.join(right.hint("broadcast"), "key").repartition(5, "name"))


def sort(spark):
    """Each partition as a list, which has to be in order, as have the partitions."""
    ordered = numbers(spark).selectExpr("xxhash64(id) hash").orderBy("hash")
    lists = ordered.selectExpr("spark_partition_id() p", "hash").groupBy("p").agg({"hash": "collect_list"}).toDF("p", "hashes")
    checked = lists.selectExpr(
        "p", "array_sort(hashes) = hashes sorted", "hashes[0] first", "element_at(hashes, -1) last", "size(hashes) n"
    )
    parts = checked.orderBy("p").collect()
    in_order = all(part.sorted for part in parts) and all(a.last <= b.first for a, b in zip(parts, parts[1:]))
    return [sum(part.n for part in parts), "in order" if in_order else "out of order"]


def round_robin(spark):
    wide = numbers(spark, ROWS // 8).selectExpr("id", "repeat(sha2(string(id), 256), 8) text")
    return summary(wide.repartition(40))


def stages(spark):
    """Five shuffles, one behind the other."""
    joined = numbers(spark).selectExpr("id % 4999 key", "id").join(
        numbers(spark, 30_000).selectExpr("id % 4999 key", "id + 1 other"), "key"
    )
    sums = joined.groupBy("key").agg({"id": "sum", "other": "max"}).toDF("key", "total", "most")
    return summary(sums.distinct().orderBy("total").repartition(7).groupBy("most").agg({"total": "sum"}))


def reduce_and_sort(spark):
    """Of RDDs, whose shuffle files are read three times, with time for faults between."""
    pairs = spark.sparkContext.parallelize(range(30_000), 12).map(lambda n: (n % 997, n))
    sums = pairs.reduceByKey(lambda a, b: a + b, 9)
    counts = []
    for _ in range(3):
        counts.append(sums.count())
        time.sleep(0.5)
    found = sums.sortByKey().collect()
    return [len(found), f"{counts} {zlib.crc32(repr(found).encode())}"]


def row_checksums(spark):
    """What the driver knows of each map task's rows, from Spark 4.1 on; for both ways to write without local files."""
    found = [checksums_of(spark, parts) for parts in (5, 30)]
    return [sum(count for count, _ in found), str([checksums for _, checksums in found])]


def checksums_of(spark, parts):
    frame = numbers(spark).selectExpr("id % 991 key", "sha1(string(id)) text").repartition(parts, "key")
    rows = frame._jdf.queryExecution().toRdd()  # held, or its shuffle would be cleaned
    while True:
        count = rows.count()
        if spark.version < "4.1":
            return count, None
        jvm = spark.sparkContext._jvm
        tracker = jvm.org.apache.spark.SparkEnv.get().mapOutputTracker()
        shuffles = jvm.scala.jdk.javaapi.CollectionConverters.asJava(tracker.shuffleStatuses())
        statuses = list(shuffles[max(shuffles.keySet())].mapStatuses())
        if None not in statuses:  # one may just have been lost
            checksums = [status.checksumValue() for status in statuses]
            if 0 in checksums:
                raise AssertionError(f"Spark has no checksum of some rows: {checksums}")
            return count, checksums


ALL_JOBS = [row_checksums, group_by, join, broadcast_join, skewed_join, sort, round_robin, stages, reduce_and_sort]
JOBS = {job.__name__: job for job in ALL_JOBS}


# ---- Faults ----


def pids_of_executors():
    """Processes below this one."""
    parents = {}
    executors = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid = int(status.parent.name)
            parents[pid] = int(status.read_text().rsplit(")", 1)[1].split()[1])
            if b"CoarseGrainedExecutorBackend" in (status.parent / "cmdline").read_bytes():
                executors.append(pid)

    def is_ours(pid):
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return sorted(filter(is_ours, executors))


class Servers:
    """The cluster; used by the thread of the faults."""

    def __init__(self, distribution, pids):
        self.distribution = pathlib.Path(distribution)
        self.pids = pathlib.Path(pids)
        self.datanodes = sorted(file.stem for file in self.pids.glob("datanode-*.pid"))

    def pid(self, name):
        return int((self.pids / (name + ".pid")).read_text().split()[0])

    def start(self, name):
        command = [str(self.distribution / "bin" / "start-crail.sh"), name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)


class Faults(threading.Thread):
    """One fault after the other, until it is told to end; then nothing is stopped any more.

    A slow machine gets less of them: between two some task has ended.
    """

    def __init__(self, servers, tracker, seed):
        super().__init__(name="faults", daemon=True)
        self.servers = servers
        self.tracker = tracker
        self.random = random.Random(seed)
        self.ending = threading.Event()
        self.counts = collections.Counter()
        self.failure = None

    def run(self):
        faults = [
            (self.kill_executor, 3),
            (self.pause_executor, 2),
            (self.kill_datanode, 3),
            (self.pause_datanode, 2),
            (self.pause_namenode, 1),
        ]
        seen = None
        try:
            while not self.ending.wait(self.random.uniform(0.5, 4)):
                progress = self.progress()
                if progress == seen:
                    continue
                seen = progress
                fault = self.random.choices([f for f, _ in faults], [weight for _, weight in faults])[0]
                if fault():
                    self.counts[fault.__name__.replace("_", " ")] += 1
        except Exception as e:
            self.failure = e

    def progress(self):
        stages = map(self.tracker.getStageInfo, self.tracker.getActiveStageIds())
        return sorted((stage.stageId, stage.currentAttemptId, stage.numCompletedTasks) for stage in stages if stage)

    def end(self):
        self.ending.set()
        self.join()

    def pause(self, pid, seconds):
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            os.kill(pid, signal.SIGCONT)

    def kill_executor(self):
        executors = pids_of_executors()
        if len(executors) < 2:
            return False  # the last one goes on
        os.kill(self.random.choice(executors), signal.SIGKILL)
        return True

    def pause_executor(self):
        executors = pids_of_executors()
        if not executors:
            return False
        with contextlib.suppress(ProcessLookupError):
            self.pause(self.random.choice(executors), self.random.uniform(1, 6))
        return True

    def kill_datanode(self):
        name = self.random.choice(self.servers.datanodes)
        os.kill(self.servers.pid(name), signal.SIGKILL)
        time.sleep(self.random.uniform(0, 4))
        self.servers.start(name)
        return True

    def pause_datanode(self):
        self.pause(self.servers.pid(self.random.choice(self.servers.datanodes)), self.random.uniform(1, 6))
        return True

    def pause_namenode(self):
        self.pause(self.servers.pid("namenode"), self.random.uniform(0.5, 4))
        return True


# ---- What Spark tells ----


def events_of(folder):
    """Stages that were tried again, map tasks that ran again, and how tasks ended, by the log of events."""
    retried = 0
    ended = collections.Counter()
    runs = collections.Counter()
    rdds = {}  # of stages; a stage that is made anew for a lost output has another number
    for file in pathlib.Path(folder).rglob("[!.]*"):
        for line in file.open() if file.is_file() else []:
            event = json.loads(line)
            if event["Event"] == "SparkListenerStageSubmitted":
                stage = event["Stage Info"]
                rdds[stage["Stage ID"]] = max(rdd["RDD ID"] for rdd in stage["RDD Info"])
                retried += stage["Stage Attempt ID"] > 0
            elif event["Event"] == "SparkListenerTaskEnd":
                reason = event["Task End Reason"]["Reason"]
                ended[reason] += 1
                if reason == "Success" and event["Task Type"] == "ShuffleMapTask":
                    runs[rdds[event["Stage ID"]], event["Task Info"]["Partition ID"]] += 1
    again = sum(count - 1 for count in runs.values())
    return retried, sum(runs.values()), again, ended


# ---- The two ways to run ----


@dataclasses.dataclass
class Outcome:
    result: list = None
    failure: Exception = None


def run_job(job, spark):
    """Ends after the limit, also if the job does not."""
    outcome = Outcome()

    def target():
        try:
            outcome.result = job(spark)
        except Exception as e:
            outcome.failure = e

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    if thread.is_alive():
        outcome.failure = TimeoutError(f"no end after {LIMIT_S} s")
    return outcome


def expect(jar, results):
    spark = session(jar, "local[2]", {})
    known = {name: job(spark) for name, job in JOBS.items()}
    pathlib.Path(results).write_text(json.dumps(known, indent=1))
    for name, (rows, found) in known.items():
        print(f"{name}: {rows} rows, hash {found}")
    spark.stop()


def run(jar, results, address, distribution, pids, seconds, seed):
    known = json.loads(pathlib.Path(results).read_text())
    events = tempfile.mkdtemp(prefix="events-", dir=pathlib.Path(results).parent)
    spark = session(
        jar,
        "local-cluster[2,2,1024]",
        {
            "spark.shuffle.manager": "org.apache.crail.spark.CrailShuffleManager",
            "spark.crail.namenode.address": address,
            "spark.plugins": "org.apache.crail.spark.CrailPlugin",
            "spark.crail.broadcast": "true",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": "file://" + events,
        },
    )
    faults = Faults(Servers(distribution, pids), spark.sparkContext.statusTracker(), int(seed))
    wrong = []
    rows = ended = 0
    end = time.monotonic() + float(seconds)
    faults.start()
    names = list(JOBS)
    while time.monotonic() < end and not any("no end" in text for text in wrong):
        name = names[ended % len(names)]
        outcome = run_job(JOBS[name], spark)
        ended += 1
        if outcome.failure is not None:
            wrong.append(f"{name}: {str(outcome.failure)[:4000]}")
        elif outcome.result != known[name]:
            wrong.append(f"{name}: {outcome.result} instead of {known[name]}")
        else:
            rows += outcome.result[0]
    faults.end()
    spark.stop()
    retried, maps, again, tasks = events_of(events)
    for text in wrong:
        print("WRONG", text)
    print(f"jobs: {ended}, of them wrong, failed or without an end: {len(wrong)}")
    print(f"rows as known: {rows}; seed {seed}")
    print("faults:", ", ".join(f"{name} {count}" for name, count in sorted(faults.counts.items())) or "none")
    print(f"stages tried again: {retried}; map tasks that ended well: {maps}, of them again: {again}")
    print("ends of tasks:", ", ".join(f"{reason} {count}" for reason, count in sorted(tasks.items())))
    if faults.failure is not None:
        print("the faults ended early:", repr(faults.failure))
    sys.stdout.flush()
    os._exit(1 if wrong or faults.failure is not None or ended == 0 else 0)  # a job that hangs does not hold it


if __name__ == "__main__":
    {"expect": expect, "run": run}[sys.argv[1]](*sys.argv[2:])
