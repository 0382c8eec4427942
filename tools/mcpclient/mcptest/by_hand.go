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
	pages := 0
	for in.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name, Cursor string }
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		answer := func(result string) {
			form := `{"jsonrpc":"2.0","id":ID,"result":RESULT}`
			if role == "form" {
				form = os.Getenv(Data)
			}
			fmt.Println(strings.NewReplacer("ID", string(request.ID), "RESULT", result).Replace(form))
		}
		switch request.Method {
		case "initialize":
			if role == "modern" {
				refuse(request.ID)
				continue
			}
			answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"hand","version":"1"}}`)
		case "server/discover":
			answer(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case "tools/list":
			pages++
			switch {
			case role == "dies between turns" && pages > 1:
				os.Exit(3)
			case role == "pages" && os.Getenv(Data) == "refuses the second" && pages > 1:
				refuse(request.ID)
			case role == "pages":
				answer(pageByHand(pages, request.Params.Cursor))
			default:
				answer(`{"tools":[` + listByHand(role) + `]}`)
			}
		case "tools/call":
			callByHand(role, answer)
		case "ping":
			if role != "hangs" {
				answer(`{}`)
			}
		default:
			refuse(request.ID)
		}
	}
}

func refuse(id json.RawMessage) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`+"\n", id)
}

// listByHand returns the tools of a role, in JSON.
func listByHand(role string) string {
	switch role {
	case "lies":
		return `{"name":"fine","description":"Fine.","inputSchema":{"type":"object"}},` +
			`{"name":"fine","description":"Again.","inputSchema":{"type":"object"}},` +
			`{"name":"list","inputSchema":{"type":"array"}},` +
			`{"name":"wrong","inputSchema":{"type":"object","properties":{"a":{"type":"objekt"}}}},` +
			`{"name":"properties","inputSchema":{"type":"object","properties":["a"]}},` +
			`{"name":"open","inputSchema":{"properties":{"a":{"type":["string","null"],"pattern":"(?=x)"}},"$schema":"http://json-schema.org/draft-07/schema#"}}`
	case "changes":
		data, _ := os.ReadFile(os.Getenv(Data))
		description, _ := json.Marshal(string(data))
		return `{"name":"go","description":` + string(description) + `,"inputSchema":{"type":"object"}}`
	case "many":
		var all []string
		for i := range 60 {
			all = append(all, fmt.Sprintf(`{"name":"tool_%02d","description":"Does the thing number %d. %s",`+
				`"inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`,
				i, i, strings.Repeat("More words about it. ", 20)))
		}
		all = append(all, `{"name":"create_issue","description":"Creates an issue in a repository.",`+
			`"inputSchema":{"type":"object","properties":{"title":{"type":"string"}}}}`)
		return strings.Join(all, ",")
	}
	return `{"name":"go","description":"Goes.","inputSchema":{"type":"object"}}`
}

// pageByHand returns a page of a list of tools, as Data says.
func pageByHand(number int, cursor string) string {
	const one = `{"name":"go","description":"Goes.","inputSchema":{"type":"object"}}`
	next := map[string]string{"same cursor": "more", "other cursors": fmt.Sprint(number), "two cursors": fmt.Sprint(number % 2), "refuses the second": "x",
		"empty pages": fmt.Sprint(number)}[os.Getenv(Data)]
	if kind := os.Getenv(Data); cursor != "" && (kind == "empty pages" || kind == "two cursors") {
		return fmt.Sprintf(`{"tools":[],"nextCursor":%q}`, next)
	}
	return fmt.Sprintf(`{"tools":[%s],"nextCursor":%q}`, one, next)
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
