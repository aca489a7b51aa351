#!/usr/bin/python3
"""Records what the Python clients of OpenStack's services, of which Mistral makes its actions, send and give back.

    record.py MISTRAL_ACTIONS.json > recorded.jsonl

Needs Debian 12's python3-{ironic,heat,swift,nova,glance,neutron,keystone,mistral}client. The file holds the client's
method of each action (key "openstack": service, action, "method"). Each action of ../calls.txt is called twice, with the
inputs that it needs and with all, on a server that answers everything; a line of the output is one call.
"""
import http.server
import json
import re
import sys
import threading
import urllib.parse
import warnings

warnings.simplefilter('ignore')
HERE = __file__.rsplit('/', 1)[0]
METHODS = json.load(open(sys.argv[1]))['openstack']

# Values for inputs by name; others get a text.
VALUES = {
    'fields': ['a', 'b'], 'limit': 5, 'detail': True, 'associated': True, 'maintenance': False, 'retired': True, 'patch': [{'op': 'add', 'path': '/x', 'value': 1}],
    'persistent': True, 'enabled': True, 'args': {'a': 1}, 'http_method': 'PUT', 'target_raid_config': {'logical_disks': []}, 'reset_interfaces': True,
    'body': {'thing': {'a': 1}}, 'timeout': 9, 'soft': True, 'cleansteps': [{'step': 's'}], 'deploysteps': [{'step': 's'}], 'configdrive': {'meta_data': {}},
    'state': 'on', 'mark_unhealthy': True, 'data': {'status': 'SUCCESS'}, 'resolve_outputs': False, 'with_description': True, 'headers': {'X-A': 'b'},
    'contents': 'text', 'full_listing': False, 'messages': [{'body': 1}], 'definition': "version: '2.0'", 'workflow_input': {'a': 1}, 'env': {'a': 1},
    'reset': False, 'force': True, 'count': 2, 'workflow_params': {'a': 1}, 'subtree_as_list': False, 'parents_as_list': False, 'subtree_as_ids': False,
    'parents_as_ids': False, 'os_inherit_extension_inherited': False, 'detailed': True, 'is_public': False, 'min_disk': 1, 'min_ram': 2, 'metadata': {'k': 'v'},
    'values': {'name': 'n'}, 'ram': 1, 'vcpus': 2, 'disk': 3, 'ephemeral': 4, 'swap': 5, 'rxtx_factor': 1.5, 'search_opts': {'status': 'ACTIVE'},
    'sort_keys': ['created_at'], 'sort_dirs': ['asc'], 'rotation': 2, 'length': 10, 'meta': {'k': 'v'}, 'files': {'/a': 'b'}, 'nics': [{'net-id': 'n', 'v4-fixed-ip': '1.2.3.4'}],
    'security_groups': ['g'], 'min_count': 2, 'max_count': 3, 'reserved': True, 'retrieve_all': True, 'include_subtree': True, 'include_names': True, 'effective': True,
    'image_data': 'bits', 'preserve_ephemeral': True, 'servers': True, 'output': {'a': 1}, 'input': {'a': 1}, 'all_projects': True, 'offset': 3,
    'os_ironic_api_version': '1.50', 'stack_id': 'st/i1', 'interface': 'public', 'resource_type': 'workflow', 'impersonation': True, 'remaining_uses': 3, 'role_names': ['r'],
}
BY_ACTION = {
    'swift.put_object': {'headers': {'X-A': 'b'}}, 'mistral.workflows_list': {'fields': ['a', 'b']}, 'nova.servers_list': {'sort_keys': ['a'], 'sort_dirs': ['asc']},
    'mistral.executions_create': {'wf_identifier': 'flow'}, 'mistral.cron_triggers_create': {'workflow_identifier': 'flow'},
    'nova.servers_create': {'userdata': 'hello', 'image': 'im', 'flavor': 'fl', 'config_drive': True}, 'ironic.node_set_power_state': {'state': 'off'},
}
BY_ACTION.update({'nova.servers_get_%s_console' % k: {'console_type': t} for k, t in (('vnc', 'novnc'), ('spice', 'spice-html5'), ('serial', 'serial'))})
BY_ACTION.update({'mistral.%s_list' % k: {'sort_keys': 'created_at', 'sort_dirs': 'asc'} for k in 'actions workflows workbooks executions tasks action_executions cron_triggers environments'.split()})
# Inputs that are not given in the call with all of them: they change what the call is, or Python's side cannot take them.
NEVER = {'action_region', 'global_request_id', 'poll_delay_function', 'response_dict', 'resp_chunk_size', 'chunk_size', 'query_string', 'content_length', 'group', 'system',
         'reservation_id', 'block_device_mapping', 'block_device_mapping_v2', 'trusted_image_certificates', 'host', 'hypervisor_hostname', 'hostname', 'scheduler_hints',
         'os_inherit_extension_inherited_to', 'revision_number', 'backend', 'u_url', 'image_size', 'validation_data', 'description', 'disk_config', 'password', 'role_ids',
         'expires_at', 'files', 'etag', 'fresh_metadata'}
