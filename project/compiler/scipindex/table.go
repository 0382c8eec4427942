package scipindex

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/workspace"
)

// table says where in a file which symbols are.
type table struct {
	path          string
	identity      identity
	tool, version string
	dir           string // absolute, that the documents are in; "" if that is no folder of the workspace
	here          bool   // it was made in dir
	commit        string // that it was made at, "" if that is not known
	documents     []document
	byPath        map[string][]int32 // the documents of a path, of which a file may have several
	bytes         int                // of memory
	passed        int                // documents that are too long

	mu      sync.Mutex
	checked map[string]string // the hashes of texts that are those that were indexed, by path
}

// document is where a document is, and what it has.
type document struct {
	path    string // relative to the folder, with slashes
	offset  int64
	size    int
	text    string   // the hash of its text, "" if the file does not have that
	blob    string   // the id of its text at the commit, "" if that is not known
	symbols []uint32 // hashes of the symbols that it names and that its symbols have to do with, sorted
}

// documentBytes is about what a document takes without its path and its symbols.
const documentBytes = 160

// maxPath is how many bytes the path of a document may have.
const maxPath = 4096

// seed makes it hard to write a file whose symbols have the same hashes.
var seed = maphash.MakeSeed()

func hashOf(symbol []byte) uint32 { return uint32(maphash.Bytes(seed, symbol)) }

// readTable reads a file as a whole. The table takes no more than room bytes of memory.
func readTable(ctx context.Context, ws *workspace.Workspace, path string, id identity, room int) (*table, error) {
	file, info, err := disk.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", filepath.Base(path), err)
	}
	defer file.Close()
	t := &table{path: path, identity: id, byPath: map[string][]int32{}, checked: map[string]string{}}
	if id.same(identity{info, id.roots}) {
		err = t.read(ctx, file, ws, room)
		if info, statErr := file.Stat(); statErr != nil || !id.same(identity{info, id.roots}) {
			err = errors.New("it has changed while it was read")
		}
	} else {
		err = errors.New("it has changed while it was read")
	}
	if err != nil {
		return nil, fmt.Errorf("%s can't be used: %w", filepath.Base(path), err)
	}
	return t, nil
}

func (t *table) read(ctx context.Context, in io.Reader, ws *workspace.Workspace, room int) error {
	reader := scip.NewReader(contextReader{ctx, in})
	var root, version string
	var known bool
	for {
		part, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case part.Data == nil && part.Size > 0:
			t.passed++
		case part.Kind == scip.MetadataPart:
			m, err := scip.ParseMetadata(part.Data)
			if err != nil {
				return err
			}
			t.tool, t.version, root, known = m.Tool, m.Version, m.Root, true
		default:
			if err := t.add(part, &version); err != nil {
				return err
			}
		}
		if t.bytes > room {
			return fmt.Errorf("it has more symbols than fit into %d MiB with those of other files", maxTables>>20)
		}
	}
	switch {
	case !known:
		return errors.New("it does not say what has made it")
	case t.tool == scip.Own:
		return errors.New("ploke-lsp has made it, by names")
	}
	t.locate(ws.Roots(), root)
	if t.dir == "" {
		return nil
	}
	return t.findCommit(ctx, version)
}

// add adds a document. version becomes that of its package, unless it is known.
func (t *table) add(part scip.Part, version *string) error {
	d, err := scip.ParseDocument(part.Data)
	if err != nil {
		return err
	}
	added := document{path: filepath.ToSlash(filepath.Clean(d.Path)), offset: part.Offset, size: part.Size}
	if !filepath.IsLocal(d.Path) || len(d.Path) > maxPath {
		return nil // it names nothing that a folder has
	}
	if d.Text != nil {
		sum := sha256.Sum256(withoutMark(d.Text))
		added.text = string(sum[:])
	}
	note := func(symbol []byte) {
		if !scip.IsLocal(symbol) {
			added.symbols = append(added.symbols, hashOf(symbol))
		}
	}
	err = d.Occurrences(func(o scip.Occurrence) error {
		note(o.Symbol)
		if *version == "" && o.Roles&scip.Definition != 0 {
			*version = scip.PackageVersion(o.Symbol)
		}
		if len(added.symbols) >= maxUnsorted {
			added.compact()
		}
		return nil
	})
	if err == nil {
		err = d.Relationships(func(symbol []byte, r scip.Relationship) error {
			note(symbol)
			note(r.Symbol)
			return nil
		})
	}
	if err != nil {
		return err
	}
	added.compact()
	added.symbols = slices.Clone(added.symbols)
	t.byPath[added.path] = append(t.byPath[added.path], int32(len(t.documents)))
	t.documents = append(t.documents, added)
	t.bytes += documentBytes + len(added.path) + 4*len(added.symbols)
	return nil
}

// maxUnsorted bounds how many hashes are collected before those that are equal are dropped.
const maxUnsorted = 1 << 20

func (d *document) compact() {
	slices.Sort(d.symbols)
	d.symbols = slices.Compact(d.symbols)
}

// has reports whether a document may have one of some symbols.
func (d *document) has(symbols []uint32) bool {
	return slices.ContainsFunc(symbols, func(s uint32) bool {
		_, found := slices.BinarySearch(d.symbols, s)
		return found
	})
}

// locate finds the folder that the documents are in: where the index was made, or else a folder of the workspace that
// has the same files. What is in it is compared later.
func (t *table) locate(roots []string, madeIn string) {
	madeIn = folderOf(madeIn)
	candidates := []string{}
	if madeIn != "" {
		candidates = append(candidates, madeIn)
	}
	for _, root := range roots {
		candidates = append(candidates, root)
		for up := filepath.Dir(madeIn); madeIn != "" && up != filepath.Dir(up); up = filepath.Dir(up) {
			if below, err := filepath.Rel(up, madeIn); err == nil {
				candidates = append(candidates, filepath.Join(root, below))
			}
		}
	}
	most := 0
	for _, dir := range candidates {
		dir, err := filepath.EvalSymlinks(dir)
		related := func(root string) bool { return inside(root, dir) || inside(dir, root) }
		if err != nil || !slices.ContainsFunc(roots, related) {
			continue
		}
		if n := t.present(dir); n > most {
			most, t.dir, t.here = n, dir, sameFolder(dir, madeIn)
		}
	}
}

// sampled is how many documents are looked for in a folder.
const sampled = 64

// present counts the documents of a sample that are in a folder.
func (t *table) present(dir string) (n int) {
	step := max(1, len(t.documents)/sampled)
	for i := 0; i < len(t.documents); i += step {
		if info, err := disk.Stat(filepath.Join(dir, filepath.FromSlash(t.documents[i].path))); err == nil && !info.IsDir() {
			n++
		}
	}
	return n
}

// aCommit is the id of a commit or the beginning of it, as the name of a file or the version of a package may have it.
var aCommit = lazyregexp.New(`\b[0-9a-f]{7,64}\b`)

// contextReader ends when ctx does.
type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}
