package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
)

// running reports whether a process of the machine has word in its arguments.
func running(word string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if bytes.Contains(text, []byte(word)) && !bytes.HasPrefix(text, []byte("sandbox")) {
			return true
		}
	}
	return false
}

// word returns an argument of sleep that no other process has.
func word(t *testing.T) string {
	return fmt.Sprintf("9%d%d", os.Getpid(), time.Now().UnixNano()%1e9)
}

func TestNothingOutlivesACommand(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"a background process":         "sleep %s & ",
		"a process of its own session": "setsid sleep %s & ",
		"a daemon":                     "(setsid sh -c 'sleep %s & ' &) ",
		"one that ignores signals":     "(trap '' TERM HUP INT; sleep %s) & ",
		"one without outputs":          "sleep %s <&- >&- 2>&- & ",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark := word(t)
			b := newBox(t)
			testbed.Returns(t, func() {
				if out, status, err := b.run(t, fmt.Sprintf(script, mark)+"\necho ended"); err != nil || status != 0 || out != "ended\n" {
					t.Errorf("status %d, %v: %q", status, err, out)
				}
			}, "the end of the command")
			if running(mark) {
				t.Error("a process is left")
			}
		})
	}
}

func TestACommandThatNeverEnds(t *testing.T) {
	t.Parallel()
	mark := word(t)
	b := newBox(t)
	ctx, cancel := context.WithCancel(t.Context())
	began := &waiter{text: "began", seen: cancel}
	b.Args, b.Output = []string{"sh", "-c", "trap '' TERM INT HUP; echo began; while :; do sleep " + mark + "; done"}, began
	s := newSandbox(t)
	testbed.Returns(t, func() {
		if _, err := s.Run(ctx, b.Command); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
	}, "the end of the command")
	testbed.Eventually(t, func() bool { return !running(mark) }, func() string { return "a process is left" })
}

// waiter calls seen when text is written.
type waiter struct {
	text string
	seen func()
}

func (w *waiter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.text) {
		w.seen()
	}
	return len(p), nil
}

func TestACommandThatEndsOthers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script string
		status int
	}{
		"its parent":    {"kill -9 $PPID; exit 3", 3},
		"all":           {"kill -9 -1; exit 3", 3}, // which leaves out who says it
		"itself":        {"kill -9 $$", 137},
		"by a signal":   {"kill -TERM $$", 143},
		"no such thing": {"exec no-such-program", 127},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, status, err := newBox(t).run(t, tt.script)
			if err != nil || status != tt.status {
				t.Errorf("status %d, %v, want %d\n%s", status, err, tt.status, out)
			}
		})
	}
}

// TestTheEndOfThisProcess kills a process that runs a command in a sandbox.
func TestTheEndOfThisProcess(t *testing.T) {
	t.Parallel()
	newSandbox(t)
	if script := os.Getenv("PLOKE_TEST_SANDBOX_SCRIPT"); script != "" {
		out, status, err := newBox(t).run(t, script)
		t.Fatalf("the command has ended: %d, %v\n%s", status, err, out)
	}
	mark := word(t)
	cmd := exec.Command("/proc/self/exe", "-test.run", "^TestTheEndOfThisProcess$")
	cmd.Args[0] = "sandbox"
	cmd.Env = append(os.Environ(), "PLOKE_TEST_SANDBOX_SCRIPT=setsid sleep "+mark+" & sleep "+mark)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	testbed.Eventually(t, func() bool { return running(mark) }, func() string { return "the command has not begun" })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	testbed.Eventually(t, func() bool { return !running(mark) }, func() string { return "a process is left" })
	if mounts, err := os.ReadFile("/proc/self/mounts"); err != nil || bytes.Contains(mounts, []byte("overlay "+os.TempDir())) {
		t.Errorf("a mount is left: %v\n%s", err, mounts)
	}
}

// TestTheEndOfWhatRunsBubblewrap kills the process between this one and bubblewrap. The command ends with it.
func TestTheEndOfWhatRunsBubblewrap(t *testing.T) {
	t.Parallel()
	mark := word(t)
	b := newBox(t)
	between := 0
	began := &waiter{text: "began", seen: func() {
		testbed.Eventually(t, func() bool { between = above(mark); return between > 0 }, func() string { return "nothing runs bubblewrap" })
		if err := syscall.Kill(between, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}}
	b.Args, b.Output = []string{"sh", "-c", "setsid sleep " + mark + " & echo began; sleep " + mark}, began
	s := newSandbox(t)
	testbed.Returns(t, func() {
		if status, err := s.Run(t.Context(), b.Command); err != nil || status != 137 {
			t.Errorf("status %d, %v", status, err)
		}
	}, "the end of the command")
	testbed.Eventually(t, func() bool { return !running(mark) }, func() string { return "a process is left" })
}

// above returns the process that runs bubblewrap for a command with word in its arguments, 0 if there is none.
func above(word string) int {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, _ := os.ReadFile(file); !bytes.Contains(text, []byte(word)) {
			continue
		}
		for pid := filepath.Base(filepath.Dir(file)); pid != "0"; pid = parent(pid) {
			if text, _ := os.ReadFile("/proc/" + pid + "/cmdline"); bytes.HasPrefix(text, []byte("ploke-lsp-sandbox\x00")) {
				found, _ := strconv.Atoi(pid)
				return found
			}
		}
	}
	return 0
}

