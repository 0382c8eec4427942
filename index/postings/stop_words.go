package postings

import "strings"

var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(`a am an and are as at be because been but by can could did do does doing done for
		from had has have he her his how i if in into is it its me my of on or our she should so than that the their
		them then there these they this those to too very was we were what when where which who whom whose why will
		with would you your`) {
		m[word] = true
	}
	return m
}()

// longestStop is the length of the longest stop word, in bytes.
var longestStop = func() (longest int) {
	for word := range stopWords {
		longest = max(longest, len(word))
	}
	return longest
}()

func stopWord(word []byte) bool { return len(word) <= longestStop && stopWords[string(word)] }

// StopWord reports whether a word in lower case is too common to search for.
func StopWord(word string) bool { return stopWords[word] }
