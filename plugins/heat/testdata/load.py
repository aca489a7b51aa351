"""Loads the plugin of a folder as an engine with real threads does, and says what the class of Test::Thing is like."""
import json
import os
import sys
import threading
import time

from heat.common import config  # noqa: F401 (registers plugin_dirs)
from oslo_config import cfg

cfg.CONF([], project='heat', default_config_files=[])
cfg.CONF.set_override('plugin_dirs', [sys.argv[1]])

from heat.engine import resources  # noqa: E402

thing = resources.global_env().get_class('Test::Thing')
plugin = sys.modules[thing.__module__]
name = thing.properties_schema['name']


def concurrent():
    """Whether two calls, each of which is held for two seconds, are made at once."""
    lost = []

    def hold(n):
        try:
            begun = plugin.ask('begin', action='CREATE', seconds=60, data={}, instance={
                'type': 'Test::Thing', 'name': n, 'properties': {'name': n, 'mode': 'slow'}})
            kept = dict(begun['keep'])
            plugin.ask('step', data=kept, repeated=False)
            plugin.ask('step', data=kept, repeated=True)
        except plugin.Unreachable as e:
            lost.append(e)

    start = time.monotonic()
    threads = [threading.Thread(target=hold, args=(n,)) for n in 'ab']
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if lost:
        raise lost[0]
    return time.monotonic() - start < 4


def workers():
    """Whether workers that are forked after the plugin was loaded, as an engine's are, can each ask."""
    children = []
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            os._exit(0 if plugin.ask('types')['types'] else 1)
        children.append(pid)
    return all(os.waitpid(pid, 0)[1] == 0 for pid in children)


try:
    together = workers() and concurrent()
except plugin.Unreachable:
    together = None
print(json.dumps({
    'length': [name.constraints[0].min, name.constraints[0].max], 'required': name.required, 'update': name.update_allowed,
    'allowed': list(thing.properties_schema['mode'].constraints[0].allowed), 'default': thing.properties_schema['big'].default,
    'attributes': sorted(thing.attributes_schema), 'handles': sorted(n for n in dir(thing) if n.startswith('handle_')),
    'concurrent': together,
}))
