#!/bin/sh
# Write $content to $path: whole or not at all, with its permissions from the first moment.
set -eu
case $path in
/*) ;;
*) echo "path has to be absolute, not '$path'" >&2; exit 2 ;;
esac

mkdir -p "$(dirname "$path")"
new=$path.new.$$
trap 'rm -f "$new"' EXIT
(umask 077 && printf '%s' "$content" >"$new")
chown "$owner" "$new"
chmod "$mode" "$new"
mv -f "$new" "$path"

echo "wrote $path"
sha256sum "$path" | cut -d ' ' -f 1 | tr -d '\n' >"$heat_outputs_path.sha256"
