#!/usr/bin/env bash
# Installs bandit libraries from PyPI, each in an environment of its own, has each write
# logs as its documentation runs it, audits them, and writes CLIENTS.md.
#
#   bash testdata/clients/run.sh [DIR]
#
# DIR keeps the environments and the logs (some 2 GB; a second run installs nothing).
# Needs python3 (3.11), go, a C++ compiler for contextualbandits, and PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=${1:-${TMPDIR:-/tmp}/banditaudit-clients}
mkdir -p "$dir/cases/venvs" "$dir/logs"
missing=

# install LIBRARY REQUIREMENT...: what does not install is named on the page.
install() {
    local name=$1 venv=$dir/cases/venvs/$1
    shift
    [ -e "$venv/installed" ] && return
    echo "install $*" >&2
    rm -rf "$venv"
    python3 -m venv "$venv"
    if "$venv/bin/pip" install --quiet --disable-pip-version-check pyarrow==26.0.1 "$@" 2> "$dir/$name.log"; then
        touch "$venv/installed"
    else
        missing+="$name ($*): $(tail -n 1 "$dir/$name.log")"$'\n'
    fi
}

install mabwiser mabwiser==2.7.4
install river river==0.26.1
install pymab pymab==2.0.1
install smpybandits SMPyBandits==0.9.7 'scipy<1.14'
install striatum striatum==0.2.5
install coba coba==8.1.0
install vw vowpalwabbit==9.11.9
install contextualbandits contextualbandits==0.3.30
install growthbook growthbook==4.0.0
# Without torch, which the policies that run here do not use.
install obp numpy pandas scikit-learn scipy tqdm pyyaml
if [ -e "$dir/cases/venvs/obp/installed" ]; then
    "$dir/cases/venvs/obp/bin/pip" install --quiet --disable-pip-version-check --no-deps obp==0.4.1
fi

cp testdata/clients/cases/*.yaml testdata/clients/{serve,logs,program}.py "$dir/cases/"
rm -f "$dir"/logs/*.parquet
for protocol in testdata/clients/cases/*.yaml; do
    name=$(basename "$protocol" .yaml)
    of=${name#exec_}
    venv=$dir/cases/venvs/${of%%_*}
    [ -e "$venv/installed" ] || continue
    "$venv/bin/python" testdata/clients/logs.py "$name" "$dir/logs/$name.parquet" > "$dir/$name.log" 2>&1 ||
        missing+="$name wrote no log: $(tail -n 1 "$dir/$name.log")"$'\n'
done
go run ./testdata/clients/clients -protocols "$dir/cases" -logs "$dir/logs" -missing "$missing" -o testdata/clients/CLIENTS.md
