#!/bin/sh
# A page that shows what this host was told about the database.
set -eu
root=${HOTLOOM_ROOT:-}/srv/www
mkdir -p "$root"

umask 077
printf 'host=%s\ndata_dir=%s\ntoken=%s\n' "$database_host" "$data_dir" "$access_token" >"$root/database.conf"

umask 022
cat >"$root/index.html" <<HTML
<!doctype html>
<title>$title</title>
<h1>$title</h1>
<p>Entries live in $data_dir on $database_host.</p>
<p>Columns: $schema</p>
HTML

test -n "$access_token"
echo "wrote $root/index.html"
printf '%s' "$root/index.html" >"$heat_outputs_path.page"
