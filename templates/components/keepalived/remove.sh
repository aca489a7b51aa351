#!/bin/sh
# Let go of the address; the package stays.
set -eu
if [ -d /run/systemd/system ]; then
    systemctl --quiet disable --now keepalived || true
else
    service keepalived stop || true
fi
echo "keepalived is stopped"
