#!/bin/sh
# Prometheus's node exporter of the distribution.
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
plain port "$port"
[ -z "$address" ] || plain address "$address"
if command -v apt-get >/dev/null; then
    install prometheus-node-exporter
    echo "ARGS=\"--web.listen-address=$address:$port\"" >/etc/default/prometheus-node-exporter
    start prometheus-node-exporter
else
    install golang-github-prometheus-node-exporter
    echo "ARGS='--web.listen-address=$address:$port'" >/etc/sysconfig/prometheus-node-exporter
    start prometheus-node-exporter
fi
printf '%s' "$port" >"$heat_outputs_path.port"
echo "the node exporter listens on $address:$port"
