#!/bin/sh
set -eu
echo "greeting $who"
printf 'hello %s, the word is in %s on %s' "$who" "$place" "$host" >"$heat_outputs_path.greeting"
