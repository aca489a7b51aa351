#!/bin/sh
set -eu
mkdir -p /srv/greeter
printf '%s\n' "$greeting" >/srv/greeter/greeting
echo 1 >/srv/greeter/revision
echo "$(date -u +%H:%M:%S) installed" >>/srv/greeter/history
printf 1 >"$heat_outputs_path.revision"
