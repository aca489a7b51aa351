#!/bin/sh
# Unmount, also for the next boots. What is on the device stays.
set -eu
case $path in /?*) ;; *) echo "path has to be absolute, not '$path'" >&2; exit 2 ;; esac
fstab=${fstab:-/etc/fstab}
new=$fstab.hotloom
awk -v p="$path" '$1 ~ /^#/ || $2 != p' "$fstab" >"$new"
cat "$new" >"$fstab"
rm -f "$new"
! mountpoint -q "$path" || umount "$path"
echo "unmounted $path"
