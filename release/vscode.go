package main

import (
	"cmp"
	"path/filepath"
	"slices"
)

// extension writes the VS Code extension with the server inside.
func (r *release) extension(p platform) error {
	folder := filepath.Join(r.source, "editors", "vscode")
	if err := run(folder, nil, "./package.sh", p.node(), r.binary(p),
		filepath.Join(r.out, "bin", "THIRD-PARTY.txt")); err != nil {
		return err
	}
	members, err := readZip(filepath.Join(folder, "out", "ploke-"+p.node()+".vsix"))
	if err != nil {
		return err
	}
	// vsce stores the time of packaging, and the files in the order of the disk.
	slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	return writeZip(filepath.Join(r.out, "ploke-"+p.node()+"-"+r.stamp.version()+".vsix"), members, r.stamp.date)
}

// installNPM installs the packages that are bundled into the extension, and what bundles them.
func (r *release) installNPM() error {
	folder := filepath.Join(r.source, "editors", "vscode")
	return run(folder, nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
}
