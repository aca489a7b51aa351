"""The part of the network API that servers need. Networks, subnets and the like exist by any name; what is
created is stored as it comes; a server gets one port for each network it asks for."""
import uuid

from http_api import Refused

SINGULAR = {'policies': 'policy'}


class Network(object):
    def __init__(self):
        self.things = {}  # {'ports': {id: {...}}}

    def routes(self):
        return [
            ('GET', r'/network/v2\.0/extensions', lambda request: (200, {'extensions': []})),
            ('GET', r'/network/v2\.0/([a-z_-]+)', self.list),
            ('POST', r'/network/v2\.0/([a-z_-]+)', self.create),
            ('GET', r'/network/v2\.0/([a-z_-]+)/([^/]+)', self.show),
            ('PUT', r'/network/v2\.0/([a-z_-]+)/([^/]+)', self.update),
            ('DELETE', r'/network/v2\.0/([a-z_-]+)/([^/]+)', self.delete),
        ]

    @staticmethod
    def singular(kind):
        return SINGULAR.get(kind, kind[:-1]).replace('-', '_')

    def store(self, kind):
        return self.things.setdefault(kind, {})

    def any_named(self, kind, name):
        """A thing that nobody created but that somebody refers to."""
        return {'id': name, 'name': name, 'status': 'ACTIVE', 'network_id': 'private', 'shared': True,
                'admin_state_up': True, 'subnets': [], 'fixed_ips': [], 'mac_address': '', 'cidr': '127.77.0.0/16',
                'tenant_id': '', 'project_id': ''}

    def list(self, request, kind):
        found = list(self.store(kind).values())
        wanted = {k: v for k, v in request.query.items() if k in ('id', 'name', 'device_id', 'network_id')}
        for key, values in wanted.items():
            found = [t for t in found if str(t.get(key)) in values]
        names = wanted.get('id') or wanted.get('name')
        if not found and names and kind not in ('ports', 'floatingips'):
            if not any(t['name'] in names for t in self.store(kind).values()):
                found = [self.any_named(kind, n) for n in names]
        return 200, {kind.replace('-', '_'): found}

    def create(self, request, kind):
        body = dict(request.body[self.singular(kind)])
        thing = dict(self.any_named(kind, str(uuid.uuid4())), name='')
        thing.update(body)
        if kind == 'ports':
            thing['mac_address'] = self.mac()
        self.store(kind)[thing['id']] = thing
        return 201, {self.singular(kind): thing}

    def find(self, kind, ident):
        if ident in self.store(kind):
            return self.store(kind)[ident]
        if kind in ('ports', 'floatingips'):
            raise Refused(404, '%s %s could not be found.' % (self.singular(kind), ident))
        return self.any_named(kind, ident)

    def show(self, request, kind, ident):
        return 200, {self.singular(kind): self.find(kind, ident)}

    def update(self, request, kind, ident):
        thing = self.find(kind, ident)
        thing.update(request.body[self.singular(kind)])
        return 200, {self.singular(kind): thing}

    def delete(self, request, kind, ident):
        if self.store(kind).pop(ident, None) is None:
            raise Refused(404, '%s %s could not be found.' % (self.singular(kind), ident))
        return 204, None

    # ---- for the compute API

    @staticmethod
    def mac():
        return 'fa:16:3e:' + ':'.join('%02x' % b for b in uuid.uuid4().bytes[:3])

    def attach(self, server, networks):
        """Ports for a server, one for each network or port that it names; all of them have its one address."""
        address = [{'ip_address': server['address'], 'subnet_id': 'private-subnet'}]
        ports = []
        for wanted in (networks if isinstance(networks, list) and networks else [{'uuid': 'private'}]):
            ident = wanted.get('port') or str(uuid.uuid4())
            port = self.store('ports').setdefault(ident, dict(self.any_named('ports', ident), name='', mac_address=self.mac()))
            port.update(device_id=server['id'], fixed_ips=address)
            if wanted.get('uuid'):
                port['network_id'] = wanted['uuid']
            ports.append(port)
        return ports

    def of_server(self, ident):
        return [p for p in list(self.store('ports').values()) if p.get('device_id') == ident]

    def detach(self, ident, port=None):
        """Removes the server's ports, or the one named."""
        for attached in self.of_server(ident):
            if port in (None, attached['id']):
                del self.store('ports')[attached['id']]
