# SPDX-License-Identifier: Apache-2.0
"""Work of Spark with its own shuffles and broadcasts, or with Crail's, and the table of both.

Usage: compare.py run SYSTEM ROUND WORKS CLASSPATH ADDRESS PIDS DIRECTORY QUERIES MIB FIGURES
       compare.py table FIGURES

"run" does each work once, after a smaller one for warming up but for TPC-H, and appends the figures to a file. The tables of TPC-H
are below DIRECTORY/tables, the texts of its queries in QUERIES. "table" prints the medians.
"""

import collections
import json
import os
import pathlib
import statistics
import sys
import time

from pyspark.sql import SparkSession

SETTINGS = {
    "spark.app.name": "compare",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.executor.memory": "3g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "16",
    # rows that are repeated texts, so that a codec would leave nothing to shuffle
    "spark.shuffle.compress": "false",
    "spark.sql.adaptive.enabled": "true",
}
EXECUTOR = b"CoarseGrainedExecutorBackend"


def session(system, class_path, address, directory):
    builder = SparkSession.builder.master("local-cluster[2,1,3072]")
    settings = SETTINGS | {
        "spark.local.dir": directory + "/local",
        "spark.driver.extraClassPath": class_path,
        "spark.executor.extraClassPath": class_path,
    }
    if system == "crail":
        settings |= {
            "spark.shuffle.manager": "org.apache.crail.spark.CrailShuffleManager",
            "spark.crail.namenode.address": address,
            "spark.plugins": "org.apache.crail.spark.CrailPlugin",
            "spark.crail.broadcast": "true",
        }
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


# ---- Work ----


def group_by(spark, mib, _):
    rows = mib * 1024
    wide = spark.range(0, rows, 1, 8).selectExpr("xxhash64(id) key", "repeat(sha1(string(id)), 25) value")
    return wide.repartition(16, "key").selectExpr("count(1)", "sum(length(value))", "sum(crc32(value))").first()


def sort(spark, mib, _):
    rows = mib * 1024 * 1024 // 100
    text = spark.range(0, rows, 1, 8).selectExpr("substr(sha1(string(id)), 1, 10) key", "repeat('x', 90) value")
    ordered = text.orderBy("key").selectExpr("spark_partition_id() p", "key", "length(value) n")
    return ordered.groupBy("p").agg({"key": "min", "n": "sum"}).selectExpr("sum(`sum(n)`)").first()


def tpc_h(spark, _, queries):
    """The seconds of all queries, and their results."""
    results = {}
    for number in range(1, 23):
        found = spark.sql((pathlib.Path(queries) / f"q{number}.sql").read_text()).collect()
        # sums of floating-point numbers depend on the order of rows
        results[number] = [[round(v, 2) if isinstance(v, float) else str(v) for v in row] for row in found]
    return results


WORKS = {"group-by": group_by, "sort": sort, "tpc-h": tpc_h}


def use_tables(spark, tables):
    for file in pathlib.Path(tables).glob("*.parquet"):
        spark.read.parquet(str(file)).createOrReplaceTempView(file.stem)


# ---- What the processes do ----


def processes(pids):
    """The executors of this program, and the servers."""
    parents = {}
    executors = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            pid = int(status.parent.name)
            parents[pid] = int(status.read_text().rsplit(")", 1)[1].split()[1])
            if EXECUTOR in (status.parent / "cmdline").read_bytes():
                executors.append(pid)
        except OSError:
            continue

    def is_ours(pid):
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    servers = [int(file.read_text().split()[0]) for file in pathlib.Path(pids).glob("*.pid")]
    return [pid for pid in executors if is_ours(pid)] + servers


def effort(pids):
    """System calls that read and write, the bytes that they moved, and seconds of processor time."""
    total = collections.Counter()
    for pid in processes(pids):
        for line in pathlib.Path(f"/proc/{pid}/io").read_text().splitlines():
            name, value = line.split(": ")
            if name in ("rchar", "wchar"):
                total["moved"] += int(value)
            elif name in ("syscr", "syscw"):
                total["calls"] += int(value)
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total["cpu"] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def run(system, number, works, class_path, address, pids, directory, queries, mib, figures):
    spark = session(system, class_path, address, directory)
    if "tpc-h" in works:
        use_tables(spark, directory + "/tables")
    with open(figures, "a") as file:
        for name in works.split(","):
            figure = {"work": name, "system": system, "round": number}
            if name == "broadcast":
                times = spark.sparkContext._jvm.BroadcastTimes
                times.waitsUs(spark.sparkContext._jsc.sc(), 200, 8)
                waits = list(times.waitsUs(spark.sparkContext._jsc.sc(), 200, 8))
                figure |= {"figure": statistics.median(waits), "unit": "us"}
            else:
                if name != "tpc-h":
                    WORKS[name](spark, int(mib) // 8, queries)
                before = effort(pids)
                begin = time.monotonic()
                result = WORKS[name](spark, int(mib), queries)
                figure |= {"figure": time.monotonic() - begin, "unit": "s", "result": repr(result)}
                figure |= {key: effort(pids)[key] - before[key] for key in before}
            print(json.dumps({key: value for key, value in figure.items() if key != "result"}), flush=True)
            file.write(json.dumps(figure) + "\n")
    spark.stop()


# ---- The table ----


def table(figures):
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    results = collections.defaultdict(set)
    for line in open(figures):
        figure = json.loads(line)
        found[figure["work"]][figure["system"]].append(figure)
        results[figure["work"]].add(figure.get("result"))
    print("| work | unit | Spark's own | Crail | own / Crail | processor s | calls | MiB by calls |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for work, systems in found.items():

        def values(system, key):
            return [each.get(key, 0) for each in systems[system]]

        def cell(system):
            all_of_it = values(system, "figure")
            return f"{statistics.median(all_of_it):.4g} ({min(all_of_it):.4g} to {max(all_of_it):.4g})"

        def both(key, unit=1.0):
            if key not in systems["spark"][0]:
                return ""
            return " / ".join(f"{statistics.median(values(one, key)) / unit:,.4g}" for one in ("spark", "crail"))

        ratios = [a / b for a, b in zip(values("spark", "figure"), values("crail", "figure"))]
        ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        unit = systems["spark"][0]["unit"]
        efforts = f"{both('cpu')} | {both('calls')} | {both('moved', 1 << 20)}"
        print(f"| {work} | {unit} | {cell('spark')} | {cell('crail')} | {ratio} | {efforts} |")
    different = [work for work, texts in results.items() if len(texts) > 1]
    for work in different:
        print(f"{work}: the results are not equal")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    {"run": run, "table": table}[sys.argv[1]](*sys.argv[2:])
