"""Actions of the OpenStack services for a Mistral without mistral-extra, as Debian's is.

An action provider of Mistral: heat.software_configs_create is the method software_configs.create of Heat's Python client,
and so on for each service below; its inputs are the method's. A cloud has mistral-extra, which gives the same names.
"""
import importlib
import inspect

from keystoneauth1 import session as keystone_session
from keystoneauth1 import token_endpoint
from mistral_lib import actions


def _client(module):
    return importlib.import_module(module)


# name -> (type in the catalogue, a client of a session, an endpoint and a token)
SERVICES = {
    'heat': ('orchestration', lambda s, url, token: _client('heatclient.v1.client').Client(session=s, endpoint_override=url)),
    'ironic': ('baremetal', lambda s, url, token: _client('ironicclient.client').get_client(
        1, session=s, endpoint_override=url, os_ironic_api_version='1.78')),
    'keystone': ('identity', lambda s, url, token: _client('keystoneclient.v3.client').Client(session=s, endpoint_override=url)),
    'swift': ('object-store', lambda s, url, token: _client('swiftclient.client').Connection(
        preauthurl=url, preauthtoken=token, auth_version='3')),
    'mistral': ('workflowv2', lambda s, url, token: _client('mistralclient.api.v2.client').Client(
        mistral_url=url, auth_token=token, session=s)),
}


def _find(client, name):
    """The method that an action's name means: managers' names and methods are joined by _, and may hold _ themselves."""
    target = getattr(client, name, None)
    if callable(target):
        return target
    for i, c in enumerate(name):
        if c == '_' and i and hasattr(client, name[:i]):
            method = getattr(getattr(client, name[:i]), name[i + 1:], None)
            if callable(method):
                return method
    return None


def _plain(value):
    """JSON, with the clients' objects as their fields."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, bytes):
        return value.decode('utf-8', 'replace')
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if callable(getattr(value, 'to_dict', None)):
        return _plain(value.to_dict())
    if hasattr(value, '__iter__'):
        return [_plain(v) for v in value]
    return str(value)


class OpenStackAction(actions.Action):
    def __init__(self, service, name, inputs):
        super().__init__()
        self.service, self.name, self.inputs = service, name, inputs

    def run(self, context):
        security = context.security
        token = security.auth_token
        identity = security.auth_uri.rstrip('/')
        if not identity.endswith('/v3'):
            identity += '/v3'
        catalog = keystone_session.Session(auth=token_endpoint.Token(identity, token)).get(
            identity + '/auth/catalog', endpoint_override=identity).json()['catalog']
        kind, make = SERVICES[self.service]
        urls = [e['url'] for s in catalog if s['type'] == kind for e in s['endpoints'] if e['interface'] == 'public']
        if not urls:
            return actions.Result(error='the catalogue has no %s' % kind)
        method = _find(make(keystone_session.Session(auth=token_endpoint.Token(urls[0], token)), urls[0], token), self.name)
        try:
            return _plain(method(**self.inputs))
        except Exception as e:  # the workflow gets the service's own words
            return actions.Result(error='%s.%s failed: %s' % (self.service, self.name, e))


class Descriptor(actions.ActionDescriptor):
    namespace = project_id = None
    scope = 'public'
    action_class_name = action_class_attributes = None

    def __init__(self, service, short, method):
        self.service, self.short = service, short
        self._parameters = [p for p in inspect.signature(method).parameters.values() if p.name != 'self']

    name = property(lambda self: self.service + '.' + self.short)
    description = property(lambda self: 'method of the Python client')
    params_spec = property(lambda self: ', '.join(
        str(p) if p.kind == p.VAR_KEYWORD or p.default is p.empty else '%s=null' % p.name for p in self._parameters))

    def check_parameters(self, params):
        if any(p.kind == p.VAR_KEYWORD for p in self._parameters):
            return
        known = {p.name for p in self._parameters}
        needed = {p.name for p in self._parameters if p.default is p.empty and p.kind != p.VAR_POSITIONAL}
        if set(params) - known or needed - set(params):
            raise ValueError('Invalid input [name=%s, missing=%s, unexpected=%s]' % (
                self.name, sorted(needed - set(params)), sorted(set(params) - known)))

    def instantiate(self, input_dict, wf_ctx):
        return OpenStackAction(self.service, self.short, dict(input_dict))

    def post_process_result(self, result):
        return result


class Provider(actions.ActionProvider):
    def __init__(self, name='openstack'):
        super().__init__(name)
        self._clients = {}

    def find(self, action_name, namespace=None):
        service, _, short = action_name.partition('.')
        if service not in SERVICES:
            return None
        if service not in self._clients:  # without a server behind it: only its methods are looked at
            nowhere = 'http://127.0.0.1:1'
            session = keystone_session.Session(auth=token_endpoint.Token(nowhere, ''))
            self._clients[service] = SERVICES[service][1](session, nowhere, '')
        method = _find(self._clients[service], short)
        return Descriptor(service, short, method) if method else None

    def find_all(self, namespace=None, limit=None, sort_fields=None, sort_dirs=None, filters=None):
        return []
