#!/bin/sh
set -eu
rm -f "${HOTLOOM_ROOT:-}/srv/vault/word"
echo forgotten
