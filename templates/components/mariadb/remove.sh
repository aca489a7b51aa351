#!/bin/sh
# Stop the server; its data stay.
set -eu
if [ -d /run/systemd/system ]; then
    systemctl --quiet disable --now mariadb || true
else
    service mariadb stop || true
fi
echo "MariaDB is stopped; its data are left in /var/lib/mysql"
