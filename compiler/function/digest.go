package function

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"slices"
	"strings"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"
	//lint:ignore SA1019 the user chooses it, as hashlib offers it
	"golang.org/x/crypto/ripemd160" //nolint:staticcheck // likewise
)

// digest hashes a text; all is checked when it is resolved.
var digest = Function{
	Eval:  evalDigest,
	Early: earlyDigest,
	Name:  "digest",
	Usage: "{digest: [ALGORITHM, TEXT]}",
}

// digests are the algorithms of Python's hashlib with OpenSSL 3, as Heat finds them on a server.
var digests = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	"sha512_224": sha512.New512_224, "sha512_256": sha512.New512_256, "ripemd160": ripemd160.New, "sm3": newSM3,
	"sha3_224": func() hash.Hash { return sha3.New224() }, "sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() }, "sha3_512": func() hash.Hash { return sha3.New512() },
	"blake2b":  func() hash.Hash { h, _ := blake2b.New512(nil); return h }, // without a key there is no error
	"blake2s":  func() hash.Hash { h, _ := blake2s.New256(nil); return h },
	"md5-sha1": func() hash.Hash { return &joined{md5.New(), sha1.New()} },
}

// lengthless are algorithms that hashlib offers and Heat cannot use: their digests have the length that one asks for.
var lengthless = []string{"shake_128", "shake_256"}

// exactName reports whether hashlib takes an algorithm's name only as it is written here: those that are Python's own
// names rather than OpenSSL's.
func exactName(name string) bool {
	return strings.HasPrefix(name, "sha3_") || strings.HasPrefix(name, "blake2") || strings.HasPrefix(name, "shake_")
}

// joined is two digests one after the other.
type joined struct{ first, second hash.Hash }

func (j *joined) Write(p []byte) (int, error) {
	_, _ = j.first.Write(p) // a hash never fails
	return j.second.Write(p)
}
func (j *joined) Sum(b []byte) []byte { return j.second.Sum(j.first.Sum(b)) }
func (j *joined) Reset()              { j.first.Reset(); j.second.Reset() }
func (j *joined) Size() int           { return j.first.Size() + j.second.Size() }
func (j *joined) BlockSize() int      { return j.first.BlockSize() }

// checkAlgorithm finds a name that Heat or hashlib does not take.
func checkAlgorithm(c Call, name string) error {
	lower := strings.ToLower(name)
	switch {
	case slices.Contains(lengthless, lower):
		return c.fail("%s needs a length, which Heat does not give", name)
	case digests[lower] == nil:
		return c.fail("there is no algorithm %q", name)
	case exactName(lower) && name != lower:
		return c.fail("there is no algorithm %q, only %q", name, lower)
	}
	return nil
}

func evalDigest(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || slices.ContainsFunc(args, func(a any) bool { _, isText := a.(string); return !isText }) {
		return nil, c.fail("takes a list of two strings")
	}
	if len(args) != 2 {
		return nil, c.fail("takes an algorithm and a text, not %d items", len(args))
	}
	latin, ok := latin1(args[1].(string))
	algorithm := args[0].(string)
	if err := checkAlgorithm(c, algorithm); err != nil {
		return nil, err
	}
	if !ok {
		return nil, c.fail("the text has characters outside latin-1")
	}
	h := digests[strings.ToLower(algorithm)]()
	h.Write(latin)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// earlyDigest finds an algorithm that there is not, whatever the text comes to.
func earlyDigest(c Call, arg Value) error {
	args, _ := arg.([]any)
	for _, a := range args {
		if !mayBeText(a) {
			return c.fail("takes two strings, not %s", describe(a))
		}
	}
	if len(args) != 2 {
		return c.fail("takes an algorithm and a text, not %d items", len(args))
	}
	if name, isText := args[0].(string); isText {
		return checkAlgorithm(c, name)
	}
	return nil
}

func latin1(s string) ([]byte, bool) {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil, false
		}
		out = append(out, byte(r))
	}
	return out, true
}
