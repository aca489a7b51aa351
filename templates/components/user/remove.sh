#!/bin/sh
# Remove the user; the home folder stays.
set -eu
case $name in root | '' | [!a-z_]* | *[!a-z0-9_-]*) echo "the name '$name' is not for a user" >&2; exit 2 ;; esac
rm -f "/etc/sudoers.d/hotloom-$name"
id -u "$name" >/dev/null 2>&1 || { echo "there is no user $name"; exit 0; }
userdel "$name"
echo "removed the user $name"
