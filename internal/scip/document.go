package scip

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// ParseMetadata reads the data of a [MetadataPart].
func ParseMetadata(data []byte) (m Metadata, err error) {
	err = eachField(data, func(f field) error {
		switch f.number {
		case fieldMetadataRoot:
			m.Root = string(f.bytes)
		case fieldMetadataTool:
			return eachField(f.bytes, func(f field) error {
				switch f.number {
				case fieldToolName:
					m.Tool = string(f.bytes)
				case fieldToolVersion:
					m.Version = string(f.bytes)
				}
				return nil
			})
		}
		return nil
	})
	return m, err
}

// A Document is the data of a [DocumentPart].
type Document struct {
	Path     string // relative to the root, with slashes
	Text     []byte // nil if the document does not have it
	Encoding Encoding
	data     []byte
}

// ParseDocument reads what a document says of itself. The document shares the data.
func ParseDocument(data []byte) (Document, error) {
	d := Document{data: data}
	err := eachField(data, func(f field) error {
		switch f.number {
		case fieldDocumentPath:
			d.Path = string(f.bytes)
		case fieldDocumentText:
			d.Text = f.bytes
		case fieldDocumentEncoding:
			d.Encoding = Encoding(f.varint)
		}
		return nil
	})
	if err == nil && (d.Encoding < Unspecified || d.Encoding > UTF32) {
		err = formatError("it has an unknown encoding of positions")
	}
	return d, err
}

// Occurrences calls visit with each occurrence that names a symbol, in the order of the file, until visit fails.
func (d Document) Occurrences(visit func(Occurrence) error) error {
	return eachField(d.data, func(f field) error {
		if f.number != fieldDocumentOccurrence {
			return nil
		}
		o, err := parseOccurrence(f.bytes)
		if err != nil || len(o.Symbol) == 0 {
			return err
		}
		return visit(o)
	})
}

// Relationships calls visit with each relationship of a symbol that the document describes, until visit fails.
func (d Document) Relationships(visit func(symbol []byte, r Relationship) error) error {
	return eachField(d.data, func(f field) error {
		if f.number != fieldDocumentSymbol {
			return nil
		}
		var symbol []byte
		err := eachField(f.bytes, func(f field) error {
			if f.number == fieldSymbolName {
				symbol = f.bytes
			}
			return nil
		})
		if err != nil {
			return err
		}
		return eachField(f.bytes, func(f field) error {
			if f.number != fieldSymbolRelationship {
				return nil
			}
			r, err := parseRelationship(f.bytes)
			if err != nil {
				return err
			}
			return visit(symbol, r)
		})
	})
}

func parseRelationship(data []byte) (r Relationship, err error) {
	err = eachField(data, func(f field) error {
		switch f.number {
		case fieldRelationshipSymbol:
			r.Symbol = f.bytes
		case fieldRelationshipReference:
			r.Reference = f.varint != 0
		case fieldRelationshipImplementation:
			r.Implementation = f.varint != 0
		case fieldRelationshipDefinition:
			r.Definition = f.varint != 0
		}
		return nil
	})
	return r, err
}

func parseOccurrence(data []byte) (o Occurrence, err error) {
	var at [4]int32
	count := 0
	number := func(v uint64) error {
		if count == len(at) || v > 1<<30 {
			return formatError("it has an invalid range")
		}
		at[count] = int32(v)
		count++
		return nil
	}
	err = eachField(data, func(f field) error {
		switch {
		case f.number == fieldOccurrenceSymbol:
			o.Symbol = f.bytes
		case f.number == fieldOccurrenceRoles:
			o.Roles = Roles(f.varint)
		case f.number == fieldOccurrenceRange && f.kind == protowire.VarintType:
			return number(f.varint)
		case f.number == fieldOccurrenceRange:
			for packed := f.bytes; len(packed) > 0; {
				v, n := protowire.ConsumeVarint(packed)
				if n < 0 {
					return formatError(protowire.ParseError(n).Error())
				}
				if err := number(v); err != nil {
					return err
				}
				packed = packed[n:]
			}
		}
		return nil
	})
	o.Range = Range{at[0], at[1], at[2], at[3]}
	if count == 3 {
		o.Range = Range{at[0], at[1], at[0], at[2]}
	}
	r := o.Range
	if err == nil && (count < 3 || r.EndLine < r.StartLine || r.EndLine == r.StartLine && r.EndChar < r.StartChar) {
		err = formatError("it has an invalid range")
	}
	return o, err
}

// A field is one of a message. It has bytes or a number.
type field struct {
	number protowire.Number
	kind   protowire.Type
	bytes  []byte
	varint uint64
}

// eachField calls visit with the fields of a message, but for those of kinds that no field has which is read.
func eachField(data []byte, visit func(field) error) error {
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return formatError(protowire.ParseError(n).Error())
		}
		data = data[n:]
		f := field{number: number, kind: kind}
		switch kind {
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(data)
		case protowire.VarintType:
			f.varint, n = protowire.ConsumeVarint(data)
		default:
			n = protowire.ConsumeFieldValue(number, kind, data)
		}
		if n < 0 {
			return formatError(protowire.ParseError(n).Error())
		}
		data = data[n:]
		if kind == protowire.BytesType || kind == protowire.VarintType {
			if err := visit(f); err != nil {
				return err
			}
		}
	}
	return nil
}
