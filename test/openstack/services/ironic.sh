# Bare metal: ironic's API and conductor in one process, with its fake hardware.
# shellcheck shell=bash disable=SC2154
ironic_processes() { echo ironic; }
ironic_packages() { echo ironic-common; }
ironic_configure() {
    local e=$S/etc/ironic i
    mkdir -p "$e" "$S/ironic"
    cat >"$e/ironic.conf" <<X
[DEFAULT]
debug = ${OPENSTACK_DEBUG:-false}
use_stderr = true
host = loopback
my_ip = $H
auth_strategy = keystone
rpc_transport = none
state_path = $S/ironic
rootwrap_config = /etc/ironic/rootwrap.conf
enabled_hardware_types = fake-hardware
$(for i in bios console inspect raid rescue vendor; do echo "enabled_${i}_interfaces = fake,no-$i"; done)
$(for i in boot deploy management power; do echo "enabled_${i}_interfaces = fake"; done)
enabled_network_interfaces = noop
enabled_storage_interfaces = fake,noop
default_network_interface = noop
default_deploy_interface = fake
default_inspect_interface = fake
default_boot_interface = fake
[api]
host_ip = $H
port = $IRONIC_PORT
api_workers = 1
public_endpoint = http://$H:$IRONIC_PORT
[conductor]
automated_clean = false
api_url = http://$H:$IRONIC_PORT
workers_pool_size = 50
[fake]
inspect_delay = ${IRONIC_FAKE_DELAY:-0}
deploy_delay = ${IRONIC_FAKE_DELAY:-0}
$(db_conf ironic)
[keystone_authtoken]
$(auth_conf ironic)
[oslo_concurrency]
lock_path = $S/lock
X
}
ironic_prepare() { ironic-dbsync --config-file "$S/etc/ironic/ironic.conf" create_schema; }
ironic_start() { launch ironic ironic --config-file "$S/etc/ironic/ironic.conf"; }
ironic_ready() { wait_for 90 ironic answers "http://$H:$IRONIC_PORT/v1/drivers" -H "X-Auth-Token: $token"; }
