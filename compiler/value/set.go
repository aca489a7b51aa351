package value

import "iter"

// Set is Python's set or frozenset. Where the order of a Python set is the same in every run (numbers, and tuples of
// them), it is that order; sets with other members, text above all, keep the order of insertion.
//
// That order follows from the layout of CPython's hash table, which is therefore rebuilt here: open addressing with
// nine linear probes, then a perturbed walk; it grows fourfold (twofold when large) at three fifths full.
type Set struct {
	slots  []setSlot // length is a power of two
	order  []any     // members as inserted
	fill   int       // used and deleted slots
	used   int
	shaky  bool // some member's place differs from run to run in Python
	frozen bool
}

type setSlot struct {
	hash  uint64
	val   any
	state uint8 // 0 free, 1 used, 2 deleted
}

const (
	setMinSlots = 8
	setProbes   = 9
)

// NewSet makes an empty set; frozen ones are hashable and must not be changed once shared.
func NewSet(frozen bool) *Set {
	return &Set{slots: make([]setSlot, setMinSlots), frozen: frozen}
}

// SetOf makes a set of items; the error is TypeError for an unhashable one.
func SetOf(meter *Meter, frozen bool, items []any) (*Set, error) {
	s := NewSet(frozen)
	for _, x := range items {
		if err := s.Add(meter, x); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Len is the number of members.
func (s *Set) Len() int { return s.used }

// Frozen says whether the set is hashable.
func (s *Set) Frozen() bool { return s.frozen }

// TableSize is the number of slots of the table, from which Python's size of the object follows.
func (s *Set) TableSize() int { return len(s.slots) }

// All walks the members in order.
func (s *Set) All() iter.Seq[any] {
	return func(yield func(any) bool) {
		if s.shaky {
			for _, x := range s.order {
				if !yield(x) {
					return
				}
			}
			return
		}
		for i := range s.slots {
			if s.slots[i].state == 1 && !yield(s.slots[i].val) {
				return
			}
		}
	}
}

// Items gives the members in order.
func (s *Set) Items() []any {
	out := make([]any, 0, s.used)
	for x := range s.All() {
		out = append(out, x)
	}
	return out
}

// probe walks the slots that a hash may be in until visit is done.
func (s *Set) probe(h uint64, visit func(i int) (bool, error)) error {
	mask := uint64(len(s.slots) - 1)
	i, perturb := h&mask, h
	for {
		n := 0
		if i+setProbes <= mask {
			n = setProbes
		}
		for j := i; j <= i+uint64(n); j++ {
			if done, err := visit(int(j)); done || err != nil {
				return err
			}
		}
		perturb >>= 5
		i = (i*5 + 1 + perturb) & mask
	}
}

// Has says whether x is a member; the error is TypeError for an unhashable x.
func (s *Set) Has(meter *Meter, x any) (bool, error) {
	i, _, err := s.find(meter, x)
	return i >= 0, err
}

func (s *Set) find(meter *Meter, x any) (int, uint64, error) {
	h, err := meter.Hash(x)
	if err != nil {
		return -1, 0, err
	}
	at := -1
	err = s.probe(h, func(i int) (bool, error) {
		sl := &s.slots[i]
		if sl.state == 0 {
			return true, nil
		}
		if sl.state == 1 && sl.hash == h {
			eq, err := meter.Equal(sl.val, x)
			if eq {
				at = i
			}
			return eq, err
		}
		return false, nil
	})
	return at, h, err
}

// Add puts x into the set.
func (s *Set) Add(meter *Meter, x any) error {
	i, h, err := s.find(meter, x)
	if err != nil || i >= 0 {
		return err
	}
	s.insert(h, x)
	s.order = append(s.order, x)
	s.shaky = s.shaky || !steadyHash(x)
	if s.fill*5 >= (len(s.slots)-1)*3 {
		want := s.used * 4
		if s.used > 50000 {
			want = s.used * 2
		}
		s.resize(want)
	}
	return nil
}

func (s *Set) insert(h uint64, x any) {
	_ = s.probe(h, func(i int) (bool, error) {
		if s.slots[i].state != 0 {
			return false, nil
		}
		s.slots[i] = setSlot{h, x, 1}
		return true, nil
	})
	s.fill++
	s.used++
}

func (s *Set) resize(want int) {
	n := setMinSlots
	for n <= want {
		n <<= 1
	}
	old := s.slots
	s.slots = make([]setSlot, n)
	s.fill, s.used = 0, 0
	for _, sl := range old {
		if sl.state == 1 {
			s.insert(sl.hash, sl.val)
		}
	}
}

func (s *Set) discard(meter *Meter, x any) error {
	i, _, err := s.find(meter, x)
	if err != nil || i < 0 {
		return err
	}
	s.slots[i] = setSlot{state: 2}
	s.used--
	for j, y := range s.order {
		if eq, _ := meter.Equal(x, y); eq {
			s.order = append(s.order[:j:j], s.order[j+1:]...)
			break
		}
	}
	return nil
}

// merge adds all members of other, laying the table out as CPython does.
func (s *Set) merge(meter *Meter, other *Set) error {
	if other.used == 0 || s == other {
		return nil
	}
	if (s.fill+other.used)*5 >= (len(s.slots)-1)*3 {
		s.resize((s.used + other.used) * 2)
	}
	if s.fill == 0 {
		s.order = append(s.order, other.order...)
		s.shaky = other.shaky
		if len(s.slots) == len(other.slots) && other.fill == other.used {
			copy(s.slots, other.slots)
			s.fill, s.used = other.fill, other.used
			return nil
		}
		for _, sl := range other.slots {
			if sl.state == 1 {
				s.insert(sl.hash, sl.val)
			}
		}
		return meter.spend(other.used)
	}
	for _, sl := range other.slots {
		if sl.state == 1 {
			if err := s.Add(meter, sl.val); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Set) copySet(meter *Meter) (*Set, error) {
	out := NewSet(s.frozen)
	return out, out.merge(meter, s)
}

// Union gives the members of both.
func (s *Set) Union(meter *Meter, other *Set) (*Set, error) {
	out, err := s.copySet(meter)
	if err != nil {
		return nil, err
	}
	return out, out.merge(meter, other)
}

// Intersection gives the common members.
func (s *Set) Intersection(meter *Meter, other *Set) (*Set, error) {
	a, b := s, other
	if b.used > a.used {
		a, b = b, a
	}
	return b.filter(meter, s.frozen, a, true)
}

// Difference gives the members of s that are not in other.
func (s *Set) Difference(meter *Meter, other *Set) (*Set, error) {
	if s.used>>2 > other.used {
		out, err := s.copySet(meter)
		for x := range other.All() {
			if err == nil {
				err = out.discard(meter, x)
			}
		}
		return out, err
	}
	return s.filter(meter, s.frozen, other, false)
}

// SymmetricDifference gives the members of exactly one of the two.
func (s *Set) SymmetricDifference(meter *Meter, other *Set) (*Set, error) {
	out, err := other.copySet(meter)
	if err != nil {
		return nil, err
	}
	out.frozen = s.frozen
	for x := range s.All() {
		has, err := out.Has(meter, x)
		if err == nil && has {
			err = out.discard(meter, x)
		} else if err == nil {
			err = out.Add(meter, x)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// filter keeps the members of s whose presence in other is want.
func (s *Set) filter(meter *Meter, frozen bool, other *Set, want bool) (*Set, error) {
	out := NewSet(frozen)
	for x := range s.All() {
		has, err := other.Has(meter, x)
		if err == nil && has == want {
			err = out.Add(meter, x)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Within says whether every member of s is in other.
func (s *Set) Within(meter *Meter, other *Set) (bool, error) {
	if s.used > other.used {
		return false, nil
	}
	for x := range s.All() {
		if has, err := other.Has(meter, x); err != nil || !has {
			return false, err
		}
	}
	return true, nil
}

// AsSet gives a set with the members of a set or of a keys or items view; ok is false for anything else.
func AsSet(meter *Meter, v any) (s *Set, ok bool, err error) {
	switch v := v.(type) {
	case *Set:
		return v, true, nil
	case KeysView:
		s, err = SetOf(meter, true, v.M.Keys())
		return s, true, err
	case ItemsView:
		items := make([]any, v.M.Len())
		for i := range items {
			items[i] = v.Item(i)
		}
		s, err = SetOf(meter, true, items)
		return s, true, err
	}
	return nil, false, nil
}
