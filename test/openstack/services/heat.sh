# Orchestration: heat-all, i.e. API, CFN API and engine in one process.
# shellcheck shell=bash disable=SC2154
heat_processes() { echo heat; }
heat_packages() { echo heat-common heat-engine heat-api heat-api-cfn; }
heat_configure() {
    local e=$S/etc/heat
    mkdir -p "$e/environment.d" "$S/heat-plugins"
    # API workers: 1, for 0 means "as many as cores" and forks, and then the in-process transport reaches nobody.
    # executor_thread_pool_size: the engine calls itself for nested stacks and with few threads waits for itself.
    cat >"$e/heat.conf" <<X
[DEFAULT]
debug = ${OPENSTACK_DEBUG:-false}
use_stderr = true
transport_url = fake://
num_engine_workers = 1
executor_thread_pool_size = 256
rpc_response_timeout = 120
plugin_dirs = $S/heat-plugins
environment_dir = $e/environment.d
template_dir = /etc/heat/templates
region_name_for_services = $REGION
auth_encryption_key = 0123456789abcdef0123456789abcdef
heat_metadata_server_url = http://$H:$HEAT_CFN_PORT
heat_waitcondition_server_url = http://$H:$HEAT_CFN_PORT/v1/waitcondition
stack_user_domain_name = heat
stack_domain_admin = heat_domain_admin
stack_domain_admin_password = $OPENSTACK_PASSWORD
max_stacks_per_tenant = 5000
[heat_api]
bind_host = $H
bind_port = $HEAT_PORT
workers = 1
[heat_api_cfn]
bind_host = $H
bind_port = $HEAT_CFN_PORT
workers = 1
[heat_all]
enabled_services = engine,api,api_cfn
$(db_conf heat)
[paste_deploy]
api_paste_config = $e/api-paste.ini
[keystone_authtoken]
$(auth_conf heat)
[trustee]
auth_type = password
auth_url = http://$H:$KEYSTONE_PORT
username = heat
password = $OPENSTACK_PASSWORD
user_domain_id = default
[clients]
endpoint_type = publicURL
[clients_keystone]
auth_uri = http://$H:$KEYSTONE_PORT
[ec2authtoken]
auth_uri = http://$H:$KEYSTONE_PORT/v3
[oslo_concurrency]
lock_path = $S/lock
[cache]
enabled = false
X
    # Keystone since its fix of OSSA-2025-002 (Debian: deb12u3) lets only service users call POST /v3/ec2tokens; heat 19
    # calls it without a token, so that every CFN-signed request would be refused. This filter adds the token, as later
    # heat does by itself.
    cp "$here/services/heat_ec2token.py" "$S/python/"
    sed 's/heat\.api\.aws\.ec2token:EC2Token_filter_factory/heat_ec2token:filter_factory/' \
        /etc/heat/api-paste.ini >"$e/api-paste.ini"
}
heat_prepare() {
    heat-manage --config-file "$S/etc/heat/heat.conf" db_sync || return
    # SQLite gives a deleted row's id to the next row unless told otherwise, other databases never do. Heat deletes a
    # resource's cached attributes once more by an id that it remembers, and would hit the properties that an update
    # has stored meanwhile ("ResourcePropertiesData with id {} not found").
    $PY - "$S/db/heat.sqlite" <<'X'
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
(sql,) = db.execute("select sql from sqlite_master where name = 'resource_properties_data'").fetchone()
changed = sql.replace('id INTEGER NOT NULL', 'id INTEGER PRIMARY KEY AUTOINCREMENT').replace(', \n\tPRIMARY KEY (id)', '')
assert changed.count('PRIMARY KEY') == 1 and 'AUTOINCREMENT' in changed, sql
db.execute('drop table resource_properties_data')
db.execute(changed)
# Nor does it delete a resource's data with the resource, as the schema's ON DELETE CASCADE says and Heat relies on: the
# next resource of that id would begin with the secrets and the state of one that is gone.
db.execute('create trigger resource_data_follows after delete on resource begin'
           ' delete from resource_data where resource_id = old.id; end')
db.commit()
X
}
heat_start() { PYTHONPATH=$S/python launch heat heat-all --config-file "$S/etc/heat/heat.conf"; }
heat_answers() { # the API answers and an engine behind it (asked before it listens it never answers: a short limit)
    [ "$(curl -s -o /dev/null -m 3 -w '%{http_code}' -H "X-Auth-Token: $token" "http://$H:$HEAT_PORT/v1/$admin_project/build_info")" = 200 ] &&
        answers "http://$H:$HEAT_CFN_PORT/"
}
heat_ready() { wait_for 120 heat heat_answers; }
