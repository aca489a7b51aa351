"""The machines behind the compute API: one folder and one process tree each."""
import base64
import json
import os
import shutil
import signal
import subprocess
import threading
import time
import uuid


class NotFound(Exception):
    """No such server, or it was deleted."""


class Guests(object):
    """Servers by id. A server's folder outlives its deletion, so that tests can read what it did.

    FOLDER/server.json  the record as the API shows it
    FOLDER/drive/       the config drive that cloud-init reads
    FOLDER/disk/        what the guest wrote to its root; run/ is its /run
    FOLDER/console.log  everything its boot and its agent print
    """

    def __init__(self, state, boot):
        self.folder = os.path.join(state, 'guests')
        self.boot_command = boot
        self.env = dict(os.environ, GUEST_IMAGE=os.path.join(state, 'image'), GUEST_HIDE=state)
        self.lock = threading.Lock()
        self.processes = {}
        self.servers = {}
        self.count = 0
        os.makedirs(self.folder, exist_ok=True)
        for ident in os.listdir(self.folder):
            if not os.path.exists(self.path(ident, 'server.json')):
                continue  # our predecessor ended while it made it
            with open(self.path(ident, 'server.json')) as f:
                server = json.load(f)
            self.count = max(self.count, server['number'])
            if server['status'] != 'DELETED':
                server['status'] = 'SHUTOFF'  # its process ended with our predecessor
                self.servers[ident] = server

    def path(self, ident, *names):
        return os.path.join(self.folder, ident, *names)

    def create(self, request, project):
        """Builds and boots a server from the body of POST /servers."""
        with self.lock:
            self.count += 1
            number = self.count
        ident = str(uuid.uuid4())
        now = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())
        server = {
            'id': ident, 'number': number, 'name': request['name'], 'status': 'ACTIVE', 'tenant_id': project,
            'image': request.get('imageRef') or '', 'flavor': request['flavorRef'],
            'metadata': request.get('metadata') or {}, 'tags': request.get('tags') or [],
            'user_data': request.get('user_data') or '', 'key_name': request.get('key_name'),
            # all of 127/8 is the loopback: each server has an address that it alone uses
            'address': '127.77.%d.%d' % (number >> 8, number & 255), 'created': now, 'updated': now,
        }
        os.makedirs(self.path(ident))
        self.servers[ident] = server
        self.write_drive(server)
        self.save(server)
        self.start(server)
        return server

    def write_drive(self, server):
        """The config drive, as Nova lays it out."""
        drive = self.path(server['id'], 'drive', 'openstack', 'latest')
        os.makedirs(drive, exist_ok=True)
        hostname = ''.join(c if c.isalnum() or c == '-' else '-' for c in server['name']).strip('-')[:63] or 'server'
        with open(os.path.join(drive, 'meta_data.json'), 'w') as f:
            json.dump({'uuid': server['id'], 'name': server['name'], 'hostname': hostname, 'launch_index': 0,
                       'availability_zone': 'nova', 'project_id': server['tenant_id'], 'meta': server['metadata']}, f)
        data = base64.b64decode(server['user_data'])
        if data:
            with open(os.path.join(drive, 'user_data'), 'wb') as f:
                f.write(data)
        for name, value in (('hostname', hostname), ('image', server['image'] or 'none')):
            with open(self.path(server['id'], name), 'w') as f:
                f.write(value + '\n')

    def save(self, server):
        temporary = self.path(server['id'], 'server.json.new')
        with open(temporary, 'w') as f:
            json.dump(server, f, indent=1)
        os.rename(temporary, self.path(server['id'], 'server.json'))

    def start(self, server):
        with open(self.path(server['id'], 'console.log'), 'ab') as console:
            self.processes[server['id']] = subprocess.Popen(
                [self.boot_command, self.path(server['id'])], stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                env=self.env)
        self.set(server, status='ACTIVE')

    def stop(self, server):
        """Powers off: with its first process every process of the guest dies."""
        process = self.processes.pop(server['id'], None)
        if process:
            process.kill()
            process.wait()

    def get(self, ident):
        server = self.servers.get(ident)
        if server is None:
            raise NotFound('Instance %s could not be found.' % ident)
        return server

    def list(self):
        return sorted(self.servers.values(), key=lambda s: s['number'])

    def set(self, server, **fields):
        server.update(fields, updated=time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()))
        self.save(server)

    def delete(self, ident):
        server = self.get(ident)
        self.stop(server)
        self.set(server, status='DELETED')
        del self.servers[ident]

    def signal_all(self, server, number):
        """Sends a signal to every process of the guest; they share a process table of their own."""
        process = self.processes.get(server['id'])
        if not process:
            return
        with open('/proc/%d/task/%d/children' % (process.pid, process.pid)) as f:
            first = f.read().split()
        if not first:
            return
        table = os.readlink('/proc/%s/ns/pid' % first[0])
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                if os.readlink('/proc/%s/ns/pid' % pid) == table:
                    os.kill(int(pid), number)
            except OSError:
                pass  # it ended meanwhile

    # ---- actions of POST /servers/ID/action

    def suspend(self, server, _):
        self.signal_all(server, signal.SIGSTOP)
        self.set(server, status='SUSPENDED')

    def resume(self, server, _):
        self.signal_all(server, signal.SIGCONT)
        self.set(server, status='ACTIVE')

    def reboot(self, server, _):
        self.stop(server)
        self.start(server)

    def rebuild(self, server, request):
        self.stop(server)
        shutil.rmtree(self.path(server['id'], 'disk'), ignore_errors=True)
        if 'imageRef' in request:
            server['image'] = request['imageRef']
        if 'metadata' in request:
            server['metadata'] = request['metadata']
        self.write_drive(server)
        self.start(server)

    def resize(self, server, request):
        self.set(server, status='VERIFY_RESIZE', flavor=request['flavorRef'])

    def confirm_resize(self, server, _):
        self.set(server, status='ACTIVE')

    def power_off(self, server, _):
        self.stop(server)
        self.set(server, status='SHUTOFF')

    def power_on(self, server, _):
        self.start(server)

    def nothing(self, server, _):
        """For what a machine without a network card or a password has no use for."""

    ACTIONS = {'suspend': suspend, 'resume': resume, 'reboot': reboot, 'rebuild': rebuild, 'resize': resize,
               'confirmResize': confirm_resize, 'os-stop': power_off, 'os-start': power_on,
               'changePassword': nothing}
