package syntax

// statementRest reads the rest of a statement.
func (q *sql) statementRest(st *sqlStatement) {
	for {
		t := q.next(true)
		if t.kind == tokenEnd {
			return
		}
		if st.end > 0 && q.begins(t, st) {
			q.hasPeeked, q.peeked = true, t
			return
		}
		ends := q.step(st, t)
		st.end = max(st.end, t.end)
		if ends {
			return
		}
	}
}

// begins reports whether t begins another statement although this one has not ended: t stands
// at the beginning of a line, or separates batches.
func (q *sql) begins(t token, st *sqlStatement) bool {
	if st.tag != "" || t.start > 0 && q.text[t.start-1] != '\n' {
		return false
	}
	word := q.lower(t)
	return word == "create" || word == "delimiter" || word == "go" || t.kind == '/'
}

// step reads one token and reports whether it ends the statement.
func (q *sql) step(st *sqlStatement, t token) bool {
	switch t.kind {
	case ';':
		st.reference = ""
		return st.tag == "" && (st.blocks < 0 || st.blocks == 0 && !st.awaitsBegin)
	case '(':
		q.parenthesis(st, t)
	case ')':
		if st.parens--; st.parens == 0 && st.list != listPossible {
			q.part(st, st.end)
			st.list = listDone
		}
	case ',':
		if st.parens == 1 && st.list == listInPart {
			q.part(st, st.end)
			st.list = listPartExpected
		}
	case tokenDollar:
		q.dollarQuote(st, t)
	case tokenWord, tokenQuoted:
		q.names(st, t)
	default:
		st.reference = ""
	}
	return false
}

// part ends the open column or label.
func (q *sql) part(st *sqlStatement, end int) {
	if st.part {
		st.part = false
		q.close(end)
	}
}

func (q *sql) parenthesis(st *sqlStatement, t token) {
	st.reference = ""
	if st.parens++; st.parens == 1 && st.list == listPossible {
		st.list = listPartExpected
		q.begin(st, t)
	}
}

// begin marks the beginning of the body.
func (q *sql) begin(st *sqlStatement, t token) {
	if st.object != "" && !st.body {
		st.body = true
		q.leaf("body", t.start, t.end)
	}
}

func (q *sql) dollarQuote(st *sqlStatement, t token) {
	switch tag := string(q.text[t.start:t.end]); st.tag {
	case "":
		st.tag = tag
		q.begin(st, t)
	case tag:
		st.tag = ""
	}
}

// names reads a word or a quoted text, which may be a name.
func (q *sql) names(st *sqlStatement, t token) {
	word := q.lower(t)
	switch {
	case st.list == listPartExpected && st.parens == 1:
		st.list = listInPart
		q.beginPart(st, t)
	case st.reference != "" && !sqlReferenceFollows(st, word):
		q.reference(st, t, word)
	case word != "":
		q.keyword(st, t, word)
	}
	st.before = word
}

// beginPart reads the name of a column or a label of an enumeration. Constraints have no name
// here.
func (q *sql) beginPart(st *sqlStatement, t token) {
	kind := "column"
	switch {
	case t.kind == tokenQuoted && q.text[t.start] == '\'':
		if kind = "label"; st.object != "type" {
			return
		}
	case sqlConstraints[q.lower(t)] || !q.isName(t) || q.isIndex(t):
		return
	}
	st.part = true
	q.open(kind, t.start)
	q.nameLeaf("name_identifier", t)
}

var sqlConstraints = set("constraint primary foreign unique check exclude like fulltext spatial")

// sqlSized are types with a size, which look like an index with its columns: key varchar(9).
var sqlSized = set("char varchar nchar nvarchar varchar2 character binary varbinary decimal numeric int bigint float " +
	"bit")

// isIndex reports whether t begins one of MySQL's indexes rather than a column called key or
// index.
func (q *sql) isIndex(t token) bool {
	if word := q.lower(t); word != "key" && word != "index" {
		return false
	}
	before := q.lexer.at
	first, second := q.token(), q.token()
	q.lexer.at = before
	return first.kind == '(' || second.kind == '(' && !sqlSized[q.lower(first)]
}

// keyword reads a word that may begin or end a block, begin the body, or precede a reference.
func (q *sql) keyword(st *sqlStatement, t token, word string) {
	if sqlReferenceFollows(st, word) {
		st.reference = sqlReferenceNodes[word]
	}
	if sqlListless[word] && st.list == listPossible {
		st.list = listDone
	}
	if st.object == "" || st.tag != "" || st.parens > 0 {
		return
	}
	switch word {
	case "as", "is":
		if sqlBodied[st.object] && st.before != "end" {
			q.begin(st, t)
			next := q.peek()
			st.awaitsBegin = st.awaitsBegin || sqlRoutines[st.object] && next.kind == tokenWord && q.lower(next) != "return"
		}
	case "begin", "case", "end", "if", "loop", "while", "repeat", "for":
		q.block(st, t, word)
	}
}

var (
	sqlRoutines = set("function procedure proc trigger event package")
	sqlBodied   = set("function procedure proc trigger event package view table rule macro")
	sqlListless = set("partition select like values inherits")
)

// block counts the blocks of a routine. Blocks with an end word of their own, as in END IF, are
// not counted.
func (q *sql) block(st *sqlStatement, t token, word string) {
	if !sqlRoutines[st.object] {
		return
	}
	switch after := st.before == "end"; word {
	case "begin":
		if next := q.lower(q.peek()); next != "tran" && next != "transaction" {
			q.begin(st, t)
			st.awaitsBegin = false
			st.blocks++
		}
	case "case":
		if !after {
			st.blocks++
		}
	case "end":
		st.blocks--
	default:
		if after {
			st.blocks++
		}
	}
}
