"""Writes logs in which every role has a column, by pyarrow and by DuckDB, and
what a tableau must hold of them: expected.json, computed here in plain Python.

    python3 make.py

Made with Python 3.11.7, pyarrow 26.0.1 and DuckDB 2.0.0. Equal versions give
equal bytes.
"""

import datetime as dt
import decimal
import json
import pathlib
import random
import uuid

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
ARMS = ["a", "b", "c"]
LEVELS = ["DE", "FR", "IT"]
ROWS = 240


def rows():
    """Rows of two experiments that come interleaved and out of order."""
    rng = random.Random(20261121)
    out = []
    for i in range(ROWS):
        probs = [rng.choice([0.125, 0.25, 0.5]) for _ in ARMS]
        arm = rng.randrange(3)
        can = [rng.random() < 0.6 or k == arm for k in range(3)]
        ts = dt.datetime(2026, 11, 1) + dt.timedelta(minutes=i)
        late = dt.timedelta(minutes=rng.randrange(0, 90), microseconds=rng.choice([0, 1]))
        out.append({
            "day": dt.date(2026, 11, 1 + i % 2),
            "ts": ts,
            "variant": ARMS[arm],
            "reward": None if rng.random() < 0.1 else decimal.Decimal(rng.randrange(-200, 300)) / 100,
            "all_rewards": None if rng.random() < 0.1 else [decimal.Decimal(rng.randrange(0, 100)) / 100 for _ in ARMS],
            "p": decimal.Decimal(int(probs[arm] * 1000)) / 1000,
            "probs": probs,
            "feats": [[rng.uniform(-1, 1) for _ in range(2)] for _ in ARMS],
            "sums": [rng.randrange(-1000, 1000) for _ in ARMS],
            "can": None if rng.random() < 0.3 else [ARMS[k] for k in range(3) if can[k]],
            "flags": can,
            "known": None if rng.random() < 0.1 else ts + late,
            "dt": dt.date(2026, 11, 1) + dt.timedelta(days=i // 50),
            "user": uuid.UUID(int=rng.randrange(20) * 2**64 + 7).bytes,
            "age": rng.randrange(0, 200) / 4,
            "score": decimal.Decimal(rng.randrange(-10**6, 10**6)) / 1000,
            "vip": rng.random() < 0.5,
            "country": rng.choice(LEVELS),
            "joined": dt.date(2026, 1, 1 + rng.randrange(3)),
            "tags": [rng.randrange(-5, 5) for _ in range(2)],
        })
    rng.shuffle(out)
    return out


SCHEMA = pa.schema([
    ("day", pa.date32()), ("ts", pa.timestamp("us", tz="UTC")), ("variant", pa.dictionary(pa.int32(), pa.string())),
    ("reward", pa.decimal128(6, 2)), ("all_rewards", pa.list_(pa.decimal128(20, 2))), ("p", pa.decimal128(4, 3)),
    ("probs", pa.list_(pa.float32())), ("feats", pa.list_(pa.list_(pa.float64()))), ("sums", pa.list_(pa.int32())),
    ("can", pa.list_(pa.string())), ("flags", pa.list_(pa.bool_())), ("known", pa.timestamp("us", tz="UTC")), ("dt", pa.date32()),
    ("user", pa.binary(16)), ("age", pa.float16()), ("score", pa.decimal256(40, 3)), ("vip", pa.bool_()),
    ("country", pa.dictionary(pa.int8(), pa.string())), ("joined", pa.date32()), ("tags", pa.list_(pa.int16())),
])


def expect(log):
    """The experiments of the tableau; what is missing is null."""
    experiments = []
    for day in sorted({r["day"] for r in log}):
        mine = sorted((r for r in log if r["day"] == day), key=lambda r: r["ts"])
        users = sorted({r["user"] for r in mine}, key=lambda u: str(uuid.UUID(bytes=u)))
        batches = []
        for r in mine:
            if not batches or batches[-1] != r["dt"]:
                batches.append(r["dt"])
        played = [r["ts"] for r in mine]
        clip = lambda y: None if y is None else float(min(max(y, 0), 1))
        experiments.append({
            "id": day.isoformat(),
            "arm": [ARMS.index(r["variant"]) for r in mine],
            "reward": [clip(r["reward"]) for r in mine],
            "reward_of_all": [None if r["all_rewards"] is None else float(r["all_rewards"][ARMS.index(r["variant"])]) for r in mine],
            "reward_by_arm": [v for r in mine for v in ([None] * 3 if r["all_rewards"] is None else [float(y) for y in r["all_rewards"]])],
            "propensity": [float(r["p"]) for r in mine],
            "propensity_by_arm": [p for r in mine for p in r["probs"]],
            "context_by_arm": [x for r in mine for arm in r["feats"] for x in arm],
            "released_by_arm": [x for r in mine for x in r["sums"]],
            "eligible": [r["can"] is None or arm in r["can"] for r in mine for arm in ARMS],
            "flags": [f for r in mine for f in r["flags"]],
            "batch": [batches.index(r["dt"]) for r in mine],
            "unit": [users.index(r["user"]) for r in mine],
            "reward_round": [2**63 - 1 if r["known"] is None else sum(t <= r["known"] for t in played) for r in mine],
            "time": [int((t - dt.datetime(1970, 1, 1)).total_seconds()) * 10**9 for t in played],
            "context": {
                "age": [float(r["age"]) for r in mine],
                "score": [float(r["score"]) for r in mine],
                "vip": [float(r["vip"]) for r in mine],
                "country=FR": [float(r["country"] == "FR") for r in mine],
                "country=IT": [float(r["country"] == "IT") for r in mine],
                "joined=2026-01-01": [float(r["joined"] == dt.date(2026, 1, 1)) for r in mine],
                "joined=2026-01-03": [float(r["joined"] == dt.date(2026, 1, 3)) for r in mine],
            },
            "tags": [float(x) for r in mine for x in r["tags"]],
            "counts": counts(mine),
        })
    return experiments


def counts(mine):
    tally = {}
    for r in mine:
        arm = ARMS.index(r["variant"])
        if r["reward"] is None:
            key = ("reward missing", arm)
        elif not 0 <= r["reward"] <= 1:
            key = ("reward clipped to range", arm)
        else:
            continue
        tally[key] = tally.get(key, 0) + 1
    return [{"reason": reason, "arm": arm, "rows": n} for (reason, arm), n in sorted(tally.items())]


def main():
    log = rows()
    utc = [dict(r, ts=r["ts"].replace(tzinfo=dt.timezone.utc), known=r["known"] and r["known"].replace(tzinfo=dt.timezone.utc)) for r in log]
    table = pa.Table.from_pylist(utc, schema=SCHEMA)
    pq.write_table(table, HERE / "pyarrow.parquet", row_group_size=100, compression="snappy", data_page_size=512)
    pq.write_table(table, HERE / "pyarrow-int96.parquet", row_group_size=150, compression="zstd", data_page_version="2.0",
                   use_deprecated_int96_timestamps=True, store_decimal_as_integer=True, use_dictionary=False)
    plain = table.set_column(table.schema.get_field_index("age"), "age", table["age"].cast(pa.float32()))
    plain = plain.set_column(plain.schema.get_field_index("score"), "score", plain["score"].cast(pa.decimal128(38, 3)))
    users = pa.array([str(uuid.UUID(bytes=r["user"])) for r in log])
    plain = plain.set_column(plain.schema.get_field_index("user"), "user", users)
    con = duckdb.connect()
    con.execute("SET TimeZone = 'UTC'")
    con.register("log", plain)
    con.execute(f"""COPY (SELECT * REPLACE (CAST("user" AS UUID) AS "user") FROM log) TO '{HERE / "duckdb.parquet"}' (FORMAT parquet)""")
    (HERE / "expected.json").write_text(json.dumps(expect(log), separators=(",", ":")) + "\n")


main()
