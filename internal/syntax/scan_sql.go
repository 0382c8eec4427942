package syntax

import (
	"bytes"
	"strings"
)

// sql finds what a script in any SQL dialect creates, from the words of its statements: no
// grammar covers all dialects, and an outline needs only what they share.
type sql struct {
	lexer
	peeked    token // the token that peek returned
	hasPeeked bool
}

// sqlStatement is the state of a statement that is being read.
type sqlStatement struct {
	object      string // what it creates, in lower case; "" for any other statement
	before      string // the word before, in lower case
	end         int    // where the last token ends
	parens      int
	blocks      int    // BEGIN and CASE without their END
	tag         string // the dollar quote that is open
	body        bool   // whether the body has begun
	awaitsBegin bool   // whether BEGIN is to come; semicolons before it end nothing
	list        sqlList
	part        bool   // whether a column or a label is open
	reference   string // the node that the next name makes, "" for none
}

// sqlList is the state of the list of a table's columns or of a type's parts.
type sqlList uint8

const (
	listPossible     sqlList = iota // it may follow
	listPartExpected                // a part may begin
	listInPart                      // in a part
	listDone                        // it is over, or there is none
)

func scanSQL(s *scan) {
	q := sql{lexer: lexer{scan: s, comment: "--", quotes: "'\"`[", dollarQuotes: true}}
	q.backslashEscapes = bytes.IndexByte(s.text, '`') >= 0 // only MySQL has these quotes, and it escapes
	for q.statement() {
	}
}

// statement reads one statement and reports whether there was one.
func (q *sql) statement() bool {
	t := q.next(true)
	switch word := q.lower(t); {
	case t.kind == tokenEnd:
		return false
	case word == "create":
		q.create(t)
	case word == "delimiter" && startsLine(q.text, t.start): // of MySQL's shell, often "$$"
		q.skipDelimited("", "\n")
		q.dollarQuotes = false
	case word == "go" || t.kind == '/': // separators of batches
	default:
		q.hasPeeked, q.peeked = true, t
		q.statementRest(&sqlStatement{list: listDone})
	}
	return true
}

// nameLeaves adds the parts of a name, of which all but the last are schemas.
func (q *sql) nameLeaves(parts []token) {
	for i, part := range parts {
		kind := "name_identifier"
		if i < len(parts)-1 {
			kind = "schema"
		}
		q.nameLeaf(kind, part)
	}
}

// create reads a statement that begins at t. It makes a node if the statement names what it
// creates.
func (q *sql) create(t token) {
	object, ok := q.object()
	parts := q.name()
	if !ok || len(parts) == 0 {
		q.statementRest(&sqlStatement{list: listDone})
		return
	}
	st := &sqlStatement{object: q.lower(object), list: listDone, end: parts[len(parts)-1].end}
	if st.object == "table" || st.object == "type" {
		st.list = listPossible
	}
	q.open("create", t.start)
	q.leaf("object", object.start, object.end)
	q.nameLeaves(parts)
	q.statementRest(st)
	q.part(st, st.end)
	q.close(st.end)
}

// object moves to the word for the created object and past the words between it and its name.
func (q *sql) object() (object token, ok bool) {
	for range 16 { // OR REPLACE, TEMPORARY, DEFINER = `a`@`b`, ...
		object = q.next(false)
		if object.kind == tokenEnd || object.kind == ';' || object.kind == '(' {
			break
		}
		if sqlKinds[q.lower(object)] == "" || q.lower(object) == "event" && q.lower(q.peek()) == "trigger" {
			continue
		}
		for sqlBeforeName[q.lower(q.peek())] {
			q.next(false)
		}
		return object, true
	}
	q.hasPeeked, q.peeked = true, object
	return object, false
}

var sqlBeforeName = set("if not exists concurrently body")

// name reads a name of several parts, in order. A string is not a name.
func (q *sql) name() (parts []token) {
	for q.isName(q.peek()) {
		parts = append(parts, q.next(false))
		if q.peek().kind != '.' {
			break
		}
		q.next(false)
	}
	return parts
}

// isName reports whether a token may be a name.
func (q *sql) isName(t token) bool {
	return t.kind == tokenWord && (q.text[t.start] < '0' || q.text[t.start] > '9') && q.lower(t) != "on" ||
		t.kind == tokenQuoted && q.text[t.start] != '\''
}

// next returns the next token that is not a comment. If keep is set, comments become nodes.
func (q *sql) next(keep bool) token {
	if q.hasPeeked {
		q.hasPeeked = false
		return q.peeked
	}
	for {
		t := q.token()
		if t.kind == '#' && startsLine(q.text, t.start) { // a comment of MySQL
			q.skipDelimited("", "\n")
			t.kind, t.end = tokenComment, q.trimmed(q.at)
		}
		if t.kind != tokenComment {
			return t
		}
		if keep {
			q.leaf("comment", t.start, t.end)
		}
	}
}

// peek returns the next token without moving past it. Comments before it make no nodes.
func (q *sql) peek() token {
	if !q.hasPeeked {
		q.peeked = q.next(false)
		q.hasPeeked = true
	}
	return q.peeked
}

// lower returns a word in lower case, "" for any other token.
func (q *sql) lower(t token) string {
	if t.kind != tokenWord || t.end-t.start > 32 {
		return ""
	}
	return strings.ToLower(string(q.text[t.start:t.end]))
}
