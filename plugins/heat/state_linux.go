package heat

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// prepareState makes the state folder and takes it for this process; unlock gives it back.
func prepareState(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return nil, fmt.Errorf("state folder %s belongs to user %d, not to the one who runs this (%d): run it as the user of heat-engine", dir, st.Uid, os.Geteuid())
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("state folder %s is in use by another hotloom heat-plugin serve", dir)
	}
	return func() { _ = lock.Close() }, nil
}

// checkPeer lets in the user who runs this, and root.
func checkPeer(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var peer *syscall.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("who connects is not known: %w", failed)
	}
	if peer.Uid != 0 && int(peer.Uid) != os.Geteuid() {
		return fmt.Errorf("user %d (process %d) may not connect", peer.Uid, peer.Pid)
	}
	return nil
}
