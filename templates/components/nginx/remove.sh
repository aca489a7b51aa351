#!/bin/sh
# Stop serving; the package and the files stay.
set -eu
rm -f /etc/nginx/conf.d/hotloom.conf
if [ -d /run/systemd/system ]; then
    systemctl reload-or-restart nginx
else
    service nginx reload
fi
echo "nginx serves the site no more"
