package action

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"mime/multipart"
	"net"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// mailTimeout bounds a whole conversation with a mail server.
const mailTimeout = 5 * time.Minute

func (c Config) email() Definition {
	return Definition{
		Name: "std.email", Class: stdModule + "SendEmailAction",
		Inputs: with(required("from_addr", "to_addrs", "smtp_server"),
			"reply_to", "cc_addrs", "bcc_addrs", "smtp_password", "subject", "body", "html_body"),
		Run: func(ctx context.Context, in *value.Map, _ Call) (any, error) {
			if err := sendMail(ctx, in); err != nil {
				return nil, fmt.Errorf("Failed to send an email message: %w", err) //nolint:staticcheck // Mistral's words
			}
			return nil, nil
		},
	}
}

func addresses(v any) []string {
	items, ok := value.Seq(v)
	if !ok {
		if s := text(v); s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for _, item := range items {
		out = append(out, text(item))
	}
	return out
}

func sendMail(ctx context.Context, in *value.Map) error {
	get := func(name string) any { v, _ := in.GetStr(name); return v }
	from := text(get("from_addr"))
	to, cc, bcc := addresses(get("to_addrs")), addresses(get("cc_addrs")), addresses(get("bcc_addrs"))
	msg, err := message(in, from, to, cc)
	if err != nil {
		return err
	}
	server := text(get("smtp_server"))
	if _, _, err := net.SplitHostPort(server); err != nil {
		server = net.JoinHostPort(server, "25")
	}
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", server)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	host, _, _ := net.SplitHostPort(server)
	client, err := smtp.NewClient(conn, host)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	defer client.Close()
	if password := get("smtp_password"); password != nil {
		if err := client.StartTLS(&tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}); err != nil {
			return err
		}
		if err := client.Auth(smtp.PlainAuth("", from, text(password), host)); err != nil {
			return err
		}
	}
	if err := client.Mail(from); err != nil {
		return err
	}
	for _, rcpt := range append(append(append([]string{}, cc...), bcc...), to...) {
		if err := client.Rcpt(rcpt); err != nil {
			return err
		}
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(msg); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return client.Quit()
}

// message writes the mail; line ends in header values, which would add headers, are refused.
func message(in *value.Map, from string, to, cc []string) ([]byte, error) {
	get := func(name, standard string) string {
		v, _ := in.GetStr(name)
		if !value.Truth(v) {
			return standard
		}
		return text(v)
	}
	reply, _ := in.GetStr("reply_to")
	headers := [][2]string{
		{"Subject", mime.BEncoding.Encode("utf-8", get("subject", "<No subject>"))},
		{"From", from},
		{"Reply-To", strings.Join(addresses(reply), ", ")},
		{"To", strings.Join(to, ", ")},
	}
	if len(cc) > 0 {
		headers = append(headers, [2]string{"Cc", strings.Join(cc, ", ")})
	}
	var b bytes.Buffer
	for _, h := range headers {
		if strings.ContainsAny(h[1], "\r\n") {
			return nil, fmt.Errorf("the header %s may not hold line ends", h[0])
		}
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	b.WriteString("MIME-Version: 1.0\r\n")
	plain, html := get("body", "<No body>"), get("html_body", "")
	if html == "" {
		b.WriteString("Content-Type: text/plain; charset=\"utf-8\"\r\nContent-Transfer-Encoding: base64\r\n\r\n")
		b.Write(base64Lines(plain))
		return b.Bytes(), nil
	}
	w := multipart.NewWriter(&b)
	fmt.Fprintf(&b, "Content-Type: multipart/alternative; boundary=\"%s\"\r\n\r\n", w.Boundary())
	for _, part := range [][2]string{{"plain", plain}, {"html", html}} {
		p, err := w.CreatePart(textproto.MIMEHeader{
			"Content-Type":              {"text/" + part[0] + "; charset=\"utf-8\""},
			"Content-Transfer-Encoding": {"base64"},
		})
		if err != nil {
			return nil, err
		}
		if _, err := p.Write(base64Lines(part[1])); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), w.Close()
}

// base64Lines encodes in lines of 76 characters, as mail wants them.
func base64Lines(s string) []byte {
	enc := base64.StdEncoding.EncodeToString([]byte(s))
	var b bytes.Buffer
	for len(enc) > 76 {
		b.WriteString(enc[:76] + "\r\n")
		enc = enc[76:]
	}
	b.WriteString(enc + "\r\n")
	return b.Bytes()
}
