package mcptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// serveByHand speaks the protocol without the library, and breaks it as the role says.
func serveByHand(role string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 32<<20)
	for in.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		answer := func(result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, result) }
		switch request.Method {
		case "initialize":
			if role == "modern" {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`+"\n", request.ID)
				continue
			}
			answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"hand","version":"1"}}`)
		case "server/discover":
			answer(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case "tools/list":
			if role == "never ends its list" {
				answer(`{"tools":[],"nextCursor":"more"}`)
				continue
			}
			answer(`{"tools":[` + listByHand(role) + `]}`)
		case "tools/call":
			callByHand(role, answer)
		case "ping":
			if role != "hangs" {
				answer(`{}`)
			}
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`+"\n", request.ID)
		}
	}
}

// listByHand returns the tools of a role, in JSON.
func listByHand(role string) string {
	switch role {
	case "lies":
		return `{"name":"fine","description":"Fine.","inputSchema":{"type":"object"}},
			{"name":"fine","description":"Again.","inputSchema":{"type":"object"}},
			{"name":"list","inputSchema":{"type":"array"}},
			{"name":"wrong","inputSchema":{"type":"object","properties":{"a":{"type":"objekt"}}}},
			{"name":"properties","inputSchema":{"type":"object","properties":["a"]}},
			{"name":"open","inputSchema":{"properties":{"a":{"type":["string","null"],"pattern":"(?=x)"}},"$schema":"http://json-schema.org/draft-07/schema#"}}`
	case "changes":
		data, _ := os.ReadFile(os.Getenv(Data))
		description, _ := json.Marshal(string(data))
		return `{"name":"go","description":` + string(description) + `,"inputSchema":{"type":"object"}}`
	case "many":
		var all []string
		for i := range 60 {
			all = append(all, fmt.Sprintf(`{"name":"tool_%02d","description":"Does the thing number %d. %s","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`,
				i, i, strings.Repeat("More words about it. ", 20)))
		}
		all = append(all, `{"name":"create_issue","description":"Creates an issue in a repository.","inputSchema":{"type":"object","properties":{"title":{"type":"string"}}}}`)
		return strings.Join(all, ",")
	}
	return `{"name":"go","description":"Goes.","inputSchema":{"type":"object"}}`
}

func callByHand(role string, answer func(string)) {
	switch role {
	case "dies":
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
	case "floods":
		flood()
	case "one large message":
		fmt.Print(`{"jsonrpc":"2.0","method":"x","params":{"a":"`)
		for {
			fmt.Print(strings.Repeat("x", 60_000))
		}
	case "garbage":
		fmt.Println(`{"jsonrpc":"2.0",,,`)
	case "hangs":
		connect()
	case "asks":
		fmt.Println(`{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":5}}`)
		fmt.Println(`{"jsonrpc":"2.0","id":"q2","method":"roots/list"}`)
		answer(`{"content":[{"type":"text","text":"I asked"}]}`)
	default:
		answer(`{"content":[{"type":"text","text":"went"}]}`)
	}
}
