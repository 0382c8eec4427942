package proof

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// readRSpec reads rspec with its format json.
func readRSpec(output string) (r report, err error) {
	seen := false
	r.text, _ = jsonIn(output, func(text string) (string, bool) {
		var results struct {
			Messages []string
			Examples []struct {
				Name      string `json:"full_description"`
				Status    string
				File      string `json:"file_path"`
				Line      int    `json:"line_number"`
				Exception struct {
					Message   string
					Backtrace []string
				}
			}
			Summary *struct {
				Errors int `json:"errors_outside_of_examples_count"`
			}
		}
		if json.Unmarshal([]byte(text), &results) != nil || results.Summary == nil {
			return "", false
		}
		seen = true
		for _, e := range results.Examples {
			switch e.Status {
			case "passed":
				r.tests.Passed++
			case "failed":
				r.tests.Failed++
				one := found{file: e.File, line: e.Line}
				one.message = shortened(e.Name + " fails: " + strings.Join(strings.Fields(e.Exception.Message), " "))
				for _, frame := range e.Exception.Backtrace {
					if file, line, ok := rubyFrame(frame); ok && strings.HasSuffix(file, "/"+path.Clean(filepath.ToSlash(e.File))) {
						one.line = line
						break
					}
				}
				r.problems = append(r.problems, one)
			}
		}
		if results.Summary.Errors > 0 {
			for _, m := range results.Messages {
				if one, ok := rubyLoadError(m); ok {
					r.problems = append(r.problems, one)
				}
			}
		}
		return "", true
	})
	if seen {
		return r, nil
	}
	return lines(rubyTestFormats)(output)
}

var rubyPlace = lazyregexp.New(`^(?:# )?(.+?):(\d+):in `)

func rubyFrame(frame string) (file string, line int, ok bool) {
	groups := rubyPlace.FindStringSubmatch(frame)
	if groups == nil {
		return "", 0, false
	}
	line, _ = strconv.Atoi(groups[2])
	return groups[1], line, true
}

// rubyLoadError reads what RSpec says of a file that it can't load.
func rubyLoadError(message string) (one found, ok bool) {
	var words []string
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if file, n, is := rubyFrame(line); is && one.file == "" {
			one.file, one.line = file, n
		} else if line != "" && !is {
			words = append(words, line)
		}
	}
	one.message = shortened(strings.Join(words, " "))
	return one, strings.HasPrefix(one.message, "An error occurred")
}
