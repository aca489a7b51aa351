#!/bin/sh
# A guestbook kept in one text file: a table that only its owner can read, and a token for readers.
set -eu
data_dir=${HOTLOOM_ROOT:-}/srv/guestbook
mkdir -p "$data_dir"
chmod 700 "$data_dir"

printf '%s' "$password" | sha256sum | cut -d ' ' -f 1 >"$data_dir/password.sha256"
printf 'time\tauthor\ttext\n%s\t%s\t%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" installer "$first_entry" >"$data_dir/entries.tsv"
chmod 600 "$data_dir"/*

echo "guestbook has $(($(wc -l <"$data_dir/entries.tsv") - 1)) entry"
printf '%s' "$data_dir" >"$heat_outputs_path.data_dir"
printf '["time", "author", "text"]' >"$heat_outputs_path.schema"
head -c 24 /dev/urandom | base64 | tr -d '\n' >"$heat_outputs_path.access_token"
