package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/process"
)

// server is a server for one folder. It starts when it is used, and it may do so again after it has ended.
type server struct {
	options Options
	root    string
	command Command
	life    context.Context // ends when the project closes
	end     context.CancelFunc
	running sync.WaitGroup // what starts and watches

	mu       sync.Mutex
	client   *lspclient.Client // nil unless it runs
	starting chan struct{}     // closed once a start has ended; nil if none runs
	users    int
	idle     time.Time // since when it is not used
	began    time.Time // when it was started last
	trouble

	known knownTexts
	turns turns // by the views whose texts the server has
}

// trouble is what is known of a server that has failed.
type trouble struct {
	failures int       // in a row
	problem  error     // of the last failure, nil if it works
	retry    time.Time // when it may be started again
	told     bool      // the person knows that it has failed

	silent      time.Time // when another process with the server did not answer
	silentError error
}

func newServer(o Options, root string, command Command) *server {
	command.Bytes = cmp.Or(command.Bytes, DefaultBytes)
	s := &server{options: o, root: root, command: command}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// use returns a client of the running server, which it starts if it must. The client stays until release. It returns
// errOther if another process runs the server.
func (s *server) use(ctx context.Context) (client *lspclient.Client, release func(), err error) {
	return s.useIf(ctx, s.begin)
}

// useRunning is use, but it returns errNotHere rather than start the server.
func (s *server) useRunning(ctx context.Context) (client *lspclient.Client, release func(), err error) {
	return s.useIf(ctx, func() error { return errNotHere })
}

// useIf returns a client of the running server. If it does not run, begin is to begin a start.
func (s *server) useIf(ctx context.Context, begin func() error) (client *lspclient.Client, release func(), err error) {
	for {
		s.mu.Lock()
		switch {
		case s.life.Err() != nil:
			s.mu.Unlock()
			return nil, nil, ErrNone
		case s.client != nil:
			client = s.client
			s.users++
			s.mu.Unlock()
			return client, s.release, nil
		case s.starting == nil:
			if err := begin(); err != nil {
				s.mu.Unlock()
				return nil, nil, err
			}
		}
		started := s.starting
		s.mu.Unlock()
		select {
		case <-started:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// begin begins to start the server, unless another process runs it or it has failed a short time ago. mu is held.
func (s *server) begin() error {
	leave, ok, err := s.claim()
	switch {
	case err != nil:
		return err
	case !ok:
		return errOther
	case s.problem != nil && (s.failures >= maxFailures || time.Now().Before(s.retry)):
		leave()
		return s.problem
	}
	s.starting = make(chan struct{})
	s.running.Go(func() { s.start(leave) })
	return nil
}

func (s *server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	s.idle = time.Now()
}

// start starts the server, whoever has asked for it waits or not. leave is called once it does not run any more.
func (s *server) start(leave func()) {
	s.known.reset(s)
	client, err := lspclient.Start(s.life, lspclient.Options{Command: s.command.Command, Dir: s.root,
		Environment: process.Environment(s.root, nil), Version: s.options.Version, Text: s.text,
		StartTime: s.options.StartTime, CallTime: s.options.CallTime})
	s.mu.Lock()
	started := s.starting
	s.starting = nil
	s.idle = time.Now()
	s.began = s.idle
	wanted := s.life.Err() == nil // the project may have closed meanwhile
	if err == nil && wanted {
		s.client, s.problem = client, nil
		s.running.Go(func() {
			s.watch(client)
			leave()
		})
	}
	s.mu.Unlock()
	if err != nil {
		s.failed(err)
		leave()
	} else if !wanted {
		client.Close()
		leave()
	}
	close(started)
}

// failed notes that the server does not work. Each failure in a row doubles the pause before the next start.
func (s *server) failed(err error) {
	if s.life.Err() != nil {
		return
	}
	s.mu.Lock()
	s.problem, s.client = err, nil
	s.retry = time.Now().Add(s.options.Pause << s.failures)
	s.failures++
	tell := !s.told
	s.told = true
	s.mu.Unlock()
	s.tell(err, tell)
}

// tell tells the person that the server can't be asked, if they don't know.
func (s *server) tell(err error, tell bool) {
	s.options.Log.Warn("a language server failed", "command", s.command.Command[0], "folder", s.root, "error", err)
	if tell {
		s.options.Notice(fmt.Sprintf("%s can't be asked about the code, which is searched by name instead: %v",
			s.command.Command[0], err))
	}
}

// errEnded says that a server has ended by itself.
var errEnded = errors.New("the language server has ended by itself")

// watch waits until a running server ends, and ends it when it is idle or takes too much memory.
func (s *server) watch(client *lspclient.Client) {
	ticker := time.NewTicker(min(checkEvery, s.options.Idle))
	defer ticker.Stop()
	for {
		select {
		case <-client.Ended():
			client.Close()
			s.failed(errEnded)
			return
		case <-s.life.Done():
			client.Close()
			return
		case <-ticker.C:
		}
		if bytes := client.Memory(); bytes > s.command.Bytes {
			s.leave(client)
			s.failed(fmt.Errorf("it took %d MiB of memory, and %d are allowed", bytes>>20, s.command.Bytes>>20))
			client.Close()
			return
		}
		if s.leaveIdle(client) {
			client.Close()
			return
		}
	}
}

// leave makes the next question start another server.
func (s *server) leave(client *lspclient.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == client {
		s.client = nil
	}
}

// leaveIdle leaves the server if it was not used for a time.
func (s *server) leaveIdle(client *lspclient.Client) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users > 0 || time.Since(s.idle) < s.options.Idle {
		return false
	}
	s.client = nil
	return true
}

// answered notes that the server works. If it has done so for a time, later failures are not in a row with those
// before.
func (s *server) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.began) > stableTime {
		s.failures = 0
	}
}

// young reports whether the server was started a short time ago, so that it may yet say that it has read the project.
func (s *server) young() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.began) < s.options.loadTime
}

func (s *server) state() State {
	s.mu.Lock()
	client, problem := s.client, s.problem
	s.mu.Unlock()
	state := State{Root: s.root, Command: s.command.Command, PID: os.Getpid()}
	switch {
	case client != nil:
		state.Name, state.Readiness, state.Bytes = client.Server(), readinessOf(client), client.Memory()
	case problem != nil:
		state.Problem = problem.Error()
	}
	return state
}

func (s *server) close() {
	s.end()
	s.running.Wait()
}