DROP = {'keystone.roles_%s' % k: ['domain', 'group', 'system'] for k in ('list', 'grant', 'revoke', 'check')}
DROP['keystone.role_assignments_list'] = ['domain', 'group', 'system']
DROP['nova.hypervisors_search'] = ['detailed']
DROP['nova.volumes_delete_server_volume'] = DROP['nova.volumes_get_server_volume'] = ['attachment_id']
DROP['swift.get_capabilities'] = ['url']
MORE = {  # for actions that take any name
    'ironic.node_create': {'driver': 'd', 'name': 'n', 'properties': {'cpus': 1}}, 'ironic.port_create': {'address': 'a', 'node_uuid': 'u'}, 'ironic.chassis_create': {'extra': {}},
    'ironic.node_vif_attach': {'port_uuid': 'p'}, 'heat.stacks_create': {'stack_name': 's', 'template': {}, 'parameters': {'a': 1}},
    'heat.stacks_list': {'filters': {'name': 'x'}, 'limit': 1, 'sort_key': 'name'}, 'heat.stacks_update': {'existing': True, 'parameters': {}}, 'heat.stacks_validate': {'template': {}},
    'heat.software_configs_create': {'name': 'n', 'group': 'script', 'config': '#!'}, 'heat.software_deployments_create': {'config_id': 'c', 'server_id': 's', 'input_values': {}},
    'heat.software_deployments_list': {'server_id': 's'}, 'heat.software_deployments_update': {'status': 'COMPLETE', 'output_values': {}}, 'heat.events_list': {'limit': 3},
    'heat.resources_list': {'nested_depth': 2}, 'heat.resource_types_list': {'filters': {'name': 'x'}}, 'heat.software_configs_list': {'limit': 3},
    'keystone.users_list': {'name': 'n'}, 'keystone.projects_find': {'name': 'n'}, 'keystone.users_find': {'name': 'n'}, 'keystone.users_create': {'extra': 1},
    'mistral.executions_create': {'env': {'a': 1}}, 'mistral.environments_create': {'name': 'e', 'variables': '{"a": 1}'}, 'mistral.environments_update': {'name': 'e', 'variables': '{"a": 1}'},
    'mistral.executions_list': {'state': 'ERROR'}, 'neutron.list_networks': {'name': 'n', 'shared': True}, 'neutron.show_network': {'fields': 'id'},
    'glance.images_list': {'filters': {'name': 'x'}, 'page_size': 5}, 'nova.keypairs_create': {'name': 'k', 'public_key': 'ssh'}, 'nova.keypairs_delete': {'key': 'k'},
    'nova.keypairs_get': {'keypair': 'k'}, 'nova.server_groups_create': {'name': 'g', 'policies': ['affinity']}, 'nova.servers_unshelve': {'server': 's'},
    'nova.servers_lock': {'server': 's'}, 'nova.servers_migrate': {'server': 's'}, 'nova.servers_update': {'server': 's', 'name': 'n'},
    'nova.servers_interface_attach': {'server': 's', 'port_id': 'p', 'net_id': None, 'fixed_ip': None}, 'nova.servers_live_migrate': {'server': 's', 'host': 'h', 'block_migration': True, 'disk_over_commit': False},
    'nova.volumes_create_server_volume': {'server_id': 's', 'volume_id': 'v'}, 'mistral.action_executions_create': {'save_result': True},
    'glance.images_create': {'name': 'n', 'disk_format': 'raw'}, 'glance.tasks_create': {'type': 'import'},
}

SCHEMA = {'name': 'thing', 'properties': {k: {'type': 'string'} for k in ('id', 'name', 'stack_name', 'disk_format', 'type', 'image_id', 'member_id', 'status', 'schema', 'self')}, 'additionalProperties': {'type': 'string'}}
requests, response, EMPTY = [], {}, []


def status(method, path):
    if path.startswith('/workflow') and method in ('POST', 'DELETE') and not path.endswith('/validate'):
        return 201 if method == 'POST' else 204
    if path.startswith('/identity') and method == 'PUT' or method == 'DELETE':
        return 204
    return 200


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self):
        n = int(self.headers.get('Content-Length') or 0)
        raw = self.rfile.read(n).decode()
        if self.headers.get('Transfer-Encoding') == 'chunked' and not n:
            while True:
                size = int(self.rfile.readline(), 16)
                raw += self.rfile.read(size).decode()
                self.rfile.readline()
                if not size:
                    break
        url = urllib.parse.urlsplit(self.path)
        body = raw
        try:
            body = json.loads(raw)
        except ValueError:
            pass
        kept = {k: v for k in ('X-OpenStack-Ironic-API-Version', 'X-A', 'Destination') if (v := self.headers.get(k))}
        if '/schemas/' not in url.path: requests.append({'method': self.command, 'path': url.path, 'query': sorted(urllib.parse.parse_qsl(url.query, keep_blank_values=True)), 'body': body if raw else None, 'headers': kept})
        text = json.dumps(SCHEMA if '/schemas/' in url.path else response).encode() if self.command != 'HEAD' and status(self.command, url.path) != 204 and not EMPTY else b''
        self.send_response(status(self.command, url.path))
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(text)))
        self.send_header('Etag', 'tag')
        self.send_header('Location', 'http://host/images/made')
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_COPY = answer


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
BASE = 'http://127.0.0.1:%d' % server.server_port


