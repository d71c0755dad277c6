"""Files of every type by pyarrow and DuckDB, for make.py."""
import decimal, math, uuid
import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

N = 48
decimal.getcontext().prec = 100


def mix(i, k):
    """A whole number in [0, 2^32) that looks random."""
    x = (i * 2654435761 + k * 40503 + 12345) % 2**32
    x ^= x >> 15
    return (x * 2246822519) % 2**32


def signed(bits, k):
    """Both ends of the range first, then anything, small and large."""
    lo, hi = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return [lo, hi, 0, -1, 1] + [((mix(i, k) << 32 | mix(i, k + 1)) % 2**bits + lo) >> (mix(i, k + 2) % bits) for i in range(N - 5)]


def unsigned(bits, k):
    return [0, 2**bits - 1, 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1] + [(mix(i, k) << 32 | mix(i, k + 1)) % 2**bits >> (mix(i, k + 2) % bits) for i in range(N - 5)]


def decimals(precision, scale, k):
    top = 10**precision - 1
    whole = [top, -top, 0, 1, -1, 10**precision // 2 + 1]
    for i in range(N - len(whole)):
        v = 0
        for j in range(6):
            v = v << 32 | mix(i, k + j)
        whole.append((-1) ** (i % 2) * (v % 10 ** (1 + i % precision)))
    return [decimal.Decimal(v).scaleb(-scale) for v in whole]


def clock(unit, k):
    day = 86400 * unit
    return [0, day - 1] + [(mix(i, k) << 32 | mix(i, k + 1)) % day for i in range(N - 2)]


def times(unit, k):
    """Instants from 1901 to 2106, in units per second."""
    return [0, -1, 1] + [(mix(i, k) - 2**31) * unit + mix(i, k + 1) % unit for i in range(N - 3)]


halves = [0.0, -0.0, 1.0, 65504.0, 2.0**-24, 2.0**-14, float("inf"), float("-inf"), float("nan")]
halves += [float(np.float16((mix(i, 7) / 2**32 - 0.5) * 2.0 ** (i % 12))) for i in range(N - len(halves))]
singles = [float(np.float32((mix(i, 8) / 2**32 - 0.5) * 2.0 ** (i % 60 - 30))) for i in range(N)]
doubles = [0.1, -0.0, 5e-324, 1.7976931348623157e308, float("inf"), float("nan")] + [mix(i, 9) / 2**32 * 10.0 ** (i % 30 - 15) for i in range(N - 6)]
words = ["", "a", "grün", "x" * 40] + ["arm-%d" % (mix(i, 10) % 9) for i in range(N - 4)]
ids = [str(uuid.UUID(int=0)), str(uuid.UUID(int=2**128 - 1))] + [str(uuid.UUID(int=mix(i, 11) << 96 | mix(i, 12) << 64 | mix(i, 13) << 32 | mix(i, 14))) for i in range(N - 2)]
blobs = [b"", b"\x00\xff"] + [bytes([mix(i, 15 + j) % 256 for j in range(i % 9)]) for i in range(N - 2)]
fives = [bytes([mix(i % 30, 25 + j) % 256 for j in range(5)]) for i in range(N)]


def ragged(values, k):
    """Lists of values, some empty, with a null here and there."""
    return [[] if i % 11 == 5 else [None if (i + j) % 13 == 7 else values[(i * 3 + j) % N] for j in range(mix(i, k) % 5)] for i in range(N)]


def full(values, width):
    return [[values[(i * width + j) % N] for j in range(width)] for i in range(N)]


finite = [v for v in doubles if math.isfinite(v)]
finite = (finite * 2)[:N]

# Column: type, values.
columns = {
    "bool": (pa.bool_(), [mix(i, 1) % 3 == 0 for i in range(N)]),
    "int8": (pa.int8(), signed(8, 2)), "int16": (pa.int16(), signed(16, 3)), "int32": (pa.int32(), signed(32, 4)), "int64": (pa.int64(), signed(64, 5)),
    "uint8": (pa.uint8(), unsigned(8, 2)), "uint16": (pa.uint16(), unsigned(16, 3)), "uint32": (pa.uint32(), unsigned(32, 4)), "uint64": (pa.uint64(), unsigned(64, 5)),
    "float16": (pa.float16(), halves), "float32": (pa.float32(), singles), "float64": (pa.float64(), doubles),
    "dec4": (pa.decimal128(4, 1), decimals(4, 1, 20)), "dec9": (pa.decimal128(9, 2), decimals(9, 2, 21)), "dec18": (pa.decimal128(18, 4), decimals(18, 4, 22)),
    "dec20": (pa.decimal128(20, 0), decimals(20, 0, 23)), "dec38": (pa.decimal128(38, 10), decimals(38, 10, 24)), "dec76": (pa.decimal256(76, 38), decimals(76, 38, 25)),
    "string": (pa.string(), words), "dictionary": (pa.dictionary(pa.int32(), pa.string()), words), "json": (pa.json_(), ['{"a":%d}' % (i % 5) for i in range(N)]),
    "uuid": (pa.uuid(), ids), "binary": (pa.binary(), blobs), "fixed": (pa.binary(5), fives),
    "date": (pa.date32(), [0, -1] + [mix(i, 30) % 40000 - 20000 for i in range(N - 2)]),
    "time_ms": (pa.time32("ms"), clock(10**3, 31)), "time_us": (pa.time64("us"), clock(10**6, 32)), "time_ns": (pa.time64("ns"), clock(10**9, 33)),
    "ts_ms": (pa.timestamp("ms"), times(10**3, 34)), "ts_us": (pa.timestamp("us"), times(10**6, 35)), "ts_ns": (pa.timestamp("ns"), times(10**9, 36)),
    "utc_ms": (pa.timestamp("ms", "UTC"), times(10**3, 37)), "utc_us": (pa.timestamp("us", "Europe/Vienna"), times(10**6, 38)), "utc_ns": (pa.timestamp("ns", "UTC"), times(10**9, 39)),
    "null": (pa.null(), [None] * N),
    "list_double": (pa.list_(pa.float64()), ragged(finite, 40)), "list_float": (pa.list_(pa.float32()), ragged(singles, 41)), "list_half": (pa.list_(pa.float16()), ragged(halves[9:] * 2, 42)),
    "list_bool": (pa.list_(pa.bool_()), ragged([mix(i, 1) % 2 == 0 for i in range(N)], 43)), "list_string": (pa.list_(pa.string()), ragged(words, 44)),
    "list_int": (pa.list_(pa.int32()), ragged(signed(32, 4), 45)), "list_uint": (pa.list_(pa.uint64()), ragged(unsigned(64, 5), 46)),
    "list_decimal": (pa.list_(pa.decimal128(20, 4)), ragged(decimals(20, 4, 26), 47)), "list_uuid": (pa.list_(pa.uuid()), ragged(ids, 48)),
    "list_date": (pa.list_(pa.date32()), ragged([mix(i, 30) % 40000 for i in range(N)], 49)),
    "fixed_list": (pa.list_(pa.float64(), 3), full(finite, 3)),
    "matrix": (pa.list_(pa.list_(pa.float64())), [[finite[(i + j) % N:][:2] + [0.5] * (2 - len(finite[(i + j) % N:][:2])) for j in range(3)] for i in range(N)]),
    "jagged": (pa.list_(pa.list_(pa.float64())), [[None if (i + j) % 7 == 3 else ragged(finite, 50)[(i + j) % N] for j in range(mix(i, 51) % 4)] for i in range(N)]),
    "jagged_decimal": (pa.list_(pa.list_(pa.decimal128(9, 2))), [[ragged(decimals(9, 2, 21), 52)[(i + j) % N] for j in range(mix(i, 53) % 3)] for i in range(N)]),
    "jagged_string": (pa.list_(pa.list_(pa.string())), [[ragged(words, 54)[(i + j) % N] for j in range(mix(i, 55) % 3)] for i in range(N)]),
}
always_null = {"null"}


def nullable(name, values):
    k = list(columns).index(name)
    return [None if (i * 7 + k) % 6 == 0 else v for i, v in enumerate(values)]


def storage(values, t):
    """An array of a type of values as this file writes them."""
    if isinstance(t, pa.UuidType):
        return t.wrap_array(pa.array([None if v is None else uuid.UUID(v).bytes for v in values], pa.binary(16)))
    if isinstance(t, pa.JsonType):
        return t.wrap_array(pa.array(values, pa.string()))
    if pa.types.is_float16(t):
        return pa.array([None if v is None else np.float16(v) for v in values], t)
    if pa.types.is_temporal(t):
        narrow = pa.types.is_date32(t) or pa.types.is_time32(t)
        return pa.array(values, pa.int32() if narrow else pa.int64()).cast(t)
    if pa.types.is_fixed_size_list(t):
        return pa.array(values, t)
    if pa.types.is_list(t):
        offsets, items = [0], []
        for v in values:
            items += v or []
            offsets.append(len(items))
        mask = pa.array([v is None for v in values])
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), storage(items, t.value_type), mask=mask)
    if pa.types.is_dictionary(t):
        return pa.array(values, pa.string()).dictionary_encode()
    return pa.array(values, t)


