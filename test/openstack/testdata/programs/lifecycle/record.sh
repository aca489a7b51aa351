#!/bin/sh
# Fails to update to the setting "broken". Else keeps a line for each run: the step's name with the action, and when it began and ended.
set -eu
if [ "${from:-}$deploy_action" = brokenUPDATE ]; then
    echo "this setting does not work" >&2
    exit 3
fi
begin=$(date +%s.%N)
sleep 0.2
mkdir -p /var/lib/record
printf '%s %s %s\n' "$step/$deploy_action" "$begin" "$(date +%s.%N)" >>/var/lib/record/steps
printf '%s>%s' "${from:-}" "$step" >"$heat_outputs_path.path"
