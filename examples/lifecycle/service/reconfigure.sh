#!/bin/sh
set -eu
dir=${HOTLOOM_ROOT:-}/srv/greeter
revision=$(($(cat "$dir"/revision) + 1))
printf '%s\n' "$greeting" >"$dir"/greeting
echo "$revision" >"$dir"/revision
echo "$(date -u +%H:%M:%S) reconfigured" >>"$dir"/history
printf %s "$revision" >"$heat_outputs_path.revision"
