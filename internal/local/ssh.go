package local

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/resources"
)

// sshHost is a machine that is logged in to. All that a script is made of goes over the connection's input, nothing
// stands on a command line there.
type sshHost struct {
	target, name, stack string
	config              action.Config
}

var _ Host = (*sshHost)(nil)

func (h *sshHost) Run(ctx context.Context, c Command) (Finished, error) {
	target, err := action.ParseSSH(h.target)
	if err != nil {
		return Finished{}, err
	}
	client, err := h.config.Dial(ctx, target)
	var network net.Error
	if errors.As(err, &network) && ctx.Err() == nil { // it may be booting, or gone
		return Finished{}, resources.RetryAfter(0, "host %s cannot be reached: %w", h.name, err)
	}
	if err != nil {
		return Finished{}, fmt.Errorf("host %s: %w", h.name, err)
	}
	defer client.Close()
	code, err := h.execute(ctx, client, c)
	if err != nil {
		return Finished{}, fmt.Errorf("host %s: %w", h.name, err)
	}
	outputs, err := h.collect(ctx, client, c)
	return Finished{Code: code, Outputs: outputs}, err
}

// execute runs the script to its end. When ctx ends, the script's processes are ended through a second session.
func (h *sshHost) execute(ctx context.Context, client *ssh.Client, c Command) (int, error) {
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ended:
		case <-ctx.Done():
			if err := shell(client, h.place(c)+killGroupText, io.Discard, io.Discard); err != nil {
				_ = client.Close() // then at least nobody waits for it
			}
		}
	}()
	err := shell(client, h.program(c), c.Stdout, c.Stderr)
	close(ended)
	<-watched
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	var exit *ssh.ExitError
	if errors.As(err, &exit) {
		return exit.ExitStatus(), nil
	}
	return 0, err
}

// shell runs a program that is given to a shell's input.
func shell(client *ssh.Client, program string, stdout, stderr io.Writer) error {
	session, err := client.NewSession()
	if err != nil {
		return err
	}
	defer session.Close()
	// The braces have the shell read all of it before it does anything: what it starts can not take the rest away.
	session.Stdin = strings.NewReader("{\n" + program + "\n}\n")
	session.Stdout, session.Stderr = stdout, stderr
	return session.Run("sh -s")
}

// quoted is a word for the shell that stands for the text.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// place sets hotloom_work to the folder of a command.
func (h *sshHost) place(c Command) string {
	return "hotloom_work=${HOME:-.}/.hotloom/" + quoted(fileName(h.stack)) + "/" + quoted(fileName(h.name)) + "/" + quoted(c.Name) + "\n"
}

// killGroupText ends what runs of a command: now, and after a while for good.
var killGroupText = fmt.Sprintf(`if [ -f "$hotloom_work/pid" ]; then
	hotloom_pid=$(cat "$hotloom_work/pid")
	hotloom_left=%d
	kill -s TERM -- "-$hotloom_pid" 2>/dev/null
	while kill -s 0 -- "-$hotloom_pid" 2>/dev/null && [ "$hotloom_left" -gt 0 ]; do
		sleep 1
		hotloom_left=$((hotloom_left - 1))
	done
	kill -s KILL -- "-$hotloom_pid" 2>/dev/null
	rm -f "$hotloom_work/pid"
fi
`, grace/time.Second)

func (h *sshHost) program(c Command) string {
	var b strings.Builder
	b.WriteString("hotloom_umask=$(umask)\numask 077\n" + h.place(c) + killGroupText)
	b.WriteString("rm -rf \"$hotloom_work\"\nmkdir -p \"$hotloom_work\" || exit 126\n")
	end := "HOTLOOM_" + rand.Text()
	fmt.Fprintf(&b, "cat >\"$hotloom_work/script\" <<'%s'\n%s\n%s\nchmod 700 \"$hotloom_work/script\"\n", end, strings.TrimSuffix(c.Script, "\n"), end)
	for _, env := range c.Env {
		name, v, _ := strings.Cut(env, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, quoted(v))
	}
	fmt.Fprintf(&b, "export heat_outputs_path=\"$hotloom_work/output\" HOTLOOM_HOST=%s HOTLOOM_ROOT= HOTLOOM_ADDRESS=\n", quoted(h.name))
	b.WriteString(`umask "$hotloom_umask"
setsid "$hotloom_work/script" </dev/null &
echo "$!" >"$hotloom_work/pid"
wait "$!"
hotloom_code=$?
rm -f "$hotloom_work/pid"
exit "$hotloom_code"`)
	return b.String()
}

// collect reads the outputs, and removes what was made for the run.
func (h *sshHost) collect(ctx context.Context, client *ssh.Client, c Command) (map[string]string, error) {
	var b strings.Builder
	b.WriteString(h.place(c))
	for i, name := range c.Outputs {
		fmt.Fprintf(&b, "f=\"$hotloom_work/output\".%s\nif [ -f \"$f\" ]; then s=$(($(wc -c <\"$f\"))); echo %d \"$s\"; [ \"$s\" -gt %d ] || cat \"$f\"; fi\n",
			quoted(name), i, maxOutput)
	}
	b.WriteString("rm -rf \"$hotloom_work\"\n")
	stop := context.AfterFunc(ctx, func() { _ = client.Close() })
	defer stop()
	var text bytes.Buffer
	if err := shell(client, b.String(), &text, io.Discard); err != nil {
		return nil, fmt.Errorf("host %s: reading the outputs: %w", h.name, err)
	}
	out := map[string]string{}
	for r := bufio.NewReader(&text); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			return out, nil
		}
		number, length, _ := strings.Cut(strings.TrimSpace(line), " ")
		i, err := strconv.Atoi(number)
		size, err2 := strconv.Atoi(length)
		if err != nil || err2 != nil || i < 0 || i >= len(c.Outputs) {
			return nil, fmt.Errorf("host %s: its shell answers in a way that is not understood", h.name)
		}
		if size > maxOutput {
			return nil, fmt.Errorf("output %s has %d bytes; at most %d are taken", c.Outputs[i], size, maxOutput)
		}
		content := make([]byte, size)
		if _, err := io.ReadFull(r, content); err != nil {
			return nil, fmt.Errorf("host %s: reading output %s: %w", h.name, c.Outputs[i], err)
		}
		out[c.Outputs[i]] = strings.ToValidUTF8(string(content), "\uFFFD")
	}
}
