#!/bin/sh
# Stop following time servers; the package stays.
set -eu
service=chrony
[ -d /etc/chrony ] || service=chronyd
if [ -d /run/systemd/system ]; then
    systemctl --quiet disable --now "$service" || true
else
    service "$service" stop || true
fi
echo "$service is stopped"