// parent returns the parent of a process, "0" if it is not known.
func parent(pid string) string {
	text, _ := os.ReadFile("/proc/" + pid + "/status")
	_, rest, _ := strings.Cut(string(text), "\nPPid:\t")
	id, _, ok := strings.Cut(rest, "\n")
	if !ok {
		return "0"
	}
	return id
}

func TestLimits(t *testing.T) {
	t.Parallel()
	const large = 20 << 20
	for name, tt := range map[string]struct {
		limits sandbox.Limits
		script string
		want   string // of the error; "" if the command fails by itself
	}{
		"a large file":       {sandbox.Limits{FileBytes: 1 << 20}, "dd if=/dev/zero of=large bs=1M count=2", ""},
		"a file with a hole": {sandbox.Limits{FileBytes: 1 << 20}, "truncate -s 1T large", ""},
		"memory": {sandbox.Limits{Memory: 256 << 20}, `perl -e '$x = "x" x 5e8; select undef, undef, undef, 2'`,
			"more than 256 MB of memory"},
		"memory of many": {sandbox.Limits{Memory: 256 << 20},
			`for i in 1 2 3 4; do perl -e '$x = "x" x 1e8; select undef, undef, undef, 2' & done; wait`, "more than 256 MB of memory"},
		"the disk": {sandbox.Limits{DiskBytes: large}, "head -c 30000000 /dev/zero > large; sleep 2", "more than 20 MB on disk"},
		"a disk of many": {sandbox.Limits{DiskBytes: large},
			"for i in $(seq 30); do head -c 1000000 /dev/zero > l$i; done; sleep 2", "more than 20 MB on disk"},
		"a disk of empty files": {sandbox.Limits{DiskBytes: 1 << 20}, "mkdir d; cd d; seq 4000 | xargs touch; sleep 2", "more than 1 MB on disk"},
		"a hidden disk": {sandbox.Limits{DiskBytes: large},
			"mkdir d; chmod 300 d; head -c 30000000 /dev/zero > d/large; sleep 2", "more than 20 MB on disk"},
		"a disk that is freed": {sandbox.Limits{DiskBytes: large},
			"head -c 30000000 /dev/zero > large; exec 5<large; rm large; sleep 2", "more than 20 MB on disk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			free := newBox(t)
			if out, status, err := free.run(t, tt.script); err != nil || status != 0 {
				t.Fatalf("without a limit: status %d, %v\n%s", status, err, out)
			}
			bounded := newBox(t)
			t.Cleanup(func() {
				_ = os.Chmod(filepath.Join(free.dir, "upper/d"), 0o700)
				_ = os.Chmod(filepath.Join(bounded.dir, "upper/d"), 0o700)
			})
			bounded.Limits, bounded.Limits.Disk = tt.limits, []string{bounded.dir}
			out, status, err := bounded.run(t, tt.script)
			var limit *sandbox.LimitError
			switch {
			case tt.want == "" && (err != nil || status == 0),
				tt.want != "" && (!errors.As(err, &limit) || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("status %d, %v\n%s", status, err, out)
			}
		})
	}
}

// TestMemoryWithoutAProcess is memory in which files are: a command can't fill it.
func TestMemoryWithoutAProcess(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	out, _, err := b.run(t, `for d in /run /home /root /media /mnt /dev /dev/pts /proc /sys; do
		test "$d" = "$HOME" || { (: > $d/new) 2>/dev/null && echo "$d can be written"; }; done
		(head -c 1100000000 /dev/zero > /dev/shm/large) 2>/dev/null && echo "/dev/shm has no bound"
		rm /dev/shm/large
		echo x > /dev/shm/x && echo x > "$HOME/x" && echo x > /tmp/x && echo x > /dev/null && echo fine`)
	if err != nil || out != "fine\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestManyProcesses are refused by the kernel, or the command is stopped: the kernel holds root to no number.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	const script = "for i in $(seq 100); do sleep 2 & done; sleep 2"
	if out, status, err := newBox(t).run(t, script); err != nil || status != 0 {
		t.Fatalf("without a limit: status %d, %v\n%s", status, err, out)
	}
	bounded := newBox(t)
	bounded.Limits.Processes = 40
	out, status, err := bounded.run(t, script)
	if limit := (*sandbox.LimitError)(nil); status == 0 && !errors.As(err, &limit) {
		t.Errorf("status %d, %v\n%s", status, err, out)
	}
}

