package function

import (
	"encoding/binary"
	"hash"
	"math/bits"
)

// sm3 is the digest of GB/T 32905-2016 (ISO/IEC 10118-3), which OpenSSL has and Go's own packages lack.
type sm3 struct {
	state [8]uint32
	block []byte // what is not compressed yet, less than a block
	size  uint64 // of all that was written, in bytes
}

const sm3Block = 64

func newSM3() hash.Hash {
	h := &sm3{}
	h.Reset()
	return h
}

func (h *sm3) Reset() {
	h.state = [8]uint32{0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e}
	h.block, h.size = h.block[:0], 0
}

func (*sm3) Size() int      { return 32 }
func (*sm3) BlockSize() int { return sm3Block }

func (h *sm3) Write(p []byte) (int, error) {
	h.size += uint64(len(p))
	h.block = append(h.block, p...)
	for len(h.block) >= sm3Block {
		h.compress(h.block[:sm3Block])
		h.block = h.block[sm3Block:]
	}
	return len(p), nil
}

// Sum pads a copy, so that one can go on writing.
func (h *sm3) Sum(b []byte) []byte {
	end := sm3{state: h.state}
	tail := append([]byte{}, h.block...)
	tail = append(tail, 0x80)
	for len(tail)%sm3Block != sm3Block-8 {
		tail = append(tail, 0)
	}
	tail = binary.BigEndian.AppendUint64(tail, h.size*8)
	for ; len(tail) > 0; tail = tail[sm3Block:] {
		end.compress(tail[:sm3Block])
	}
	for _, word := range end.state {
		b = binary.BigEndian.AppendUint32(b, word)
	}
	return b
}

func (h *sm3) compress(block []byte) {
	var w [68]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < len(w); i++ {
		x := w[i-16] ^ w[i-9] ^ bits.RotateLeft32(w[i-3], 15)
		w[i] = x ^ bits.RotateLeft32(x, 15) ^ bits.RotateLeft32(x, 23) ^ bits.RotateLeft32(w[i-13], 7) ^ w[i-6]
	}
	s := h.state
	for i := range 64 {
		turn := uint32(0x79cc4519)
		ff, gg := s[0]^s[1]^s[2], s[4]^s[5]^s[6]
		if i >= 16 {
			turn = 0x7a879d8a
			ff, gg = s[0]&s[1]|s[0]&s[2]|s[1]&s[2], s[4]&s[5]|^s[4]&s[6]
		}
		a12 := bits.RotateLeft32(s[0], 12)
		ss1 := bits.RotateLeft32(a12+s[4]+bits.RotateLeft32(turn, i%32), 7)
		tt1 := ff + s[3] + (ss1 ^ a12) + (w[i] ^ w[i+4])
		tt2 := gg + s[7] + ss1 + w[i]
		s = [8]uint32{
			tt1, s[0], bits.RotateLeft32(s[1], 9), s[2],
			tt2 ^ bits.RotateLeft32(tt2, 9) ^ bits.RotateLeft32(tt2, 17), s[4], bits.RotateLeft32(s[5], 19), s[6],
		}
	}
	for i := range s {
		h.state[i] ^= s[i]
	}
}
