"""Compares the classes that the plugin of a folder makes of Test::NAME with Heat's own of the same names, and says what differs."""
import json
import sys

from heat.common import config  # noqa: F401 (registers plugin_dirs)
from oslo_config import cfg

cfg.CONF([], project='heat', default_config_files=[])
cfg.CONF.set_override('plugin_dirs', [sys.argv[1]])

from heat.engine import resources  # noqa: E402

env = resources.global_env()


def constraint(c):
    said = {k: v for k, v in vars(c).items() if not k.startswith('_') and v is not None}
    if isinstance(said.get('allowed'), (list, tuple)):
        said['allowed'] = [str(a) for a in said['allowed']]
    return [type(c).__name__, said]


def told(schema):
    """What Heat does by a schema of a property; numbers as numbers are compared."""
    inner = schema.schema
    return {
        'type': schema.type, 'required': schema.required, 'update': schema.update_allowed, 'immutable': schema.immutable,
        'implemented': getattr(schema, 'implemented', True), 'default': schema.default, 'status': schema.support_status.status,
        'constraints': [constraint(c) for c in schema.constraints],
        'schema': {str(n): told(s) for n, s in inner.items()} if inner else None,
    }


def differences(name, a, b, out):
    for key in sorted(set(a) | set(b)):
        if a.get(key) != b.get(key):
            out.append([name, str(key), repr(a.get(key))[:300], repr(b.get(key))[:300]])


out, compared = [], 0
for ours in sorted(n for n in env.get_types(with_description=False) if n.startswith('Test::S_')):
    name = ours[len('Test::S_'):].replace('_X_', '::')
    a, b = env.get_class(ours), env.get_class(name)
    compared += 1
    differences(name, {n: told(s) for n, s in a.properties_schema.items()}, {n: told(s) for n, s in b.properties_schema.items()}, out)
    made, has = ({n: s.type for n, s in c.attributes_schema.items() if n not in ('signal', 'show')} for c in (a, b))
    for n in set(made) & set(has):  # the catalog has not recorded all types
        made[n] = made[n] or has[n]
    differences(name, made, has, out)
print(json.dumps({'compared': compared, 'differences': out}))
