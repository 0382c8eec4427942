package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/window"
	"ploke-lsp/tools/wording"
)

// SentFile is a piece of a file that was sent to a provider: lines StartLine to
// EndLine (1-based, inclusive), with the size and hash of the text as it was sent, without
// the numbers of its lines.
// Byte offsets are not stored, since they depend on the file's content at that time.
type SentFile struct {
	Path      string `json:"path"` // absolute
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Bytes     int    `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// ledgerListed describes the messages of a turn that the ledger has already listed
// for a provider.
type ledgerListed struct {
	provider string
	messages int
	sent     sentItem // sum of the messages and tools
}

// firstUnlisted returns the index of the first message that no earlier request of the
// turn has sent to the same provider.
func (q *requester) firstUnlisted(messages []llm.Message) int {
	if q.setup.model.Provider.Name() != q.ledger.listed.provider ||
		q.ledger.listed.messages > len(messages) { // another provider, or dropped messages
		return 0
	}
	return q.ledger.listed.messages
}

// sentFiles lists the pieces of files in messages, each piece once, in order. Every
// text in the snippet format counts, even if a person or model wrote it: a ledger may
// list too much, but never too little.
// A longer list may share the array and the places, of which the shorter one only uses its own.
type sentFiles struct {
	all    []SentFile
	places map[SentFile]int // in all; some may be of a longer list
}

func newSentFiles() sentFiles { return sentFiles{places: map[SentFile]int{}} }

// add adds a piece unless it is listed.
func (s *sentFiles) add(f SentFile) {
	if i, ok := s.places[f]; ok && i < len(s.all) && s.all[i] == f {
		return
	}
	s.places[f] = len(s.all)
	s.all = append(s.all, f)
}

// addFiles adds the pieces of files in messages.
func addFiles(r window.Rendering, files *sentFiles, messages []llm.Message) {
	for i := range messages {
		for _, text := range textsOf(&messages[i]) {
			for _, code := range snippetsIn(text) {
				files.add(newSentFile(r, code))
			}
		}
	}
}

// sentPast sums up the messages behind the system text that a conversation has sent before a turn, so that a turn adds
// only those of the last one.
type sentPast struct {
	messages int // how many
	hash     *sentHash
	secrets  int // number of placeholders
	files    sentFiles
}

func newSentPast() sentPast { return sentPast{hash: newSentHash(), files: newSentFiles()} }

// extended returns the sum with the messages of a request up to the index end that are behind those
// that p has. hidden has the number of placeholders in each.
func (p sentPast) extended(r window.Rendering, messages []llm.Message, hidden []int, end int) sentPast {
	from := 1 + p.messages
	p.hash = p.hash.clone()
	for i := from; i < end; i++ {
		p.hash.addMessage(&messages[i])
		p.secrets += hidden[i]
	}
	addFiles(r, &p.files, messages[from:end])
	p.messages = end - 1
	return p
}

// newSentFile describes a snippet: its absolute path, and its lines without numbers.
func newSentFile(r window.Rendering, c *wording.Code) SentFile {
	path, text := c.Path, c.Text
	if r.Paths != nil {
		if absolute, err := r.Paths.Resolve(path); err == nil {
			path = absolute
		}
	}
	if plain, first, numbered := wording.Unnumbered(text); numbered && first == c.StartLine {
		text = plain
	}
	return SentFile{Path: path, StartLine: c.StartLine, EndLine: c.EndLine, Bytes: len(text), SHA256: hashOf(text)}
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// textsOf returns the texts of a message. A tool's result that is sent in JSON has those of its
// strings.
func textsOf(m *llm.Message) []string {
	var content any
	if m.Role != llm.Tool || !strings.Contains(m.Text, `code=\"`) || json.Unmarshal([]byte(m.Text), &content) != nil {
		return []string{m.Text}
	}
	return stringsIn(nil, content)
}

// stringsIn appends all strings in decoded JSON. Fields of objects are visited by
// name, so that equal messages give equal lists.
func stringsIn(found []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(found, v)
	case []any:
		for _, e := range v {
			found = stringsIn(found, e)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			found = stringsIn(found, v[name])
		}
	}
	return found
}

func snippetsIn(text string) []*wording.Code {
	if !strings.Contains(text, `<code="`) {
		return nil
	}
	var found []*wording.Code
	var s wording.Scanner
	for _, part := range append(s.Write(text), s.Close()...) {
		if part.Code != nil && part.Code.AnnouncedEnd == 0 { // what shows code counts its lines right
			found = append(found, part.Code)
		}
	}
	return found
}
