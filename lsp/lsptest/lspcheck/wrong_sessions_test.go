package lspcheck

import "strings"

// everything are the capabilities of a client that declares all that the server of this test uses.
const everything = `{
	"workspace":{"applyEdit":true,"configuration":true,"codeLens":{"refreshSupport":true},
		"workspaceEdit":{"documentChanges":true,"resourceOperations":["create","rename","delete"],"changeAnnotationSupport":{}},
		"didChangeWatchedFiles":{"dynamicRegistration":true,"relativePatternSupport":true}},
	"textDocument":{"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":[""]}},"disabledSupport":true,"isPreferredSupport":true,"dataSupport":true},
		"completion":{"completionItem":{"snippetSupport":true,"insertReplaceSupport":true,"documentationFormat":["markdown"],"preselectSupport":true},"completionItemKind":{"valueSet":[1]}},
		"hover":{"contentFormat":["markdown"]},"documentSymbol":{"hierarchicalDocumentSymbolSupport":true},
		"publishDiagnostics":{"versionSupport":true,"dataSupport":true,"relatedInformation":true,"codeDescriptionSupport":true,"tagSupport":{"valueSet":[1]}}},
	"window":{"workDoneProgress":true,"showDocument":{"support":true},"showMessage":{}},
	"general":{"positionEncodings":["utf-8","utf-16"]},
	"experimental":{"ploke":{"version":1,"methods":["ploke/event"]}}}`

// A line of a session begins with > if it is the client's and with < if it is the server's.
const (
	hello = `> {"id":"i","method":"initialize","params":{"capabilities":CAPABILITIES}}
< {"id":"i","result":{"capabilities":{"positionEncoding":"utf-16","hoverProvider":true,"executeCommandProvider":{"commands":["run"]}}}}
> {"method":"initialized","params":{}}
> {"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.go","languageId":"go","version":1,"text":"a😀b\r\nsecond\n"}}}
`
	inDocument = `"textDocument":{"uri":"file:///w/a.go"}`
	start      = `"position":{"line":0,"character":0}`
	actions    = `> {"id":1,"method":"textDocument/codeAction","params":{` + inDocument + `,"range":` + first +
		`,"context":{"diagnostics":[]}}}` + "\n"
	completion = `> {"id":1,"method":"textDocument/completion","params":{` + inDocument + `,` + start + `}}` + "\n"
	hovering   = `> {"id":1,"method":"textDocument/hover","params":{` + inDocument + `,` + start + `}}` + "\n"
	symbols    = `> {"id":1,"method":"textDocument/documentSymbol","params":{` + inDocument + `}}` + "\n"
	create     = `< {"id":7,"method":"window/workDoneProgress/create","params":{"token":"t"}}` + "\n"
	token      = create + `> {"id":7,"result":null}` + "\n"
	begin      = `< {"method":"$/progress","params":{"token":"t","value":{"kind":"begin","title":"T","percentage":10}}}` + "\n"
	end        = `< {"method":"$/progress","params":{"token":"t","value":{"kind":"end"}}}` + "\n"
	goodbye    = `> {"id":"s","method":"shutdown"}` + "\n" + `< {"id":"s","result":null}` + "\n"
	first      = `{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}`
	second     = `{"start":{"line":1,"character":0},"end":{"line":1,"character":6}}`
	inside     = `{"start":{"line":0,"character":0},"end":{"line":0,"character":2}}` // of the emoji
	behind     = `{"start":{"line":1,"character":0},"end":{"line":1,"character":7}}`
	below      = `{"start":{"line":3,"character":0},"end":{"line":3,"character":0}}`
	both       = `{"start":{"line":0,"character":0},"end":{"line":1,"character":0}}`
)

// published, applied and edited are messages with something in them.
func published(fields string) string {
	return `< {"method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a.go",` + fields + `}}`
}

func diagnosed(fields string) string {
	return published(`"diagnostics":[{"range":` + first + `,"message":"m",` + fields + `}]`)
}

func applied(edit string) string {
	return `< {"id":8,"method":"workspace/applyEdit","params":{"edit":{` + edit + `}}}`
}

