package postings_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/testbed"
)

// The sections of a segment, in the order of the file.
const (
	listSection = iota
	termSection
	textSection
	slotSection
	sketchSection
	pairSection
	docSection
	unitSection
	pathSection
	orderSection
	recordSection
	referenceSection
	endSection
	sectionCount
)

const (
	magicBytes  = 8
	sumBytes    = 4
	blockBytes  = 4096
	sumsAt      = sectionCount*8 + 8 // the checksum of the blocks' checksums
	footerBytes = sumsAt + sumBytes + sumBytes + magicBytes
)

// split returns copies of a segment's sections, and its footer.
func split(data []byte) (sections [][]byte, footer []byte) {
	footer = bytes.Clone(data[len(data)-footerBytes:])
	start := uint64(0)
	for i := range sectionCount {
		end := binary.LittleEndian.Uint64(footer[8*i:])
		sections = append(sections, bytes.Clone(data[start:end]))
		start = end
	}
	return sections, footer
}

// seal puts the checksums and a footer behind the sections, so that all checksums are right.
func seal(sections [][]byte, footer []byte) []byte {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	body := bytes.Join(sections, nil)
	var sums []byte
	for block := range slices.Chunk(body, blockBytes) {
		sums = binary.LittleEndian.AppendUint32(sums, crc32.Checksum(block, castagnoli))
	}
	binary.LittleEndian.PutUint32(footer[sumsAt:], crc32.Checksum(sums, castagnoli))
	binary.LittleEndian.PutUint32(footer[sumsAt+sumBytes:], crc32.Checksum(footer[:sumsAt+sumBytes], castagnoli))
	return slices.Concat(body, sums, footer)
}

// change returns the segment in data with changed sections. All of its checksums are right.
func change(data []byte, change func(sections [][]byte)) []byte {
	sections, footer := split(data)
	change(sections)
	end := 0
	for i, section := range sections {
		end += len(section)
		binary.LittleEndian.PutUint64(footer[8*i:], uint64(end))
	}
	return seal(sections, footer)
}

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

// read returns everything that the index reads of a segment.
func read(data []byte) (all []string, err error) {
	s, err := postings.OpenBytes(data)
	if err != nil {
		return nil, err
	}
	err = postings.Read(func() error {
		for doc := range s.Docs() {
			info := s.Doc(doc)
			folders := s.Folders()
			all = append(all, fmt.Sprint(s.Rel(doc), info, s.Traits(doc), s.DocLength(doc), folders.Rels()[folders.Of(doc)]))
			for unit := info.FirstUnit; unit < info.EndUnit; unit++ {
				all = append(all, fmt.Sprint(s.Unit(unit)))
			}
			if n, ok := s.DocOf(info.ID); ok {
				s.CompareRel(doc, s, n)
			}
			all = append(all, string(s.Record(doc)), string(s.References(doc)))
			if n, ok := s.DocAt(s.Rel(doc), func(n int) bool { return n == doc }); !ok || n != doc {
				all = append(all, s.Rel(doc)+" is not found")
			}
		}
		for _, term := range []string{"pear", "plum", "fig", "=name1", "=name2", "nothing"} {
			list := s.Find(term)
			all = append(all, term, fmt.Sprint(list.Docs, list.Summaries(nil)), postingsOf(s, term))
			for doc := range s.Docs() + 2 {
				list := s.Find(term)
				_, ok := list.To(doc)
				all = append(all, fmt.Sprint(ok))
			}
		}
		names := s.Names()
		for i := range names.Len() {
			all = append(all, string(names.Name(i)), fmt.Sprint(names.Sketch(i), names.Pairs(i)))
		}
		var merged bytes.Buffer
		if err := postings.Merge(&merged, []*postings.Segment{s}, func(_, _ int) bool { return true }); err != nil {
			return err
		}
		all = append(all, fmt.Sprintf("%x", merged.Bytes()))
		return nil
	})
	return all, err
}

