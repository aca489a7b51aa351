"""The part of the image API that Heat needs to find an image: every image exists."""
import re

from http_api import Refused


class Image(object):
    def routes(self):
        return [
            ('GET', '/image', self.versions),
            ('GET', '/image/v2/images', self.list),
            ('GET', '/image/v2/images/([^/]+)', self.show),
            ('GET', '/image/v2/schemas/image', self.schema),
        ]

    def versions(self, request):
        return 300, {'versions': [{'id': 'v2.9', 'status': 'CURRENT', 'links': [{'rel': 'self', 'href': '/image/v2/'}]}]}

    def image(self, name):
        return {'id': name, 'name': name, 'status': 'active', 'min_ram': 0, 'min_disk': 0, 'visibility': 'public',
                'tags': [], 'container_format': 'bare', 'disk_format': 'qcow2', 'schema': '/v2/schemas/image'}

    def list(self, request):
        return 200, {'images': [self.image(n) for n in request.query.get('name', [])], 'schema': '/v2/schemas/images'}

    def show(self, request, ident):
        if re.fullmatch('[0-9a-f-]{36}', ident):
            raise Refused(404, 'No image found with ID %s' % ident)  # a name that looks like an id is looked up by name
        return 200, self.image(ident)

    def schema(self, request):
        return 200, {'name': 'image', 'properties': {k: {} for k in self.image('')}, 'additionalProperties': {}}
