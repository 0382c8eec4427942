package lease

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// waiting starts a process that waits for the end of its input.
func waiting(t *testing.T) (child *exec.Cmd, end func()) {
	t.Helper()
	child = exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "PLOKE_LEASE_TEST=wait")
	in, err := child.StdinPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end = func() { in.Close(); child.Wait() }
	t.Cleanup(end)
	return child, end
}

func TestMain(m *testing.M) {
	switch os.Getenv("PLOKE_LEASE_TEST") {
	case "host":
		fmt.Println(Host())
		os.Exit(0)
	case "say":
		fmt.Println(New("", 0).Started)
		fallthrough
	case "wait":
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestALivingProcessKeepsItsWork compares owners of all kinds. Of a process on this host,
// neither the time in the lease nor its id alone decides.
func TestALivingProcessKeepsItsWork(t *testing.T) {
	child, end := waiting(t)
	started, _ := startOf(child.Process.Pid)
	there := func(o Owner) *Owner {
		o.ID = "theirs"
		if o.Host == "" {
			o.Host = Host()
		}
		return &o
	}
	valid, expired := Until(time.Hour), Until(-time.Hour)
	for name, tt := range map[string]struct {
		owner      *Owner
		dead, then bool // before and after the end of the process
	}{
		"none":                                  {nil, true, true},
		"the caller":                            {&Owner{ID: "mine", Until: expired}, false, false},
		"it lives":                              {there(Owner{PID: child.Process.Pid, Started: started, Until: valid}), false, true},
		"it lives, and slept past its lease":    {there(Owner{PID: child.Process.Pid, Started: started, Until: expired}), false, true},
		"another process has got its id":        {there(Owner{PID: child.Process.Pid, Started: started + "0", Until: valid}), true, true},
		"an older version, which kept no start": {there(Owner{PID: child.Process.Pid, Until: valid}), false, true},
		"an older version that expired":         {there(Owner{PID: child.Process.Pid, Until: expired}), true, true},
		"an earlier owner in this process":      {there(New("", time.Hour)), true, true},
		"on another host":                       {there(Owner{Host: "elsewhere", PID: 1 << 22, Until: valid}), false, false},
		"on another host, expired":              {there(Owner{Host: "elsewhere", PID: child.Process.Pid, Started: started, Until: expired}), true, true},
		"no process has the id":                 {there(Owner{PID: 1 << 22, Started: started, Until: valid}), true, true},
	} {
		if got := tt.owner.Dead("mine", time.Now()); got != tt.dead {
			t.Errorf("%s: dead = %v", name, got)
		}
		defer func() {
			if got := tt.owner.Dead("mine", time.Now()); got != tt.then {
				t.Errorf("%s: after the end of the process, dead = %v", name, got)
			}
		}()
	}
	end()
}

// TestAProcessKnowsItselfAsOthersKnowIt compares what a process says of its own start with what
// another process says of it.
func TestAProcessKnowsItselfAsOthersKnowIt(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PLOKE_LEASE_TEST=say")
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	said, err := bufio.NewReader(out).ReadString('\n')
	if started, _ := startOf(cmd.Process.Pid); err != nil || started == "" || said != started+"\n" {
		t.Errorf("it says %q of itself, and this process %q of it, %v", said, started, err)
	}
}

// TestAKilledProcessIsDeadAtOnce looks at a process that has ended and that nobody waited for.
func TestAKilledProcessIsDeadAtOnce(t *testing.T) {
	child, _ := waiting(t)
	started, lives := startOf(child.Process.Pid)
	if !lives || started == "" {
		t.Fatalf("it lives: %v, since %q", lives, started)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	owner := &Owner{ID: "theirs", Host: Host(), PID: child.Process.Pid, Started: started, Until: Until(time.Hour)}
	testbed.Eventually(t, func() bool { return owner.Dead("mine", time.Now()) && !(Process{child.Process.Pid, started}).Lives() },
		func() string { return "it still counts as living" })
}

// TestAProcessThatHasGotTheIDIsAnother looks for a process that began before the one that has its
// id now.
func TestAProcessThatHasGotTheIDIsAnother(t *testing.T) {
	p, lives := Find(os.Getpid())
	if !lives || !p.Lives() {
		t.Fatal("this process counts as dead")
	}
	if p.started += "0"; p.Lives() {
		t.Error("an earlier process with the same id counts as living")
	}
	for _, id := range []int{0, -1, 1<<31 - 1} {
		if _, lives := Find(id); lives {
			t.Errorf("the process %d counts as living", id)
		}
	}
}
