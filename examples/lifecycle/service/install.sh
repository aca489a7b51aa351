#!/bin/sh
set -eu
dir=${HOTLOOM_ROOT:-}/srv/greeter
mkdir -p "$dir"
printf '%s\n' "$greeting" >"$dir"/greeting
echo 1 >"$dir"/revision
echo "$(date -u +%H:%M:%S) installed" >>"$dir"/history
printf 1 >"$heat_outputs_path.revision"
