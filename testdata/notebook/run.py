"""Runs the lines of README.md and topics/reading.md that read a bundle, the queries of
testdata/warehouse, and the code of arms.ipynb, on the bundle that BUNDLE names: see run.sh."""

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import matplotlib.pyplot as plt
import nbformat

root = Path(__file__).parents[2]
bundle = os.environ["BUNDLE"]
ran = 0
for page in ("README.md", "cmd/banditaudit/topics/reading.md"):
    text = (root / page).read_text()
    for sql in re.findall(r'^    duckdb -c "(.*)"$', text, re.M) + re.findall(r"(select \* from read_parquet.*?)(?:`|$)", text, re.M):
        rows = duckdb.sql(sql.replace("DIR", bundle)).fetchall()
        print(f"{page}: {sql}: {len(rows)} rows")
        if ("where verdict" in sql) != (not rows):  # a test of dbt selects what is wrong
            sys.exit("rows that should not be there, or none")
        ran += 1
    for command in re.findall(r"^    (python3 -c .*|jq .*|cd DIR && sha256sum .*)$", text, re.M):
        command = command.replace("DIR", bundle).replace("python3", sys.executable)
        out = subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout
        print(f"{page}: {command}: {len(out.splitlines())} lines")
        if not out:
            sys.exit("no output")
        ran += 1
if ran < 8:
    sys.exit(f"only {ran} commands found")

warehouse = root / "testdata/warehouse"
for path in sorted([*warehouse.glob("models/*.sql"), *warehouse.glob("tests/*.sql")]):
    sql = re.sub(r"\{\{ source\('audit', '(\w+)'\) \}\}", rf"read_parquet('{bundle}/tables/\1.parquet')", path.read_text())
    rows = duckdb.sql(sql).fetchall()
    print(f"{path.relative_to(root)}: {len(rows)} rows")
    if (path.parent.name == "tests") != (not rows):
        sys.exit("rows that should not be there, or none")

notebook = nbformat.read(Path(__file__).parent / "arms.ipynb", as_version=4)
nbformat.validate(notebook)
names = {}
for cell in notebook.cells:
    if cell.cell_type == "code":
        exec(compile(cell.source, cell.id, "exec"), names)
drawn = plt.figure(plt.get_fignums()[-1]).axes[0]
print(f"arms.ipynb: {len(drawn.get_yticklabels())} arms drawn")
if len(drawn.get_yticklabels()) != 5:
    sys.exit("the homepage experiment has 5 arms")
