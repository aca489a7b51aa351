#!/bin/sh
# Mount a file system now and at every boot.
set -eu

plain() { # NAME VALUE: refuse what could end a word of a configuration file
    case $2 in
    '' | *[!A-Za-z0-9._:/@+-]*) echo "$1 may hold letters, digits and ._:/@+- only, not '$2'" >&2; exit 2 ;;
    esac
}
for name in device fstype options; do
    eval "value=\$$name"
    case $value in '' | *[!A-Za-z0-9._:/@+=,-]*) echo "$name may not be '$value'" >&2; exit 2 ;; esac
done
plain path "$path"
case $path in
/ | *..*) echo "path may not be '$path'" >&2; exit 2 ;;
/*) ;;
*) echo "path has to be absolute, not '$path'" >&2; exit 2 ;;
esac

case $format in
True | true | 1)
    if [ -b "$device" ] && ! blkid "$device" >/dev/null; then
        "mkfs.$fstype" -q "$device"
        echo "made an $fstype file system on $device"
    fi
    ;;
esac
mkdir -p "$path"
fstab=${fstab:-/etc/fstab}
new=$fstab.hotloom
old=$fstab.hotloom-old
was=$(awk -v p="$path" '$1 !~ /^#/ && $2 == p { print $1, $3, $4 }' "$fstab")
cp -p "$fstab" "$old"
awk -v p="$path" '$1 ~ /^#/ || $2 != p' "$fstab" >"$new"
echo "$device $path $fstype $options 0 2" >>"$new"
cat "$new" >"$fstab" # in place: fstab keeps its owner and its mode
rm -f "$new"
apply() { # what fstab says now
    if ! mountpoint -q "$path"; then
        mount "$path"
    elif [ "${was% *}" = "$device $fstype" ]; then
        [ "${was##* }" = "$options" ] || mount -o remount "$path" # others may be using it
    else
        umount "$path" && mount "$path"
    fi
}
if ! apply; then
    cat "$old" >"$fstab"
    rm -f "$old"
    [ -z "$was" ] || mountpoint -q "$path" || mount "$path" || true
    exit 1
fi
rm -f "$old"
echo "$device is mounted on $path"
echo "$(($(stat -f -c '%a * %S' "$path")))" | tr -d '\n' >"$heat_outputs_path.free"
