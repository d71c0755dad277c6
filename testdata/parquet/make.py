"""Makes the Parquet files of this directory and expected.json, what they must
read as: tables of columns with their values, and for every file the table and
the columns of it that the file holds; "own" are columns that this file has in
place of the table's, "unread" names those that a reader need not read. Of the
values,

    null is null,
    a decimal is a text, such as "-1.50",
    a float that JSON has no number for is "NaN", "Inf" or "-Inf",
    bytes that are no text are a text that begins with "hex:",
    a timestamp is a whole number in the column's unit, of any size,
    a list is a list.

Made with Python 3.11, pyarrow 26.0.1, duckdb 2.0.0, numpy 2.4.6, pyspark 4.3.0
on OpenJDK 17, and parquet-go v0.32.0 of the go.mod above:

    python3 -m venv --system-site-packages /tmp/spark
    /tmp/spark/bin/pip install pyspark
    /tmp/spark/bin/python make.py

The parts are make_types.py (pyarrow and DuckDB, every type), make_spark.py
(Spark: INT96, legacy decimals and lists) and make.go (parquet-go: decimals in
byte arrays, enums, bare repeated fields). Readers are tested against these
files; they are not made again by tests. Made again, they are the same, but for
the order in which Spark lists the encodings of a column.
"""
import json, os, subprocess
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

here = os.path.dirname(os.path.abspath(__file__))
os.chdir(here)
for name in os.listdir("."):
    if name.endswith(".parquet") or name == "expected.json":
        os.remove(name)

N = 160
arms = ["control", "blue", "grün"]


def unit(i, k):
    """A number in [0, 1) that is exact in float32."""
    return ((i * 2654435761 + k * 40503) % 65536) / 65536


