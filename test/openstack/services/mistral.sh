# Workflows: API, engine, executor, event engine and notifier of OpenStack Mistral in one process. Debian's package has
# the std.* actions; those of the OpenStack services live in mistral-extra, which Debian lacks: mistral_actions.py is a
# small provider of the same names.
# shellcheck shell=bash disable=SC2154
mistral_processes() { echo mistral; }
mistral_packages() { echo mistral-common python3-heatclient python3-ironicclient python3-swiftclient python3-keystoneclient python3-mistralclient; }
mistral_configure() {
    local e=$S/etc/mistral
    mkdir -p "$e" "$S/mistral-coordination"
    : >"$e/policy.yaml"
    cat >"$e/mistral.conf" <<X
[DEFAULT]
debug = ${OPENSTACK_DEBUG:-false}
use_stderr = true
transport_url = fake://
rpc_response_timeout = 120
[api]
host = $H
port = $MISTRAL_PORT
api_workers = 1
[pecan]
auth_enable = true
$(db_conf mistral)
[keystone_authtoken]
$(auth_conf mistral)
service_token_roles_required = false
[coordination]
backend_url = file://$S/mistral-coordination
[cron_trigger]
execution_interval = 1
[scheduler]
fixed_delay = 0.5
random_delay = 0
[oslo_policy]
policy_file = $e/policy.yaml
X
    local d=$S/python/hotloom_test_actions-1.0.dist-info
    mkdir -p "$d"
    cp "$here/services/mistral_actions.py" "$S/python/"
    printf 'Metadata-Version: 2.1\nName: hotloom-test-actions\nVersion: 1.0\n' >"$d/METADATA"
    printf '[mistral.action.providers]\nopenstack = mistral_actions:Provider\n' >"$d/entry_points.txt"
    # mistral-server forks its API; an in-process transport needs all of it in one process
    cat >"$S/python/mistral_one_process.py" <<'X'
import sys

from mistral.cmd import launch

launch.launch_process = lambda server, workers=1: launch.launch_thread(server)
sys.exit(launch.main())
X
}
mistral_prepare() { # its migrations alter constraints, which SQLite cannot: the tables are made from the models
    local c=$S/etc/mistral/mistral.conf
    $PY -c "
import sys
from mistral.api import app  # registers the options
from mistral import config
config.parse_args(['--config-file', sys.argv[1]])
from mistral.db.v2 import api
api.setup_db()" "$c" && mistral-db-manage --config-file "$c" stamp head && mistral-db-manage --config-file "$c" populate
}
mistral_start() { launch mistral $PY "$S/python/mistral_one_process.py" --config-file "$S/etc/mistral/mistral.conf" --server all; }
mistral_answers() { # the API answers, and an engine and an executor run an action behind it
    curl -s -m 3 -H "X-Auth-Token: $token" -H 'Content-Type: application/json' \
        -d '{"name":"std.echo","input":"{\"output\":\"up\"}","params":"{\"save_result\":false,\"run_sync\":true}"}' \
        "http://$H:$MISTRAL_PORT/v2/action_executions" | grep -q '"state": *"SUCCESS"'
}
mistral_ready() { wait_for 120 mistral mistral_answers; }
