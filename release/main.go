// Command release makes the files of a release from what is committed:
//
//	release build -repository .. -out ../dist -platforms linux-amd64,linux-arm64,windows-amd64
//	release finish -repository .. -out ../dist
//
// Build makes the packages of the platforms: .tar.gz or .zip, .deb and .rpm, npm packages and VS Code
// extensions. Finish makes what is about all packages in the folder: checksums, the list of what is
// inside, the statement of where it comes from, and entries for package managers.
//
// Its promises:
//
//   - The same commit, built by the same compilers, makes the same bytes in any folder.
//   - Everything inside has a known licence that is allowed, and comes with its text.
//   - It makes no network address up: those of the publisher are in publisher.toml.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ploke-lsp/release/inside"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 0 {
		return errors.New("say what to do: build or finish")
	}
	fs := flag.NewFlagSet(args[0], flag.ExitOnError)
	repository := fs.String("repository", "..", "`folder` of the repository")
	out := fs.String("out", "../dist", "`folder` for the files")
	list := fs.String("platforms", "linux-amd64,linux-arm64,windows-amd64",
		"`platforms` to build; the first must run on this machine, known are "+strings.Join(platformNames(), ", "))
	work := fs.String("work", "", "empty `folder` to build in, a temporary one by default")
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	r, err := newRelease(*repository, *out, *work)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.source)
	switch args[0] {
	case "build":
		chosen, err := parsePlatforms(*list)
		if err != nil {
			return err
		}
		return r.buildAll(chosen)
	case "finish":
		return r.finish()
	default:
		return fmt.Errorf("there is no command %q, known are build and finish", args[0])
	}
}

// newRelease clones what is committed into a folder. The caller removes it.
func newRelease(repository, out, work string) (*release, error) {
	repository, err := filepath.Abs(repository)
	if err != nil {
		return nil, err
	}
	if out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	if work == "" {
		work, err = os.MkdirTemp("", "ploke-release-")
	} else {
		work, err = filepath.Abs(work)
	}
	if err != nil {
		return nil, err
	}
	r := &release{source: work, out: out}
	if r.publisher, err = readPublisher(filepath.Join(repository, "release", "publisher.toml")); err != nil {
		return nil, err
	}
	return r, clone(repository, work)
}

// buildAll builds the programs of the platforms and packages them.
func (r *release) buildAll(chosen []platform) error {
	if err := os.MkdirAll(filepath.Join(r.out, "bin"), 0o755); err != nil {
		return err
	}
	for _, p := range chosen {
		if err := r.build(p); err != nil {
			return err
		}
	}
	var err error
	if r.stamp, err = readStamp(r.binary(chosen[0])); err != nil {
		return err
	}
	licences, err := r.licences()
	if err != nil {
		return err
	}
	shared, err := r.sharedMembers(chosen[0], licences)
	if err != nil {
		return err
	}
	for _, p := range chosen {
		if err := r.packages(p, shared); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return r.npmMain()
}

// licences writes the licences of everything inside, which the extension takes from there, and
// returns them.
func (r *release) licences() ([]byte, error) {
	if err := r.installNPM(); err != nil {
		return nil, err
	}
	all, err := inside.Components(r.source)
	if err != nil {
		return nil, err
	}
	text, err := inside.Licences(all)
	if err != nil {
		return nil, err
	}
	return text, os.WriteFile(filepath.Join(r.out, "bin", "THIRD-PARTY.txt"), text, 0o644)
}

// finish writes what is about all packages in the folder.
func (r *release) finish() error {
	if err := r.findStamp(); err != nil {
		return err
	}
	all, err := inside.Components(r.source)
	if err != nil {
		return err
	}
	if err := r.sbom(all); err != nil {
		return err
	}
	for _, made := range []string{"SHA256SUMS", "provenance.intoto.json"} {
		if err := os.RemoveAll(filepath.Join(r.out, r.name(made))); err != nil {
			return err
		}
	}
	sums, err := r.checksums()
	if err != nil {
		return err
	}
	if err := errors.Join(r.writeChecksums(sums), r.provenance(sums)); err != nil {
		return err
	}
	missing, err := r.writeEntries(sums)
	if missing != nil {
		fmt.Printf("there are no entries for Homebrew, Nix, Scoop and Mason, since these are missing:\n  %s\n",
			strings.Join(missing, "\n  "))
	}
	return err
}

// findStamp reads the stamp of the programs that were built, which must be of the commit that is checked out.
func (r *release) findStamp() error {
	programs, err := filepath.Glob(filepath.Join(r.out, "bin", "*", "ploke-lsp*"))
	if err != nil {
		return err
	}
	if len(programs) == 0 {
		return fmt.Errorf("no program in %s: run build first", r.out)
	}
	if r.stamp, err = readStamp(programs[0]); err != nil {
		return err
	}
	head, err := output(r.source, "git", "rev-parse", "HEAD")
	if err == nil && head != r.stamp.commit {
		err = fmt.Errorf("%s was built from the commit %s, but %s is checked out: build again", programs[0],
			r.stamp.commit, head)
	}
	return err
}
