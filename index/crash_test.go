package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// indexerRoot and indexerState turn this test binary into a process that only indexes a
// folder.
const indexerRoot, indexerState = "PLOKE_TEST_INDEXER_ROOT", "PLOKE_TEST_INDEXER_STATE"

func TestMain(m *testing.M) {
	if root := os.Getenv(indexerRoot); root != "" {
		work := indexOnce
		if os.Getenv(fullState) != "" {
			work = indexOnFullDisk
		}
		if err := work(root, os.Getenv(indexerState)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func indexOnce(root, state string) error {
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		return err
	}
	x, err := index.Open(context.Background(), ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		return err
	}
	_, err = x.Update(context.Background(), func(at index.Progress) { fmt.Println(at.Files) })
	return err
}

// TestKilled repeatedly kills a process that indexes, while another process has the folder
// open. The index stays consistent, and is complete in the end.
func TestKilled(t *testing.T) {
	p := open(t, nil)
	random := rand.New(rand.NewPCG(5, 6))
	for round := range 12 {
		for file := range 120 {
			p.write(fmt.Sprintf("d%d/f%d.go", file%7, file),
				fmt.Sprintf("package p\nfunc Round%d() {}\nfunc Name%d() { Round%d() }\n", round, file, round))
		}
		p.killIndexer(time.Duration(random.IntN(60))*time.Millisecond, func() {})
		found, _ := p.lookup(fmt.Sprint("Round", round)) // in what was committed
		if len(found) > 120 {
			t.Errorf("%d symbols in 120 files", len(found))
		}
	}
	p.update()
	scratch := &project{t: t, root: p.root, state: t.TempDir()}
	scratch.open()
	defer scratch.index.Close()
	scratch.update()
	terms := index.Terms([]string{"Round11", "Round10", "Name7", "p", "f7"})
	want, err := scratch.index.Contents(t.Context(), scratch.state, terms)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.index.Contents(t.Context(), p.state, terms)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-scratch +survivor)\n%s", diff)
	}
}

// TestTheNextProcessFollowsAKilledOwner kills the process that indexes, again and again, while
// another one waits for its turn. The other one always ends with every file as it is on disk.
func TestTheNextProcessFollowsAKilledOwner(t *testing.T) {
	const files = 40
	p := open(t, nil)
	random := rand.New(rand.NewPCG(7, 8))
	killed := 0
	rounds := testbed.Count(40, 5)
	for round := range rounds {
		for file := range files {
			p.write(fmt.Sprintf("d%d/f%d.go", file%7, file),
				fmt.Sprintf("package p\nfunc Round%d() {}\nfunc Name%d() { Round%d() }\n", round, file, round))
		}
		updated := make(chan error, 1)
		if p.killIndexer(time.Duration(random.IntN(20))*time.Millisecond, func() {
			go func() {
				_, err := p.index.Update(context.Background(), nil)
				updated <- err
			}()
		}) {
			killed++
		}
		if err := <-updated; err != nil {
			t.Fatal(err)
		}
		if found, _ := p.lookup(fmt.Sprint("Round", round)); len(found) != files {
			t.Fatalf("round %d: %d of %d files are found", round, len(found), files)
		}
		if old, _ := p.lookup(fmt.Sprint("Round", round-1)); len(old) > 0 {
			t.Fatalf("round %d: %d files are found as they were before", round, len(old))
		}
	}
	t.Logf("%d of %d processes were killed before they were done", killed, rounds)
}

// killIndexer starts a process that indexes the project, calls meanwhile once it has begun, and
// kills it some time later. It reports whether the process was not done yet.
func (p *project) killIndexer(after time.Duration, meanwhile func()) bool {
	p.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), indexerRoot+"="+p.root, indexerState+"="+p.state)
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		p.t.Fatal("the indexer did not start: ", err)
	}
	meanwhile()
	kill := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer kill.Stop()
	return cmd.Wait() != nil
}
