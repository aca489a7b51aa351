# Object store: proxy, account, container and object server; one disk, one replica.
# shellcheck shell=bash disable=SC2154
swift_processes() { echo swift-account swift-container swift-object swift-proxy; }
swift_packages() { echo swift swift-proxy swift-account swift-container swift-object; }
swift_port() {
    case $1 in account) echo "$SWIFT_ACCOUNT_PORT" ;; container) echo "$SWIFT_CONTAINER_PORT" ;; object) echo "$SWIFT_OBJECT_PORT" ;; esac
}
swift_configure() {
    local e=$S/etc/swift p
    mkdir -p "$e" "$S/swift/d"
    cat >"$e/proxy-server.conf" <<X
[DEFAULT]
bind_ip = $H
bind_port = $SWIFT_PORT
workers = 0
user = root
swift_dir = $e
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk tempurl authtoken keystoneauth copy slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
$(for p in catch_errors gatekeeper healthcheck listing_formats bulk copy slo dlo; do printf '[filter:%s]\nuse = egg:swift#%s\n' $p $p; done)
[filter:cache]
use = egg:swift#memcache
memcache_servers = $H:$MEMCACHED_PORT
[filter:tempurl]
use = egg:swift#tempurl
methods = GET HEAD PUT POST DELETE
[filter:authtoken]
paste.filter_factory = keystonemiddleware.auth_token:filter_factory
$(auth_conf swift)
delay_auth_decision = true
service_token_roles_required = false
[filter:keystoneauth]
use = egg:swift#keystoneauth
operator_roles = admin, member, swiftoperator
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
X
    for p in account container object; do
        cat >"$e/$p-server.conf" <<X
[DEFAULT]
bind_ip = $H
bind_port = $(swift_port $p)
workers = 0
user = root
swift_dir = $e
devices = $S/swift
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = healthcheck $p-server
[app:$p-server]
use = egg:swift#$p
[filter:healthcheck]
use = egg:swift#healthcheck
X
    done
}
swift_prepare() {
    local p
    cd "$S/etc/swift" || return
    for p in account container object; do
        swift-ring-builder $p.builder create 4 1 0 &&
            swift-ring-builder $p.builder add "r1z1-$H:$(swift_port $p)/d" 1 || return
        swift-ring-builder $p.builder rebalance
        [ -e $p.ring.gz ] || return # rebalance answers 1 for mere warnings
    done
}
swift_start() {
    local p
    for p in account container object; do launch swift-$p swift-$p-server "$S/etc/swift/$p-server.conf"; done
    launch swift-proxy swift-proxy-server "$S/etc/swift/proxy-server.conf"
}
swift_ready() { wait_for 60 swift-proxy answers "http://$H:$SWIFT_PORT/healthcheck"; }
