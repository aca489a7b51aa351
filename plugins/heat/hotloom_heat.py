"""Heat resource types of hotloom's providers, which are written in Go.

A plugin for heat-engine: put it into a folder of heat.conf's plugin_dirs (`hotloom heat-plugin install` does). It makes
one class of each type that `hotloom heat-plugin serve` offers, and passes on to it what Heat asks of them, as one JSON
object each way over a Unix socket. All decisions are made there; here is only what needs Heat's own classes.

It needs nothing but Heat, and works the same on an engine of green threads (to Heat 24) and one of real ones: the only
thing that ever waits is a socket with a timeout, and nothing is opened when the module is loaded that a fork could
share. Work is started and then asked for. What has to survive this engine or the other side is kept in the resource's
data before it is needed.
"""

import json
import os
import socket
import time

from oslo_log import log

from heat.common import exception
from heat.common import plugin_loader
from heat.engine import attributes
from heat.engine import constraints
from heat.engine import function
from heat.engine import plugin_manager
from heat.engine import properties
from heat.engine import resource
from heat.engine import resources
from heat.engine import rsrc_defn
from heat.engine import support
from heat.engine.resources import signal_responder

LOG = log.getLogger(__name__)

STATE = '/var/lib/hotloom-heat'  # install writes the real one here
CALL = 60        # seconds for one answer; the other side answers within a few
PATIENCE = 300   # seconds that the other side may be away while work goes on
LOADING = 10     # seconds to wait for the types when the engine starts


class Unreachable(Exception):
    """Nobody has answered, and it is not known whether anybody has heard."""


def ask(call, timeout=CALL, **body):
    """One call: {"call": ..., ...} there, one object back."""
    path = os.path.join(STATE, 'heat.sock')
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout)
        connection.connect(path)
        connection.sendall(json.dumps(dict(body, call=call), default=str).encode())
        connection.shutdown(socket.SHUT_WR)
        return json.loads(b''.join(iter(lambda: connection.recv(1 << 16), b'')))
    except (OSError, ValueError) as e:
        raise Unreachable('hotloom heat-plugin serve does not answer at %s: %s' % (path, e))
    finally:
        connection.close()


