#!/bin/sh
# Install $names with whatever this distribution has. Other users of the package database are waited for.
set -eu
set -f

retry() { # some mirrors and locks need a second try
    for pause in 5 20 60; do
        "$@" && return 0
        echo "'$*' exited $?; trying again in $pause s" >&2
        sleep "$pause"
    done
    "$@"
}

if command -v apt-get >/dev/null; then
    manager=apt
    export DEBIAN_FRONTEND=noninteractive
    retry apt-get -qq -o APT::Update::Error-Mode=any update || echo "going on with the package lists that are there" >&2
    retry apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install -y --no-install-recommends -- $names
elif command -v dnf >/dev/null; then
    manager=dnf
    retry dnf -q -y install -- $names
elif command -v zypper >/dev/null; then
    manager=zypper
    retry zypper --non-interactive --quiet install -- $names
elif command -v apk >/dev/null; then
    manager=apk
    retry apk add --quiet -- $names
else
    echo "no package manager known here (apt-get, dnf, zypper, apk)" >&2
    exit 2
fi
echo "installed: $names"
printf '%s' "$manager" >"$heat_outputs_path.manager"
