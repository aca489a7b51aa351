#!/bin/sh
# Keep a word in a file that only its owner can read, and say where.
set -eu
umask 077
dir=${HOTLOOM_ROOT:-}/srv/vault
mkdir -p "$dir"
printf '%s\n' "$word" >"$dir/word"
echo "kept a word of ${#word} letters"
printf '%s' "$dir/word" >"$heat_outputs_path.place"
