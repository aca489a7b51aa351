#!/bin/sh
# Serve files, or hand requests on to backends.
set -eu

retry() { # some mirrors and locks need a second try
    for pause in 5 20 60; do
        "$@" && return 0
        echo "'$*' exited $?; trying again in $pause s" >&2
        sleep "$pause"
    done
    "$@"
}
install() { # packages of Debian and its like, or of Red Hat and its like, where one is missing
    if command -v apt-get >/dev/null; then
        for package; do
            [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] && continue
            export DEBIAN_FRONTEND=noninteractive
            retry apt-get -qq -o APT::Update::Error-Mode=any update || echo "going on with the package lists that are there" >&2
            retry apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install -y --no-install-recommends -- "$@"
            return
        done
    elif command -v dnf >/dev/null; then
        retry dnf -q -y install -- "$@"
    else
        echo "no package manager known here (apt-get, dnf)" >&2
        exit 2
    fi
}
gone() { # PROGRAM: scripts that stop a service do not wait for its end
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        pidof -c "$1" >/dev/null || return 0
        sleep 1
    done
    echo "$1 does not end" >&2
    exit 1
}
start() { # SERVICE PROGRAM LOG: at every boot, and now with the new settings; what it says where it fails stands last
    if [ -d /run/systemd/system ]; then
        systemctl --quiet enable "$1"
        systemctl restart "$1" || true # whether it runs is seen below
        sleep 1                        # one that cannot work has ended by then, or is tried again
        systemctl --quiet is-active "$1" && [ "$(systemctl show -p NRestarts --value "$1")" = 0 ] && return
        systemctl --no-pager --lines=0 status "$1" >&2 || true
        journalctl --quiet --no-pager --output=cat --lines=20 "_SYSTEMD_UNIT=$1.service" >&2
    else
        ! command -v update-rc.d >/dev/null || update-rc.d "$1" enable
        service "$1" stop || true # it may not run
        gone "$2"
        service "$1" start || true
        sleep 1
        pidof -c "$2" >/dev/null && return
        echo "$1 does not run"
        [ ! -s "$3" ] || tail -n 20 "$3" >&2
    fi
    exit 1
}
plain() { # NAME VALUE: refuse what could end a word of a configuration file
    case $2 in
    '' | *[!A-Za-z0-9._:/@+-]*) echo "$1 may hold letters, digits and ._:/@+- only, not '$2'" >&2; exit 2 ;;
    esac
}
words() { # a list, as Heat hands it over, in words
    printf '%s' "$1" | tr -d '[]" ' | tr ',' ' '
}
plain server_name "$server_name"
plain root "$root"
plain port "$port"

install nginx
mkdir -p "$root" /etc/nginx/conf.d
rm -f /etc/nginx/sites-enabled/default # it listens on port 80 too
site=/etc/nginx/conf.d/hotloom.conf
new=$site.new
{
    # shellcheck disable=SC2046 # words are meant
    set -- $(words "$backends")
    if [ $# -gt 0 ]; then
        echo "upstream hotloom {"
        for b; do plain backends "$b"; echo "    server $b;"; done
        echo "}"
    fi
    echo "server {"
    echo "    listen $port;"
    echo "    server_name $server_name;"
    if [ $# -gt 0 ]; then
        echo "    location / {"
        echo "        proxy_pass http://hotloom;"
        echo '        proxy_set_header Host $host;'
        echo '        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'
        echo "    }"
    else
        echo "    root $root;"
    fi
    echo "}"
} >"$new"
[ ! -e "$site" ] || cp "$site" "$site.old"
mv "$new" "$site"
if ! nginx -t -q; then # what it serves now stays
    [ ! -e "$site.old" ] || mv "$site.old" "$site"
    exit 1
fi
rm -f "$site.old"
start nginx nginx /var/log/nginx/error.log
echo "nginx listens on port $port"
printf '%s' "$port" >"$heat_outputs_path.port"
