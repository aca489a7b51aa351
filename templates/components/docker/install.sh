#!/bin/sh
# The Docker engine of the distribution.
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
if command -v apt-get >/dev/null; then
    install docker.io
else
    install moby-engine
fi
mkdir -p /etc/docker
new=/etc/docker/daemon.json.new
{
    printf '{"log-driver": "json-file", "log-opts": {"max-size": "10m", "max-file": "3"}, "registry-mirrors": ['
    comma=
    for m in $(words "$mirrors"); do
        plain mirrors "$m"
        printf '%s"%s"' "$comma" "$m"
        comma=', '
    done
    printf ']}\n'
} >"$new"
mv "$new" /etc/docker/daemon.json
start docker
for u in $(words "$users"); do
    plain users "$u"
    usermod -aG docker "$u"
done
version=$(docker version --format '{{.Server.Version}}')
printf '%s' "$version" >"$heat_outputs_path.version"
echo "docker $version runs"
