package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	alone sync.RWMutex // held for writing while the server has texts that are none of the workspace
}

// trouble is what is known of a server that has failed.
type trouble struct {
	failures int       // in a row
	problem  error     // of the last failure, nil if it works
	retry    time.Time // when it may be started again
	told     bool      // the person knows that it has failed
}

func newServer(o Options, root string, command Command) *server {
	command.Bytes = cmp.Or(command.Bytes, DefaultBytes)
	s := &server{options: o, root: root, command: command}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// use returns a client of the running server, which it starts if it must. The client stays until release.
func (s *server) use(ctx context.Context) (client *lspclient.Client, release func(), err error) {
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
		case s.starting == nil && s.problem != nil && (s.failures >= maxFailures || time.Now().Before(s.retry)):
			err := s.problem
			s.mu.Unlock()
			return nil, nil, err
		case s.starting == nil:
			s.starting = make(chan struct{})
			s.running.Go(s.start)
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

func (s *server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	s.idle = time.Now()
}

// start starts the server, whoever has asked for it waits or not.
func (s *server) start() {
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
		s.running.Go(func() { s.watch(client) })
	}
	s.mu.Unlock()
	if err != nil {
		s.failed(err)
	} else if !wanted {
		client.Close()
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
	state := State{Root: s.root, Command: s.command.Command}
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
