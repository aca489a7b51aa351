package function

import (
	"crypto/sha1" //nolint:gosec // what is tested
	"encoding/hex"
	"strings"
	"testing"
)

// TestDigests holds each algorithm to what Python's hashlib gives for the text x, and for texts around the length of a
// block.
func TestDigests(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"md5": "9dd4e461268c8034", "sha1": "11f6ad8ec52a2984", "sha224": "54a2f7f92a5f975d", "sha256": "2d711642b726b044",
		"sha384": "d752c2c51fba0e29", "sha512": "a4abd4448c49562d", "sha512_224": "a0fe24b48d508b20", "sha512_256": "6a1db6c1dd481f7a",
		"ripemd160": "11ff33c6fb942655", "sm3": "b9e036c07be7c1df", "sha3_224": "63e6ceb28ad474fa", "sha3_256": "741efa311f976869",
		"sha3_384": "5abfc7bc2a09a612", "sha3_512": "0fdb27960308c514", "blake2b": "0909377ad35110ca", "blake2s": "ec308c07c83582c6",
		"md5-sha1": "9dd4e461268c8034",
	} {
		h := digests[name]()
		h.Write([]byte("x"))
		if got := hex.EncodeToString(h.Sum(nil)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s…", name, got, want)
		}
	}
	if len(digests) != 17 {
		t.Errorf("%d algorithms, not all of which are tested", len(digests))
	}
	h := digests["md5-sha1"]()
	h.Write([]byte("x"))
	want := sha1.Sum([]byte("x")) //nolint:gosec // what is tested
	if got := h.Sum(nil); h.Size() != len(got) || !strings.HasSuffix(hex.EncodeToString(got), hex.EncodeToString(want[:])) {
		t.Errorf("md5-sha1: got %x", got)
	}
	for n, want := range map[int]string{0: "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b", 55: "288337eef51eec62e7544d7270424c8dbe656254c99852870a73b2453a6a7fb1", 56: "ba00ebedaab54065a5fd4f9f56326016203166bcee3eed44ea868d59d67aa3c8", 64: "616ec433c359e7c2b19f360e2b8f2a1b6e9ed76b8dc1a7d207b31a5341c611e9", 1000: "f4bedca973227d45c5b822551d2e762d4cfb0e9af70b241452545727b5fb046f"} {
		h := newSM3()
		for range n { // in small pieces
			h.Write([]byte("a"))
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("sm3 of %d letters: got %s, want %s", n, got, want)
		}
	}
}
