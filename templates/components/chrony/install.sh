#!/bin/sh
# Keep the clock in step with time servers.
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
# shellcheck disable=SC2046 # words are meant
set -- $(words "$servers")
[ $# -gt 0 ] || { echo "there are no servers" >&2; exit 2; }
[ -z "$allow" ] || plain allow "$allow"

install chrony
config=/etc/chrony/chrony.conf
service=chrony
[ -d /etc/chrony ] || { config=/etc/chrony.conf; service=chronyd; }
{
    for s; do
        plain servers "$s"
        echo "server $s iburst"
    done
    [ -z "$allow" ] || echo "allow $allow"
    echo "driftfile /var/lib/chrony/drift"
    echo "makestep 1 3"
    echo "rtcsync"
} >"$config.new"
mv "$config.new" "$config"
start "$service"
echo "the clock follows $*"
