package placing

import (
	"fmt"
	"unicode/utf8"

	"ploke-lsp/edits"
	"ploke-lsp/tools/wording"
)

// ByOffsets checks an edit by byte offsets. They refer to the text with the hash that the
// model sends, so an offset of an older text is refused.
func ByOffsets(src *SourceFile, e Request) (edits.Edit, error) {
	switch {
	case e.StartByte == nil:
		return edits.Edit{}, wording.BadValue("start_byte", "start_byte is missing",
			"a splice needs start_byte, end_byte, expected_file_hash and replacement")
	case e.EndByte == nil:
		return edits.Edit{}, wording.BadValue("end_byte", "end_byte is missing",
			"a splice needs start_byte, end_byte, expected_file_hash and replacement")
	case e.Replacement == nil:
		return edits.Edit{}, wording.BadValue("replacement", "replacement is missing",
			"send the new text, an empty one to delete")
	case e.ExpectedFileHash == "":
		return edits.Edit{}, wording.BadValue("expected_file_hash", "expected_file_hash is missing",
			"send the file_hash that came with the offsets")
	case !wording.IsHash(e.ExpectedFileHash, src.Hash):
		return edits.Edit{}, &wording.Failure{Message: src.Rel + ": " + wording.OtherHash(e.ExpectedFileHash, src.Hash),
			Code: "stale", Field: "expected_file_hash",
			Hint: "find the place again (search_text, read_file), then splice with its offsets and hash"}
	}
	start, end := *e.StartByte, *e.EndByte
	if start < 0 || end < start || end > len(src.Text) {
		return edits.Edit{}, wording.BadValue("start_byte",
			fmt.Sprintf("the range %d to %d is not in the file's %d bytes", start, end, len(src.Text)),
			"0 <= start_byte <= end_byte <= byte_len")
	}
	for i, offset := range []int{start, end} {
		if offset < len(src.Text) && !utf8.RuneStart(src.Text[offset]) {
			field := [...]string{"start_byte", "end_byte"}[i]
			return edits.Edit{}, wording.BadValue(field, fmt.Sprintf("offset %d is inside a character", offset),
				"count bytes of UTF-8")
		}
	}
	return edits.Edit{Start: start, End: end, New: *e.Replacement}, nil
}
