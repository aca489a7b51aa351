#!/bin/sh
# Stop serving; the package and the files stay.
set -eu
rm -f /etc/nginx/conf.d/hotloom.conf
if [ -d /run/systemd/system ]; then
    systemctl try-reload-or-restart nginx || true # it may never have been installed
elif pidof -c nginx >/dev/null; then
    service nginx reload
fi
echo "nginx serves the site no more"
