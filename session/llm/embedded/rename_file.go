package embedded

import (
	"fmt"
	slashpath "path"
	"path/filepath"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// renameFile gives a file another path, and names the imports that this breaks.
type renameFile struct{ from, to string }

// newRenameFile makes the instruction of its verb, "file" if that was said, the path, "folder" if that was said, and
// the new path.
func newRenameFile(m []string) (instruction, bool) {
	verb, from := strings.ToLower(m[0]), filepath.ToSlash(lexicon.Bare(m[2]))
	folder, to := m[3] != "", filepath.ToSlash(lexicon.Bare(m[4]))
	if m[1] == "" && !lexicon.FileName.MatchString(from) && !strings.Contains(from, "/") && !secretFile.MatchString(from) {
		return nil, false
	}
	within := slashpath.Join(to, slashpath.Base(from))
	named := lexicon.FileName.MatchString(to) || secretFile.MatchString(to)
	switch {
	case folder || strings.HasSuffix(m[5], "/"), verb == "move" && !named:
		return renameFile{from, within}, true
	case strings.Contains(to, "/") || slashpath.Dir(from) == ".":
		if !named && slashpath.Ext(from) != "" {
			return askWhich{form: verb + " " + from + " to %s", readings: []string{to + slashpath.Ext(from), to + "/"}}, true
		}
		return renameFile{from, to}, true
	case verb == "move":
		return askWhich{form: "move " + from + " to %s", readings: []string{slashpath.Join(slashpath.Dir(from), to), "./" +
			to}}, true
	}
	return renameFile{from, slashpath.Join(slashpath.Dir(from), to)}, true
}

// askWhich asks which of several readings an instruction has.
type askWhich struct {
	form     string // with %s
	readings []string
}

func (x askWhich) next(progress) step {
	var forms []string
	for _, r := range x.readings {
		forms = append(forms, results.Code(fmt.Sprintf(x.form, r)))
	}
	return answerWith("Which one do you mean? " + strings.Join(forms, ", or ") + ".\n")
}

func (x renameFile) next(p progress) step {
	renamed := p.of("rename_file")
	switch {
	case secretFile.MatchString(x.from):
		return refuseSecret(x.from)
	case secretFile.MatchString(x.to):
		return refuseSecret(x.to)
	case len(renamed) == 0:
		return step{calls: []llm.Call{callTool("rename_file", args{"file": x.from, "to": x.to, "reason": "rename " + x.from +
			" to " + x.to})}}
	case !renamed[0].OK:
		return p.failed("I could not rename "+results.Code(x.from), renamed[0])
	}
	return answerWith(fmt.Sprintf("I propose to rename %s to %s.\n\n%sNothing is written yet: the proposal waits for "+
		"your "+
		"review.\n", results.Code(x.from), results.Code(x.to), p.Imports(results.Decode[results.BrokenImports](&renamed[0]))))
}
