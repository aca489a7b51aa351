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
case $name in root | [!a-z_]* | *[!a-z0-9_-]*) echo "the name '$name' is not for a user" >&2; exit 2 ;; esac

if id -u "$name" >/dev/null 2>&1; then
    usermod --shell "$shell" "$name"
else
    useradd --create-home --shell "$shell" "$name"
    home=$(getent passwd "$name" | cut -d : -f 6)
    chown -R -h "$name:" "$home" # it may be there from an earlier user of that name
fi
home=$(getent passwd "$name" | cut -d : -f 6)
record=/var/lib/hotloom/user-$name # the groups that it has from here: others may have added theirs
mkdir -p /var/lib/hotloom
for g in $(words "$groups"); do
    plain groups "$g"
    getent group "$g" >/dev/null || groupadd "$g"
    usermod -aG "$g" "$name"
done
for g in $(cat "$record" 2>/dev/null); do
    case " $(words "$groups") " in
    *" $g "*) ;;
    *) ! id -nG "$name" | tr ' ' '\n' | grep -q -x -F -- "$g" || gpasswd --delete "$name" "$g" ;;
    esac
done
words "$groups" >"$record"
if [ -n "$ssh_keys" ]; then
    # As the user: whatever it has put in the way of .ssh leads nowhere that it may not go itself.
    printf '%s\n' "$ssh_keys" | runuser -u "$name" -- sh -c '
        umask 077 && cd "$1" && mkdir -p .ssh && chmod 700 .ssh && cat >.ssh/authorized_keys && chmod 600 .ssh/authorized_keys' sh "$home"
fi
rule=/etc/sudoers.d/hotloom-$name
case $sudo in
True | true | 1)
    command -v visudo >/dev/null || { echo "sudo is not there; a component of type packages installs it" >&2; exit 1; }
    (umask 227 && echo "$name ALL=(ALL) NOPASSWD:ALL" >"$rule.new" && mv -f "$rule.new" "$rule")
    ;;
*) rm -f "$rule" ;;
esac
printf '%s' "$home" >"$heat_outputs_path.home"
id -u "$name" | tr -d '\n' >"$heat_outputs_path.uid"
echo "user $name has home $home"
