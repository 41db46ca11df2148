#!/bin/sh
# DuckDB reads objects as rows of nulls, without an error, where their members first come after its sample.
#
# Tool      duckdb 2.0.1 from PyPI, on Linux, x86-64; read_json with no options but the file
# Documents https://duckdb.org/docs/stable/data/json/loading_json and .../format_settings: types are found from a sample
#           (sample_size, 20480 objects); ignore_errors is false. Known as https://github.com/duckdb/duckdb/issues/25826.
# Guess     An object with members that the sampled type lacks is an error, as it is in the first file: "has unknown key".
# Found     It is an error only as long as no sampled column is null in each row. One such column, at the top or inside
#           the object, switches the error off: the later objects come back with all their members null.
# Right     sample_size=-1, or columns={…} with the type JSON for objects that differ from row to row.
#
# Ends with 0 if DuckDB still does this, with 1 if it does something else, with 2 if it cannot be tried.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" >&2 && "$folder/venv/bin/pip" install --quiet duckdb==2.0.1 >&2 || exit 2
cd "$folder"
"$folder/venv/bin/python" - <<'PYTHON'
import json
import sys

import duckdb

EARLY, LATE = 25_000, 10


def read(title, more, source="read_json('{}')"):
    """Writes objects of one kind and then of another, and returns the payload of the first late one."""
    name = "events.jsonl"
    with open(name, "w") as file:
        for number in range(EARLY + LATE):
            payload = {"amount": number} if number < EARLY else {"reason": "late"}
            file.write(json.dumps({"number": number, **more, "payload": payload}) + "\n")
    try:
        found = duckdb.sql(
            f"SELECT CAST(to_json(payload) AS VARCHAR) FROM {source.format(name)} WHERE number = {EARLY}"
        ).fetchall()[0][0]
    except duckdb.Error as error:
        found = "error: " + str(error).split("\n")[0]
    print(f"{title}: {found}")
    return found


print("duckdb", duckdb.__version__)
print('the payload that was written: {"reason":"late"}')
answers = [
    read("without a column of nulls", {}),
    read("with a column of nulls", {"cause": None}),
    read("with a column of nulls, sample_size=-1", {"cause": None}, "read_json('{}', sample_size=-1)"),
    read("with a column of nulls, columns", {"cause": None},
         "read_json('{}', columns={{number: 'BIGINT', payload: 'JSON'}})"),
]
is_as_found = ("unknown key" in answers[0] and answers[1] == '{"amount":null}'
               and '"reason":"late"' in answers[2] and answers[3] == '{"reason":"late"}')
print("as found" if is_as_found else "CHANGED: DuckDB now does something else")
sys.exit(0 if is_as_found else 1)
PYTHON
