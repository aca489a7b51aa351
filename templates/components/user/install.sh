#!/bin/sh
# A user with keys to log in by.
set -eu

plain() { # NAME VALUE: refuse what could end a word of a configuration file
    case $2 in
    '' | *[!A-Za-z0-9._:/@+-]*) echo "$1 may hold letters, digits and ._:/@+- only, not '$2'" >&2; exit 2 ;;
    esac
}
words() { # a list, as Heat hands it over, in words
    printf '%s' "$1" | tr -d '[]" ' | tr ',' ' '
}
plain name "$name"
plain shell "$shell"
case $name in root | [!a-z_]*) echo "the name '$name' is not for a user" >&2; exit 2 ;; esac

id -u "$name" >/dev/null 2>&1 || useradd --create-home --shell "$shell" "$name"
usermod --shell "$shell" "$name"
for g in $(words "$groups"); do
    plain groups "$g"
    getent group "$g" >/dev/null || groupadd "$g"
    usermod -aG "$g" "$name"
done
home=$(getent passwd "$name" | cut -d : -f 6)
if [ -n "$ssh_keys" ]; then
    mkdir -p "$home/.ssh"
    (umask 077 && printf '%s\n' "$ssh_keys" >"$home/.ssh/authorized_keys")
    chmod 700 "$home/.ssh"
    chown -R "$name:" "$home/.ssh"
fi
rule=/etc/sudoers.d/hotloom-$name
case $sudo in
True | true | 1) (umask 227 && echo "$name ALL=(ALL) NOPASSWD:ALL" >"$rule.new" && mv -f "$rule.new" "$rule") ;;
*) rm -f "$rule" ;;
esac
printf '%s' "$home" >"$heat_outputs_path.home"
id -u "$name" | tr -d '\n' >"$heat_outputs_path.uid"
echo "user $name has home $home"
