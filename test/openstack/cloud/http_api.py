"""A small JSON-over-HTTP server: routes are (method, path pattern, function)."""
import http.server
import json
import re
import socketserver
import sys
import traceback
import urllib.parse


class Refused(Exception):
    """An answer other than success: HTTP status and text."""

    def __init__(self, status, text):
        super(Refused, self).__init__(text)
        self.status = status


class Request(object):
    def __init__(self, handler, query, body):
        self.query = query  # {name: [values]}
        self.body = body    # parsed JSON or None
        self.headers = handler.headers


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, address, routes):
        self.routes = [(method, re.compile(pattern + r'/?$'), function) for method, pattern, function in routes]
        super(Server, self).__init__(address, Handler)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, form, *args):
        sys.stderr.write('%s %s\n' % (self.log_date_time_string(), form % args))

    def answer(self, status, body):
        raw = b'' if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def handle_any(self):
        length = int(self.headers.get('Content-Length') or 0)
        raw = self.rfile.read(length)
        url = urllib.parse.urlsplit(self.path)
        path = re.sub('/+', '/', url.path)
        try:
            for method, pattern, function in self.server.routes:
                match = pattern.match(path)
                if match and method == self.command:
                    request = Request(self, urllib.parse.parse_qs(url.query), json.loads(raw) if raw else None)
                    arguments = [urllib.parse.unquote(a) for a in match.groups()]
                    status, body = function(request, *arguments)
                    break
            else:
                raise Refused(404, 'this stand-in has no %s %s' % (self.command, path))
        except Refused as e:
            status, body = e.status, {'error': {'code': e.status, 'message': str(e)}}
        except Exception as e:
            traceback.print_exc()
            status, body = 500, {'error': {'code': 500, 'message': '%s: %s' % (type(e).__name__, e)}}
        self.answer(status, body)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_any
