package edits

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

const (
	replacing    = time.Millisecond        // what is left of the time to replace 20 files when the first one is seen
	killVariable = "PLOKE_EDITS_KILL_TEST" // makes a process of this test the child; value: database, folder, proposal
)

func TestMain(m *testing.M) {
	if os.Getenv(noLinksVariable) != "" {
		rooted.HardLink = noHardLink
	}
	if job := os.Getenv(killVariable); job != "" {
		fmt.Fprintln(os.Stderr, writeUntilKilled(strings.Split(job, "\n")))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeUntilKilled undoes and redoes a proposal forever. It prints a line when it begins to
// write, and the stored version when it is done.
func writeUntilKilled(job []string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, job[0])
	if err != nil {
		return err
	}
	ws, err := workspace.New([]string{job[1]}, workspace.Options{})
	if err != nil {
		return err
	}
	m := New(db, ws, Options{})
	for {
		p, err := m.Proposals.Get(ctx, job[2])
		if err != nil {
			return err
		}
		next := m.Undo
		if p.Status() == Undone {
			next = m.Redo
		}
		plan, err := next(ctx, p.Whole())
		if err != nil {
			return err
		}
		fmt.Println("writing")
		if err := m.WriteToDisk(ctx, plan); err != nil {
			return err
		}
		if p, err = m.Settle(ctx, plan, Outcome{Applied: true}); err != nil {
			return err
		}
		fmt.Println(p.updatedAt)
	}
}

// firstOf is the first file that is replaced, by the proposal's state before.
var firstOf = map[State]string{Verified: "f19.txt", Undone: "f00.txt"}

// TestKill kills a process at random points while it writes to 20 files. Right after the
// kill, each file has its complete old or new text, except that one with two names may be half
// written. After the next start, all files are old or all are new, as the proposal's state says.
func TestKill(t *testing.T) {
	b := newFixture(t, nil)
	p := stageTwentyFiles(b, linkedFile)
	texts := map[State]map[string]string{Undone: b.files()}
	p = b.apply(p, Selection{})
	texts[Verified] = b.files()
	r := rand.New(rand.NewPCG(5, 0))
	seen, kills := map[phase]int{}, testbed.Count(60, 8)
	mixed, within := 0, time.Second                                                         // a second at first, to measure the time here
	few := func() bool { return kills >= 40 && (mixed < kills/20 || seen[preparing] == 0) } // fewer kills may miss any point
	for i := 0; i < kills || few() && i < 3*kills; i++ {
		after, first := time.Duration(r.Int64N(int64(within))), ""
		if i%2 == 1 { // replacing files takes a small part of the time, so half of the kills aim at it
			after, first = time.Duration(r.Int64N(int64(replacing))), firstOf[p.Status()]
		}
		acknowledged, took := b.kill(p, first, after)
		if took > 0 {
			within = took * 5 / 4
		}
		mixed += b.checkWhole(texts)
		entries, err := b.journal.entries(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			seen[e.phase]++
		}
		b.start()
		if err := b.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		p = b.get(p)
		status := p.Status()
		if p.updatedAt < acknowledged {
			t.Errorf("version %d is stored; %d was acknowledged", p.updatedAt, acknowledged)
		}
		if want := texts[status]; fmt.Sprint(b.files()) != fmt.Sprint(want) {
			t.Errorf("the proposal is %s, and the folder is\n%s", status, b.tree())
		}
		b.checkStillLinked()
		if t.Failed() {
			t.Fatalf("after %d kills", i+1)
		}
	}
	t.Logf("%d kills; %v were in the journal, %d left the files half old and half new", kills, seen, mixed)
	if few() {
		t.Error("too few kills hit the critical phases")
	}
}

// linkedFile is a file of the kill test that has another name outside of the folder.
const linkedFile = "f09.txt"

func (b *fixture) checkStillLinked() {
	b.t.Helper()
	x, err1 := os.Stat(b.path(linkedFile))
	y, err2 := os.Stat(b.db + ".other")
	if err := errors.Join(err1, err2); err != nil || !os.SameFile(x, y) {
		b.t.Errorf("%s has lost its other name, %v", linkedFile, err)
	}
}

// stageTwentyFiles stages changes of all kinds to twenty files. The file linked gets another name
// outside of the folder.
func stageTwentyFiles(b *fixture, linked string) (p *Proposal) {
	for i := range 20 {
		name := fmt.Sprintf("f%02d.txt", i)
		text := strings.Repeat(fmt.Sprintf("line of %d\n", i), 500)
		if i%5 != 1 {
			b.write(name, text)
		}
		if name == linked {
			if err := os.Link(b.path(name), b.db+".other"); err != nil {
				b.t.Fatal(err)
			}
		}
		d := Operation{Path: name, To: fmt.Sprintf("moved/%s", name), Text: text}
		switch i % 5 {
		case 0, 4:
			d = b.replaceOnce("turn", name, text, strings.ToUpper(text))
		case 1:
			d.Op = OpCreate
		case 2:
			d.Op = OpRename
		case 3:
			d.Op = OpDelete
		}
		p = b.stage("turn", d)
	}
	return p
}

// kill starts a process and kills it some time after it began to write. If first is set, the
// time counts from the replacement of that file. kill returns the last version of the proposal
// that the process acknowledged, and how long that write took.
func (b *fixture) kill(p *Proposal, first string, after time.Duration) (acknowledged int64, took time.Duration) {
	b.t.Helper()
	acknowledged = p.updatedAt
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), killVariable+"="+strings.Join([]string{b.db, b.dir, p.ID}, "\n"))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	begun, exited := time.Time{}, make(chan struct{})
	defer close(exited)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch line := lines.Text(); {
		case line != "writing":
			took = time.Since(begun)
			if acknowledged, err = strconv.ParseInt(line, 10, 64); err != nil {
				b.t.Fatal(err)
			}
		case begun.IsZero():
			begun = time.Now()
			go func() {
				b.awaitReplaced(first, exited)
				time.AfterFunc(after, func() { child.Process.Kill() })
			}()
		default:
			begun = time.Now()
		}
	}
	child.Wait() // fails, since it was killed
	return acknowledged, took
}

// awaitReplaced waits until another file has the name. It returns at once if name is empty.
func (b *fixture) awaitReplaced(name string, exited chan struct{}) {
	if name == "" {
		return
	}
	before, _ := os.Stat(b.path(name))
	late := time.After(5 * time.Second)
	look := time.NewTicker(50 * time.Microsecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if now, err := os.Stat(b.path(name)); err == nil && !os.SameFile(before, now) {
				return
			}
		case <-late:
			return
		case <-exited:
			return
		}
	}
}

// files returns the text of each file, without temporary files.
func (b *fixture) files() map[string]string {
	all := make(map[string]string)
	err := filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".ploke-") {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

// checkWhole checks that each file has its old or its new text. It returns 1 if some files are
// old and some are new.
func (b *fixture) checkWhole(texts map[State]map[string]string) int {
	b.t.Helper()
	found := map[State]bool{}
	for path, text := range b.files() {
		old, isOld := texts[Undone][path]
		new, isNew := texts[Verified][path]
		switch {
		case isOld && text == old && isNew && text == new:
		case isOld && text == old:
			found[Undone] = true
		case isNew && text == new:
			found[Verified] = true
		case strings.HasSuffix(path, linkedFile) && rooted.Mixed([]byte(text), []byte(old), []byte(new)):
			found[Undone], found[Verified] = true, true
		default:
			b.t.Errorf("%s is torn: %d bytes", path, len(text))
		}
	}
	if len(found) == 2 {
		return 1
	}
	return 0
}
