package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxMessage is the longest message in bytes that is read. A document of the greatest length that is checked (4 MiB)
// fits, even where each of its characters is escaped.
const maxMessage = 32 << 20

// maxHeader is the longest line of a message's header.
const maxHeader = 4096

// codec frames messages as the protocol does: a header with Content-Length, an empty line, JSON. A message that is too
// long, or no message, is passed over and told: the one behind it can be read.
type codec struct {
	tooLong func(size int64) // a message was passed over
	broken  func(err error)  // a message was no message
}

// WriteObject implements jsonrpc2.ObjectCodec.
func (c codec) WriteObject(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(w, "Content-Length: %d\r\n\r\n", len(text)); err == nil {
		_, err = w.Write(text)
	}
	return err
}

// ReadObject implements jsonrpc2.ObjectCodec. Its error ends the connection.
func (c codec) ReadObject(r *bufio.Reader, v any) error {
	for {
		size, err := contentLength(r)
		switch {
		case err != nil:
			return err
		case size > maxMessage:
			if _, err := io.CopyN(io.Discard, r, size); err != nil {
				return err
			}
			c.tooLong(size)
			continue
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(r, text); err != nil {
			return err
		}
		if err := json.Unmarshal(text, v); err != nil {
			c.broken(err)
			continue
		}
		return nil
	}
}

// contentLength reads a header.
func contentLength(r *bufio.Reader) (int64, error) {
	size := int64(-1)
	for {
		line, err := headerLine(r)
		switch {
		case err != nil:
			return 0, err
		case line == "" && size < 0:
			return 0, errors.New("a message's header has no Content-Length")
		case line == "":
			return size, nil
		}
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		if size, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || size < 0 {
			return 0, errors.New("a message's header has a Content-Length that is no number")
		}
	}
}

func headerLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		b, err := r.ReadByte()
		switch {
		case err != nil:
			return "", err
		case b == '\n':
			return strings.TrimSuffix(string(line), "\r"), nil
		case len(line) >= maxHeader:
			return "", errors.New("a message's header is too long")
		}
		line = append(line, b)
	}
}
