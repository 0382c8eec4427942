package textsearch

// Match is a matching line.
type Match struct {
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Column    int      `json:"column"` // 1-based, in characters
	StartByte int      `json:"start_byte"`
	EndByte   int      `json:"end_byte"`
	FileHash  string   `json:"file_hash"`
	Text      string   `json:"text"`               // the line, cut around the match if it is long
	Proposed  string   `json:"proposed,omitempty"` // id of the proposal that the text comes from
	Before    []string `json:"before,omitempty"`   // the lines before it that no other match has
	After     []string `json:"after,omitempty"`
	From      string   `json:"from,omitempty"` // canon of the symbol around the lines, unless they show its first
	// its number, in a notebook; the line is that of the view that read_file shows
	Cell int `json:"cell,omitempty"`
	More int `json:"more,omitempty"` // lines of the file behind it that are left out
}
