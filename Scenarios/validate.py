#!/usr/bin/env python3
"""Holds every scenario against schema.json. Needs PyYAML and jsonschema; exit 77 without them."""

import json
import pathlib
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"not checked: {missing}", file=sys.stderr)
    sys.exit(77)


class Loader(yaml.SafeLoader):
    """Times stay texts, and so does every word that YAML 1.2 no longer takes for a boolean."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if not tag.endswith((":timestamp", ":bool"))]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool",
    __import__("re").compile(r"^(?:true|True|TRUE|false|False|FALSE)$"),
    list("tTfF"),
)

folder = pathlib.Path(__file__).resolve().parent
validator = jsonschema.Draft202012Validator(json.loads((folder / "schema.json").read_text()))
validator.check_schema(validator.schema)
files = [pathlib.Path(path) for path in sys.argv[1:]] or sorted(folder.glob("*/*.yaml"))
errors = 0
for path in files:
    for error in validator.iter_errors(yaml.load(path.read_text(), Loader)):
        errors += 1
        print(f"{path}: {error.json_path}: {error.message[:200]}")
print(f"{len(files)} files, {errors} errors")
sys.exit(1 if errors else 0)
