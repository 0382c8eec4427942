package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"ploke-lsp/index"
)

const (
	minedCommits = 4000 // newest commits that are considered, without merges
	minedFiles   = 4    // source files that a case changes at most
	minedSubject = 3    // words that a subject has at least
	minedLines   = 300  // lines that a case changes at most, as they were before
)

// choreSubject matches subjects that say nothing about code.
var choreSubject = regexp.MustCompile(`(?i)^(bump|release|revert|prepare|merge|backport|version|v?\d+\.\d)|\bversion bump\b|\b(bump|increment|update) (the )?version\b|\bchangelog\b|\btypos?\b`)

// mine writes count cases of a repository as JSON lines, newest first. They are spread evenly over
// its commits: of each equal part of the history it takes the newest commit that fits. A commit fits
// if it changes one to four source files that are not new, few lines, and its subject says what it does.
func mine(ctx context.Context, repos, name string, count int, out io.Writer) error {
	repo, err := repository(repos, name)
	if err != nil {
		return err
	}
	listed, err := git(ctx, "", "-C", repo, "rev-list", "--no-merges", "--min-parents=1", fmt.Sprintf("--max-count=%d", minedCommits), "HEAD")
	if err != nil {
		return err
	}
	commits := strings.Fields(listed)
	encoder := json.NewEncoder(out)
	for part := range count {
		for _, commit := range commits[part*len(commits)/count : (part+1)*len(commits)/count] {
			c, err := mineCommit(ctx, repo, name, commit)
			if err != nil {
				return err
			}
			if !c.fits() {
				continue
			}
			if err := encoder.Encode(c); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// mineCommit returns the case of a commit, with the source files that it changes.
func mineCommit(ctx context.Context, repo, name, commit string) (c testCase, err error) {
	about, err := git(ctx, "", "-C", repo, "show", "--no-patch", "--format=%P%n%B", commit)
	if err != nil {
		return c, err
	}
	diff, err := git(ctx, "", "-C", repo, "-c", "core.quotePath=false", "diff-tree", "-p", "--unified=0", "--no-renames", commit+"^", commit)
	if err != nil {
		return c, err
	}
	parent, message, _ := strings.Cut(about, "\n")
	message = strings.TrimSpace(message)
	subject, _, _ := strings.Cut(message, "\n")
	c = testCase{ID: name + "-" + commit[:10], Repo: name, Commit: parent, Subject: subject, Query: message}
	c.addChanges(diff)
	return c, nil
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? `)

// addChanges adds the source files and places that a diff without context changes.
func (c *testCase) addChanges(diff string) {
	file := ""
	for line := range strings.SplitSeq(diff, "\n") {
		if strings.HasPrefix(line, "diff --git ") {
			file = ""
		}
		if old, ok := strings.CutPrefix(line, "--- a/"); ok && file == "" && index.PrecedenceOf(old, nil) == index.Source {
			file = old
			c.Files = append(c.Files, file)
		}
		if m := hunkHeader.FindStringSubmatch(line); m != nil && file != "" {
			start, _ := strconv.Atoi(m[1])
			lines, err := strconv.Atoi(m[2])
			if err != nil {
				lines = 1
			}
			c.Hunks = append(c.Hunks, hunk{file, max(start, 1), lines})
		}
	}
}

// fits reports whether a mined case is a fair one.
func (c *testCase) fits() bool {
	changed := 0
	for _, h := range c.Hunks {
		changed += h.Lines
	}
	return len(c.Files) >= 1 && len(c.Files) <= minedFiles && len(c.Hunks) > 0 && changed <= minedLines &&
		len(strings.Fields(c.Subject)) >= minedSubject && !choreSubject.MatchString(c.Subject)
}
