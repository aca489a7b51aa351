#!/bin/sh
# Found a cluster: a token that members have to present, and an epoch that they have to agree on.
set -eu
etc=${HOTLOOM_ROOT:-}/etc/cluster
mkdir -p "$etc"
umask 077
token=$(head -c 18 /dev/urandom | base64 | tr -d '\n')
printf 'name=%s\nrole=leader\ntoken=%s\n' "$name" "$token" >"$etc/cluster.conf"

echo "cluster $name founded"
printf '%s' "$token" >"$heat_outputs_path.join_token"
date +%s | tr -d '\n' >"$heat_outputs_path.epoch"
