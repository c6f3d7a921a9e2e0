package sim

import "math/bits"

// hash is the running trace hash. The words of one event are combined by a sum
// of products with odd constants, which the CPU does side by side, and two
// rounds fold them into the state. Each round is a bijection of the state, so
// that a difference between two runs, once in, is not lost by what follows.
type hash uint64

// Odd constants without structure: the first fractional bits of the square
// roots of 2, 3, 5, 7 and 11 (SHA-512's initial values, FIPS 180-4, 5.3.5,
// for the primes 2 to 11), with the lowest bit set.
const (
	hash2  = 0x6a09e667f3bcc909
	hash3  = 0xbb67ae8584caa73b
	hash5  = 0x3c6ef372fe94f82b
	hash7  = 0xa54ff53a5f1d36f1
	hash11 = 0x510e527fade682d1
)

func (h *hash) event(at Time, rank uint64, ev Event) {
	who := rank<<40 | uint64(ev.Kind)<<32 | uint64(uint32(ev.To))
	h.fold(uint64(at)*hash2 + who*hash3)
	h.fold(uint64(ev.A)*hash5 + uint64(ev.B)*hash7)
}

func (h *hash) note(word uint64) { h.fold(word * hash5) }

func (h *hash) fold(word uint64) {
	*h = hash(bits.RotateLeft64((uint64(*h)^word)*hash11, 29))
}
