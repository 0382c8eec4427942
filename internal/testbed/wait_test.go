package testbed

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestEventually(t *testing.T) {
	for _, after := range []time.Duration{0, time.Millisecond, time.Second, certain - time.Second, certain + time.Second} {
		synctest.Test(t, func(t *testing.T) {
			began, looks := time.Now(), 0
			v := &verdict{TB: t}
			Eventually(v, func() bool { looks++; return time.Since(began) >= after }, func() string { return "it is off" })
			took := time.Since(began)
			if after > certain {
				if !strings.HasPrefix(v.said, "fail: after 1m0s: it is off") || took > certain+20*time.Millisecond {
					t.Errorf("after %v it says %q", took, v.said)
				}
				return
			}
			if v.said != "" || took < after || took > after+after/10+time.Millisecond || took > after+10*time.Millisecond {
				t.Errorf("what holds after %v was seen after %v: %q", after, took, v.said)
			}
			if most := 2 + int(after/(5*time.Millisecond)); looks > most {
				t.Errorf("it has looked %d times in %v, want at most %d", looks, took, most)
			}
		})
	}
}

func TestReceive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &verdict{TB: t}
		numbers := make(chan int)
		go func() {
			time.Sleep(Soon - time.Second)
			numbers <- 7
			close(numbers)
		}()
		if n := Receive(v, numbers, "a number"); n != 7 || v.said != "" {
			t.Errorf("received %d: %q", n, v.said)
		}
		if n := Receive(v, numbers, "the end"); n != 0 || v.said != "" {
			t.Errorf("received %d at the end: %q", n, v.said)
		}
		if Receive(v, make(chan int), "another number"); v.said != "fail: waited 10s for another number" {
			t.Errorf("nothing comes: %q", v.said)
		}
	})
}

func TestReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, hangs := &verdict{TB: t}, make(chan struct{})
		if Returns(v, func() { time.Sleep(Soon - time.Second) }, "the end"); v.said != "" {
			t.Errorf("it has ended: %q", v.said)
		}
		if Returns(v, func() { <-hangs }, "the end"); v.said != "fail: waited 10s for the end" {
			t.Errorf("it does not end: %q", v.said)
		}
		close(hangs)
	})
}

// TestWatch runs itself as a process that hangs.
func TestWatch(t *testing.T) {
	const hangs = "PLOKE_TEST_HANGS"
	if os.Getenv(hangs) == "1" {
		watch(t, time.Millisecond)
		<-make(chan struct{})
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWatch$")
	cmd.Env = append(os.Environ(), hangs+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "TestWatch has not ended after 1ms") || !strings.Contains(string(out), "wait_test.go") {
		t.Errorf("it ends with %v and prints\n%s", err, out)
	}
}
