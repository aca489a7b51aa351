#!/bin/sh
set -eu
revision=$(($(cat /srv/greeter/revision) + 1))
printf '%s\n' "$greeting" >/srv/greeter/greeting
echo "$revision" >/srv/greeter/revision
echo "$(date -u +%H:%M:%S) reconfigured" >>/srv/greeter/history
printf %s "$revision" >"$heat_outputs_path.revision"