def plain(v):
    """A value as expected.json has it."""
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, decimal.Decimal):
        return format(v, "f")
    if isinstance(v, bytes):
        return "hex:" + v.hex()
    if isinstance(v, float) and not math.isfinite(v):
        return "NaN" if math.isnan(v) else "Inf" if v > 0 else "-Inf"
    return v


def tables(expected):
    nulls = {name: nullable(name, values) for name, (_, values) in columns.items()}
    whole = {name: values for name, (_, values) in columns.items()}
    expected["tables"]["types-nulls"] = {name: [plain(v) for v in values] for name, values in nulls.items()}
    expected["tables"]["types-whole"] = {name: [plain(v) for v in values] for name, values in whole.items()}

    def required(t):
        if pa.types.is_fixed_size_list(t):
            return pa.list_(pa.field("element", required(t.value_type), nullable=False), t.list_size)
        return t

    both = {}
    for key, data in (("types-nulls", nulls), ("types-whole", whole)):
        fields, arrays = [], []
        for name, values in data.items():
            t = columns[name][0]
            need = key == "types-whole" and name not in always_null
            arrays.append(storage(values, t))
            fields.append(pa.field(name, arrays[-1].type, nullable=not need))
        both[key] = pa.table(arrays, schema=pa.schema(fields))
    return both


