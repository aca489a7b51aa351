"""Types YAML documents as Heat's loader does, for tests that ask the real PyYAML.

Reads one document a line from standard input, as a JSON string; writes one line each: the typed value as JSON, or
"error". Exits with status 3 where this Python has no PyYAML with libyaml.
"""
import base64
import json
import struct
import sys

try:
    import yaml
    from yaml import CSafeLoader
except ImportError:
    sys.exit(3)


class Loader(CSafeLoader):
    pass


for tag in ("str", "timestamp"):
    Loader.add_constructor("tag:yaml.org,2002:" + tag, lambda self, node: self.construct_scalar(node))


def typed(v):
    if v is None:
        return ["null"]
    if isinstance(v, bool):
        return ["boolean", v]
    if isinstance(v, int):
        return ["integer", str(v)]
    if isinstance(v, float):
        return ["float", "nan" if v != v else struct.pack(">d", v).hex()]
    if isinstance(v, str):
        return ["string", v]
    if isinstance(v, bytes):
        return ["bytes", base64.b64encode(v).decode()]
    if isinstance(v, (list, tuple)):
        return ["list", [typed(x) for x in v]]
    if isinstance(v, set):
        return ["set", [typed(x) for x in v]]
    return ["map", [[typed(k), typed(x)] for k, x in v.items()]]


def load(text):
    try:
        try:
            value = yaml.load(text, Loader=Loader)
        except yaml.YAMLError:
            # So does Heat. The dates that this loader makes are no JSON, so typed refuses them.
            value = yaml.load(text, Loader=yaml.SafeLoader)
        return typed({} if value is None else value)
    except Exception:
        return "error"


for line in sys.stdin:
    print(json.dumps(load(json.loads(line))))
