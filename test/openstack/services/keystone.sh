# Identity: keystone under uWSGI, and the users, services and endpoints of all the others.
# shellcheck shell=bash disable=SC2154
keystone_processes() { echo keystone; }
keystone_packages() { echo python3-keystone uwsgi-core uwsgi-plugin-python3 memcached; }

auth_conf() { # USER: what a [keystone_authtoken] section holds
    cat <<X
www_authenticate_uri = http://$H:$KEYSTONE_PORT
auth_url = http://$H:$KEYSTONE_PORT
auth_type = password
username = $1
password = $OPENSTACK_PASSWORD
project_name = service
user_domain_id = default
project_domain_id = default
region_name = $REGION
memcached_servers = $H:$MEMCACHED_PORT
X
}
db_conf() { # NAME: a [database] section
    printf '[database]\nconnection = sqlite:///%s/db/%s.sqlite\nsqlite_synchronous = false\n' "$S" "$1"
}

keystone_configure() {
    local e=$S/etc/keystone
    mkdir -p "$e"
    # 24 h tokens: a stack of the tests may outlive keystone's default hour. bcrypt's rounds and memcached: speed.
    cat >"$e/keystone.conf" <<X
[DEFAULT]
log_file =
use_stderr = true
public_endpoint = http://$H:$KEYSTONE_PORT/
max_token_size = 512
$(db_conf keystone)
[token]
provider = fernet
expiration = 86400
[fernet_tokens]
key_repository = $e/fernet-keys
[credential]
key_repository = $e/credential-keys
auth_ttl = $KEYSTONE_EC2_TTL
[identity]
password_hash_rounds = 4
max_password_length = 72
[cache]
enabled = true
backend = oslo_cache.memcache_pool
memcache_servers = $H:$MEMCACHED_PORT
[oslo_concurrency]
lock_path = $S/lock
X
    # one worker, one thread: SQLite has one writer, or "database is locked" appears
    cat >"$e/uwsgi.ini" <<X
[uwsgi]
http-socket = $H:$KEYSTONE_PORT
wsgi-file = /usr/bin/keystone-wsgi-public
master = true
processes = 1
threads = 1
enable-threads = true
lazy-apps = true
die-on-term = true
exit-on-reload = false
worker-reload-mercy = 5
need-app = true
buffer-size = 65535
socket-timeout = 30
add-header = Connection: close
disable-logging = true
X
}
keystone_prepare() {
    local e=$S/etc/keystone k="keystone-manage --config-file $S/etc/keystone/keystone.conf" url=http://$H:$KEYSTONE_PORT/v3
    mkdir -p "$e"/{fernet-keys,credential-keys} && chmod 700 "$e"/*-keys &&
        $k db_sync && $k fernet_setup --keystone-user root --keystone-group root &&
        $k credential_setup --keystone-user root --keystone-group root &&
        $k bootstrap --bootstrap-password "$OPENSTACK_PASSWORD" --bootstrap-username admin --bootstrap-project-name admin \
            --bootstrap-role-name admin --bootstrap-service-name keystone --bootstrap-region-id $REGION \
            --bootstrap-admin-url $url --bootstrap-public-url $url --bootstrap-internal-url $url
}
keystone_start() {
    local u=/usr/bin/uwsgi_python3
    [ -x $u ] || u=$(ls /usr/bin/uwsgi_python3* | head -n 1)
    OS_KEYSTONE_CONFIG_DIR=$S/etc/keystone OS_KEYSTONE_CONFIG_FILES=keystone.conf \
        launch keystone "$u" --ini "$S/etc/keystone/uwsgi.ini"
}
keystone_ready() { [ -n "$token" ]; }

keystone_login() { # sets token and admin_project
    local body
    body='{"auth":{"identity":{"methods":["password"],"password":{"user":{"name":"admin","domain":{"id":"default"},"password":"'$OPENSTACK_PASSWORD'"}}},"scope":{"project":{"name":"admin","domain":{"id":"default"}}}}}'
    body=$(curl -s -m 20 -i -H 'Content-Type: application/json' "http://$H:$KEYSTONE_PORT/v3/auth/tokens" -d "$body" | tr -d '\r')
    token=$(echo "$body" | awk 'tolower($1)=="x-subject-token:"{print $2}')
    admin_project=$(echo "$body" | tail -n 1 | $PY -c 'import json,sys; print(json.load(sys.stdin)["token"]["project"]["id"])')
    [ -n "$token" ] && [ -n "$admin_project" ] || die "no token from keystone"
}

# Users, roles, services and endpoints of the chosen services; safe to repeat.
keystone_objects() {
    KEYSTONE="http://$H:$KEYSTONE_PORT/v3" PASSWORD="$OPENSTACK_PASSWORD" REGION=$REGION SERVICES="$services" \
        orchestration="http://$H:$HEAT_PORT/v1/%(tenant_id)s" cloudformation="http://$H:$HEAT_CFN_PORT/v1" \
        workflowv2="http://$H:$MISTRAL_PORT/v2" baremetal="http://$H:$IRONIC_PORT" \
        object_store="http://$H:$SWIFT_PORT/v1/AUTH_%(tenant_id)s" compute="http://$H:$CLOUD_PORT/v2.1" \
        image="http://$H:$CLOUD_PORT/image" network="http://$H:$CLOUD_PORT/network" $PY "$here/services/keystone_objects.py"
}
