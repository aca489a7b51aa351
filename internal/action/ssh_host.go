package action

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// SSHTarget is a machine to log in to.
type SSHTarget struct {
	User    string
	Address string // with the port
}

// ParseSSH reads ssh://user@address[:port].
func ParseSSH(text string) (SSHTarget, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return SSHTarget{}, fmt.Errorf("%q is not ssh://user@address", text)
	case u.Scheme != "ssh" || u.Hostname() == "" || u.User.Username() == "":
		return SSHTarget{}, fmt.Errorf("%q is not ssh://user@address", text)
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return SSHTarget{}, fmt.Errorf("%q: nothing stands behind the address of ssh://user@address[:port]", text)
	}
	if _, given := u.User.Password(); given {
		return SSHTarget{}, errors.New("a password does not belong into ssh://user@address: log in with a key or an agent")
	}
	port := u.Port()
	if port == "" {
		port = "22"
	}
	return SSHTarget{User: u.User.Username(), Address: net.JoinHostPort(u.Hostname(), port)}, nil
}

// standardKeys are the files in KeyFolder that ssh tries too.
var standardKeys = []string{"id_ed25519", "id_ecdsa", "id_rsa"}

// Dial logs in with the keys of the SSH agent and the standard ones without a passphrase. The machine's key must be known.
func (c Config) Dial(ctx context.Context, t SSHTarget) (*ssh.Client, error) {
	signers, end, err := c.signers(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if len(signers) == 0 {
		return nil, fmt.Errorf("no key to log in to %s with: start an SSH agent, or make a key without a passphrase", t.Address)
	}
	return c.login(ctx, t.Address, t.User, []ssh.AuthMethod{ssh.PublicKeys(signers...)}, nil)
}

// signers are the keys, those of the agent until end is called.
func (c Config) signers(ctx context.Context) (all []ssh.Signer, end func(), err error) {
	end = func() {}
	if socket := os.Getenv("SSH_AUTH_SOCK"); socket != "" {
		if conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket); err == nil {
			end = func() { _ = conn.Close() }
			if all, err = agent.NewClient(conn).Signers(); err != nil {
				end()
				return nil, nil, fmt.Errorf("SSH agent: %w", err)
			}
		}
	}
	folder := c.KeyFolder
	if folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return all, end, nil
		}
		folder = filepath.Join(home, ".ssh")
	}
	for _, name := range standardKeys {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		if signer, err := ssh.ParsePrivateKey(text); err == nil {
			all = append(all, signer)
		}
	}
	return all, end, nil
}
