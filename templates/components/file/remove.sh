#!/bin/sh
set -eu
rm -f "$path"
echo "removed $path"
