package history

import (
	"math"

	"ploke-lsp/index/postings"
)

// Log is a list of commits that can be asked which files a matter concerns. It is not
// modified, and safe for concurrent use. A nil one knows nothing.
type Log struct {
	commits []entry
	terms   map[string][]occurrence
	average float64        // terms in a commit
	touched map[string]int // the newest commit of a file, by path
}

type entry struct {
	length float64 // in terms
	share  float64 // of its vote that each of its files has
	files  []string
}

// occurrence is a term in a commit.
type occurrence struct {
	commit int32
	count  float32
}

// NewLog makes a log of commits, the newest first.
func NewLog(commits []Commit) *Log {
	l := &Log{terms: map[string][]occurrence{}, average: 1, touched: map[string]int{}}
	total := 0.0
	for i, c := range commits {
		e := entry{files: c.Files, share: 1 / math.Sqrt(float64(max(len(c.Files), 1)))}
		postings.Words([]byte(c.Subject), func(_ int, word []byte) {
			for _, term := range postings.Terms(string(word)) {
				l.add(term, int32(i))
				e.length++
			}
		})
		for _, file := range c.Files {
			if _, ok := l.touched[file]; !ok {
				l.touched[file] = i
			}
		}
		l.commits = append(l.commits, e)
		total += e.length
	}
	if len(commits) > 0 {
		l.average = max(total/float64(len(commits)), 1)
	}
	return l
}

func (l *Log) add(term string, commit int32) {
	list := l.terms[term]
	if n := len(list); n > 0 && list[n-1].commit == commit {
		list[n-1].count++
		return
	}
	l.terms[term] = append(list, occurrence{commit, 1})
}

// BM25's k1 and b for a commit, and after how many commits one's vote counts 1/e.
const (
	saturation = 1.2
	length     = 0.4
	forgetting = 1000
)

// Term is a term of a question, as postings.Terms makes them, and how much it counts.
type Term struct {
	Text   string
	Weight float64
}

// Votes are how much a question concerns files, by path: at most 1, as far as commits that
// are like the question touched them.
func (l *Log) Votes(question []Term) map[string]float64 {
	if l == nil {
		return nil
	}
	scores := make([]float64, len(l.commits))
	for _, t := range question {
		list := l.terms[t.Text]
		n := float64(len(list))
		worth := t.Weight * math.Log(1+(float64(len(l.commits))-n+0.5)/(n+0.5))
		for _, o := range list {
			norm := 1 - length + length*l.commits[o.commit].length/l.average
			scores[o.commit] += worth * float64(o.count) / (float64(o.count) + saturation*norm)
		}
	}
	votes, most := map[string]float64{}, 0.0
	for i, score := range scores {
		if score == 0 {
			continue
		}
		c := l.commits[i]
		vote := score * score * score * c.share * math.Exp(-float64(i)/forgetting)
		for _, file := range c.files {
			votes[file] += vote
			most = max(most, votes[file])
		}
	}
	for file, vote := range votes {
		votes[file] = math.Sqrt(vote / most)
	}
	return votes
}
