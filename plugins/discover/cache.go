package discover

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hotloom/hotloom/resources"
)

// remembered is what a provider has said of itself, as a file in the cache.
type remembered struct {
	Path        string                 `json:"path"`
	Args        []string               `json:"args,omitempty"`
	Size        int64                  `json:"size"`
	Modified    int64                  `json:"modified"` // ns since 1970
	Description *resources.Description `json:"description"`
}

func (s Source) cacheFile() (string, error) {
	dir := s.Cache
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(base, "hotloom", "providers")
	}
	sum := sha256.Sum256([]byte(s.Path + "\x00" + strings.Join(s.Args, "\x00")))
	return filepath.Join(dir, s.Name+"-"+hex.EncodeToString(sum[:8])+".json"), nil
}

// Remember keeps a description, so that Recall gives it as long as the provider's file does not change.
func (s Source) Remember(d *resources.Description) error {
	file, err := s.cacheFile()
	if err != nil {
		return err
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return err
	}
	text, err := json.Marshal(remembered{s.Path, s.Args, info.Size(), info.ModTime().UnixNano(), d})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".description-")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

// maxDescription is the largest cached description in bytes that is read.
const maxDescription = 16 << 20

// Recall gives what the provider has said of itself when it was last started, if its file is the same since.
func (s Source) Recall() (*resources.Description, bool) {
	file, err := s.cacheFile()
	if err != nil {
		return nil, false
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return nil, false
	}
	if kept, err := os.Stat(file); err != nil || kept.Size() > maxDescription {
		return nil, false
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	var r remembered
	if json.Unmarshal(text, &r) != nil || r.Path != s.Path || r.Size != info.Size() || r.Modified != info.ModTime().UnixNano() ||
		r.Description == nil || r.Description.Name != s.Name {
		return nil, false
	}
	for name, t := range r.Description.Types {
		if t == nil {
			return nil, false
		}
		t.Name = name
	}
	return r.Description, true
}

// Checksum is the SHA-256 of the provider's file in hexadecimal, as a configuration pins it.
func (s Source) Checksum() (string, error) {
	f, err := os.Open(s.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Trusted refuses files that anybody may change: what hotloom runs must be what the user has put there.
func (s Source) Trusted() error {
	info, err := os.Stat(s.Path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a folder", s.Path)
	}
	if runtime.GOOS != "windows" && info.Mode()&fs.FileMode(0o002) != 0 {
		return fmt.Errorf("%s can be changed by anybody (mode %o): take the right to write from others", s.Path, info.Mode().Perm())
	}
	return nil
}
