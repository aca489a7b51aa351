#!/usr/bin/python3
# Signals the instance's id by logging in as the handle's user.
import json
import urllib.request

signal = json.loads('''SIGNAL_JSON''')


def post(url, body, headers):
    request = urllib.request.Request(url, json.dumps(body).encode(), dict(headers, **{'Content-Type': 'application/json'}))
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers


token = post(signal['auth_url'].rstrip('/') + '/auth/tokens', {'auth': {
    'identity': {'methods': ['password'], 'password': {'user': {'id': signal['user_id'], 'password': signal['password']}}},
    'scope': {'project': {'id': signal['project_id']}}}}, {})['X-Subject-Token']
with open('/var/lib/cloud/data/instance-id') as f:
    instance = f.read().strip()
post(signal['alarm_url'], {'status': 'SUCCESS', 'id': instance, 'data': 'quotes " \' and a \U0001f9f5'}, {'X-Auth-Token': token})
