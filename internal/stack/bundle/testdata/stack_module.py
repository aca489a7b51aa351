#!/usr/bin/python
# Stands for the module stack of Ansible's collection openstack.cloud, which needs openstacksdk and is not in Debian: it has
# that module's arguments (plugins/modules/stack.py of the collection), and writes down what it got instead of calling Heat.
import json
import os

from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec=dict(
    name=dict(type='str', required=True),
    tag=dict(type='str'),
    template=dict(type='str'),
    environment=dict(type='list', elements='str'),
    parameters=dict(type='dict', default={}),
    rollback=dict(type='bool', default=False),
    timeout=dict(type='int', default=3600),
    state=dict(type='str', default='present', choices=['absent', 'present']),
))
with open(os.environ['HOTLOOM_GOT'], 'w') as f:
    json.dump(module.params, f)
module.exit_json(changed=True)
