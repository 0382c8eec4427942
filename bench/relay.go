package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

type relayRequest struct {
	URL   string // of the model server
	Count int    // of the streams
}

// relay asks a model server for streams, one after another, and copies the first line of each to standard output.
func relay(ctx context.Context, r relayRequest) (none struct{}, err error) {
	for range r.Count {
		if err := relayFirstLine(ctx, r.URL, os.Stdout); err != nil {
			return none, err
		}
	}
	return none, nil
}

func relayFirstLine(ctx context.Context, url string, out io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat/completions", strings.NewReader("{}"))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	in := bufio.NewReader(answer.Body)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading the first line of a stream: %w", err)
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in) // so that the connection can be used again
	return err
}

// relayLatencies measures the time from a model server's first token, sent on loopback, until the line that a relay
// has copied is read: what the kernel, Go's scheduler and its HTTP client take at least.
func (b *bench) relayLatencies(ctx context.Context) (took []time.Duration, err error) {
	left := make(chan time.Time, 1)
	url, stop, err := startModelServer(streamingModel(left))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	request, err := json.Marshal(relayRequest{url, b.sampling.firstTokens})
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, workerCommand, "relay")
	cmd.Stdin = bytes.NewReader(request)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	in := bufio.NewReader(out)
	for range b.sampling.firstTokens {
		if _, err := in.ReadString('\n'); err != nil {
			return nil, errors.Join(fmt.Errorf("reading what the relay copies: %w", err), cmd.Wait())
		}
		took = append(took, time.Since(<-left))
	}
	_, err = io.Copy(io.Discard, in)
	return took, errors.Join(err, cmd.Wait())
}
