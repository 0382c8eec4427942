package main

import (
	"bytes"
	"embed"
	"os"
	"path/filepath"
	"slices"
	"text/template"
)

//go:embed templates
var templates embed.FS

// entries are the files for package managers that download a release, and the templates for them.
var entries = []struct{ template, path string }{
	{"formula.rb", "homebrew/ploke-lsp.rb"},
	{"flake.nix", "nix/flake.nix"},
	{"scoop.json", "scoop/ploke-lsp.json"},
	{"mason.yaml", "mason/ploke-lsp/package.yaml"},
}

// An entry is what the templates are filled from.
type entry struct {
	Version, Tag, Summary, Repository string
	Files                             map[string]download // by platform, such as linux-amd64
}

// A download is an archive of the release.
type download struct{ URL, File, SHA256, Folder string }

// writeEntries fills the templates. If something that they need is missing, it returns what that is,
// and writes nothing.
func (r *release) writeEntries(sums []sum) (missing []string, err error) {
	missing = r.publisher.missing()
	data := entry{r.stamp.version(), r.stamp.tag, summary, r.publisher.Repository, map[string]download{}}
	for _, p := range platforms {
		name := r.archiveName(p)
		i := slices.IndexFunc(sums, func(s sum) bool { return s.name == name })
		if i < 0 {
			missing = append(missing, name)
			continue
		}
		data.Files[p.String()] = download{r.publisher.download(r.stamp.tag, name), name, sums[i].sha256, r.archiveFolder(p)}
	}
	if missing != nil {
		return missing, nil
	}
	for _, e := range entries {
		if err := r.writeEntry(e.template, e.path, data); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (r *release) writeEntry(name, path string, data entry) error {
	t, err := template.New(name).ParseFS(templates, "templates/"+name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return err
	}
	path = filepath.Join(r.out, "entries", filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
