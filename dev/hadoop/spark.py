# SPDX-License-Identifier: Apache-2.0
"""A user's program for Spark, on Crail and on local files: both have to tell the same.

Usage: spark.py ADAPTER-JAR CRAIL-FOLDER LOCAL-FOLDER path|loader

The last says how Spark gets the jar: on its class path, where it puts it first, or for a class loader that asks the jar before
Spark's own class path. With the latter only a part is run.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

FORMATS = ["parquet", "orc", "csv", "json"]
ROWS = 20_000


def settings(adapter, way):
    if way == "path":
        return {"spark.driver.extraClassPath": adapter}
    return {
        "spark.jars": adapter,
        "spark.driver.userClassPathFirst": "true",
        "spark.executor.userClassPathFirst": "true",
        "spark.hadoop.fs.crail.impl": "org.apache.crail.hdfs.CrailHadoopFileSystem",
    }


def session(adapter, way):
    return (
        SparkSession.builder.master("local[2]")
        .appName("crail")
        .config(map=settings(adapter, way))
        .config("spark.driver.host", "localhost")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.hadoop.fs.AbstractFileSystem.crail.impl", "org.apache.crail.hdfs.CrailHDFS")
        .getOrCreate()
    )


def orders(spark):
    return spark.range(ROWS).select(
        f.col("id"),
        (f.col("id") % 97).alias("customer"),
        (f.col("id") * 3 % 1009).cast("double").alias("price"),
        f.concat(f.lit("größe "), f.col("id") % 5).alias("size"),
        (f.col("id") % 4).cast("int").alias("day"),
    )


def customers(spark):
    return spark.range(97).select(f.col("id").alias("customer"), f.concat(f.lit("c"), f.col("id")).alias("name"))


def same(found, expected, what):
    found, expected = sorted(map(tuple, found)), sorted(map(tuple, expected))
    if found != expected or not expected:
        raise SystemExit(f"{what}: {len(found)} rows, unlike the {len(expected)} expected; first {found[:3]}, {expected[:3]}")
    print(f"{what}: {len(found)} rows are the same")


def formats(spark, root, names):
    """What was written is read; overwriting leaves nothing of what was there."""
    table = orders(spark)
    for name in names:
        path = f"{root}/{name}"
        table.union(table).write.format(name).option("header", True).save(path)
        table.write.format(name).option("header", True).mode("overwrite").save(path)
        found = spark.read.format(name).option("header", True).schema(table.schema).load(path)
        same(found.select(table.columns).collect(), table.collect(), f"{name}, overwritten")
    lines = table.select("size")
    lines.write.text(f"{root}/text")
    same(spark.read.text(f"{root}/text").collect(), lines.collect(), "text")


def partitions(spark, root):
    """Folders for each day, of which a reader of one day opens only that, and an appending job adds to all."""
    table = orders(spark)
    path = f"{root}/days"
    table.write.partitionBy("day").parquet(path)
    one = spark.read.parquet(path).where("day = 3")
    same(one.select(table.columns).collect(), table.where("day = 3").collect(), "one partition")
    table.write.partitionBy("day").mode("append").parquet(path)
    same(spark.read.parquet(path).groupBy("day").count().collect(), table.union(table).groupBy("day").count().collect(), "appended")


def join(spark, root):
    orders(spark).write.parquet(f"{root}/orders")
    customers(spark).write.orc(f"{root}/customers")
    bought = spark.read.parquet(f"{root}/orders").join(spark.read.orc(f"{root}/customers"), "customer")
    return bought.groupBy("name").agg(f.sum("price"), f.count("id")).collect()


def saved_as_records(spark, root):
    """The older interface, through a file system of MapReduce."""
    numbers = spark.sparkContext.parallelize(range(1000), 4)
    numbers.map(str).saveAsTextFile(f"{root}/numbers")
    found = spark.sparkContext.textFile(f"{root}/numbers").map(int)
    same([(n,) for n in found.collect()], [(n,) for n in range(1000)], "text of an RDD")


def main(adapter, crail, local, way):
    spark = session(adapter, way)
    try:
        formats(spark, crail, FORMATS if way == "path" else ["parquet"])
        saved_as_records(spark, crail)
        if way == "path":
            partitions(spark, crail)
            same(join(spark, crail), join(spark, f"file://{local}"), "join")
    finally:
        spark.stop()


main(*sys.argv[1:])