QUIET = ('!node_set_maintenance', '!node_set_power_state', '!node_set_provision_state', '!images_upload', '!stacks_update')


def client(service):
    from keystoneauth1 import session, token_endpoint

    def on(path):
        return session.Session(auth=token_endpoint.Token(BASE + path, 'token')), BASE + path
    if service == 'ironic':
        from ironicclient import client
        s, url = on('/baremetal')
        return client.get_client(1, session=s, endpoint_override=url, os_ironic_api_version='1.34')
    if service == 'heat':
        from heatclient.v1 import client
        s, url = on('/orchestration')
        return client.Client(session=s, endpoint_override=url)
    if service == 'keystone':
        from keystoneclient.v3 import client
        s, url = on('/identity/v3')
        return client.Client(session=s, endpoint_override=url)
    if service == 'nova':
        from novaclient import client
        s, url = on('/compute')
        return client.Client('2.1', session=s, endpoint_override=url)
    if service == 'glance':
        from glanceclient.v2 import client
        s, url = on('/image')
        return client.Client(session=s, endpoint_override=url)
    if service == 'neutron':
        from neutronclient.v2_0 import client
        s, url = on('/network')
        return client.Client(session=s, endpoint_override=url)
    if service == 'mistral':
        from mistralclient.api.v2 import client
        s, url = on('/workflow')
        return client.Client(mistral_url=url, auth_token='token', session=s)
    if service == 'swift':
        from swiftclient.client import Connection
        return Connection(preauthurl=BASE + '/object-store', preauthtoken='token', auth_version='3', retries=0)
    return None


def plain(v):
    if v is None or isinstance(v, (str, int, float, bool)):
        return v
    if isinstance(v, bytes):
        return v.decode('utf-8', 'replace')
    if isinstance(v, dict):
        return {str(k): plain(x) for k, x in v.items()}
    if callable(getattr(v, 'to_dict', None)):
        return plain(v.to_dict())
    if hasattr(v, '__iter__'):
        return [plain(x) for x in v]
    return {k: plain(x) for k, x in vars(v).items() if not k.startswith('_') and k != 'manager'} or str(v)


def main():
    service, clients = None, {}
    for line in open(HERE + '/../calls.txt'):
        words = line.split()
        if not words or line.startswith('#'):
            continue
        if words[0] == 'service':
            service = words[1]
            clients[service] = client(service)
            continue
        entry = METHODS[service].get(words[0])
        name = service + '.' + words[0]
        if clients[service] is None or 'wait_for' in name:
            continue
        key = next((w[1:] for w in words[2:] if w.startswith('>')), '')
        thing = {'id': 'i1', 'name': 'n1', 'stack_name': 'st'}
        m = re.match(r'([\w]+)(\[.*)?$', key)
        EMPTY[:] = [1] if key == '-' or words[1] in QUIET else []
        response.clear()
        response.update({m[1]: [thing] if m[2] else thing} if m else thing)
        if service == 'neutron' and words[0].startswith('list_'):
            response.clear()
            response.update({words[0][5:]: [thing]})
        if service == 'heat':
            response.setdefault('stack', thing)
        if '!' in words[1]:
            response.update({k: [thing] for k in ('stacks', 'roles', 'flavors', 'servers')} | {k: thing for k in ('flavor', 'server', 'trust')})
        for every in (False, True):
            inputs = {}
            for i in entry['inputs']:
                n, _, default = i.partition('=')
                if name in DROP and n in DROP[name] or n.startswith('*') or n == 'obj' and service == 'nova' or n in NEVER and default or (default and not every):
                    continue
                inputs[n] = BY_ACTION.get(name, {}).get(n, VALUES.get(n, n + '-1'))
            if every or any(i == 'obj' for i in entry['inputs']) or name in ('ironic.node_create', 'ironic.port_create', 'mistral.environments_create', 'mistral.environments_update'):
                inputs.update(MORE.get(name, {}))
            if name in ('keystone.roles_grant', 'keystone.roles_revoke', 'keystone.roles_check'):
                inputs.update({'user': 'u', 'project': 'p'})
            if name.startswith('nova.volumes_') and 'server_volume' in name and not name.endswith('volumes'):
                inputs.update({'volume_id': 'v'})
            if name == 'mistral.executions_create':
                inputs.update({'wf_identifier': 'flow'})
            if name == 'ironic.node_list' or 'detail' in inputs and 'fields' in inputs:
                inputs.pop('detail', None)
            requests.clear()
            target = clients[service]
            record = {'action': name, 'inputs': json.loads(json.dumps(inputs)), 'response': json.loads(json.dumps(response))}
            try:
                for part in entry['method'].split('.'):
                    target = getattr(target, part)
                record['result'] = plain(target(**inputs))
            except Exception as e:
                record['error'] = '%s: %s' % (type(e).__name__, e)
            record['requests'] = list(requests)
            print(json.dumps(record, ensure_ascii=False).replace(BASE, 'BASE'))


main()
