"""Audits a log in PARTS mapped tasks and merges their fragments: an example, checked by run.sh.

Every worker needs the binary, the protocol with its seed, the log, and FRAGMENTS, at the same
paths. The XCom of `merge` is the summary, of at most 10 kB.
"""

import os
import subprocess
from datetime import datetime, timedelta

from airflow.sdk import dag, task
from airflow.sdk.exceptions import AirflowFailException

BANDITAUDIT = os.environ.get("BANDITAUDIT", "banditaudit")
PROTOCOL = os.environ.get("PROTOCOL", "/data/protocol.yaml")
LOG = os.environ.get("LOG", "/data/log")
FRAGMENTS = os.environ.get("FRAGMENTS", "/data/fragments")
BUNDLE = os.environ.get("BUNDLE", "/data/bundle")
PARTS = 4
WORTH_ANOTHER_TRY = {5, 6, 130, 143}  # not written, out of memory, interrupted, terminated


def banditaudit(*arguments):
    """Runs it; what another try would answer in the same way is not tried again."""
    done = subprocess.run([BANDITAUDIT, *arguments], capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    why = f"banditaudit {arguments[0]} ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    raise (RuntimeError if done.returncode in WORTH_ANOTHER_TRY or done.returncode < 0 else AirflowFailException)(why)


@task(retries=3, retry_delay=timedelta(minutes=1))
def part(index, run_id=None):
    """Exit 0 says that the fragment is there; verdicts are those of merge."""
    folder = f"{FRAGMENTS}/{run_id}"
    os.makedirs(folder, exist_ok=True)
    fragment = f"{folder}/{index}.frag"
    banditaudit("audit", "-q", "-p", PROTOCOL, "--part", f"{index}/{PARTS}", "-o", fragment, LOG)
    return fragment


@task(retries=3, retry_delay=timedelta(minutes=1))
def merge(fragments):
    """--force: an earlier try may have written the bundle and been lost after that."""
    return banditaudit("merge", "-p", PROTOCOL, "-o", BUNDLE, "--force", "--json=summary", *fragments)


@dag(schedule=None, start_date=datetime(2026, 1, 1), catchup=False, tags=["audit"])
def bandit_audit():
    merge(part.expand(index=list(range(PARTS))))


bandit_audit()
