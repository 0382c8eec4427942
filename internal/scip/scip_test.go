package scip_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"ploke-lsp/internal/scip"
)

// anIndex is what tests write.
func anIndex(t testing.TB, documents ...scip.NewDocument) []byte {
	var out bytes.Buffer
	w, err := scip.NewWriter(&out, scip.Metadata{Tool: "indexer", Version: "1", Root: "file:///app"})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if err := w.Document(d); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func occurrence(symbol string, roles scip.Roles, r scip.Range) scip.NewOccurrence {
	return scip.NewOccurrence{Occurrence: scip.Occurrence{Range: r, Symbol: []byte(symbol), Roles: roles}}
}

var twoDocuments = []scip.NewDocument{
	{Path: "a.go", Language: "go", Encoding: scip.UTF8,
		Occurrences: []scip.NewOccurrence{
			occurrence("s . p v a/F().", scip.Definition, scip.Range{StartLine: 2, StartChar: 5, EndLine: 2, EndChar: 6}),
			{Occurrence: scip.Occurrence{Range: scip.Range{StartLine: 4, EndLine: 5, EndChar: 300}, Symbol: []byte("local 1")},
				Enclosing: &scip.Range{StartLine: 1, EndLine: 9}},
		},
		Symbols: []scip.NewSymbol{{Symbol: "s . p v a/F().", Name: "F", Kind: 17, Relationships: []scip.Relationship{
			{Symbol: []byte("s . p v a/G#"), Implementation: true, Reference: true, Definition: true}}}}},
	{Path: "b.go"},
}

// read is all that a file tells.
type read struct {
	Metadata  scip.Metadata
	Documents []scip.NewDocument // without what is not read
	Passed    int
}

// readAll reads a file as the program does.
func readAll(in io.Reader) (r read, err error) {
	reader := scip.NewReader(in)
	for {
		part, err := reader.Next()
		switch {
		case err == io.EOF:
			return r, nil
		case err != nil:
			return r, err
		case part.Data == nil && part.Size > 0:
			r.Passed++
			continue
		case part.Kind == scip.MetadataPart:
			if r.Metadata, err = scip.ParseMetadata(part.Data); err != nil {
				return r, err
			}
			continue
		}
		d, err := scip.ParseDocument(part.Data)
		if err != nil {
			return r, err
		}
		made := scip.NewDocument{Path: d.Path, Encoding: d.Encoding}
		err = d.Occurrences(func(o scip.Occurrence) error {
			o.Symbol = bytes.Clone(o.Symbol)
			made.Occurrences = append(made.Occurrences, scip.NewOccurrence{Occurrence: o})
			return nil
		})
		if err != nil {
			return r, err
		}
		err = d.Relationships(func(symbol []byte, rel scip.Relationship) error {
			rel.Symbol = bytes.Clone(rel.Symbol)
			made.Symbols = append(made.Symbols, scip.NewSymbol{Symbol: string(symbol), Relationships: []scip.Relationship{rel}})
			return nil
		})
		if err != nil {
			return r, err
		}
		r.Documents = append(r.Documents, made)
	}
}

// asRead is a document without what is written only.
func asRead(d scip.NewDocument) scip.NewDocument {
	made := scip.NewDocument{Path: d.Path, Encoding: d.Encoding}
	for _, o := range d.Occurrences {
		made.Occurrences = append(made.Occurrences, scip.NewOccurrence{Occurrence: o.Occurrence})
	}
	for _, s := range d.Symbols {
		for _, rel := range s.Relationships {
			made.Symbols = append(made.Symbols, scip.NewSymbol{Symbol: s.Symbol, Relationships: []scip.Relationship{rel}})
		}
	}
	return made
}

// TestWhatIsWrittenIsRead also reads byte by byte.
func TestWhatIsWrittenIsRead(t *testing.T) {
	file := anIndex(t, twoDocuments...)
	want := read{Metadata: scip.Metadata{Tool: "indexer", Version: "1", Root: "file:///app"}}
	for _, d := range twoDocuments {
		want.Documents = append(want.Documents, asRead(d))
	}
	for _, in := range []io.Reader{bytes.NewReader(file), iotest.OneByteReader(bytes.NewReader(file))} {
		if got, err := readAll(in); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, %v\nwant %+v", got, err, want)
		}
	}
}

