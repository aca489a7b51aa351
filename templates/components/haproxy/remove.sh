#!/bin/sh
# Stop balancing; the package stays.
set -eu
if [ -d /run/systemd/system ]; then
    systemctl --quiet disable --now haproxy || true
else
    service haproxy stop || true
fi
echo "haproxy is stopped"
