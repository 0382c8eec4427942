package index

import (
	"encoding/binary"

	"ploke-lsp/internal/syntax"
)

// A file's references are stored as one value: the number of names and the names,
// each with its length, then for each reference the number of its name, its kind,
// the distance of its start from the one before, its length, the distance of its line
// from the one before, and its symbol + 1; all as varints.

var refKinds = []syntax.RefKind{syntax.RefCall, syntax.RefType, syntax.RefImport, syntax.RefUse}

func encodeRefs(refs []syntax.Ref) []byte {
	if len(refs) == 0 {
		return nil
	}
	numbers := map[string]uint64{}
	var names []byte
	var body []byte
	start, line := 0, 0
	for _, r := range refs {
		n, ok := numbers[r.Name]
		if !ok {
			n = uint64(len(numbers))
			numbers[r.Name] = n
			names = binary.AppendUvarint(names, uint64(len(r.Name)))
			names = append(names, r.Name...)
		}
		body = binary.AppendUvarint(body, n)
		body = append(body, kindNumber(r.Kind))
		body = binary.AppendVarint(body, int64(r.Start-start))
		body = binary.AppendUvarint(body, uint64(r.End-r.Start))
		body = binary.AppendVarint(body, int64(r.Line-line))
		body = binary.AppendUvarint(body, uint64(r.From+1))
		start, line = r.Start, r.Line
	}
	return append(binary.AppendUvarint(nil, uint64(len(numbers))), append(names, body...)...)
}

func kindNumber(k syntax.RefKind) byte {
	for i, kind := range refKinds {
		if k == kind {
			return byte(i)
		}
	}
	return byte(len(refKinds) - 1)
}

// decodeRefs returns the references to name in a stored value. What is damaged
// holds none.
func decodeRefs(data []byte, name string) []syntax.Ref {
	d := decoder{data: data}
	wanted := -1
	for i := range int(d.uvarint()) {
		if text := d.take(int(d.uvarint())); string(text) == name {
			wanted = i
		}
		if d.failed {
			return nil
		}
	}
	var refs []syntax.Ref
	start, line := 0, 0
	for len(d.data) > 0 && wanted >= 0 {
		n := int(d.uvarint())
		kind := d.take(1)
		start += int(d.varint())
		length := int(d.uvarint())
		line += int(d.varint())
		from := int(d.uvarint()) - 1
		if d.failed || int(kind[0]) >= len(refKinds) {
			return nil
		}
		if n == wanted {
			refs = append(refs, syntax.Ref{Name: name, Kind: refKinds[kind[0]], Start: start, End: start + length, Line: line, From: from})
		}
	}
	return refs
}
