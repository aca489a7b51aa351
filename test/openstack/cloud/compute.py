"""The part of the compute API that Heat's OS::Nova::Server and the command line use."""
import base64
import binascii

from guests import Guests, NotFound
from http_api import Refused

# Nova's limit on user_data, after base64 (Nova's own schema: maxLength 65535).
USER_DATA_LIMIT = 65535
# The newest microversion in which a server without `networks` is accepted. Heat takes the newest one that
# a cloud has; from 2.37 on its client refuses such a server ("nics are required after microversion 2.36").
MICROVERSION = '2.36'


class Compute(object):
    def __init__(self, url, guests, ports):
        self.url, self.guests, self.ports = url, guests, ports

    def routes(self):
        server = r'/v2\.1/servers/([^/]+)'
        return [
            ('GET', '', self.versions),
            ('GET', r'/v2\.1', self.version),
            ('GET', r'/v2\.1/flavors(?:/detail)?', self.flavors),
            ('GET', r'/v2\.1/flavors/([^/]+)', self.flavor),
            ('GET', r'/v2\.1/flavors/([^/]+)/os-extra_specs', lambda request, flavor: (200, {'extra_specs': {}})),
            ('GET', r'/v2\.1/os-keypairs/([^/]+)', self.keypair),
            ('GET', r'/v2\.1/limits', self.limits),
            ('GET', r'/v2\.1/servers(?:/detail)?', self.list),
            ('POST', r'/v2\.1/servers', self.create),
            ('GET', server, self.show),
            ('PUT', server, self.rename),
            ('DELETE', server, self.delete),
            ('POST', server + '/action', self.action),
            ('POST', server + '/metadata', self.set_metadata),
            ('DELETE', server + '/metadata/([^/]+)', self.delete_metadata),
            ('GET', server + '/tags', self.tags),
            ('PUT', server + '/tags', self.set_tags),
            ('GET', server + '/os-interface', self.interfaces),
            ('POST', server + '/os-interface', self.attach_interface),
            ('DELETE', server + '/os-interface/([^/]+)', self.detach_interface),
        ]

    def versions(self, request):
        return 200, {'versions': [self.version(request)[1]['version']]}

    def version(self, request):
        return 200, {'version': {'id': 'v2.1', 'status': 'CURRENT', 'version': MICROVERSION, 'min_version': '2.1',
                                 'updated': '2013-07-23T11:33:21Z',
                                 'links': [{'rel': 'self', 'href': self.url + '/v2.1/'}]}}

    # ---- every flavor and every key pair exists

    def flavors(self, request):
        return 200, {'flavors': [self.flavor(request, name)[1]['flavor'] for name in ('m1.tiny', 'm1.small')]}

    def flavor(self, request, name):
        return 200, {'flavor': {'id': name, 'name': name, 'ram': 1 << 20, 'disk': 1 << 20, 'vcpus': 1, 'swap': '',
                                'OS-FLV-EXT-DATA:ephemeral': 0, 'os-flavor-access:is_public': True, 'links': []}}

    def keypair(self, request, name):
        return 200, {'keypair': {'name': name, 'public_key': 'ssh-ed25519 AAAA ' + name, 'type': 'ssh', 'id': 1}}

    def limits(self, request):
        return 200, {'limits': {'rate': [], 'absolute': {'maxServerMeta': 128, 'maxPersonality': 5,
                                                         'maxPersonalitySize': 10240, 'maxTotalInstances': -1}}}

    # ---- servers

    def server(self, ident):
        try:
            return self.guests.get(ident)
        except NotFound as e:
            raise Refused(404, str(e))

    def shown(self, server):
        addresses = {}
        for port in self.ports.of_server(server['id']):
            addresses.setdefault(port['network_id'], []).extend(
                {'addr': ip['ip_address'], 'version': 4, 'OS-EXT-IPS:type': 'fixed',
                 'OS-EXT-IPS-MAC:mac_addr': port['mac_address']} for ip in port['fixed_ips'])
        fields = ('id', 'name', 'status', 'tenant_id', 'metadata', 'key_name', 'created', 'updated', 'tags')
        return dict({f: server[f] for f in fields}, addresses=addresses, links=[], accessIPv4='', accessIPv6='',
                    image={'id': server['image'], 'links': []} if server['image'] else '',
                    flavor={'id': server['flavor'], 'links': []},
                    **{'OS-EXT-STS:task_state': None, 'OS-EXT-STS:vm_state': server['status'].lower(),
                       'OS-EXT-STS:power_state': 1 if server['status'] == 'ACTIVE' else 4,
                       'OS-EXT-SRV-ATTR:instance_name': 'instance-%08x' % server['number']})

    def list(self, request):
        return 200, {'servers': [self.shown(s) for s in self.guests.list()]}

    def create(self, request):
        wanted = request.body['server']
        user_data = wanted.get('user_data') or ''
        if len(user_data) > USER_DATA_LIMIT:
            raise Refused(400, "Invalid input for field/attribute user_data. Value: ... is too long (%d > %d)" %
                          (len(user_data), USER_DATA_LIMIT))
        try:
            base64.b64decode(user_data, validate=True)
        except binascii.Error:
            raise Refused(400, 'User data needs to be valid base 64.')
        server = self.guests.create(wanted, request.headers.get('X-Project-Id') or 'project')
        self.ports.attach(server, wanted.get('networks') or [])
        return 202, {'server': {'id': server['id'], 'links': [], 'adminPass': wanted.get('adminPass') or 'secret',
                                'OS-DCF:diskConfig': 'MANUAL'}}

    def show(self, request, ident):
        return 200, {'server': self.shown(self.server(ident))}

    def rename(self, request, ident):
        server = self.server(ident)
        self.guests.set(server, name=request.body['server']['name'])
        return 200, {'server': self.shown(server)}

    def delete(self, request, ident):
        self.server(ident)
        self.guests.delete(ident)
        self.ports.detach(ident)
        return 204, None

    def action(self, request, ident):
        server = self.server(ident)
        (name, arguments), = request.body.items()
        if name == 'os-getConsoleOutput':
            with open(self.guests.path(ident, 'console.log'), errors='replace') as f:
                return 200, {'output': f.read()}
        if name not in Guests.ACTIONS:
            raise Refused(400, 'this stand-in has no action %s' % name)
        Guests.ACTIONS[name](self.guests, server, arguments or {})
        return 202, {'server': self.shown(server)} if name == 'rebuild' else None

    def set_metadata(self, request, ident):
        server = self.server(ident)
        self.guests.set(server, metadata=dict(server['metadata'], **request.body['metadata']))
        return 200, {'metadata': server['metadata']}

    def delete_metadata(self, request, ident, key):
        server = self.server(ident)
        self.guests.set(server, metadata={k: v for k, v in server['metadata'].items() if k != key})
        return 204, None

    def tags(self, request, ident):
        return 200, {'tags': self.server(ident)['tags']}

    def set_tags(self, request, ident):
        self.guests.set(self.server(ident), tags=request.body['tags'])
        return 200, {'tags': request.body['tags']}

    @staticmethod
    def interface(port):
        return {'port_id': port['id'], 'net_id': port['network_id'], 'mac_addr': port['mac_address'],
                'port_state': 'ACTIVE', 'fixed_ips': port['fixed_ips']}

    def interfaces(self, request, ident):
        self.server(ident)
        return 200, {'interfaceAttachments': [self.interface(p) for p in self.ports.of_server(ident)]}

    def attach_interface(self, request, ident):
        wanted = request.body['interfaceAttachment']
        port = self.ports.attach(self.server(ident), [{'uuid': wanted.get('net_id'), 'port': wanted.get('port_id')}])[0]
        return 200, {'interfaceAttachment': self.interface(port)}

    def detach_interface(self, request, ident, port):
        self.server(ident)
        self.ports.detach(ident, port)
        return 202, None
