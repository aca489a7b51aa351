#!/bin/sh
# Share an address with other hosts by VRRP.
set -eu

install() { # packages of Debian and its like, or of Red Hat and its like
    if command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get -qq -o DPkg::Lock::Timeout=600 update
        apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends -- "$@"
    elif command -v dnf >/dev/null; then
        dnf -q -y install -- "$@"
    else
        echo "no package manager known here (apt-get, dnf)" >&2
        exit 2
    fi
}
start() { # at every boot, and now with the new settings
    if [ -d /run/systemd/system ]; then
        systemctl --quiet enable "$1"
        systemctl restart "$1"
    else
        service "$1" stop || true # a restart of what does not run fails with some
        service "$1" start
    fi
}
plain() { # NAME VALUE: refuse what could end a word of a configuration file
    case $2 in
    '' | *[!A-Za-z0-9._:/@+-]*) echo "$1 may hold letters, digits and ._:/@+- only, not '$2'" >&2; exit 2 ;;
    esac
}
for name in interface virtual_ip router_id priority; do
    eval "plain $name \"\$$name\""
done
[ -z "$password" ] || plain password "$password"

install keepalived
mkdir -p /etc/keepalived
new=/etc/keepalived/keepalived.conf.new
(
    umask 077
    {
        echo "vrrp_instance hotloom {"
        echo "    state BACKUP"
        echo "    interface $interface"
        echo "    virtual_router_id $router_id"
        echo "    priority $priority"
        echo "    advert_int 1"
        [ -z "$password" ] || printf '    authentication {\n        auth_type PASS\n        auth_pass %s\n    }\n' "$password"
        echo "    virtual_ipaddress {"
        echo "        $virtual_ip dev $interface"
        echo "    }"
        echo "}"
    } >"$new"
)
keepalived --config-test -f "$new"
mv "$new" /etc/keepalived/keepalived.conf
start keepalived
echo "keepalived shares $virtual_ip with priority $priority"
printf '%s' "${virtual_ip%%/*}" >"$heat_outputs_path.virtual_ip"
