package syntax

// sqlReferenceNodes are the words before a name, and the node that the name makes.
var sqlReferenceNodes = map[string]string{
	"from": "reference", "join": "reference", "into": "reference", "update": "reference", "references": "reference",
	"table": "reference", "on": "reference", "call": "call", "exec": "call", "execute": "call", "perform": "call",
	"function": "call", "procedure": "call",
}

// sqlBeforeReference are words between such a word and the name; sqlNonNames follow such a
// word without a name.
var (
	sqlBeforeReference = set("only if not exists lateral")
	sqlNonNames        = set(`select values set cascade restrict no of or each null default nowait skip as using where for
		statement row rows before after instead with and unnest immediate delete insert do begin then`)
)

// sqlReferenceFollows reports whether a name follows the word in this statement.
func sqlReferenceFollows(st *sqlStatement, word string) bool {
	switch word {
	case "table":
		return st.object == "" && st.before != "create"
	case "on":
		return (st.object == "trigger" || st.object == "index" || st.object == "policy") && !st.body
	case "function", "procedure":
		return st.reference == "call" || st.before == "execute"
	}
	return sqlReferenceNodes[word] != ""
}

// reference reads the token after one of those words.
func (q *sql) reference(st *sqlStatement, t token, word string) {
	kind := st.reference
	if sqlBeforeReference[word] {
		return
	}
	st.reference = ""
	if sqlNonNames[word] {
		q.keyword(st, t, word)
		return
	}
	if !q.isName(t) {
		return
	}
	for q.peek().kind == '.' {
		q.next(false)
		if !q.isName(q.peek()) {
			break
		}
		t = q.next(false)
	}
	st.end = q.nameLeaf(kind, t)
}
