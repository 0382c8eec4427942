package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeRelease is a release with empty archives for all platforms.
func fakeRelease(t *testing.T) (*release, []sum) {
	r := &release{out: t.TempDir(), stamp: stamp{"v0.1.0", "4356e6e", when}, publisher: publisher{
		Repository: "https://example.com/ploke", Downloads: "https://example.com/ploke/{tag}", Builder: "urn:test",
	}}
	var sums []sum
	for i, p := range platforms {
		sums = append(sums, sum{r.archiveName(p), strings.Repeat(string(rune('a'+i)), 64)})
	}
	return r, sums
}

func TestEntriesNameEachArchiveWithItsChecksum(t *testing.T) {
	r, sums := fakeRelease(t)
	if missing, err := r.writeEntries(sums); err != nil || missing != nil {
		t.Fatal(missing, err)
	}
	var all strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(r.out, "entries", e.path))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		if strings.HasSuffix(e.path, ".json") && !json.Valid(text) {
			t.Errorf("%s is not JSON", e.path)
		}
	}
	for _, s := range sums {
		if !strings.Contains(all.String(), "https://example.com/ploke/v0.1.0/"+s.name) {
			t.Errorf("no entry downloads %s", s.name)
		}
		if !strings.Contains(all.String(), s.sha256) && !strings.Contains(s.name, "windows") {
			t.Errorf("no entry has the checksum of %s", s.name)
		}
	}
	if !strings.Contains(all.String(), `{{source.download.bin}}`) {
		t.Error("Mason's own variable is lost")
	}
}

func TestEntriesNeedThePublishersAddressesAndAllPlatforms(t *testing.T) {
	r, sums := fakeRelease(t)
	r.publisher.Downloads = ""
	missing, err := r.writeEntries(sums[:4])
	want := []string{"downloads in release/publisher.toml", r.archiveName(platforms[4])}
	if err != nil || !slices.Equal(missing, want) {
		t.Errorf("missing are %q, %v; want %q", missing, err, want)
	}
	if _, err := os.Stat(filepath.Join(r.out, "entries")); err == nil {
		t.Error("entries are written though something is missing")
	}
}

func TestThePublishersFileNamesNoAddress(t *testing.T) {
	p, err := readPublisher("publisher.toml")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.missing()) != 2 || p.NPM == "" || p.Maintainer == "" || p.Builder == "" {
		t.Errorf("got %+v", p)
	}
}

func TestTheProvenanceNamesTheCommitAndTheFiles(t *testing.T) {
	r, sums := fakeRelease(t)
	if err := r.provenance(sums); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.out, r.name("provenance.intoto.json")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"gitCommit": "4356e6e"`, `"git+https://example.com/ploke"`, sums[0].sha256, `"https://slsa.dev/provenance/v1"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