// TestListBounds reads lists of a term, in a segment of two documents, that no writer
// writes, although the checksums are right. No reader leaves the list or the segment.
func TestListBounds(t *testing.T) {
	var b postings.Builder
	add(&b, 0, "a", "pear")
	add(&b, 1, "b", "pear")
	data := segment(t, &b)
	var (
		group = []byte{1 << postings.Body, 1} // the first unit has the term once in its body
		two   = join(group, group)
		// A summary is the distance from the document before, the value and the length of
		// the group.
		next = []byte{0, 2, 2}
		huge = binary.AppendUvarint(nil, 1<<64-1)
		long = []byte{0x80, 0} // 0 in two bytes, which the fast path does not read
		far  = append(binary.AppendUvarint(nil, (1<<59-1)<<postings.Fields|1<<postings.Body), 1)
	)
	for _, tt := range []struct {
		name string
		list []byte
		want string // of Next; empty: damaged
	}{
		{"intact", join([]byte{2, 6}, next, next, two), "0/0 1b, 1/0 1b,"},
		{"intact with a gap", join([]byte{1, 3, 1, 2, 2}, group), "1/0 1b,"},
		{"intact with a long varint", join([]byte{1, 4}, long, []byte{2, 2}, group), "0/0 1b,"},
		{"more documents than the segment", join([]byte{3, 6}, next, next, two), ""},
		{"far more documents than the segment", join(huge, []byte{6}, next, next, two), ""},
		{"a first document behind the last", join([]byte{2, 6, 2, 2, 2}, next, two), ""},
		{"a second document behind the last", join([]byte{2, 6}, next, []byte{1, 2, 2}, two), ""},
		{"a third document", join([]byte{2, 9}, next, next, next, two, group), ""},
		{"a document far behind the last", join([]byte{2, 15}, huge, []byte{2, 2}, next, two), ""},
		{"a long varint behind the last", join([]byte{2, 7, 0x82, 0, 2, 2}, next, two), ""},
		{"summaries behind the end", join([]byte{2, 7}, next, next), ""},
		{"summaries that end with the list", join([]byte{2, 6}, next, next), ""},
		{"a group one byte behind the end", join([]byte{2, 6}, next, []byte{0, 2, 3}, two), ""},
		{"a group far behind the end", join([]byte{2, 15}, next, []byte{0, 2}, huge, two), ""},
		{"a group that ends in a varint", join([]byte{1, 3, 0, 2, 1}, []byte{0x80}), ""},
		{"a group that ends in a posting", join([]byte{1, 3, 0, 2, 1}, []byte{1 << postings.Body}), ""},
		{"a group that ends in a field", join([]byte{1, 3, 0, 2, 2}, []byte{1<<postings.Body | 1<<postings.Name, 1}), ""},
		{"a unit far behind the last", join([]byte{1, 3, 0, 2, byte(len(far))}, far), ""},
		{"a summary that ends in a varint", join([]byte{2, 1, 0x80}, two), ""},
		{"a list without bytes", nil, ""},
		{"a list that ends in its first number", []byte{0x80}, ""},
		{"a list that ends in its second number", []byte{2, 0x80}, ""},
		{"a number of more than 64 bits", bytes.Repeat([]byte{0xff}, 11), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := change(data, func(sections [][]byte) { sections[listSection] = tt.list })
			s, err := postings.OpenBytes(changed)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			err = postings.Read(func() error { got = postingsOf(s, "pear"); return nil })
			if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, postings.ErrDamaged) {
				t.Errorf("the list is %q, %v; want %q", got, err, tt.want)
			}
			if _, err := read(changed); err != nil && !errors.Is(err, postings.ErrDamaged) {
				t.Error(err)
			}
		})
	}
}

// TestTableBounds changes single numbers in the tables, so that they point one byte or
// one record behind the end of a section, or far behind it, or before its beginning. All
// checksums are right.
func TestTableBounds(t *testing.T) {
	var b postings.Builder
	add(&b, 0, "a", "pear plum")
	add(&b, 1, "b", "pear")
	data := segment(t, &b)
	want, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	const termBytes, docBytes, endsBytes = 12, 24, 16
	for _, tt := range []struct {
		name              string
		section, at, size int
		of                int // the section that the number points into
		unit              int // of the number, in bytes
		intact            int
	}{
		{"the end of the first path", docSection, 12, 4, pathSection, 1, 1},
		{"the end of the last path", docSection, docBytes + 12, 4, pathSection, 1, 2},
		{"the first unit of the first document", docSection, 8, 4, unitSection, 8, 0},
		{"the first unit of the last document", docSection, docBytes + 8, 4, unitSection, 8, 1},
		{"the end of the first term", termSection, 0, 4, textSection, 1, 4},
		{"the end of the last term", termSection, termBytes, 4, textSection, 1, 8},
		{"the list of the first term", termSection, 4, 8, listSection, 1, 0},
		{"the list of the last term", termSection, termBytes + 4, 8, listSection, 1, 12},
		{"the end of the first record", endSection, 0, 8, recordSection, 1, 11},
		{"the end of the last record", endSection, endsBytes, 8, recordSection, 1, 22},
		{"the end of the first references", endSection, 8, 8, referenceSection, 1, 15},
		{"the end of the last references", endSection, endsBytes + 8, 8, referenceSection, 1, 30},
	} {
		sections, _ := split(data)
		size := len(sections[tt.of]) / tt.unit
		for _, value := range []int{0, tt.intact, size, size + 1, 1<<32 - 1} {
			t.Run(fmt.Sprintf("%s at %d of %d", tt.name, value, size), func(t *testing.T) {
				got, err := read(change(data, func(sections [][]byte) {
					number := binary.LittleEndian.AppendUint64(nil, uint64(value))
					copy(sections[tt.section][tt.at:], number[:tt.size])
				}))
				if err != nil && !errors.Is(err, postings.ErrDamaged) {
					t.Error(err)
				}
				if value == tt.intact && (err != nil || !slices.Equal(got, want)) || value > size && err == nil {
					t.Errorf("the segment has %q, %v", got, err)
				}
			})
		}
	}
}

