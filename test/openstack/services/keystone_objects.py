"""Makes the users, roles, services and endpoints of the chosen services in keystone; safe to repeat.

Environment: KEYSTONE (URL), PASSWORD, REGION, SERVICES (comma separated), and the URL of each service by its type.
"""
import json
import os
import urllib.parse
import urllib.request

KEYSTONE, PASSWORD, REGION = os.environ['KEYSTONE'], os.environ['PASSWORD'], os.environ['REGION']
TYPES = {
    'heat': [('heat', 'orchestration'), ('heat-cfn', 'cloudformation')],
    'mistral': [('mistral', 'workflowv2')],
    'ironic': [('ironic', 'baremetal')],
    'swift': [('swift', 'object-store')],
    'cloud': [('nova', 'compute'), ('glance', 'image'), ('neutron', 'network')],
}
token = None


def call(method, path, body=None):
    global token
    request = urllib.request.Request(KEYSTONE + path, method=method, headers={'Content-Type': 'application/json'},
                                     data=None if body is None else json.dumps(body).encode())
    if token:
        request.add_header('X-Auth-Token', token)
    with urllib.request.urlopen(request, timeout=30) as answer:
        if path == '/auth/tokens':
            token = answer.headers['X-Subject-Token']
        raw = answer.read()
        return json.loads(raw) if raw else None


def ensure(kind, match, extra=None):
    for thing in call('GET', '/%ss?%s' % (kind, urllib.parse.urlencode(match)))[kind + 's']:
        if all(thing.get(k) == v for k, v in match.items()):
            return thing['id']
    return call('POST', '/%ss' % kind, {kind: dict(match, **(extra or {}))})[kind]['id']


def grant(where, user, role):
    call('PUT', '/%s/users/%s/roles/%s' % (where, user, role))


def endpoints(service, url):
    for interface in ('public', 'internal', 'admin'):
        have = call('GET', '/endpoints?service_id=%s&interface=%s' % (service, interface))['endpoints']
        if not have:
            call('POST', '/endpoints', {'endpoint': {'service_id': service, 'interface': interface,
                                                     'region_id': REGION, 'url': url}})
        elif have[0]['url'] != url:
            call('PATCH', '/endpoints/' + have[0]['id'], {'endpoint': {'url': url}})


def main():
    call('POST', '/auth/tokens', {'auth': {
        'identity': {'methods': ['password'], 'password': {
            'user': {'name': 'admin', 'domain': {'id': 'default'}, 'password': PASSWORD}}},
        'scope': {'project': {'name': 'admin', 'domain': {'id': 'default'}}}}})
    role = {n: ensure('role', {'name': n}) for n in
            ('admin', 'member', 'reader', 'service', 'heat_stack_owner', 'heat_stack_user', 'swiftoperator')}
    service_project = ensure('project', {'name': 'service', 'domain_id': 'default'})
    admin_project = ensure('project', {'name': 'admin', 'domain_id': 'default'})
    admin = ensure('user', {'name': 'admin', 'domain_id': 'default'})
    for name in ('heat_stack_owner', 'member'):
        grant('projects/' + admin_project, admin, role[name])
    for service, entries in TYPES.items():
        if service not in os.environ['SERVICES'].split(','):
            continue
        user = ensure('user', {'name': service, 'domain_id': 'default'}, {'password': PASSWORD})
        for name in ('admin', 'service'):
            grant('projects/' + service_project, user, role[name])
        for name, kind in entries:
            endpoints(ensure('service', {'name': name, 'type': kind}), os.environ[kind.replace('-', '_')])
    if 'heat' in os.environ['SERVICES'].split(','):
        domain = ensure('domain', {'name': 'heat'})
        domain_admin = ensure('user', {'name': 'heat_domain_admin', 'domain_id': domain}, {'password': PASSWORD})
        grant('domains/' + domain, domain_admin, role['admin'])


main()