def make(expected):
    both = tables(expected)

    def arrow(name, key, names=None, **options):
        names = names or list(columns)
        pq.write_table(both[key].select(names), name, **options)
        expected["files"][name] = {"table": key, "columns": names}

    def nanoseconds(name):
        return {"ms": 10**6, "us": 10**3, "ns": 1}[name[-2:]]

    # Every type, nullable and required, in both versions of data pages.
    arrow("pyarrow-types.parquet", "types-nulls", write_page_checksum=True)
    arrow("pyarrow-types-required.parquet", "types-whole", data_page_version="2.0", compression="zstd", write_page_checksum=True)
    arrow("pyarrow-types-plain.parquet", "types-whole", use_dictionary=False, compression="none", data_page_size=300)
    arrow("pyarrow-types-v2.parquet", "types-nulls", use_dictionary=False, data_page_version="2.0", compression="lz4", data_page_size=100,
          use_compliant_nested_type=False, store_decimal_as_integer=True)
    ints = ["dec4", "dec9", "dec18", "jagged_decimal"]
    arrow("pyarrow-decimal-ints.parquet", "types-nulls", ints, store_decimal_as_integer=True, version="1.0")
    split = ["int32", "int64", "float16", "float32", "float64", "dec9", "dec18", "dec38", "dec76", "uuid", "fixed", "list_half", "list_decimal", "list_uuid"]
    for name, encoding, names, options in (
        ("split", "BYTE_STREAM_SPLIT", split, {}),
        ("split-ints", "BYTE_STREAM_SPLIT", ["dec4", "dec9", "dec18"], {"store_decimal_as_integer": True}),
        ("delta", "DELTA_BINARY_PACKED", ["int8", "uint32", "uint64", "date", "time_ms", "time_ns", "ts_us", "utc_ns", "list_int", "list_date"], {}),
        ("delta-ints", "DELTA_BINARY_PACKED", ["dec4", "dec9", "dec18", "jagged_decimal"], {"store_decimal_as_integer": True}),
        ("delta-bytes", "DELTA_BYTE_ARRAY", ["string", "binary", "json", "fixed", "uuid", "dec38", "float16", "list_string", "jagged_string", "list_decimal"], {}),
        ("delta-lengths", "DELTA_LENGTH_BYTE_ARRAY", ["string", "binary", "json", "list_string", "jagged_string"], {}),
        ("rle", "RLE", ["bool", "list_bool"], {}),
    ):
        def leaf(n):
            t = both["types-nulls"].schema.field(n).type
            path = n
            while pa.types.is_list(t):
                t, path = t.value_type, path + ".list.element"
            return path
        arrow("pyarrow-encoded-%s.parquet" % name, "types-nulls", names, use_dictionary=False, data_page_size=150,
              column_encoding={leaf(n): encoding for n in names}, **options)

    # Timestamps as INT96, which have nanoseconds and are instants.
    stamps = ["ts_us", "ts_ns", "utc_ns"]
    for name, key in (("pyarrow-int96.parquet", "types-nulls"), ("pyarrow-int96-required.parquet", "types-whole")):
        pq.write_table(both[key].select(stamps), name, use_deprecated_int96_timestamps=True, use_dictionary="required" in name)
        own = {n: [None if v is None else v * nanoseconds(n) for v in expected["tables"][key][n]] for n in stamps}
        expected["files"][name] = {"table": key, "columns": stamps, "own": own}

    # All codecs, both versions of data pages, with and without checksums.
    few = ["int64", "float64", "dictionary", "dec20", "list_double", "jagged"]
    for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        for version in (1, 2):
            for checked in (True, False):
                arrow("pyarrow-codec-%s-v%d%s.parquet" % (codec, version, "-checksum" if checked else ""), "types-nulls", few,
                      compression=codec, data_page_version="%d.0" % version, write_page_checksum=checked, row_group_size=30)
    structs(expected)
    duck(expected, both)


