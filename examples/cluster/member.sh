#!/bin/sh
# Join: refuse a leader that says nothing, or one whose epoch lies in the future.
set -eu
[ -n "$join_token" ] || { echo "the leader gave no token" >&2; exit 2; }
[ "$epoch" -le "$(date +%s)" ] || { echo "the leader's epoch $epoch is in the future" >&2; exit 3; }

etc=${HOTLOOM_ROOT:-}/etc/cluster
mkdir -p "$etc"
umask 077
id=$(head -c 6 /dev/urandom | od -An -tx1 | tr -d ' \n')
printf 'role=member\nid=%s\nleader=%s\ntoken=%s\n' "$id" "$leader" "$join_token" >"$etc/cluster.conf"

echo "joined $leader as $id"
printf '%s' "$id" >"$heat_outputs_path.member_id"
