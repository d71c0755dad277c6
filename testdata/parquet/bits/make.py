"""Makes the small files of this directory, one table by several writers, whose
bits a test of ingest/pages turns one by one; Bits.java, beside this script,
makes those of parquet-mr.

    python make.py    with pyarrow, duckdb, polars and fastparquet
"""
import datetime, decimal, sys
import duckdb, pandas, polars
import pyarrow as pa, pyarrow.parquet as pq

ROWS = 24
UTC = datetime.timezone.utc


def stamp(i):
    return datetime.datetime(2026, 1, 1, 12, tzinfo=UTC) + datetime.timedelta(minutes=i, microseconds=1000 * i)


def column(null_every, value):
    return [None if null_every and i % null_every == null_every - 1 else value(i) for i in range(ROWS)]


data = {
    "round": column(0, lambda i: 1000 + i),
    "ts": column(0, stamp),
    "clock": column(7, lambda i: stamp(i).replace(tzinfo=None)),
    "arm": column(9, lambda i: ["red", "green", "blue"][i % 3]),
    "user": column(0, lambda i: "user-%03d" % (i * 7 % 100)),
    "reward": column(5, lambda i: float(i % 2)),
    "price": column(6, lambda i: decimal.Decimal(100 + 13 * i) / 100),
    "clicked": column(4, lambda i: i % 3 == 0),
    "small": column(0, lambda i: i % 5),
    "features": column(8, lambda i: [i / 4, None, 1.0][: i % 4]),
}
schema = pa.schema([
    pa.field("round", pa.int64(), nullable=False), pa.field("ts", pa.timestamp("us", "UTC"), nullable=False), ("clock", pa.timestamp("ns")),
    ("arm", pa.string()), pa.field("user", pa.string(), nullable=False), ("reward", pa.float64()), ("price", pa.decimal128(9, 2)),
    ("clicked", pa.bool_()), ("small", pa.uint16()), ("features", pa.list_(pa.float64())),
])
table = pa.table(data, schema=schema)


def main():
    pq.write_table(table, "pyarrow.parquet", row_group_size=16, compression="none", write_page_index=True)
    pq.write_table(table, "pyarrow-v2.parquet", row_group_size=16, compression="snappy", data_page_version="2.0", use_dictionary=["arm"], write_page_checksum=False)
    con = duckdb.connect()
    con.execute("SET TimeZone = 'UTC'")
    con.register("log", table)
    con.execute("COPY (SELECT * FROM log) TO 'duckdb.parquet' (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 2048)")
    con.execute("COPY (SELECT * FROM log) TO 'duckdb-v2.parquet' (FORMAT parquet, COMPRESSION uncompressed, PARQUET_VERSION v2)")
    polars.from_arrow(table).write_parquet("polars.parquet", compression="uncompressed", row_group_size=16)
    frame = table.select(["round", "ts", "arm", "user", "reward", "clicked", "small"]).to_pandas(types_mapper={pa.uint16(): pandas.UInt16Dtype(), pa.bool_(): pandas.BooleanDtype()}.get)
    import fastparquet
    fastparquet.write("fastparquet.parquet", frame, compression=None, row_group_offsets=16, has_nulls=["arm", "reward", "clicked"])
    fastparquet.write("fastparquet-categories.parquet", frame.assign(arm=frame["arm"].astype("category")), compression="SNAPPY", has_nulls=["arm", "reward", "clicked"])
    enum = polars.from_arrow(table).select("round", polars.col("arm").cast(polars.Enum(["blue", "green", "none", "red"])), "reward").filter(polars.col("arm") == "blue")
    enum.write_parquet("../honest/polars-enum.parquet", compression="zstd")


if __name__ == "__main__":
    main()
