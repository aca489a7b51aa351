//go:build machine

package components_test

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

func TestMount(t *testing.T) {
	onOne(t, func(m *machine) {
		m.run("truncate -s 64M /srv/disk.img; cp -a /etc/fstab /srv/fstab.before 2>/dev/null || touch /etc/fstab /srv/fstab.before")
		device := m.run("for i in 1 2 3 4 5; do losetup -f --show /srv/disk.img 2>/dev/null && exit; sleep 0.2; done; losetup -f --show /srv/disk.img") // others may be as quick
		t.Cleanup(func() {
			if out, err := exec.Command("losetup", "-d", device).CombinedOutput(); err != nil {
				t.Errorf("losetup: %v\n%s", err, out)
			}
		})
		wrote := false
		m.lives(lifecycle{
			template: "mount",
			first:    values{"device": device, "format": "true"},
			changed:  values{"device": device, "format": "true", "options": "defaults,nofail,noexec"},
			works: func(s *stack, v values) {
				want := device + " ext4"
				m.says(want, "findmnt -n -o SOURCE,FSTYPE /srv/data | tr -s ' '")
				if free, err := strconv.Atoi(fmt.Sprint(s.Outputs["free"])); err != nil || free < 30e6 || free > 64<<20 {
					t.Errorf("output free is %v", s.Outputs["free"])
				}
				if !wrote {
					m.run("echo kept >/srv/data/file")
					wrote = true
				}
				m.says("kept", "cat /srv/data/file")
				if strings.Contains(v["options"], "noexec") != strings.Contains(m.run("findmnt -n -o OPTIONS /srv/data"), "noexec") {
					t.Errorf("the options are %s", m.run("findmnt -n -o OPTIONS /srv/data"))
				}
				m.run("umount /srv/data && mount -a") // as a boot does
				m.says(want, "findmnt -n -o SOURCE,FSTYPE /srv/data | tr -s ' '")
				m.says("1", "grep -c /srv/data /etc/fstab")
			},
			gone: func() {
				m.run("! mountpoint -q /srv/data && cmp /etc/fstab /srv/fstab.before")
				m.says("kept", "mount "+device+" /mnt && cat /mnt/file; umount /mnt")
			},
		})
		s, err := m.tryUp("three", "mount", values{"device": device, "fstype": "xfs"})
		if err == nil {
			t.Errorf("a file system of another type is mounted:\n%s", s.text)
		}
		s.tells(t, "wrong fs type")
		m.run("cmp /etc/fstab /srv/fstab.before || true")
	})
}