func edited(version string, edits ...string) string {
	return applied(`"documentChanges":[{"textDocument":{"uri":"file:///w/a.go","version":` + version + `},"edits":[` + strings.Join(edits, ",") + `]}]`)
}

func edit(r string) string { return `{"range":` + r + `,"newText":"n"}` }

func result(value string) string { return `< {"id":1,"result":` + value + `}` }

func progressed(value string) string {
	return `< {"method":"$/progress","params":{"token":"t","value":{` + value + `}}}` + "\n"
}

func registered(id, method, options string) string {
	return `< {"id":8,"method":"client/registerCapability","params":{"registrations":[{"id":"` + id + `","method":"` + method +
		`","registerOptions":` + options + `}]}}`
}

const watchers = `{"watchers":[{"globPattern":{"baseUri":"file:///w","pattern":"**/*"}}]}`

// without returns everything without some capability, which must be there.
func without(capability string) string {
	if !strings.Contains(everything, capability) {
		panic(capability)
	}
	return strings.Replace(everything, capability, strings.Replace(capability, `"`, `"no `, 1), 1)
}

// wrongSessions are sessions that violate a rule, and no other, in their last lines.
var wrongSessions = []struct {
	rule         Rule
	name         string
	capabilities string // everything, if empty
	session      string
}{
	{RuleFrame, "no length", "", "< RAW Content-Type: x\r\n\r\n{}"},
	{RuleFrame, "another header", "", "< RAW Content-Length: 2\r\nContent-Size: 2\r\n\r\n{}"},
	{RuleFrame, "a negative length", "", "< RAW Content-Length: -2\r\n\r\n{}"},
	{RuleJSON, "an array", "", "< RAW Content-Length: 2\r\n\r\n[]"},
	{RuleJSON, "no UTF-8", "", "< RAW Content-Length: 7\r\n\r\n{\"\xff\":1}"},
	{RuleJSON, "a name twice", "", `< {"method":"window/logMessage","method":"window/logMessage","params":{"type":1,"message":"m"}}`},
	{RuleEnvelope, "another version", "", "< RAW Content-Length: 40\r\n\r\n" + `{"jsonrpc":"1.0","method":"ploke/event"}`},
	{RuleEnvelope, "an unknown field", "", `< {"extra":1,"method":"window/logMessage","params":{"type":1,"message":"m"}}`},
	{RuleEnvelope, "a result and an error", "", hovering + `< {"id":1,"result":null,"error":{"code":1,"message":"m"}}`},
	{RuleEnvelope, "neither result nor error", "", hovering + `< {"id":1}`},
	{RuleMethod, "an unknown notification", "", `< {"method":"window/unknown"}`},
	{RuleMethod, "a request as a notification", "", `< {"method":"workspace/applyEdit","params":{"edit":{}}}`},
	{RuleMethod, "a method of clients", "", `< {"method":"textDocument/didOpen","params":{}}`},
	{RuleType, "a number for a text", "", `< {"method":"window/logMessage","params":{"type":1,"message":2}}`},
	{RuleType, "an unknown value of an enumeration", "", `< {"method":"window/logMessage","params":{"type":9,"message":"m"}}`},
	{RuleType, "a nil slice", "", published(`"diagnostics":null`)},
	{RuleType, "an optional field that is null", "", diagnosed(`"source":null`)},
	{RuleType, "a fraction", "", diagnosed(`"severity":1.5`)},
	{RuleType, "a negative line", "", published(`"diagnostics":[{"range":{"start":{"line":-1,"character":0},"end":{"line":0,"character":0}},"message":"m"}]`)},
	{RuleType, "a result of another type", "", hovering + result(`[]`)},
	{RuleType, "parameters of a method without", "", `< {"id":8,"method":"workspace/codeLens/refresh","params":{}}`},
	{RuleMissingField, "no message", "", `< {"method":"window/logMessage","params":{"type":1}}`},
	{RuleMissingField, "an action without a title", "", actions + result(`[{"kind":"quickfix"}]`)},
	{RuleUnknownField, "in parameters", "", `< {"method":"window/logMessage","params":{"type":1,"message":"m","level":1}}`},
	{RuleUnknownField, "in a union", "", edited("1", `{"range":`+first+`,"newText":"n","text":"n"}`)},
	{RuleURI, "a path", "", `< {"method":"textDocument/publishDiagnostics","params":{"uri":"/w/a.go","diagnostics":[]}}`},
	{RuleURI, "a space", "", `< {"method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a b.go","diagnostics":[]}}`},
	{RuleURI, "as a key", "", applied(`"changes":{"a.go":[]}`)},
	{RuleRange, "the wrong way round", "", published(`"diagnostics":[{"range":{"start":{"line":1,"character":0},"end":{"line":0,"character":0}},"message":"m"}]`)},
	{RuleAnswer, "to nothing", "", `< {"id":99,"result":null}`},
	{RuleAnswer, "twice", "", hovering + result("null") + "\n" + result("null")},
	{RuleAnswer, "to an id that could be read", "", `< {"id":null,"error":{"code":-32700,"message":"m"}}`},
	{RuleAnswer, "an id used twice", "", `< {"id":8,"method":"workspace/codeLens/refresh"}` + "\n" + `< {"id":8,"method":"workspace/codeLens/refresh"}`},
	{RuleError, "no message", "", hovering + `< {"id":1,"error":{"code":1}}`},
	{RuleError, "a code that is a text", "", hovering + `< {"id":1,"error":{"code":"1","message":"m"}}`},
	{RuleError, "another field", "", hovering + `< {"id":1,"error":{"code":1,"message":"m","reason":"r"}}`},
	{RulePhase, "after shutdown", "", goodbye + `< {"method":"window/logMessage","params":{"type":1,"message":"m"}}`},
	{RuleCancel, "an unknown request", "", `< {"method":"$/cancelRequest","params":{"id":99}}`},
	{RuleProgress, "an unknown token", "", begin},
	{RuleProgress, "before the client has agreed", "", create + begin},
	{RuleProgress, "after the client has refused", "", create + `> {"id":7,"error":{"code":1,"message":"m"}}` + "\n" + begin},
	{RuleProgress, "a token twice", "", token + strings.Replace(create, "7", "9", 1)},
	{RuleProgress, "no begin", "", token + end},
	{RuleProgress, "a second begin", "", token + begin + begin + end},
	{RuleProgress, "after the end", "", token + begin + end + progressed(`"kind":"report"`)},
	{RuleProgress, "another kind", "", token + progressed(`"kind":"start","title":"T"`)},
	{RuleProgress, "after the answer", "", strings.Replace(hovering, inDocument, `"workDoneToken":"t",`+inDocument, 1) + result("null") + "\n" + begin + end},
	{RulePercentage, "back", "", token + begin + progressed(`"kind":"report","percentage":9`) + end},
	{RulePercentage, "over 100", "", token + begin + progressed(`"kind":"report","percentage":101`) + end},
	{RulePercentage, "begun without", "", token + progressed(`"kind":"begin","title":"T"`) + progressed(`"kind":"report","percentage":1`) + end},
	{RuleUnended, "at shutdown", "", token + begin + goodbye},
	{RuleUnended, "at the answer", "", strings.Replace(hovering, inDocument, `"workDoneToken":"t",`+inDocument, 1) + begin + result("null")},
	{RuleRegistration, "an id twice", "", registered("1", "workspace/didChangeWatchedFiles", watchers) + "\n" + `> {"id":8,"result":null}` + "\n" +
		strings.Replace(registered("1", "workspace/didChangeWatchedFiles", watchers), "8", "9", 1)},
	{RuleRegistration, "an unknown method", "", registered("1", "workspace/unknown", "{}")},
	{RuleRegistration, "offered, too", strings.Replace(everything, `"hover":{`, `"hover":{"dynamicRegistration":true,`, 1), registered("1", "textDocument/hover", `{"documentSelector":null}`)},
	{RuleRegistration, "taken back", "", `< {"id":8,"method":"client/unregisterCapability","params":{"unregisterations":[{"id":"1","method":"textDocument/hover"}]}}`},
	{RuleType, "its options", "", registered("1", "workspace/didChangeWatchedFiles", `{"watchers":{}}`)},
	{RulePosition, "inside a character", "", published(`"diagnostics":[{"range":` + inside + `,"message":"m"}]`)},
	{RulePosition, "bytes as UTF-16", "", published(`"diagnostics":[{"range":{"start":{"line":0,"character":5},"end":{"line":0,"character":6}},"message":"m"}]`)},
	{RulePosition, "behind a line", "", actions + result(`[{"title":"t","edit":{"changes":{"file:///w/a.go":[`+edit(behind)+`]}}}]`)},
	{RulePosition, "below the text", "", edited("1", edit(below))},
	{RulePosition, "of a closed file", "", strings.ReplaceAll(edited("null", edit(below)), "file:///w/a.go", "FILE")},
	{RulePosition, "of an earlier text", "", `> {"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/a.go","version":2},"contentChanges":[{"range":` + second + `,"text":"2"}]}}` + "\n" +
		hovering + result(`{"contents":"c","range":`+second+`}`)},
	{RulePosition, "a symbol", "", symbols + result(`[{"name":"n","kind":12,"range":`+behind+`,"selectionRange":`+behind+`}]`)},
	{RulePosition, "a definition", "", strings.Replace(hovering, "hover", "definition", 1) + result(`{"uri":"file:///w/a.go","range":`+below+`}`)},
	{RulePosition, "a fold", "", strings.Replace(symbols, "documentSymbol", "foldingRange", 1) + result(`[{"startLine":0,"endLine":9}]`)},
	{RulePosition, "what is shown", "", `< {"id":8,"method":"window/showDocument","params":{"uri":"file:///w/a.go","selection":` + below + `}}`},
	{RuleVersion, "of an edit", "", edited("2", edit(first))},
	{RuleVersion, "of a document that was never open", "", strings.ReplaceAll(edited("1"), "a.go", "b.go")},
	{RuleVersion, "of diagnostics", "", published(`"version":2,"diagnostics":[]`)},
	{RuleOverlap, "edits", "", edited("1", edit(both), edit(first))},
	{RuleAnnotation, "a change", "", edited("1", `{"range":`+first+`,"newText":"n","annotationId":"a"}`)},
	{RuleCommand, "of an action", "", actions + result(`[{"title":"t","command":"walk"}]`)},
	{RuleCommand, "of a lens", "", strings.Replace(symbols, "documentSymbol", "codeLens", 1) + result(`[{"range":`+first+`,"command":{"title":"t","command":"walk"}}]`)},
	{RuleKind, "of an action", "", strings.Replace(actions, `"diagnostics":[]`, `"diagnostics":[],"only":["refactor"]`, 1) + result(`[{"title":"t","kind":"refactored"}]`)},
	{RuleShape, "a lens of two lines", "", strings.Replace(symbols, "documentSymbol", "codeLens", 1) + result(`[{"range":`+both+`}]`)},
	{RuleShape, "a name outside of its symbol", "", symbols + result(`[{"name":"n","kind":12,"range":`+first+`,"selectionRange":`+second+`}]`)},
	{RuleShape, "a completion elsewhere", "", completion + result(`[{"label":"l","textEdit":`+edit(second)+`}]`)},
	{RuleShape, "a fold that ends before it starts", "", strings.Replace(symbols, "documentSymbol", "foldingRange", 1) + result(`[{"startLine":1,"endLine":0}]`)},

	{RuleUndeclared, "ploke", without(`"ploke/event"`), `< {"method":"ploke/event","params":{}}`},
	{RuleUndeclared, "applyEdit", without(`"applyEdit"`), applied("")},
	{RuleUndeclared, "showDocument", without(`"support"`), `< {"id":8,"method":"window/showDocument","params":{"uri":"file:///w/a.go"}}`},
	{RuleUndeclared, "showMessageRequest", without(`"showMessage"`), `< {"id":8,"method":"window/showMessageRequest","params":{"type":1,"message":"m"}}`},
	{RuleUndeclared, "configuration", without(`"configuration"`), `< {"id":8,"method":"workspace/configuration","params":{"items":[]}}`},
	{RuleUndeclared, "create", without(`"workDoneProgress"`), create},
	{RuleUndeclared, "refresh", without(`"refreshSupport"`), `< {"id":8,"method":"workspace/codeLens/refresh"}`},
	{RuleUndeclared, "diagnostics", without(`"publishDiagnostics"`), published(`"diagnostics":[]`)},
	{RuleUndeclared, "diagnostics' version", without(`"versionSupport"`), published(`"version":1,"diagnostics":[]`)},
	{RuleUndeclared, "data", without(`"dataSupport":true,"rel`), diagnosed(`"data":{}`)},
	{RuleUndeclared, "relatedInformation", without(`"relatedInformation"`), diagnosed(`"relatedInformation":[]`)},
	{RuleUndeclared, "codeDescription", without(`"codeDescriptionSupport"`), diagnosed(`"codeDescription":{"href":"https://example.org/"}`)},
	{RuleUndeclared, "a tag", "", diagnosed(`"tags":[2]`)},
	{RuleUndeclared, "registration", without(`"dynamicRegistration"`), registered("1", "workspace/didChangeWatchedFiles", watchers)},
	{RuleUndeclared, "relative patterns", without(`"relativePatternSupport"`), registered("1", "workspace/didChangeWatchedFiles", watchers)},
	{RuleUndeclared, "document changes", strings.Replace(without(`"documentChanges"`), `"resourceOperations"`, `"no"`, 1), edited("1", edit(first))},
	{RuleUndeclared, "an operation", without(`"delete"`), applied(`"documentChanges":[{"kind":"delete","uri":"file:///w/a.go"}]`)},
	{RuleUndeclared, "annotations", without(`"changeAnnotationSupport"`), applied(`"changeAnnotations":{"a":{"label":"l"}}`)},
	{RuleUndeclared, "literals", without(`"codeActionLiteralSupport"`), actions + result(`[{"title":"t"}]`)},
	{RuleUndeclared, "disabled", without(`"disabledSupport"`), actions + result(`[{"title":"t","disabled":{"reason":"r"}}]`)},
	{RuleUndeclared, "isPreferred", without(`"isPreferredSupport"`), actions + result(`[{"title":"t","isPreferred":true}]`)},
	{RuleUndeclared, "data of an action", without(`"dataSupport":true},`), actions + result(`[{"title":"t","data":1}]`)},
	{RuleUndeclared, "a tree of symbols", without(`"hierarchicalDocumentSymbolSupport"`), symbols + result(`[{"name":"n","kind":12,"range":`+first+`,"selectionRange":`+first+`}]`)},
	{RuleUndeclared, "a newer kind of a symbol", "", symbols + result(`[{"name":"n","kind":23,"range":`+first+`,"selectionRange":`+first+`}]`)},
	{RuleUndeclared, "markup in a hover", "", hovering + result(`{"contents":{"kind":"plaintext","value":"v"}}`)},
	{RuleUndeclared, "a snippet", without(`"snippetSupport"`), completion + result(`[{"label":"l","insertTextFormat":2}]`)},
	{RuleUndeclared, "insert and replace", without(`"insertReplaceSupport"`), completion + result(`[{"label":"l","textEdit":{"newText":"n","insert":`+first+`,"replace":`+first+`}}]`)},
	{RuleUndeclared, "documentation", "", completion + result(`[{"label":"l","documentation":{"kind":"plaintext","value":"v"}}]`)},
	{RuleUndeclared, "a newer kind of an item", without(`"completionItemKind"`), completion + result(`[{"label":"l","kind":19}]`)},
	{RuleUndeclared, "a default", "", completion + result(`{"isIncomplete":false,"itemDefaults":{"insertTextMode":1},"items":[]}`)},
	{RuleUndeclared, "a location link", "", strings.Replace(hovering, "hover", "definition", 1) +
		result(`[{"targetUri":"file:///w/a.go","targetRange":`+first+`,"targetSelectionRange":`+first+`}]`)},
	{RuleUndeclared, "a symbol without a range", "", `> {"id":1,"method":"workspace/symbol","params":{"query":""}}` + "\n" + result(`[{"name":"n","kind":12,"location":{"uri":"file:///w/a.go"}}]`)},
}