// TestSectionBounds opens segments whose footer has valid checksums, but names sections
// that overlap, that end behind the file, or that leave bytes of it out.
func TestSectionBounds(t *testing.T) {
	var b postings.Builder
	add(&b, 0, "a", "pear plum")
	data := segment(t, &b)
	for section := range sectionCount {
		for _, by := range []int64{-1 << 30, -1, 0, 1, 1 << 30, -1 << 63} {
			sections, footer := split(data)
			end := int64(binary.LittleEndian.Uint64(footer[8*section:]))
			binary.LittleEndian.PutUint64(footer[8*section:], uint64(end+by))
			_, err := read(seal(sections, footer))
			if last := section == sectionCount-1; (by != 0 && last || by < -1 || by > 1) && !errors.Is(err, postings.ErrDamaged) {
				t.Errorf("section %d that ends at %d instead of %d: %v", section, end+by, end, err)
			} else if by == 0 && err != nil {
				t.Error(err)
			}
		}
	}
}

// large returns a segment of several blocks.
func large(t testing.TB) []byte {
	t.Helper()
	var b postings.Builder
	for n := range 120 {
		text := fmt.Sprintf("pear plum word%d other%d fig%d", n, n%7, n*n)
		add(&b, int64(n), fmt.Sprintf("folder/file%d.go", n), text, strings.Repeat(text+" ", 5), "fig")
	}
	return segment(t, &b)
}

// TestDamagedChecksumsAreFound flips a bit of the checksum of a block.
func TestDamagedChecksumsAreFound(t *testing.T) {
	var b postings.Builder
	add(&b, 0, "a", "pear")
	data := bytes.Clone(segment(t, &b))
	data[len(data)-footerBytes-1] ^= 1 // of the last block
	if _, err := postings.OpenBytes(data); !errors.Is(err, postings.ErrDamaged) {
		t.Errorf("a segment opens whose checksums are damaged: %v", err)
	}
}

