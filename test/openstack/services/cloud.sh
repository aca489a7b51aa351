# Stands for Nova, Glance and Neutron: ../cloud, whose servers are guests on this machine: ../guest.
# shellcheck shell=bash disable=SC2154
cloud_processes() { echo cloud; }
cloud_packages() { echo wget util-linux; }
cloud_configure() { :; }
cloud_prepare() { :; }
cloud_start() { launch cloud "$here/cloud/cloud" "$CLOUD_PORT" "$S"; }
cloud_ready() { wait_for 30 cloud answers "http://$H:$CLOUD_PORT/v2.1"; }

# What a guest's root has more than the host's: Debian's cloud-init and os-collect-config, installed into an overlay of
# the host so that the host itself stays as it is, and the files of ../guest/root.
guest_image() {
    if [ ! -e "$S/image.ready" ]; then
        say "making the guest image"
        rm -rf "$S"/{image,image.work,image.root}
        mkdir -p "$S"/{image,image.work,image.root}
        export -f apt_install
        unshare --mount --pid --fork --kill-child bash -eu -c '
            mount --make-rprivate /
            mount -t overlay overlay -o "lowerdir=/,upperdir=$1/image,workdir=$1/image.work" "$1/image.root"
            mount --rbind /dev "$1/image.root/dev"
            mount -t proc proc "$1/image.root/proc"
            mount -t tmpfs tmpfs "$1/image.root/run"
            exec chroot "$1/image.root" bash -c "apt_install cloud-init python3-os-collect-config"' guest_image "$S" \
            >>"$S/log/image.log" 2>&1 || { tail -n 30 "$S/log/image.log" >&2; die "the guest image; see $S/log/image.log"; }
        # Out goes what no guest reads and what would be copied for each: 250 MB of locales (os-collect-config wants
        # one of them), caches, documentation.
        cp -rL "$S/image/usr/lib/locale/en_US.utf8" "$S/image.work/"
        rm -rf "$S"/image/{usr/lib/locale/*,usr/share/doc,usr/share/man,var/cache,var/log,tmp}
        mv "$S/image.work/en_US.utf8" "$S/image/usr/lib/locale/"
        rm -rf "$S/image.work"
        rmdir "$S/image.root"
        : >"$S/image.ready"
    fi
    cp -r --no-preserve=ownership "$here/guest/root/." "$S/image/"
}
