#!/bin/sh
set -eu
rm -f /srv/greeter/greeting /srv/greeter/revision
echo "$(date -u +%H:%M:%S) removed" >>/srv/greeter/history