// TestEachDamageIsFound changes a segment of several blocks: it flips bits, and cuts it.
// Each time, reading finds the damage, or nothing else than before.
func TestEachDamageIsFound(t *testing.T) {
	data := large(t)
	want, err := read(data)
	if err != nil || len(data) < 5*blockBytes {
		t.Fatal(len(data), err)
	}
	check := func(what string, changed []byte) {
		got, err := read(changed)
		if err == nil && !slices.Equal(got, want) || err != nil && !errors.Is(err, postings.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		if err == nil {
			t.Errorf("%s: no reader notices it", what) // each block is read
		}
	}
	for range testbed.Count(1000, 100) {
		changed := bytes.Clone(data)
		bit := rand.IntN(8 * len(data))
		changed[bit/8] ^= 1 << (bit % 8)
		check(fmt.Sprintf("bit %d of %d", bit, 8*len(data)), changed)
		end := rand.IntN(len(data))
		check(fmt.Sprintf("%d of %d bytes", end, len(data)), data[:end])
	}
	swapped := bytes.Clone(data)
	copy(swapped, data[blockBytes:2*blockBytes])
	copy(swapped[blockBytes:], data[:blockBytes])
	check("two blocks swapped", swapped)
}

// TestDamageIsFoundWhereItIs flips a bit of one block. What other blocks hold can be read.
func TestDamageIsFoundWhereItIs(t *testing.T) {
	data := large(t)
	sections, _ := split(data)
	paths := len(bytes.Join(sections[:pathSection], nil))
	data[paths+len(sections[pathSection])-1] ^= 1 // of the last path
	path := filepath.Join(t.TempDir(), "segment")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := postings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = postings.Read(func() error {
		if postingsOf(s, "pear") == "" {
			t.Error("an intact list can't be read")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	err = postings.Read(func() error { s.Rel(119); return nil })
	var d *postings.Damage
	if !errors.As(err, &d) || !d.In(s) {
		t.Errorf("reading the damaged path: %v", err)
	}
}

// TestFileBecomesShorter cuts the file of an open segment, whose pages then can't be read.
func TestFileBecomesShorter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "segment")
	if err := os.WriteFile(path, large(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := postings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other, err := postings.OpenBytes(large(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	err = postings.Read(func() error { postingsOf(s, "pear"); return nil })
	var d *postings.Damage
	if !errors.As(err, &d) || !d.In(s) || d.In(other) || !errors.Is(err, postings.ErrDamaged) {
		t.Errorf("reading a file that was cut: %v", err)
	}
}

// TestOtherPanicsPass checks that Read takes no other panic for damage.
func TestOtherPanicsPass(t *testing.T) {
	for name, fail := range map[string]func(){
		"an index": func() { _ = make([]int, 1)[len(t.Name())] },
		"nil":      func() { var s *postings.Segment; s.Docs() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the panic over %s is gone", name)
				}
			}()
			if err := postings.Read(func() error { fail(); return nil }); err != nil {
				t.Error(err)
			}
		}()
	}
}

// FuzzSegment reads segments with changed sections, whose checksums are right. Nothing
// panics or hangs.
func FuzzSegment(f *testing.F) {
	data := large(f)
	f.Add(uint8(0), uint16(0), []byte{0xff})
	f.Add(uint8(docSection), uint16(8), []byte{0xff, 0xff, 0xff, 0xff})
	f.Add(uint8(termSection), uint16(4), []byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, section uint8, at uint16, bytes []byte) {
		changed := change(data, func(sections [][]byte) {
			s := sections[int(section)%sectionCount]
			copy(s[min(int(at), len(s)):], bytes)
		})
		if _, err := read(changed); err != nil && !errors.Is(err, postings.ErrDamaged) {
			t.Error(err)
		}
	})
}

// TestSlots finds each term of a segment, and no other. Slots that no writer writes end the search.
func TestSlots(t *testing.T) {
	data := large(t)
	sections, _ := split(data)
	var terms []string
	start := uint32(0)
	for entry := range slices.Chunk(sections[termSection], 12) {
		end := binary.LittleEndian.Uint32(entry)
		terms = append(terms, string(sections[textSection][start:end]))
		start = end
	}
	for _, tt := range []struct {
		name    string
		slots   func(slots []byte)
		found   int  // of the terms
		damaged bool // a term that is in no document is not searched to an end
	}{
		{"intact", func([]byte) {}, len(terms), false},
		{"all free", func(slots []byte) { clear(slots) }, 0, false},
		{"none free", func(slots []byte) { fill(slots, 1) }, 1, true},
		{"behind the last term", func(slots []byte) { fill(slots, uint32(len(terms))+1) }, 0, true},
		{"far behind the last term", func(slots []byte) { fill(slots, 1<<32-1) }, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := postings.OpenBytes(change(data, func(sections [][]byte) { tt.slots(sections[slotSection]) }))
			if err != nil {
				t.Fatal(err)
			}
			find := func(term string) (docs int, err error) {
				err = postings.Read(func() error {
					list := s.Find(term)
					docs = list.Docs
					return nil
				})
				return docs, err
			}
			found := 0
			for _, term := range terms {
				if docs, err := find(term); err == nil && docs > 0 {
					found++
				}
			}
			if found != tt.found || len(terms) < 100 {
				t.Errorf("%d of %d terms are found, want %d", found, len(terms), tt.found)
			}
			for _, term := range []string{"", "nothing", "pea", "pear1"} {
				if docs, err := find(term); docs > 0 || errors.Is(err, postings.ErrDamaged) != tt.damaged {
					t.Errorf("%q is in %d documents, %v", term, docs, err)
				}
			}
		})
	}
	s, err := postings.OpenBytes(change(data, func(sections [][]byte) { sections[slotSection] = sections[slotSection][slotBytes:] }))
	if !errors.Is(err, postings.ErrDamaged) {
		t.Errorf("a slot is missing: %v, %v", s, err)
	}
}

const slotBytes = 5

// fill sets all slots to a term, but leaves their tags.
func fill(slots []byte, term uint32) {
	for slot := range slices.Chunk(slots, slotBytes) {
		binary.LittleEndian.PutUint32(slot, term)
	}
}
