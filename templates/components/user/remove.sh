#!/bin/sh
# Remove the user; the home folder stays.
set -eu
case $name in root | '' | [!a-z_]* | *[!a-z0-9_-]*) echo "the name '$name' is not for a user" >&2; exit 2 ;; esac
rm -f "/etc/sudoers.d/hotloom-$name" "/var/lib/hotloom/user-$name"
id -u "$name" >/dev/null 2>&1 || { echo "there is no user $name"; exit 0; }
for pid in $(ps -o pid= -u "$name"); do # userdel refuses while they run
    kill -KILL "$pid" || true # it may have ended
done
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -n "$(ps -o pid= -u "$name")" ] || break
    sleep 1
done
userdel "$name"
echo "removed the user $name"
