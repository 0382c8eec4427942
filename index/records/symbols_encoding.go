package records

import (
	"encoding/binary"
	"slices"

	"ploke-lsp/internal/syntax"
)

// A file's symbols are stored as one value. Each symbol is the length of its record, and
// the record: the distances of its start and first line from the previous symbol's; its
// kind, name and detail; the distance of its parent, or 0 for none; its address, unless
// that is its parent's address and its name; and its other positions, each relative to a
// nearby one. Numbers are varints. A single symbol can be decoded without the others. The
// database has no column for names, because the postings find them.

// symbolKinds are the kinds by their number. New kinds must be added at the end.
var symbolKinds = []syntax.Kind{
	syntax.KindFile, syntax.KindModule, syntax.KindNamespace, syntax.KindType, syntax.KindStruct, syntax.KindClass,
	syntax.KindInterface, syntax.KindTrait, syntax.KindEnum, syntax.KindImpl, syntax.KindFunction, syntax.KindMethod,
	syntax.KindConstructor, syntax.KindField, syntax.KindProperty, syntax.KindConstant, syntax.KindVariable,
	syntax.KindMacro, syntax.KindTest, syntax.KindSection,
}

// EncodeSymbols encodes the symbols of a file in their order.
func EncodeSymbols(symbols []syntax.Symbol) []byte {
	var buf, record []byte
	start, line := 0, 0
	for i, s := range symbols {
		record = binary.AppendVarint(record[:0], int64(s.Start-start))
		record = binary.AppendVarint(record, int64(s.StartLine-line))
		record = append(record, byte(slices.Index(symbolKinds, s.Kind)))
		record = AppendText(AppendText(record, s.Name), s.Detail)
		up := 0
		if s.Parent >= 0 {
			up = i - s.Parent
		}
		record = binary.AppendUvarint(record, uint64(up))
		if s.Canon == encodedAddress(symbols, s.Parent, s.Name) {
			record = AppendText(record, "")
		} else {
			record = AppendText(record, s.Canon)
		}
		for _, n := range []int{s.End - s.Start, s.EndLine - s.StartLine,
			s.NameStart - s.Start, s.NameEnd - s.NameStart, s.BodyStart - s.Start, s.DocEnd - s.DocStart} {
			record = binary.AppendVarint(record, int64(n))
		}
		if s.DocEnd > s.DocStart {
			record = binary.AppendVarint(record, int64(s.DocStart-s.Start))
		}
		buf = binary.AppendUvarint(buf, uint64(len(record)))
		buf = append(buf, record...)
		start, line = s.Start, s.StartLine
	}
	return buf
}

// DecodeSymbols decodes the value of [EncodeSymbols]; ok is false for a damaged value.
func DecodeSymbols(data []byte) (symbols []syntax.Symbol, ok bool) {
	d := Decoder{Data: string(data)}
	symbols = slices.Grow(symbols, countSymbols(data))
	start, line := 0, 0
	for d.More() {
		d.Int() // the length of the record
		symbols = append(symbols, syntax.Symbol{})
		s := &symbols[len(symbols)-1]
		s.Start, s.StartLine = start+int(d.varint()), line+int(d.varint())
		kind := int(d.byte())
		s.Name, s.Detail = d.text(), d.text()
		up := d.Int()
		s.Canon, s.Parent = d.text(), len(symbols)-1-up
		if d.Failed || kind >= len(symbolKinds) || s.Parent < 0 {
			return nil, false
		}
		if up == 0 {
			s.Parent = -1
		}
		if s.Canon == "" {
			s.Canon = encodedAddress(symbols, s.Parent, s.Name)
		}
		s.Kind = symbolKinds[kind]
		d.positions(s)
		start, line = s.Start, s.StartLine
	}
	return symbols, !d.Failed
}

// countSymbols returns the number of the stored symbols, up to the first damage.
func countSymbols(data []byte) (n int) {
	for at := 0; at >= 0 && at < len(data); n++ {
		_, at = Text(data, at)
	}
	return n
}

// positions reads the positions that follow a symbol's address.
func (d *Decoder) positions(s *syntax.Symbol) {
	near := func(place int) int { return place + int(d.varint()) }
	s.End = near(s.Start)
	s.EndLine = near(s.StartLine)
	s.NameStart = near(s.Start)
	s.NameEnd = near(s.NameStart)
	s.BodyStart = near(s.Start)
	if length := near(0); length > 0 {
		s.DocStart = near(s.Start)
		s.DocEnd = s.DocStart + length
	}
}

// encodedAddress returns the address of a symbol by its parent and name, which nearly all symbols
// have.
func encodedAddress(symbols []syntax.Symbol, parent int, name string) string {
	if parent < 0 {
		return name
	}
	return symbols[parent].Canon + "::" + name
}