def structs(expected):
    """Fields of structs, at depth, of structs that are null; lists in structs and structs in lists."""
    inner = pa.struct([("age", pa.float64()), ("tags", pa.list_(pa.string())), ("more", pa.struct([("n", pa.int32())]))])
    rows = [
        {"age": 30.5, "tags": ["a", None], "more": {"n": 1}}, None, {"age": None, "tags": [], "more": None},
        {"age": 1.0, "tags": None, "more": {"n": None}}, {"age": 2.0, "tags": ["b", "c", "d"], "more": {"n": 5}},
    ]
    items = [[{"x": 1.0, "l": [1.0, 2.0]}, {"x": None, "l": [3.0, 4.0]}], [], None, [None, {"x": 2.0, "l": None}], [{"x": 3.0, "l": []}]]
    t = pa.table({"context": pa.array(rows, inner), "items": pa.array(items, pa.list_(pa.struct([("x", pa.float64()), ("l", pa.list_(pa.float64()))]))),
                  "only": pa.array([[{"y": 1}], [], None, [{"y": None}], [{"y": 2}, {"y": 3}]], pa.list_(pa.struct([("y", pa.int64())]))),
                  "deep": pa.array([[[[1.0]]], [], None, [[]], [[[]]]], pa.list_(pa.list_(pa.list_(pa.float64()))))})
    pq.write_table(t, "pyarrow-structs.parquet")
    expected["tables"]["structs"] = {
        "context.age": [30.5, None, None, 1.0, 2.0], "context.tags": [["a", None], None, [], None, ["b", "c", "d"]],
        "context.more.n": [1, None, None, None, 5],
        "items.x": [[1.0, None], [], None, [None, 2.0], [3.0]], "items.l": [[[1.0, 2.0], [3.0, 4.0]], [], None, [None, None], [[]]],
        "items.list.element.x": [[1.0, None], [], None, [None, 2.0], [3.0]],
        "only": [[1], [], None, [None], [2, 3]], "only.y": [[1], [], None, [None], [2, 3]],
    }
    expected["files"]["pyarrow-structs.parquet"] = {"table": "structs", "columns": list(expected["tables"]["structs"]), "unread": ["deep"]}


def duck(expected, both):
    con = duckdb.connect()
    con.execute("SET TimeZone = 'UTC'")
    same = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "dec4", "dec9", "dec18", "dec20", "dec38",
            "string", "dictionary", "binary", "date", "time_us", "ts_us", "ts_ns", "utc_us", "list_double", "list_float", "list_bool", "list_string",
            "list_int", "list_uint", "list_decimal", "list_date", "fixed_list", "matrix", "jagged", "jagged_decimal", "jagged_string"]
    for name, key, options in (
        ("duckdb-types.parquet", "types-nulls", "COMPRESSION snappy"),
        ("duckdb-types-v2.parquet", "types-nulls", "COMPRESSION zstd, PARQUET_VERSION v2"),
        ("duckdb-types-whole.parquet", "types-whole", "COMPRESSION gzip"),
    ):
        con.register("types", both[key].select(same))
        con.execute(f"""COPY (SELECT * REPLACE (dictionary::ENUM ({", ".join(repr(w) for w in sorted(set(words)))}) AS dictionary),
            encode(string) AS blob, NULL AS nothing FROM types) TO '{name}' (FORMAT parquet, {options})""")
        own = {"blob": expected["tables"][key]["string"], "nothing": [None] * N}
        expected["files"][name] = {"table": key, "columns": same + list(own), "own": own}
    con.execute("""COPY (SELECT i, CASE WHEN i % 4 > 0 THEN ('00000000-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0'))::UUID END AS id,
        {'age': i / 2, 'name': 'n' || i, 'list': [i::FLOAT, NULL]} AS context,
        (i * 1000)::BIGINT AS n FROM range(40) t(i)) TO 'duckdb-struct.parquet' (FORMAT parquet, COMPRESSION lz4_raw)""")
    expected["tables"]["duckdb-struct"] = {
        "i": list(range(40)), "id": [None if i % 4 == 0 else "00000000-0000-4000-8000-%012d" % i for i in range(40)],
        "context.age": [i / 2 for i in range(40)], "context.name": ["n%d" % i for i in range(40)], "context.list": [[float(i), None] for i in range(40)],
        "n": [1000 * i for i in range(40)],
    }
    expected["files"]["duckdb-struct.parquet"] = {"table": "duckdb-struct", "columns": list(expected["tables"]["duckdb-struct"])}
