package mux

import (
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// capabilities are what a server says that it can do, with initialize and by registrations.
type capabilities struct {
	static     object
	commands   map[string]bool
	change     int                     // textDocumentSync: 0 none, 1 full, 2 incremental
	openClose  bool                    // textDocumentSync
	save       bool                    // textDocumentSync
	registered map[string]registration // by the server's id, as JSON
}

// A registration is a capability that a server has registered.
type registration struct {
	method   string
	watchers []watcher
}

func newCapabilities(static object) capabilities {
	c := capabilities{static: static, commands: map[string]bool{}, registered: map[string]registration{}}
	for _, name := range stringsOf(objectOf(static["executeCommandProvider"])["commands"]) {
		c.commands[name] = true
	}
	c.change, c.openClose, c.save = syncOf(static["textDocumentSync"])
	return c
}

// syncOf reads textDocumentSync, which is a number or options.
func syncOf(raw json.RawMessage) (change int, openClose, save bool) {
	if json.Unmarshal(raw, &change) == nil && change > 0 {
		return change, true, true
	}
	options := objectOf(raw)
	_ = json.Unmarshal(options["change"], &change)
	return change, isTrue(options["openClose"]), isTrue(options["save"])
}

// encoding is how the server counts positions.
func (c *capabilities) encoding() string {
	chosen := utf16
	_ = json.Unmarshal(c.static["positionEncoding"], &chosen) // it need not say it
	return chosen
}

// answers reports whether a server offers a request of documents or of the workspace.
func (c *capabilities) answers(method string) bool {
	name := provider[method]
	if name == "" {
		return false
	}
	if method == string(protocol.MethodTextDocumentPrepareRename) {
		return isTrue(objectOf(c.static[name])["prepareProvider"]) || c.registers("textDocument/rename")
	}
	return isTrue(c.static[name]) || c.registers(method)
}

// registers reports whether a server has registered a method.
func (c *capabilities) registers(method string) bool {
	for _, r := range c.registered {
		if r.method == method {
			return true
		}
	}
	return false
}

// takes reports whether a server is sent a notification.
func (c *capabilities) takes(method string) bool {
	switch method {
	case protocol.MethodTextDocumentDidOpen, protocol.MethodTextDocumentDidClose:
		return c.openClose || c.registers(method)
	case protocol.MethodTextDocumentDidChange:
		return c.change > 0 || c.registers(method)
	case protocol.MethodTextDocumentDidSave:
		return c.save || c.registers(method)
	case protocol.MethodTextDocumentWillSave:
		return isTrue(objectOf(c.static["textDocumentSync"])["willSave"]) || c.registers(method)
	case protocol.MethodWorkspaceDidChangeWorkspaceFolders:
		folders := objectOf(objectOf(c.static["workspace"])["workspaceFolders"])
		return isTrue(folders["changeNotifications"]) || c.registers(method)
	case protocol.MethodWorkspaceDidCreateFiles, protocol.MethodWorkspaceDidRenameFiles,
		protocol.MethodWorkspaceDidDeleteFiles:
		operations := objectOf(objectOf(c.static["workspace"])["fileOperations"])
		_, name, _ := strings.Cut(strings.TrimSuffix(method, "Files"), "/")
		return isTrue(operations[name]) || c.registers(method)
	}
	if strings.HasPrefix(method, "notebookDocument/") {
		return isTrue(c.static["notebookDocumentSync"]) || c.registers("notebookDocument/sync")
	}
	return true
}

// joinCapabilities returns what both servers together can do: what the inner one says, and beside it what ours adds.
func joinCapabilities(theirs, own object) object {
	all := overlay(theirs, own)
	for name, value := range own { // false or null is no offer
		if !isTrue(theirs[name]) {
			all[name] = value
		}
	}
	join := map[string]func(a, b object) object{
		"textDocumentSync":       joinSync,
		"executeCommandProvider": joinMember("commands"),
		"codeLensProvider":       overlay,
		"completionProvider":     overlay,
		"notebookDocumentSync":   joinMember("notebookSelector"),
		"workspace":              joinWorkspace,
		"experimental":           overlay,
	}
	for name, both := range join {
		if isTrue(theirs[name]) && isTrue(own[name]) {
			all[name] = both(optionsOf(name, theirs[name]), optionsOf(name, own[name])).raw()
		}
	}
	if isTrue(theirs["codeActionProvider"]) && isTrue(own["codeActionProvider"]) {
		all["codeActionProvider"] = joinActions(objectOf(theirs["codeActionProvider"]), objectOf(own["codeActionProvider"]))
	}
	return all
}

// optionsOf returns a capability as options.
func optionsOf(name string, raw json.RawMessage) object {
	if name != "textDocumentSync" {
		return objectOf(raw)
	}
	options := objectOf(raw)
	if len(options) == 0 {
		change, openClose, _ := syncOf(raw)
		options["change"], options["openClose"] = mustMarshal(change), mustMarshal(openClose)
		options["save"] = mustMarshal(openClose)
	}
	return options
}

// joinSync returns the document sync that suits both. Ours takes full texts, too. A server that wants no changes is not
// sent the ones that the other wants.
func joinSync(theirs, own object) object {
	all := overlay(theirs, own)
	all["openClose"] = json.RawMessage("true")
	if change, _, _ := syncOf(theirs.raw()); change == 0 {
		all["change"] = own["change"]
	}
	if !isTrue(theirs["save"]) {
		all["save"] = own["save"]
	}
	return all
}

// joinMember returns a function that joins options whose member is a list.
func joinMember(member string) func(a, b object) object {
	return func(a, b object) object {
		all := overlay(a, b)
		list := listOf(a[member])
		for _, element := range listOf(b[member]) {
			if !slices.ContainsFunc(list, func(has json.RawMessage) bool { return canonical(has) == canonical(element) }) {
				list = append(list, element)
			}
		}
		all[member] = mustMarshal(list)
		return all
	}
}

// joinActions joins the options of code actions: without kinds if one server says none, which may be any.
func joinActions(theirs, own object) json.RawMessage {
	all := overlay(theirs, own)
	const kinds = "codeActionKinds"
	if theirs[kinds] == nil || own[kinds] == nil {
		delete(all, kinds)
	} else {
		all[kinds] = mustMarshal(union(stringsOf(theirs[kinds]), stringsOf(own[kinds])))
	}
	if len(all) == 0 {
		return json.RawMessage("true")
	}
	return all.raw()
}

// joinWorkspace joins the capabilities of the workspace.
func joinWorkspace(theirs, own object) object {
	all := overlay(theirs, own)
	all["workspaceFolders"] = own["workspaceFolders"] // both are told of folders if one wants to be
	operations := overlay(objectOf(theirs["fileOperations"]), objectOf(own["fileOperations"]))
	for name, options := range objectOf(own["fileOperations"]) {
		if has := objectOf(theirs["fileOperations"])[name]; isTrue(has) {
			operations[name] = joinMember("filters")(objectOf(has), objectOf(options)).raw()
		}
	}
	all["fileOperations"] = operations.raw()
	return all
}
