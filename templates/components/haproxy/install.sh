#!/bin/sh
# Balance load over backends.
set -eu

retry() { # some mirrors and locks need a second try
    for pause in 5 20 60; do
        "$@" && return 0
        echo "'$*' exited $?; trying again in $pause s" >&2
        sleep "$pause"
    done
    "$@"
}
install() { # packages of Debian and its like, or of Red Hat and its like, where one is missing
    if command -v apt-get >/dev/null; then
        for package; do
            [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] && continue
            export DEBIAN_FRONTEND=noninteractive
            retry apt-get -qq -o APT::Update::Error-Mode=any update || echo "going on with the package lists that are there" >&2
            retry apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install -y --no-install-recommends -- "$@"
            return
        done
    elif command -v dnf >/dev/null; then
        retry dnf -q -y install -- "$@"
    else
        echo "no package manager known here (apt-get, dnf)" >&2
        exit 2
    fi
}
gone() { # PROGRAM: scripts that stop a service do not wait for its end
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        pidof -c "$1" >/dev/null || return 0
        sleep 1
    done
    echo "$1 does not end" >&2
    exit 1
}
start() { # SERVICE PROGRAM LOG: at every boot, and now with the new settings; what it says where it fails stands last
    if [ -d /run/systemd/system ]; then
        systemctl --quiet enable "$1"
        systemctl restart "$1" || true # whether it runs is seen below
        sleep 1                        # one that cannot work has ended by then, or is tried again
        systemctl --quiet is-active "$1" && [ "$(systemctl show -p NRestarts --value "$1")" = 0 ] && return
        systemctl --no-pager --lines=0 status "$1" >&2 || true
        journalctl --quiet --no-pager --output=cat --lines=20 "_SYSTEMD_UNIT=$1.service" >&2
    else
        ! command -v update-rc.d >/dev/null || update-rc.d "$1" enable
        service "$1" stop || true # it may not run
        gone "$2"
        service "$1" start || true
        sleep 1
        pidof -c "$2" >/dev/null && return
        echo "$1 does not run"
        [ ! -s "$3" ] || tail -n 20 "$3" >&2
    fi
    exit 1
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
said=$(haproxy -c -f "$new" 2>&1) || { printf '%s\n' "$said" >&2; exit 1; }
mv "$new" /etc/haproxy/haproxy.cfg
start haproxy haproxy /var/log/syslog
echo "haproxy listens on port $port for $# servers"
printf '%s' "$port" >"$heat_outputs_path.port"
