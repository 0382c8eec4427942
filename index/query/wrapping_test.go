package query

import "testing"

// TestUnwrapped leaves out what is only said, and nothing else.
func TestUnwrapped(t *testing.T) {
	for text, want := range map[string]string{
		"hello there, where is X defined?":                  "X",
		"Hi all! retry logic":                               "retry logic",
		"please fix the retry":                              "fix the retry",
		"kindly, list the tools":                            "list the tools",
		"could you please explain to me how it retries":     "retries",
		"can someone point me to the retry logic":           "retry logic",
		"can someone walk me through the retry logic":       "retry logic",
		"please tell me how it retries":                     "retries",
		"tell me about retries please":                      "retries",
		"I'd like to know how it retries":                   "retries",
		"I’d like to understand retries":                    "retries",
		"i am trying to find out how it retries":            "retries",
		"I was just wondering about the retry logic":        "retry logic",
		"does anyone happen to know how it retries":         "retries",
		"any idea how it retries":                           "retries",
		"how it retries, thanks a lot!":                     "retries",
		"retry, thanks":                                     "retry",
		"how it retries please":                             "retries",
		"how it retries and where I can find it":            "retries",
		"how it retries, if you don't mind.":                "retries",
		"where's the function Retry":                        "Retry",
		"find the struct named Retry":                       "Retry",
		"go to Retry()":                                     "Retry",
		"what does the class Retry do?":                     "Retry",
		"where do we find Retry at":                         "Retry",
		"where is the Retry method":                         "Retry",
		"where are requests retried":                        "requests retried",
		"so what":                                           "so what",
		"please":                                            "please",
		"thanks":                                            "thanks",
		"thanksgiving dates":                                "thanksgiving dates",
		"hi, where is X defined?\nand\n\nmore, please":      "X\nand\n\nmore, please",
		"the greeting says hello, world":                    "the greeting says hello, world",
		"show X\r\n":                                        "X\n",
		"would you show us the retry logic, if you could":   "retry logic",
		"ok, so, do you know where the limits are? cheers":  "limits",
		"well, quick question: where is Retry implemented?": "Retry",

		// sentences besides the question
		"I'm new to this codebase. Where should I look for retries?":             "retries",
		"We need to change the retries. Where would I start?":                    "change the retries",
		"retry logic - where does that happen?":                                  "retry logic",
		"I want to see retries, could you point me to the relevant code? Thanks": "retries",
		"retries, limits and delays":                                             "retries, limits and delays",
		"create methods, functions":                                              "create methods, functions",

		// places, which are a part of what is looked for unless something links them with it
		"which file is responsible for retries?":                 "retries",
		"which file is deleted":                                  "file is deleted",
		"what is the file size limit":                            "file size limit",
		"what's the best place to look at for retries":           "retries",
		"show me the part of the source that deals with retries": "retries",
		"where in the code do we retry":                          "retry",
		"what code is involved in retries":                       "retries",
		"Can you help me find where the code for retries is?":    "retries",
		"how dealing cards works":                                "dealing cards",
		"function that you call":                                 "function that you call",
		"code for errors of the method":                          "code for errors of the method",
		"how are retries implemented in this project":            "retries",
		"explain how retries work in our code":                   "retries",
		"how does the exit code work":                            "exit code",
		"where does the program start":                           "program start",

		// orders, which are a part of what is looked for unless they are one to the reader
		"find the icon of a feed":              "find the icon of a feed",
		"find where the icon is read":          "icon is read",
		"show the help of a command":           "show the help of a command",
		"can you show the help":                "help",
		"help text of the command":             "help text of the command",
		"explain query plans":                  "explain query plans",
		"would love some help finding retries": "retries",
		"how do we find the icon":              "find the icon",
		"tell me about find the icon":          "find the icon",
		"where can I find the icon":            "icon",
		"please find the icon":                 "find the icon",
		"I want to find the icon":              "find the icon",
		"look up names":                        "names",

		// what is written as no word of a sentence
		"where is `find` called":      "`find` called",
		"what is \"please\" for":      "\"please\"",
		"how does Show differ":        "Show differ",
		"how does SHOW differ":        "SHOW differ",
		"what are please.go and find": "please.go",
	} {
		if got, _ := unwrapped(text); got != want {
			t.Errorf("of %q, %q is left, want %q", text, got, want)
		}
	}
}
