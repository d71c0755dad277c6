"""Imports audit_dag.py and calls the functions of its tasks, without a scheduler: see run.sh."""

import json
import os

import audit_dag
from airflow.sdk.exceptions import AirflowFailException

graph = audit_dag.bandit_audit()
assert sorted(graph.task_ids) == ["merge", "part"] and not graph.validate()
assert graph.get_task("merge").upstream_task_ids == {"part"} and graph.get_task("part").is_mapped
part, merge = audit_dag.part.function, audit_dag.merge.function
fragments = [part(i) for i in range(audit_dag.PARTS)]
assert part(1) == fragments[1], "a second try of a part ends with 0"
for attempt in (1, 2):
    summary = json.loads(merge(fragments))
assert summary["overall"] == "NO EXCEPTIONS NOTED", summary
whole = os.environ["WHOLE"]
for name in ("results.json", "report.html"):
    with open(f"{whole}/{name}", "rb") as a, open(f"{audit_dag.BUNDLE}/{name}", "rb") as b:
        assert a.read() == b.read(), name
try:
    merge(fragments[1:])
    raise SystemExit("a missing part was merged")
except AirflowFailException as refused:
    print(str(refused).splitlines()[0])
print(f"{len(fragments)} parts and merge: the bytes of one audit")
