#!/bin/sh
# Keeps a line for each run: the step's name and when it began and ended.
set -eu
begin=$(date +%s.%N)
sleep 0.2
mkdir -p /var/lib/record
printf '%s %s %s\n' "$step" "$begin" "$(date +%s.%N)" >>/var/lib/record/steps
printf '%s>%s' "${from:-}" "$step" >"$heat_outputs_path.path"
