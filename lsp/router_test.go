package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/internal/wire"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
)

// A rawClient sends and receives JSON as it is spelled.
type rawClient struct {
	t    *testing.T
	conn net.Conn
	in   *textproto.Reader
}

func dialRaw(t *testing.T, routes ...rpc.Route) *rawClient {
	t.Helper()
	ours, theirs := net.Pipe()
	s := NewServer(Options{})
	s.client, s.phase = new(client.Client), running
	r := rpc.NewRouter(t.Context(), s.routing(), routes...)
	server := jsonrpc2.NewConn(wire.NewStream(theirs, wire.Events{}), jsonrpc2.WithCodec(ploke.Codec{}))
	server.Go(context.Background(), r.Handle)
	t.Cleanup(func() { ours.Close(); server.Close() })
	return &rawClient{t, ours, textproto.NewReader(bufio.NewReader(ours))}
}

func (c *rawClient) send(body string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.conn, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		c.t.Fatal(err)
	}
}

// response is a response with its id as it is spelled.
type response struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  struct {
		Code    jsonrpc2.Code
		Message string
	}
}

func (c *rawClient) receive() (r response) {
	c.t.Helper()
	header, err := c.in.ReadMIMEHeader()
	if err != nil {
		c.t.Fatal(err)
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		c.t.Fatal(err)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(c.in.R, body); err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(body, &r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

// ids are ids as a client may spell them, and equal ones that may be in the reply.
var ids = map[string]string{
	`1`: `1`, `0`: `0`, `-5`: `-5`, `2147483648`: `2147483648`, `1099511627776`: `1099511627776`, `9223372036854775807`: `9223372036854775807`,
	`-9223372036854775808`: `-9223372036854775808`,
	`1e3`:                  `1000`, `1E+3`: `1000`, `1.0`: `1`, `1.50e1`: `15`, `-0`: `0`, `-0.0`: `0`, `0e7`: `0`, `100e-2`: `1`,
	`9223372036854775808`: `9223372036854775808`, `-9223372036854775809`: `-9223372036854775809`,
	`123456789012345678901234567890`: `123456789012345678901234567890`, `1e400`: `1e400`, `1.5e400`: `15e399`, `1e999999999`: `1e999999999`,
	`"text"`: `"text"`, `""`: `""`, `"1"`: `"1"`, `"1e3"`: `"1e3"`, `"\u0000é\""`: `"\u0000é\""`,
}

func TestEachSpellingOfAnIDIsAnswered(t *testing.T) {
	c := dialRaw(t, rpc.OnRequest("works", func(context.Context, *rpc.None) (string, error) { return "fine", nil }))
	for id, want := range ids {
		go c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"works"}`)
		if r := c.receive(); string(r.ID) != want || string(r.Result) != `"fine"` {
			t.Errorf("the request with the id %s got the reply %+v, want the id %s", id, r, want)
		}
	}
}

func TestWhatIsNoIDGetsAnError(t *testing.T) {
	c := dialRaw(t, rpc.OnRequest("works", func(context.Context, *rpc.None) (string, error) { t.Error("it ran"); return "", nil }))
	for _, id := range []string{`null`, `1.5`, `1e-1`, `-0.5`, `[1]`, `{"a":1}`, `true`, `false`, `[]`, `1e99999999999999999999`, `"ploke-lsp/number/5"`} {
		go c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"works"}`)
		if r := c.receive(); string(r.ID) != "null" || r.Error.Code != jsonrpc2.InvalidRequest || !strings.Contains(r.Error.Message, "id") {
			t.Errorf("the id %s got the reply %+v", id, r)
		}
	}
}

func TestCancelByAnyID(t *testing.T) {
	running := make(chan struct{})
	c := dialRaw(t, rpc.OnRequest("wait", func(ctx context.Context, _ *rpc.None) (any, error) {
		rpc.Release(ctx)
		running <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	for id, want := range ids {
		for _, spelled := range []string{id, want} {
			go c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"wait"}`)
			<-running
			go c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + spelled + `}}`)
			if r := c.receive(); r.Error.Code != ploke.CodeRequestCancelled || string(r.ID) != want {
				t.Errorf("the request %s, cancelled as %s, got the reply %+v", id, spelled, r)
			}
		}
	}
}
