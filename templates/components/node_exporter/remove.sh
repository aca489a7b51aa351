#!/bin/sh
# Stop the exporter; the package stays.
set -eu
if [ -d /run/systemd/system ]; then
    systemctl --quiet disable --now prometheus-node-exporter || true
else
    service prometheus-node-exporter stop || true
fi
echo "the node exporter is stopped"
