package proof

import (
	"encoding/json"

	"ploke-lsp/edits/evidence"
)

// jestResults are what jest --json and vitest's reporter json print.
type jestResults struct {
	Total   *int `json:"numTotalTests"`
	Passed  int  `json:"numPassedTests"`
	Failed  int  `json:"numFailedTests"`
	Results []struct {
		Name, Status, Message string
		Assertions            []jestAssertion `json:"assertionResults"`
	} `json:"testResults"`
}

type jestAssertion struct {
	Name     string `json:"fullName"`
	Status   string
	Messages []string `json:"failureMessages"`
	Location struct{ Line int }
}

// readJest reads jest --json and vitest's reporter json, and of other runners what they print.
func readJest(output string) (r report, err error) {
	seen := false
	r.text, _ = jsonIn(output, func(text string) (string, bool) {
		var results jestResults
		if json.Unmarshal([]byte(text), &results) != nil || results.Total == nil || results.Results == nil {
			return "", false
		}
		seen = true
		r.tests = evidence.Tests{Passed: results.Passed, Failed: results.Failed}
		r.problems = results.problems()
		return "", true
	})
	if seen {
		return r, nil
	}
	return readScript(output)
}

// problem says how a test of a file fails, and where.
func (a *jestAssertion) problem(file string) found {
	one := found{file: file, line: a.Location.Line, message: a.Name + " fails"}
	if len(a.Messages) > 0 {
		message, line := stackOf(a.Messages[0], file)
		one.message += ": " + message
		if line > 0 {
			one.line = line
		}
	}
	return one
}

func (results *jestResults) problems() (all []found) {
	for _, f := range results.Results {
		failed := false
		for _, a := range f.Assertions {
			if a.Status != "failed" {
				continue
			}
			failed = true
			all = append(all, a.problem(f.Name))
		}
		if f.Status == "failed" && !failed { // it did not come to its tests
			message, line := stackOf(f.Message, f.Name)
			all = append(all, found{file: f.Name, line: line, message: message})
		}
	}
	return once(all)
}