class Remote(resource.Resource):
    """A resource whose type a provider has. Subclasses are made by class_of."""

    TYPE = ''
    OWN_VALIDATE = False  # there are checks beyond the schema
    OWN_SIGNAL = False    # the type has an attribute called signal
    REFERENCE = ''        # what get_resource gives: 'name', or the physical id

    # -- what is said of the resource

    def _told(self, props, **more):
        return dict(more, data=self._kept(), instance={
            'type': self.TYPE, 'name': self.name, 'stack': self.stack.name, 'stack_id': self.stack.id or '',
            'physical_name': self.physical_resource_name() or '', 'id': self.resource_id or '',
            'properties': self._values(props), 'signal_url': self.data().get('heat_signal_url') or '',
        })

    def _values(self, props):
        values = {}
        for name in props:
            try:
                values[name] = props[name]
            except Exception as e:
                if self.action != self.DELETE:  # which must work whatever has become of the schema
                    raise
                LOG.warning('%s: %s', self, e)
        return {name: value for name, value in values.items() if value is not None}

    def _kept(self):
        return {k: v for k, v in self.data().items() if k.startswith('hotloom')}

    # -- what comes back

    def _take(self, answer):
        for key, value in answer.get('keep') or ():  # in this order: an engine may end between any two
            if value is None:
                self.data_delete(key)
            else:
                self.data_set(key, value, redact=True)
        if answer.get('id') and answer['id'] != self.resource_id:
            self.resource_id_set(answer['id'])
        for message in answer.get('events') or ():
            self._add_event(self.action, self.status, message)
        return answer

    def _refused(self, answer, *prefix):
        error = answer.get('error')
        if not error:
            return
        if error.get('path'):
            raise exception.StackValidationFailed(
                error='Property error', message=error['message'],
                path=list(prefix) + [self.stack.t.get_section_name(rsrc_defn.PROPERTIES)] + error['path'])
        raise exception.Error(error['message'])

    # -- the life of a resource

    def _start(self, action, props, **more):
        left = self.stack.time_remaining()
        return {'begin': self._told(props, action=action, seconds=max(left, 1), **more), 'begun': False, 'repeated': False}

    def _go_on(self, work):
        if not work:
            return True
        try:
            if not work['begun']:
                # Kept before anything is done, so that it can be told later whether it was.
                answer = self._take(ask('begin', **work['begin']))
                self._refused(answer)
                work['begun'] = True
            answer = ask('step', data=self._kept(), repeated=work['repeated'])
        except Unreachable as e:
            work['repeated'] = work['begun']
            if time.monotonic() - work.setdefault('lost', time.monotonic()) > PATIENCE:
                raise exception.Error(str(e))
            return False
        work['repeated'] = False
        work.pop('lost', None)
        self._take(answer)
        self._refused(answer)
        if answer.get('replace'):
            raise resource.UpdateReplace(self.name)
        return answer['done']

    def _cancelled(self, work):
        if work and work['begun']:
            ask('cancel', data=self._kept())

    def handle_create(self):
        return self._start('CREATE', self.properties)

    def handle_delete(self):
        return self._start('DELETE', self.properties)

    check_create_complete = check_update_complete = check_delete_complete = check_check_complete = _go_on
    check_suspend_complete = check_resume_complete = _go_on
    handle_create_cancel = handle_update_cancel = handle_delete_cancel = _cancelled
    handle_check_cancel = handle_suspend_cancel = handle_resume_cancel = _cancelled

    def needs_replace_failed(self):
        # Where an engine has ended in the middle, the work has gone on without it: it is not done once more.
        left = self.stack.time_remaining()
        until = time.monotonic() + max(left, 1)
        while True:
            try:
                answer = self._take(ask('adopt', data=self._kept()))
                if answer['done']:
                    return answer.get('replace', False)
            except Unreachable as e:
                LOG.warning('%s: %s', self, e)
            if time.monotonic() > until:
                return True
            time.sleep(1)

    # -- what is asked in between

    def validate(self):
        resource.Resource.validate(self)
        if not self.OWN_VALIDATE or not self.stack.strict_validate:
            return
        raw = self.properties.data
        unknown = [name for name in raw if any(r.action == r.INIT for r in function.dependencies(raw[name]))]
        known = {n: self.properties[n] for n in self.properties if n not in unknown}
        try:
            answer = ask('validate', unknown=[[name] for name in unknown], **self._told(known))
        except Unreachable as e:
            raise exception.StackValidationFailed(message=str(e), resource=self)
        self._refused(answer, self.stack.t.RESOURCES, self.t.name)

    def get_reference_id(self):
        return self.name if self.REFERENCE == 'name' else resource.Resource.get_reference_id(self)

    def _resolve_attribute(self, name):
        if self.resource_id is None:
            return None
        answer = self._patiently('attributes', names=[name], **self._told(self.properties))
        return answer['attributes'].get(name)

    def _patiently(self, call, **body):
        for _ in range(10):
            try:
                answer = ask(call, **body)
                break
            except Unreachable as e:
                problem = e
                time.sleep(1)
        else:
            raise exception.Error(str(problem))
        self._take(answer)
        self._refused(answer)
        return answer


class Updated(Remote):
    def handle_update(self, json_snippet, tmpl_diff, prop_diff):
        if prop_diff:
            after = json_snippet.properties(self.properties_schema, self.context)
            return self._start('UPDATE', after, prior=self._values(self.properties))


class Checked(Remote):
    def handle_check(self):
        return self._start('CHECK', self.properties)


class Suspended(Remote):
    def handle_suspend(self):
        return self._start('SUSPEND', self.properties)

    def handle_resume(self):
        return self._start('RESUME', self.properties)


class Signalled(Remote, signal_responder.SignalResponder):
    """Besides signals, this has credentials that may send them and nothing else."""

    def handle_create(self):
        self._get_heat_signal_credentials()
        self._get_heat_signal_url(project_id=self.stack.stack_user_project_id)
        return self._start('CREATE', self.properties)

    def check_delete_complete(self, work):
        if not self._go_on(work):
            return False
        signal_responder.SignalResponder.handle_delete(self)
        return True

    def handle_signal(self, details=None):
        return self._patiently('signal', details=details, **self._told(self.properties)).get('text')

    def _resolve_attribute(self, name):
        if name != 'signal' or self.OWN_SIGNAL:
            return Remote._resolve_attribute(self, name)
        if self.data().get('heat_signal_url') is None:
            return None
        return json.dumps(dict(self._get_heat_signal_credentials(), alarm_url=self.data()['heat_signal_url']))

    def handle_suspend(self):  # its user must be able to signal when the stack resumes
        return None

    handle_resume = handle_suspend


