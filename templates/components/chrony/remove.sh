#!/bin/sh
# Stop following time servers; the package stays.
set -eu

gone() { # PROGRAM: scripts that stop a service do not wait for its end
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        pidof -c "$1" >/dev/null || return 0
        sleep 1
    done
    echo "$1 does not end" >&2
    exit 1
}
stop() { # SERVICE PROGRAM: now, and for the next boots
    if [ -d /run/systemd/system ]; then
        systemctl --quiet disable --now "$1" || true # it may never have been installed
        ! systemctl --quiet is-active "$1" || { echo "$1 does not stop" >&2; exit 1; }
    else
        ! command -v update-rc.d >/dev/null || update-rc.d "$1" disable || true
        service "$1" stop || true # it may not run
        gone "$2"
    fi
}
service=chrony
[ -d /etc/chrony ] || service=chronyd
stop "$service" chronyd
echo "$service is stopped"
