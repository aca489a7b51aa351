#!/bin/sh
set -eu
dir=${HOTLOOM_ROOT:-}/srv/greeter
rm -f "$dir"/greeting "$dir"/revision
echo "$(date -u +%H:%M:%S) removed" >>"$dir"/history
