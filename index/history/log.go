package history

import (
	"math"

	"ploke-lsp/index/postings"
)

// Log is an index of commits that ranks files by topic. It never changes and is safe for
// concurrent use. A nil Log is empty.
type Log struct {
	commits       []entry
	terms         map[string][]occurrence
	averageLength float64        // terms in a commit
	newest        map[string]int // by path: the index of the newest commit that touched the file
}

type entry struct {
	length float64 // in terms
	share  float64 // the part of its vote that each of its files gets
	files  []touchedFile
}

// occurrence is how often a term occurs in a commit.
type occurrence struct {
	commit int32
	count  float32
}

// NewLog indexes commits, which must be sorted from the newest to the oldest.
func NewLog(commits []Commit) *Log {
	l := &Log{terms: map[string][]occurrence{}, averageLength: 1, newest: map[string]int{}}
	total := 0.0
	names := earlierNames{}
	for i, c := range commits {
		e := entry{files: names.files(c)}
		e.share = 1 / math.Sqrt(float64(max(len(e.files), 1)))
		names.rename(c.Renames)
		postings.Words([]byte(c.Subject), func(_ int, word []byte) {
			for _, term := range postings.Terms(string(word)) {
				l.add(term, int32(i))
				e.length++
			}
		})
		for _, file := range e.files {
			if _, ok := l.newest[file.path]; !ok {
				l.newest[file.path] = i
			}
		}
		l.commits = append(l.commits, e)
		total += e.length
	}
	if len(commits) > 0 {
		l.averageLength = max(total/float64(len(commits)), 1)
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

// BM25's parameters for commits (Robertson, Zaragoza: The Probabilistic Relevance
// Framework: BM25 and Beyond, 2009), and the number of commits after which a vote counts
// 1/e.
const (
	k1        = 1.2
	b         = 0.4
	voteDecay = 1000
)

// Term is a term of a query, as postings.Terms returns it, and its weight.
type Term struct {
	Text   string
	Weight float64
}

// Votes returns how strongly the commits that match a query point to files, by path. The
// highest vote is 1. Files that no matching commit touched are missing.
func (l *Log) Votes(query []Term) map[string]float64 {
	if l == nil {
		return nil
	}
	scores := make([]float64, len(l.commits))
	for _, t := range query {
		list := l.terms[t.Text]
		n := float64(len(list))
		idf := t.Weight * math.Log(1+(float64(len(l.commits))-n+0.5)/(n+0.5))
		for _, o := range list {
			norm := 1 - b + b*l.commits[o.commit].length/l.averageLength
			scores[o.commit] += idf * float64(o.count) / (float64(o.count) + k1*norm)
		}
	}
	votes, maxVote := map[string]float64{}, 0.0
	for i, score := range scores {
		if score == 0 {
			continue
		}
		c := l.commits[i]
		vote := score * score * score * c.share * math.Exp(-float64(i)/voteDecay)
		for _, file := range c.files {
			votes[file.path] += vote * file.weight
			maxVote = max(maxVote, votes[file.path])
		}
	}
	for file, vote := range votes {
		votes[file] = math.Sqrt(vote / maxVote)
	}
	return votes
}