def rows(nulls):
    def maybe(i, k, v):
        return None if nulls and (i * 7 + k) % 5 == 0 else v

    return {
        "round": [i + 1 for i in range(N)],
        "ts": [1_700_000_000_000_000 + 1_000 * i * i for i in range(N)],
        "day": [19_000 + i // 24 for i in range(N)],
        "action": [maybe(i, 1, arms[(i * i) % 3]) for i in range(N)],
        "code": [maybe(i, 2, (i * 37) % 251 - 125) for i in range(N)],
        "small": [maybe(i, 3, i % 100 - 50) for i in range(N)],
        "big": [maybe(i, 4, 2**53 - i * 12345678901) for i in range(N)],
        "u8": [maybe(i, 5, i % 256) for i in range(N)],
        "u32": [maybe(i, 6, 2**32 - 1 - i) for i in range(N)],
        "u64": [maybe(i, 7, i * i * i) for i in range(N)],
        "clicked": [maybe(i, 8, unit(i, 8) < 0.3) for i in range(N)],
        "reward": [maybe(i, 9, unit(i, 9)) for i in range(N)],
        "score": [maybe(i, 10, unit(i, 10) - 0.5) for i in range(N)],
        "probability": [maybe(i, 11, (1 + i % 10) / 10) for i in range(N)],
        "features": [maybe(i, 12, [unit(i, 12), -unit(i, 13), float(i)]) for i in range(N)],
        "word": [maybe(i, 14, "prefix/%d/%s" % (i // 10, "x" * (i % 7))) for i in range(N)],
    }


types = pa.schema([
    ("round", pa.int64()), ("ts", pa.timestamp("us")), ("day", pa.date32()), ("action", pa.string()),
    ("code", pa.int32()), ("small", pa.int8()), ("big", pa.int64()), ("u8", pa.uint8()), ("u32", pa.uint32()),
    ("u64", pa.uint64()), ("clicked", pa.bool_()), ("reward", pa.float64()), ("score", pa.float32()),
    ("probability", pa.float64()), ("features", pa.list_(pa.float64())), ("word", pa.string()),
])


def table(nulls, required=False):
    data = rows(nulls)
    arrays = [pa.array(data[f.name], type=pa.int64()).cast(f.type) if f.name == "ts"
              else pa.array(data[f.name], type=pa.int32()).cast(f.type) if f.name == "day"
              else pa.array(data[f.name], type=f.type) for f in types]
    schema = types
    if required:
        schema = pa.schema([pa.field(f.name, f.type, nullable=False) for f in types])
    return pa.table(arrays, schema=schema)


expected = {"tables": {"nulls": rows(True), "whole": rows(False)}, "files": {}}


def expect(name, nulls, columns):
    expected["files"][name] = {"table": "nulls" if nulls else "whole", "columns": list(columns)}


def arrow(name, nulls, columns=None, required=False, **options):
    t = table(nulls, required)
    if columns:
        t = t.select(columns)
    pq.write_table(t, name, **options)
    expect(name, nulls, t.column_names)


arrow("pyarrow-snappy.parquet", True, row_group_size=128, write_page_checksum=True)
arrow("pyarrow-required-none.parquet", False, required=True, compression="none", use_dictionary=False, data_page_size=512)
arrow("pyarrow-v2-zstd.parquet", True, compression="zstd", data_page_version="2.0", data_page_size=512)
arrow("pyarrow-gzip-v1.parquet", True, ["round", "action", "reward", "features"], version="1.0", compression="gzip")
arrow("pyarrow-brotli-v2.parquet", True, ["round", "action", "reward", "clicked"], compression="brotli", data_page_version="2.0")
arrow("pyarrow-lz4.parquet", True, ["round", "action", "reward", "features"], compression="lz4", use_dictionary=False)
arrow("pyarrow-delta.parquet", True, ["round", "code", "small", "big", "u32", "u64", "action", "word"], use_dictionary=False,
      compression="none", data_page_size=700,
      column_encoding={"round": "DELTA_BINARY_PACKED", "code": "DELTA_BINARY_PACKED", "small": "DELTA_BINARY_PACKED",
                       "big": "DELTA_BINARY_PACKED", "u32": "DELTA_BINARY_PACKED", "u64": "DELTA_BINARY_PACKED",
                       "action": "DELTA_LENGTH_BYTE_ARRAY", "word": "DELTA_BYTE_ARRAY"})
arrow("pyarrow-split-v2.parquet", True, ["reward", "score", "code", "big", "clicked"], use_dictionary=False, compression="zstd",
      data_page_version="2.0", column_encoding={"reward": "BYTE_STREAM_SPLIT", "score": "BYTE_STREAM_SPLIT",
                                                "code": "BYTE_STREAM_SPLIT", "big": "BYTE_STREAM_SPLIT", "clicked": "RLE"})

# A dictionary that grows too large and falls back to plain pages.
pq.write_table(table(False).select(["word", "big"]), "pyarrow-fallback.parquet", dictionary_pagesize_limit=256, data_page_size=256)
expect("pyarrow-fallback.parquet", False, ["word", "big"])

# Structs, empty and null lists, nulls within lists, lists of several lengths.
lists = [[1.5], [], None, [2.0, None, 3.0], [4.0] * 9, [None], [5.0, 6.0]]
pq.write_table(pa.table({
    "context": pa.array([{"age": 30.5, "n": 1}, None, {"age": None, "n": 2}, {"age": 1.0, "n": None}, {"age": 2.0, "n": 3}, None, {"age": 3.0, "n": 4}],
                        pa.struct([("age", pa.float64()), ("n", pa.int32())])),
    "ragged": pa.array(lists, pa.list_(pa.float64())),
    "narrow": pa.array(lists, pa.list_(pa.float32())),
}), "pyarrow-nested.parquet")
expected["tables"]["nested"] = {
    "context.age": [30.5, None, None, 1.0, 2.0, None, 3.0],
    "context.n": [1, None, 2, None, 3, None, 4],
    "ragged": lists, "narrow": lists,
}
expected["files"]["pyarrow-nested.parquet"] = {"table": "nested", "columns": ["context.age", "context.n", "ragged", "narrow"]}

# No rows, in a row group of none and in no row group.
pq.write_table(table(False).slice(0, 0), "pyarrow-empty.parquet")
pq.ParquetWriter("pyarrow-nogroup.parquet", types).close()
expected["tables"]["empty"] = {f.name: [] for f in types}
for name in ("pyarrow-empty.parquet", "pyarrow-nogroup.parquet"):
    expected["files"][name] = {"table": "empty", "columns": [f.name for f in types]}

# Two columns of one name, of which no expectation can tell one from the other.
pq.write_table(pa.table([[1, 2], ["a", "b"], [0.0, 1.0], [0.25, 0.5], [3.0, 4.0]], names=["round", "action", "reward", "x0", "x0"]), "pyarrow-twice.parquet")

con = duckdb.connect()
for name, nulls in [("log_with_nulls", True)]:
    con.register(name, table(nulls))
for name, options in {
    "duckdb-snappy.parquet": "COMPRESSION snappy, ROW_GROUP_SIZE 2048",
    "duckdb-zstd-v2.parquet": "COMPRESSION zstd, PARQUET_VERSION v2",
    "duckdb-none.parquet": "COMPRESSION uncompressed",
    "duckdb-gzip.parquet": "COMPRESSION gzip",
    "duckdb-lz4.parquet": "COMPRESSION lz4_raw",
    "duckdb-brotli.parquet": "COMPRESSION brotli",
}.items():
    columns = "*" if "snappy" in name or "v2" in name else "round, action, code, clicked, reward, features, word"
    con.execute(f"COPY (SELECT {columns} FROM log_with_nulls) TO '{name}' (FORMAT parquet, {options})")
    chosen = [f.name for f in types] if columns == "*" else columns.split(", ")
    expect(name, True, chosen)

# What a column can be and is not read as a number or a label.
con.execute("""COPY (SELECT 1.25::DECIMAL(9,2) AS dec9, 1.25::DECIMAL(18,2) AS dec18, 1.25::DECIMAL(38,2) AS dec38, '12:00:00'::TIME AS clock,
  '12345678-1234-5678-1234-567812345678'::UUID AS id, '{}'::JSON AS doc, [[1.0::DOUBLE]] AS matrix, MAP {'a': 1} AS map, INTERVAL 1 DAY AS span, '\\xAA'::BLOB AS blob
  ) TO 'duckdb-odd.parquet' (FORMAT parquet)""")
expected["tables"]["odd"] = {
    "dec9": ["1.25"], "dec18": ["1.25"], "dec38": ["1.25"], "clock": [12 * 3600 * 10**6], "id": ["12345678-1234-5678-1234-567812345678"],
    "doc": ["{}"], "matrix": [[[1.0]]], "map.key_value.key": [["a"]], "map.key_value.value": [[1]], "blob": ["hex:aa"],
}
expected["files"]["duckdb-odd.parquet"] = {"table": "odd", "columns": list(expected["tables"]["odd"]), "unread": ["span"]}
expected["files"]["pyarrow-twice.parquet"] = {"table": "twice", "columns": ["round", "action", "reward"], "unread": ["x0"]}
expected["tables"]["twice"] = {"round": [1, 2], "action": ["a", "b"], "reward": [0.0, 1.0]}

import make_spark, make_types
make_types.make(expected)
make_spark.make(expected)
parts = json.loads(subprocess.run(["go", "run", "make.go"], check=True, stdout=subprocess.PIPE).stdout)
expected["tables"].update(parts["tables"])
expected["files"].update(parts["files"])

with open("expected.json", "w") as f:
    json.dump(expected, f, separators=(",", ":"), ensure_ascii=False)
    f.write("\n")
print(sum(os.path.getsize(n) for n in os.listdir(".")), "bytes")