// TestPartsOfADocument are at their offsets.
func TestPartsOfADocument(t *testing.T) {
	file := anIndex(t, twoDocuments...)
	reader := scip.NewReader(bytes.NewReader(file))
	for {
		part, err := reader.Next()
		if err == io.EOF {
			return
		}
		if err != nil || !bytes.Equal(file[part.Offset:part.Offset+int64(part.Size)], part.Data) {
			t.Fatalf("part %v at %d of %d bytes: %v", part.Kind, part.Offset, part.Size, err)
		}
	}
}

// TestCutFiles are damaged, unless they are cut between parts.
func TestCutFiles(t *testing.T) {
	file := anIndex(t, twoDocuments...)
	whole := map[int]bool{0: true, len(file): true}
	reader := scip.NewReader(bytes.NewReader(file))
	for part, err := reader.Next(); err == nil; part, err = reader.Next() {
		whole[int(part.Offset)+part.Size] = true
	}
	for n := range file {
		_, err := readAll(bytes.NewReader(file[:n]))
		if damaged := (*scip.DamagedError)(nil); whole[n] != (err == nil) || err != nil && !errors.As(err, &damaged) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

// TestALongPart is passed over, and what is behind it is read.
func TestALongPart(t *testing.T) {
	const size = scip.MaxPart + 1
	head := []byte{2<<3 | 2, byte(size&0x7f | 0x80), byte(size>>7&0x7f | 0x80), byte(size>>14&0x7f | 0x80), byte(size >> 21)}
	file := io.MultiReader(bytes.NewReader(anIndex(t)), bytes.NewReader(head), io.LimitReader(zeros{}, size),
		bytes.NewReader(anIndex(t, twoDocuments[1])))
	if got, err := readAll(file); err != nil || got.Passed != 1 || len(got.Documents) != 1 {
		t.Errorf("read %+v, %v", got, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestInvalidMessages are errors, not other messages.
func TestInvalidMessages(t *testing.T) {
	for name, file := range map[string]string{
		"field 0":                       "\x02\x00",
		"a group":                       "\x0b",
		"a long number":                 "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"a part of 2 GiB":               "\x12\x80\x80\x80\x80\x08",
		"a range of 2 numbers":          "\x12\x07\x12\x05\x0a\x03\x01\x02\x80",
		"a range that ends first":       "\x12\x0a\x12\x08\x0a\x03\x01\x05\x02\x12\x01x",
		"a range of 5 numbers":          "\x12\x0c\x12\x0a\x0a\x05\x01\x01\x01\x01\x01\x12\x01x",
		"a negative line":               "\x12\x13\x12\x11\x0a\x0c\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01\x02\x12\x01x",
		"an encoding that is not known": "\x12\x02\x30\x09",
		"text":                          "this is not an index",
	} {
		if got, err := readAll(strings.NewReader(file)); err == nil {
			t.Errorf("%s was read: %+v", name, got)
		}
	}
}

// TestErrorsOfTheDisk are not called damage.
func TestErrorsOfTheDisk(t *testing.T) {
	broken := errors.New("the disk is broken")
	file := anIndex(t, twoDocuments...)
	in := io.MultiReader(bytes.NewReader(file[:len(file)/2]), iotest.ErrReader(broken))
	_, err := readAll(in)
	if damaged := (*scip.DamagedError)(nil); !errors.Is(err, broken) || errors.As(err, &damaged) {
		t.Errorf("the error is %v", err)
	}
}

// TestPositions are counted in the units of the document.
func TestPositions(t *testing.T) {
	text := "ab\r\n🚀 wö x\n\nend"
	for _, c := range []struct {
		encoding                scip.Encoding
		line, from, toLine, end int32
		want                    string // "!" if the text has no such place
	}{
		{scip.UTF8, 1, 5, 1, 8, "wö"},
		{scip.UTF16, 1, 3, 1, 5, "wö"},
		{scip.UTF32, 1, 2, 1, 4, "wö"},
		{scip.Unspecified, 1, 3, 1, 5, "wö"},
		{scip.UTF8, 0, 0, 0, 2, "ab"},
		{scip.UTF16, 0, 0, 1, 0, "ab\r\n"},
		{scip.UTF16, 2, 0, 2, 0, ""},
		{scip.UTF32, 3, 0, 3, 3, "end"},
		{scip.UTF32, 3, 0, 3, 4, "!"},
		{scip.UTF8, 3, 0, 3, 4, "!"},
		{scip.UTF16, 1, 1, 1, 3, "!"}, // within a character
		{scip.UTF16, 4, 0, 4, 0, "!"},
		{scip.UTF32, 2, 1, 2, 1, "!"},
	} {
		got := "!"
		r := scip.Range{StartLine: c.line, StartChar: c.from, EndLine: c.toLine, EndChar: c.end}
		if start, end, ok := scip.NewLines([]byte(text)).Bytes(r, c.encoding); ok {
			got = text[start:end]
		}
		if got != c.want {
			t.Errorf("%+v in encoding %d is %q, want %q", r, c.encoding, got, c.want)
		}
	}
}

// TestPackageVersions are the fourth words of symbols.
func TestPackageVersions(t *testing.T) {
	for symbol, want := range map[string]string{
		"scip-python python click 2c8cd3ac95 `docs.conf`/project.": "2c8cd3ac95",
		"scip-go gomod a  b v1.2.3 a/F().":                         "v1.2.3", // a blank in the name
		"s . p . a/F().":                                           "",
		"local 3":                                                  "",
		"s . p":                                                    "",
		"":                                                         "",
	} {
		if got := scip.PackageVersion([]byte(symbol)); got != want {
			t.Errorf("the version of %q is %q, want %q", symbol, got, want)
		}
	}
}

// TestNames are in backticks if they need them.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{"a_B1+-$": "a_B1+-$", "a.go": "`a.go`", "a`b": "`a``b`", "": "``", "ö": "`ö`"} {
		if got := scip.Name(name); got != want {
			t.Errorf("%q is written %q, want %q", name, got, want)
		}
	}
}

// FuzzRead reads what is damaged: each byte sequence is read, or an error.
func FuzzRead(f *testing.F) {
	f.Add(anIndex(f, twoDocuments...), uint16(0), byte(0))
	f.Add([]byte("\x12\x02\x30\x09"), uint16(3), byte(1))
	f.Fuzz(func(t *testing.T, file []byte, at uint16, change byte) {
		if len(file) > 0 {
			file = bytes.Clone(file)
			file[int(at)%len(file)] ^= change
		}
		got, err := readAll(bytes.NewReader(file))
		if err != nil {
			return
		}
		lines := scip.NewLines([]byte("one\n🚀 two\nthree\n"))
		for _, d := range got.Documents {
			for _, o := range d.Occurrences {
				if start, end, ok := lines.Bytes(o.Range, d.Encoding); ok && (start < 0 || end < start || end > 19) {
					t.Fatalf("%+v is from %d to %d", o.Range, start, end)
				}
				scip.PackageVersion(o.Symbol)
			}
		}
	})
}

// TestDamagedBytes changes each byte of a file to others: it is read, or an error.
func TestDamagedBytes(t *testing.T) {
	file, random := anIndex(t, twoDocuments...), rand.New(rand.NewPCG(1, 2))
	refused := 0
	for at := range file {
		for range 8 {
			damaged := bytes.Clone(file)
			damaged[at] ^= byte(1 + random.IntN(255))
			if _, err := readAll(bytes.NewReader(damaged)); err != nil {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}

// FuzzWrite writes symbols and ranges, and reads them back.
func FuzzWrite(f *testing.F) {
	f.Add("a.go", "s . p v a/F().", int32(1), int32(2), int32(0), int32(4), int32(1))
	f.Fuzz(func(t *testing.T, path, symbol string, line, char, lines, end, roles int32) {
		if symbol == "" || line < 0 || char < 0 || lines < 0 || end < 0 || roles < 0 || max(line, char, lines, end) > 1<<28 {
			return
		}
		r := scip.Range{StartLine: line, StartChar: char, EndLine: line + lines, EndChar: end}
		if lines == 0 && end < char {
			return
		}
		d := scip.NewDocument{Path: path, Encoding: scip.UTF32,
			Occurrences: []scip.NewOccurrence{occurrence(symbol, scip.Roles(roles), r)}}
		got, err := readAll(bytes.NewReader(anIndex(t, d)))
		if err != nil || len(got.Documents) != 1 || !reflect.DeepEqual(got.Documents[0], d) {
			t.Fatalf("read %+v, %v\nwant %+v", got, err, d)
		}
	})
}
