#!/bin/sh
# Balance load over backends.
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
words() { # a list, as Heat hands it over, in words
    printf '%s' "$1" | tr -d '[]" ' | tr ',' ' '
}
plain port "$port"
plain mode "$mode"
plain balance "$balance"
[ -z "$check" ] || plain check "$check"
# shellcheck disable=SC2046 # words are meant
set -- $(words "$backends")
[ $# -gt 0 ] || { echo "there are no backends" >&2; exit 2; }

install haproxy
new=/etc/haproxy/haproxy.cfg.new
{
    cat <<CFG
global
    log /dev/log local0
    user haproxy
    group haproxy
    maxconn 4096
defaults
    log global
    mode $mode
    timeout connect 5s
    timeout client 1m
    timeout server 1m
frontend hotloom
    bind :$port
    default_backend hotloom
backend hotloom
    balance $balance
CFG
    [ -z "$check" ] || echo "    option httpchk GET $check"
    n=0
    for b; do
        plain backends "$b"
        n=$((n + 1))
        echo "    server s$n $b check"
    done
} >"$new"
haproxy -c -q -f "$new"
mv "$new" /etc/haproxy/haproxy.cfg
start haproxy
echo "haproxy listens on port $port for $# servers"
printf '%s' "$port" >"$heat_outputs_path.port"