// TestAsAnOrdinaryUser runs the tests again without the rights of root, if this process has them.
func TestAsAnOrdinaryUser(t *testing.T) {
	testbed.Long(t)
	newSandbox(t)
	t.Parallel()
	if os.Getuid() != 0 {
		return
	}
	const nobody = 65534
	cmd := exec.Command("/proc/self/exe", "-test.run", "^("+strings.Join([]string{
		"TestAttacks", "TestACommandWritesInItsTree", "TestNothingOutlivesACommand", "TestACommandThatEndsOthers",
		"TestTheEndOfThisProcess", "TestLimits", "TestAttacksOnLandlock", "TestACommandThatLandlockConfines", "TestManyProcesses", "TestMemoryWithoutAProcess",
	}, "|")+")$")
	cmd.Args[0], cmd.Dir = "sandbox", "/tmp"
	cmd.Env = append(os.Environ(), "HOME=/nonexistent", "TMPDIR=/tmp", "GOTMPDIR=/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTwoAtOnce runs commands of two trees of one folder at the same time.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	newSandbox(t) // skips, if it has to, from this goroutine
	one, other := newBox(t), newBox(t)
	other.Mounts[0].At, other.Mounts[0].From, other.Dir = one.root, one.root, one.root
	done := make(chan string, 2)
	for i, b := range []*box{one, other} {
		go func() {
			out, _, err := b.run(t, fmt.Sprintf("echo %d > a.txt; cat a.txt", i))
			done <- fmt.Sprint(i, " ", out, err)
		}()
	}
	got := map[string]bool{testbed.Receive(t, done, "the output"): true, testbed.Receive(t, done, "the output"): true}
	if !got["0 0\n<nil>"] || !got["1 1\n<nil>"] {
		t.Errorf("got %v", got)
	}
}

// TestAProgramThatIsNotThere is not a fault of the sandbox.
func TestAProgramThatIsNotThere(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	var out bytes.Buffer
	b.Args, b.Output = []string{"no-such-program"}, &out
	status, err := newSandbox(t).Run(t.Context(), b.Command)
	if err != nil || status == 0 || !strings.Contains(out.String(), "no-such-program: No such file") {
		t.Errorf("status %d, %v\n%s", status, err, &out)
	}
}

// TestWhatBubblewrapSays is told if the sandbox can't be made.
func TestWhatBubblewrapSays(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.Dir = "/no/such/folder"
	_, _, err := b.run(t, "true")
	var launch *sandbox.LaunchError
	if !errors.As(err, &launch) || !strings.Contains(err.Error(), "/no/such/folder") {
		t.Errorf("the error is %v", err)
	}
	b = newBox(t)
	b.Mounts[0].Upper = filepath.Join(b.dir, "none")
	_, _, err = b.run(t, "true")
	if !errors.As(err, &launch) || !strings.Contains(err.Error(), "an overlay of "+b.root) {
		t.Errorf("the error is %v", err)
	}
}

func TestAWorkspaceBringsNoSandbox(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bwrap"), []byte("#!/bin/sh\nexec \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "bwrap"), filepath.Join(elsewhere, "bwrap")); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(dir, "linked") // to a program that runs what is to be confined
	env, err := exec.LookPath("env")
	if err := errors.Join(err, os.Mkdir(linked, 0o700), os.Symlink(env, filepath.Join(linked, "bwrap"))); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"its folder": dir, "a link to it": elsewhere, "a link of it": linked, "no folder": "",
		"a relative one": "."} {
		t.Setenv("PATH", path)
		t.Chdir(dir)
		if s, err := sandbox.New([]string{dir}); err == nil && s.Protection().Way == "bubblewrap" {
			t.Errorf("%s: a program of the workspace is the sandbox", name)
		}
	}
	t.Setenv("PATH", dir)
	if s, err := sandbox.New(nil); err != nil || s.Protection().Way != "bubblewrap" {
		t.Errorf("another folder's program: %v", err)
	}
}

// counter counts what is written to it.
type counter struct{ bytes int }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	return len(p), nil
}

// TestMuchOutput is passed on, and not kept.
func TestMuchOutput(t *testing.T) {
	t.Parallel()
	s, b, output := newSandbox(t), newBox(t), &counter{}
	size := testbed.Size(1<<30, 1<<26)
	b.Args, b.Output = []string{"head", "-c", fmt.Sprint(size), "/dev/zero"}, output
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	status, err := s.Run(t.Context(), b.Command)
	runtime.ReadMemStats(&after)
	if err != nil || status != 0 || output.bytes != size {
		t.Errorf("status %d, %v, %d bytes of %d", status, err, output.bytes, size)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > int64(size)/8 {
		t.Errorf("%d bytes are kept", grown)
	}
}
