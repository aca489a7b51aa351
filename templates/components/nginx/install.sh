#!/bin/sh
# Serve files, or hand requests on to backends.
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
mv "$new" "$site"
nginx -t -q
start nginx
echo "nginx listens on port $port"
printf '%s' "$port" >"$heat_outputs_path.port"
