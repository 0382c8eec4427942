package syntax

// sqlMentioned are the words before a name, and the node that it makes.
var sqlMentioned = map[string]string{
	"from": "reference", "join": "reference", "into": "reference", "update": "reference", "references": "reference",
	"table": "reference", "on": "reference", "call": "call", "exec": "call", "execute": "call", "perform": "call",
	"function": "call", "procedure": "call",
}

// sqlPassed may stand between such a word and the name; sqlNoNames do instead of one.
var (
	sqlPassed  = set("only if not exists lateral")
	sqlNoNames = set(`select values set cascade restrict no of or each null default nowait skip as using where for
		statement row rows before after instead with and unnest immediate delete insert do begin then`)
)

// sqlMentions says whether a name follows the word in this statement.
func sqlMentions(st *sqlStatement, word string) bool {
	switch word {
	case "table":
		return st.object == "" && st.before != "create"
	case "on":
		return (st.object == "trigger" || st.object == "index" || st.object == "policy") && !st.body
	case "function", "procedure":
		return st.mention == "call" || st.before == "execute"
	}
	return sqlMentioned[word] != ""
}

// mention takes what follows one of those words.
func (q *sql) mention(st *sqlStatement, t token, word string) {
	kind := st.mention
	if sqlPassed[word] {
		return
	}
	st.mention = ""
	if sqlNoNames[word] {
		q.keyword(st, t, word)
		return
	}
	if !q.named(t) {
		return
	}
	for q.peek().kind == '.' {
		q.next(false)
		if !q.named(q.peek()) {
			break
		}
		t = q.next(false)
	}
	start, end := q.bare(t)
	q.leaf(kind, start, end)
	st.last = end
}
