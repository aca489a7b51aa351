#!/bin/sh
# A MariaDB server with a database and its user. root logs in from the host alone, as the system's root.
set -eu

install() { # packages of Debian and its like, or of Red Hat and its like
    if command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get -qq -o DPkg::Lock::Timeout=600 update
        apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends -- "$@"
    elif command -v dnf >/dev/null; then
        dnf -q -y install -- "$@"
    else
        echo "no package manager known here (apt-get, dnf)" >&2
        exit 2
    fi
}
start() { # at every boot, and now with the new settings
    if [ -d /run/systemd/system ]; then
        systemctl --quiet enable "$1"
        systemctl restart "$1"
    else
        service "$1" stop || true # a restart of what does not run fails with some
        service "$1" start
    fi
}
plain() { # NAME VALUE: refuse what could end a word of a configuration file
    case $2 in
    '' | *[!A-Za-z0-9._:/@+-]*) echo "$1 may hold letters, digits and ._:/@+- only, not '$2'" >&2; exit 2 ;;
    esac
}
plain bind_address "$bind_address"
plain port "$port"
[ -z "$database" ] || plain database "$database"
[ -z "$user" ] || plain user "$user"
[ -z "$user" ] || [ -n "$password" ] || { echo "the user $user has no password" >&2; exit 2; }

install mariadb-server
folder=/etc/mysql/mariadb.conf.d
[ -d "$folder" ] || folder=/etc/my.cnf.d
printf '[mysqld]\nbind-address = %s\nport = %s\n' "$bind_address" "$port" >"$folder/90-hotloom.cnf"
start mariadb

client=$(command -v mariadb || command -v mysql)
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    "$client" --batch -e 'SELECT 1' >/dev/null 2>&1 && break
    [ "$try" != 30 ] || { echo "MariaDB does not answer" >&2; exit 1; }
    sleep 1
done
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/\\\\/\\\\\\\\/g; s/'/''/g")"; }
{ # by the standard input: a command line is for everybody to read
    [ -z "$database" ] || printf 'CREATE DATABASE IF NOT EXISTS `%s` CHARACTER SET utf8mb4;\n' "$database"
    if [ -n "$user" ]; then
        printf "CREATE USER IF NOT EXISTS '%s'@'%%';\n" "$user"
        printf "ALTER USER '%s'@'%%' IDENTIFIED BY %s;\n" "$user" "$(quoted "$password")"
        [ -z "$database" ] || printf "GRANT ALL ON \`%s\`.* TO '%s'@'%%';\n" "$database" "$user"
    fi
} | "$client" --batch
"$client" --batch --skip-column-names -e 'SELECT @@socket' | tr -d '\n' >"$heat_outputs_path.socket"
printf '%s' "$port" >"$heat_outputs_path.port"
echo "MariaDB listens on $bind_address:$port"