ABILITIES = (('update', Updated), ('check', Checked), ('suspend', Suspended), ('signal', Signalled))


def schema_of(kind, spec):
    spec = dict(spec)
    for key, make in (('support_status', lambda s: support.SupportStatus(**s)),
                      ('constraints', lambda cs: [getattr(constraints, c)(**args) for c, args in cs]),
                      ('schema', lambda s: {name: schema_of(kind, inner) for name, inner in s.items()}),
                      ('items', lambda s: schema_of(kind, s))):
        if key in spec:
            spec['schema' if key == 'items' else key] = make(spec.pop(key))
    return kind(**spec)


def class_of(name, spec):
    """The class of one type."""
    bases = [base for step, base in ABILITIES if step in spec['steps']] or [Remote]
    offered = {n: schema_of(attributes.Schema, s) for n, s in spec['attributes'].items()}
    if 'signal' in spec['steps']:
        offered.setdefault('signal', attributes.Schema(
            'JSON text with credentials that may signal this resource and nothing else, and with the URL to POST to.',
            cache_mode=attributes.Schema.CACHE_NONE, type=attributes.Schema.STRING))
    return type(name.replace('::', ''), tuple(bases), {
        '__doc__': spec['description'], '__module__': __name__, 'TYPE': name,
        'OWN_VALIDATE': spec['own_validate'], 'OWN_SIGNAL': 'signal' in spec['attributes'], 'REFERENCE': spec['reference'],
        'physical_resource_name_limit': spec['name_limit'],
        'support_status': support.SupportStatus(**spec['support_status']),
        'properties_schema': {n: schema_of(properties.Schema, s) for n, s in spec['properties'].items()},
        'attributes_schema': offered,
    })


def either(stock, ours):
    """Heat's own class, which behaves as ours where a resource has a property that only ours has.

    One class, since Heat replaces a resource whose class is not the one that it has for its type.
    """
    only = set(ours.properties_schema) - set(stock.properties_schema)
    differ = [n for n in set(dir(stock)) | set(dir(ours)) if not n.startswith('__') and n != 'needs_replace' and
              getattr(ours, n, None) is not getattr(stock, n, None) and not isinstance(getattr(stock, n, None), property)]

    def __init__(self, name, definition, stack):
        self.is_ours = bool(only.intersection(definition.render_hot().get('properties') or {}))
        for n in differ if self.is_ours else ():
            value = getattr(ours, n, None)
            setattr(self, n, value.__get__(self) if type(value) is type(either) else value)
        stock.__init__(self, name, definition, stack)

    def needs_replace(self, after):
        if self.is_ours != bool(only.intersection(after.data)):
            return True
        return (ours if self.is_ours else stock).needs_replace(self, after)

    return type(stock.__name__, (stock,), {'__init__': __init__, '__module__': __name__, '__doc__': stock.__doc__,
                                           'needs_replace': needs_replace})


def offered():
    """The types as the other side says them; where it is down, as it said them last."""
    try:
        return ask('types', timeout=LOADING)['types']
    except (Unreachable, KeyError) as e:
        LOG.warning('%s; the types are those that it had when it last ran', e)
    try:
        with open(os.path.join(STATE, 'types.json')) as f:
            return json.load(f)['types']
    except (OSError, ValueError, KeyError) as e:
        LOG.error('no resource types of hotloom: %s', e)
        return {}


def available_resource_mapping():
    own = plugin_manager.PluginMapping(['available_resource', 'resource'])
    stock = {}
    for module in plugin_loader.load_modules(resources):
        stock.update(own.load_from_module(module))
    mapping = {}
    for name, spec in offered().items():
        try:
            ours = class_of(name, spec)
            mapping[name] = either(stock[name], ours) if name in stock else ours
        except Exception:  # one type must not keep the engine from starting
            LOG.exception('resource type %s is left out', name)
    return mapping
