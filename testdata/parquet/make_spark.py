"""Files by Spark, for make.py: INT96, and lists and decimals in the legacy format."""
import datetime, decimal, glob, os, shutil, tempfile
from make_types import N, mix, words, singles, finite, ragged, decimals, plain, signed

UTC = datetime.timezone.utc
names = ["flag", "tiny", "small", "whole", "big", "single", "number", "dec9", "dec18", "dec38", "word", "blob", "day", "ts", "clock",
         "context.age", "context.n", "features", "floats", "flags", "tags", "arms", "matrix", "jagged", "pairs.x", "pairs.l"]


def data():
    times = [datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(microseconds=(mix(i, 60) - 2**30) * 10**6 + mix(i, 61) % 10**6 * (i % 2)) for i in range(N)]
    return {
        "flag": [mix(i, 62) % 2 == 0 for i in range(N)], "tiny": signed(8, 2), "small": signed(16, 3), "whole": signed(32, 4), "big": signed(64, 5),
        "single": singles, "number": finite, "dec9": decimals(9, 2, 21), "dec18": decimals(18, 4, 22), "dec38": decimals(38, 10, 24),
        "word": words, "blob": [w.encode() for w in words], "day": [datetime.date(1970, 1, 1) + datetime.timedelta(days=mix(i, 63) % 20000) for i in range(N)],
        "ts": times, "clock": [t.replace(tzinfo=None) for t in times],
        "context": [(mix(i, 64) / 2**32, i) for i in range(N)],
        "features": [[finite[(i + j) % N] for j in range(3)] for i in range(N)], "floats": ragged(singles, 65),
        "flags": ragged([mix(i, 66) % 2 == 0 for i in range(N)], 67), "tags": ragged(words, 68), "arms": ragged(signed(32, 4), 69),
        "matrix": [[[finite[(i + j + k) % N] for k in range(2)] for j in range(3)] for i in range(N)],
        "jagged": [[None if (i + j) % 7 == 3 else ragged(finite, 70)[(i + j) % N] for j in range(mix(i, 71) % 4)] for i in range(N)],
        "pairs": [[(float(j), [j + 0.5] * (i % 3)) for j in range(i % 4)] for i in range(N)],
    }


def schema(types, null):
    number = types.DoubleType()

    def items(t, within=null):
        return types.ArrayType(t, containsNull=within)
    pair = types.StructType([types.StructField("x", number, null), types.StructField("l", items(number), null)])
    struct = types.StructType([types.StructField("age", number, null), types.StructField("n", types.IntegerType(), null)])
    of = {
        "flag": types.BooleanType(), "tiny": types.ByteType(), "small": types.ShortType(), "whole": types.IntegerType(), "big": types.LongType(),
        "single": types.FloatType(), "number": number, "dec9": types.DecimalType(9, 2), "dec18": types.DecimalType(18, 4), "dec38": types.DecimalType(38, 10),
        "word": types.StringType(), "blob": types.BinaryType(), "day": types.DateType(), "ts": types.TimestampType(), "clock": types.TimestampNTZType(),
        "context": struct, "features": items(number), "floats": items(types.FloatType(), True), "flags": items(types.BooleanType(), True),
        "tags": items(types.StringType(), True), "arms": items(types.IntegerType(), True), "matrix": items(items(number)),
        "jagged": items(items(number, True), True), "pairs": items(pair),
    }
    return types.StructType([types.StructField(n, t, null) for n, t in of.items()])


def micros(t):
    return (t.replace(tzinfo=UTC) - datetime.datetime(1970, 1, 1, tzinfo=UTC)) // datetime.timedelta(microseconds=1)


def flat(v, scale):
    if isinstance(v, datetime.datetime):
        return micros(v) * 1000 // scale
    if isinstance(v, datetime.date):
        return (v - datetime.date(1970, 1, 1)).days
    return plain(v)


def expectation(rows, scale):
    """What the rows read as; timestamps in units of scale nanoseconds, and those of clock, which INT96 never is, in microseconds."""
    table = {}
    for n in names:
        if n.startswith("context."):
            k = ["age", "n"].index(n[8:])
            table[n] = [None if r is None else r[k] for r in rows["context"]]
        elif n.startswith("pairs."):
            k = ["x", "l"].index(n[6:])
            table[n] = [None if r is None else [p[k] for p in r] for r in rows["pairs"]]
        else:
            table[n] = [flat(v, 1000 if n == "clock" else scale) for v in rows[n]]
    return table


def make(expected):
    os.environ["TZ"] = "UTC"
    from pyspark.sql import SparkSession, types
    spark = (SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false")
             .config("spark.sql.parquet.inferTimestampNTZ.enabled", "true").config("spark.sql.ansi.enabled", "false").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    whole = data()
    nulls = {n: [None if (i * 5 + k) % 6 == 0 else v for i, v in enumerate(values)] for k, (n, values) in enumerate(whole.items())}
    for name, rows, null, legacy, stamp, options in (
        ("spark.parquet", nulls, True, False, "TIMESTAMP_MICROS", {"compression": "snappy"}),
        ("spark-required.parquet", whole, False, False, "TIMESTAMP_MILLIS", {"compression": "zstd"}),
        ("spark-v2.parquet", nulls, True, False, "INT96", {"compression": "gzip", "parquet.writer.version": "v2"}),
        ("spark-legacy.parquet", nulls, True, True, "INT96", {"compression": "uncompressed"}),
        ("spark-legacy-required.parquet", whole, False, True, "INT96", {"compression": "lz4_raw", "parquet.enable.dictionary": "false"}),
    ):
        spark.conf.set("spark.sql.parquet.writeLegacyFormat", str(legacy).lower())
        spark.conf.set("spark.sql.parquet.outputTimestampType", stamp)
        if "MILLIS" in stamp:
            rows = dict(rows, ts=[t.replace(microsecond=t.microsecond // 1000 * 1000) for t in rows["ts"]])
        frame = spark.createDataFrame(list(zip(*rows.values())), schema(types, null)).coalesce(1)
        out = tempfile.mkdtemp()
        writer = frame.write.mode("overwrite")
        for k, v in options.items():
            writer = writer.option(k, v)
        writer.parquet(out)
        part, = glob.glob(os.path.join(out, "part-*.parquet"))
        shutil.copy(part, name)
        shutil.rmtree(out)
        scale = {"TIMESTAMP_MICROS": 1000, "TIMESTAMP_MILLIS": 10**6, "INT96": 1}[stamp]
        table, key = expectation(rows, scale), "spark-nulls" if null else "spark-whole"
        own = {"ts": table["ts"]}
        expected["tables"].setdefault(key, {n: v for n, v in table.items() if n not in own})
        expected["files"][name] = {"table": key, "columns": names, "own": own}
    spark.stop()
