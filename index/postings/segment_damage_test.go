package postings_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"ploke-lsp/index/postings"
)

// The sections of a segment, in the order of the file.
const (
	listSection = iota
	termSection
	textSection
	sketchSection
	docSection
	unitSection
	pathSection
	sectionCount
)

const (
	magicBytes  = 8
	footerBytes = sectionCount*8 + 8 + 4 + magicBytes
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

// seal puts a footer with a valid checksum behind the sections.
func seal(sections [][]byte, footer []byte) []byte {
	sum := len(footer) - magicBytes - 4
	binary.LittleEndian.PutUint32(footer[sum:], crc32.ChecksumIEEE(footer[:sum]))
	return append(bytes.Join(sections, nil), footer...)
}

// damage returns the segment in data with changed sections and a matching footer.
func damage(t *testing.T, data []byte, change func(sections [][]byte)) *postings.Segment {
	t.Helper()
	sections, footer := split(data)
	change(sections)
	end := 0
	for i, section := range sections {
		end += len(section)
		binary.LittleEndian.PutUint64(footer[8*i:], uint64(end))
	}
	s, err := postings.OpenBytes(seal(sections, footer))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

// TestListBounds reads damaged lists of a term in a segment of two documents. No list
// names a document that the segment does not have, or reads bytes of another list.
func TestListBounds(t *testing.T) {
	var a postings.Analyzer
	data := segment(t, document(&a, 0, "a", "pear"), document(&a, 1, "b", "pear"))
	var (
		group = []byte{1 << postings.Body, 1} // the first unit has the term once in its body
		two   = join(group, group)
		// A summary is the distance from the document before, the value and the length of
		// the group.
		next = []byte{0, 2, 2}
		huge = binary.AppendUvarint(nil, 1<<64-1)
		long = []byte{0x80, 0} // 0 in two bytes, which the fast path does not read
	)
	for _, tt := range []struct {
		name string
		list []byte
		docs int // by the list's head
		want []int
	}{
		{"intact", join([]byte{2, 6}, next, next, two), 2, []int{0, 1}},
		{"intact with a gap", join([]byte{1, 3, 1, 2, 2}, group), 1, []int{1}},
		{"intact with a long varint", join([]byte{1, 4}, long, []byte{2, 2}, group), 1, []int{0}},
		{"more documents than the segment", join([]byte{3, 6}, next, next, two), 0, nil},
		{"far more documents than the segment", join(huge, []byte{6}, next, next, two), 0, nil},
		{"a first document behind the last", join([]byte{2, 6, 2, 2, 2}, next, two), 2, nil},
		{"a second document behind the last", join([]byte{2, 6}, next, []byte{1, 2, 2}, two), 2, []int{0}},
		{"a third document", join([]byte{2, 9}, next, next, next, two, group), 2, []int{0, 1}},
		{"a document far behind the last", join([]byte{2, 15}, huge, []byte{2, 2}, next, two), 2, nil},
		{"a long varint behind the last", join([]byte{2, 7, 0x82, 0, 2, 2}, next, two), 2, nil},
		{"summaries behind the end", join([]byte{2, 7}, next, next), 0, nil},
		{"summaries that end with the list", join([]byte{2, 6}, next, next), 2, nil},
		{"a group one byte behind the end", join([]byte{2, 6}, next, []byte{0, 2, 3}, two), 2, []int{0}},
		{"a group far behind the end", join([]byte{2, 15}, next, []byte{0, 2}, huge, two), 2, []int{0}},
		{"a summary that ends in a varint", join([]byte{2, 1, 0x80}, two), 2, nil},
		{"a list without bytes", nil, 0, nil},
		{"a list that ends in its first number", []byte{0x80}, 0, nil},
		{"a list that ends in its second number", []byte{2, 0x80}, 0, nil},
		{"a number of more than 64 bits", bytes.Repeat([]byte{0xff}, 11), 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := damage(t, data, func(sections [][]byte) { sections[listSection] = tt.list })
			checkList(t, s, tt.docs, tt.want)
			var merged bytes.Buffer
			if err := postings.Merge(&merged, []*postings.Segment{s}, func(_, _ int) bool { return true }); err != nil {
				t.Fatal(err)
			}
			s, err := postings.OpenBytes(merged.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			checkList(t, s, len(tt.want), tt.want)
		})
	}
}

// checkList reads the list of "pear" in each way that there is.
func checkList(t *testing.T, s *postings.Segment, docs int, want []int) {
	t.Helper()
	list := s.Find("pear")
	if list.Docs != docs {
		t.Errorf("the list has %d documents, want %d", list.Docs, docs)
	}
	var got []int
	for doc, group, ok := list.Next(); ok; doc, group, ok = list.Next() {
		got = append(got, doc)
		if p, ok := group.Next(); !ok || p.Unit != 0 || p.Weight != 1 {
			t.Errorf("document %d has the posting %+v, %v", doc, p, ok)
		}
	}
	if doc, _, ok := list.Next(); ok {
		t.Errorf("after its end, the list has document %d", doc)
	}
	if !slices.Equal(got, want) {
		t.Errorf("Next returns %v, want %v", got, want)
	}
	got = nil
	list = s.Find("pear")
	for _, summary := range list.Summaries(nil) {
		got = append(got, int(summary.Doc))
	}
	if !slices.Equal(got, want) {
		t.Errorf("Summaries returns %v, want %v", got, want)
	}
	for doc := range s.Docs() + 2 {
		list = s.Find("pear")
		if _, ok := list.To(doc); ok != slices.Contains(want, doc) {
			t.Errorf("To(%d) = %v", doc, ok)
		}
	}
}

// TestGroupBounds reads groups that end within a posting.
func TestGroupBounds(t *testing.T) {
	var a postings.Analyzer
	data := segment(t, document(&a, 0, "a", "pear"))
	for _, group := range [][]byte{nil, {0x80}, {1 << postings.Body}, {1<<postings.Body | 1<<postings.Name, 1}} {
		s := damage(t, data, func(sections [][]byte) {
			sections[listSection] = join([]byte{1, 3, 0, 2, byte(len(group))}, group)
		})
		list := s.Find("pear")
		if _, g, ok := list.Next(); !ok {
			t.Errorf("the document with the group %v is missing", group)
		} else if p, ok := g.Next(); ok {
			t.Errorf("the group %v has the posting %+v", group, p)
		}
	}
}

// TestTableBounds changes single numbers in the tables, so that they point one byte or
// one record behind the end of a section, or far behind it, or before its beginning.
func TestTableBounds(t *testing.T) {
	var a postings.Analyzer
	data := segment(t, document(&a, 0, "a", "pear plum"), document(&a, 1, "b", "pear"))
	const termBytes, docBytes = 12, 24
	put := func(section, at, size int) func(sections [][]byte, value uint64) {
		return func(sections [][]byte, value uint64) {
			var number [8]byte
			binary.LittleEndian.PutUint64(number[:], value)
			copy(sections[section][at:], number[:size])
		}
	}
	for _, tt := range []struct {
		name   string
		change func(sections [][]byte, value uint64)
		size   func(sections [][]byte) int // the largest valid value
		intact int
	}{
		{"the end of the first path", put(docSection, 12, 4), func(s [][]byte) int { return len(s[pathSection]) }, 1},
		{"the end of the last path", put(docSection, docBytes+12, 4), func(s [][]byte) int { return len(s[pathSection]) }, 2},
		{"the first unit of the last document", put(docSection, docBytes+8, 4), func(s [][]byte) int { return len(s[unitSection]) / 8 }, 1},
		{"the end of the first term", put(termSection, 0, 4), func(s [][]byte) int { return len(s[textSection]) }, 4},
		{"the end of the last term", put(termSection, termBytes, 4), func(s [][]byte) int { return len(s[textSection]) }, 8},
		{"the list of the first term", put(termSection, 4, 8), func(s [][]byte) int { return len(s[listSection]) }, 0},
		{"the list of the last term", put(termSection, termBytes+4, 8), func(s [][]byte) int { return len(s[listSection]) }, 12},
	} {
		sections, _ := split(data)
		size := tt.size(sections)
		for _, value := range []int{0, tt.intact, size, size + 1, 1<<32 - 1} {
			t.Run(fmt.Sprintf("%s at %d of %d", tt.name, value, size), func(t *testing.T) {
				s := damage(t, data, func(sections [][]byte) { tt.change(sections, uint64(value)) })
				readAll(t, s, value == tt.intact)
			})
		}
	}
}

// readAll reads the whole segment, as the index does. An intact one has its texts.
func readAll(t *testing.T, s *postings.Segment, intact bool) {
	t.Helper()
	var got []string
	for doc := range s.Docs() {
		info := s.Doc(doc)
		for unit := info.FirstUnit; unit < info.EndUnit; unit++ {
			s.Unit(unit)
		}
		got = append(got, s.Rel(doc))
	}
	for _, term := range []string{"pear", "plum"} {
		got = append(got, listing(s, term))
	}
	if want := []string{"a", "b", "0/0 1b, 1/0 1b,", "0/0 1b,"}; intact && !slices.Equal(got, want) {
		t.Errorf("the intact segment has %q, want %q", got, want)
	}
	if err := postings.Merge(new(bytes.Buffer), []*postings.Segment{s}, func(_, _ int) bool { return true }); err != nil {
		t.Error(err)
	}
}

// TestSectionBounds opens segments whose footer has a valid checksum, but names sections
// that overlap, that end behind the file, or that leave bytes of it out.
func TestSectionBounds(t *testing.T) {
	var a postings.Analyzer
	data := segment(t, document(&a, 0, "a", "pear plum"))
	for section := range sectionCount {
		for _, by := range []int64{-1 << 30, -1, 0, 1, 1 << 30} {
			sections, footer := split(data)
			end := int64(binary.LittleEndian.Uint64(footer[8*section:]))
			binary.LittleEndian.PutUint64(footer[8*section:], uint64(end+by))
			_, err := postings.OpenBytes(seal(sections, footer))
			if last := section == sectionCount-1; (by != 0 && last || by < -1 || by > 1) && !errors.Is(err, postings.ErrDamaged) {
				t.Errorf("section %d that ends at %d instead of %d: %v", section, end+by, end, err)
			} else if by == 0 && err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDamaged opens a segment truncated at every byte, and with each byte changed. A
// truncated segment is refused. A changed one may open, but reading it never panics.
func TestDamaged(t *testing.T) {
	var a postings.Analyzer
	data := segment(t, document(&a, 1, "a", "pear plum fig", "pear"), document(&a, 2, "b", "plum"))
	for n := range data {
		if _, err := postings.OpenBytes(data[:n]); !errors.Is(err, postings.ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
	for n := range data {
		changed := bytes.Clone(data)
		changed[n] ^= 0xff
		s, err := postings.OpenBytes(changed)
		if err != nil {
			continue
		}
		for _, term := range []string{"pear", "plum", "fig", "=name1"} {
			listing(s, term)
		}
		names(s)
	}
}
