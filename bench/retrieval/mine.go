package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"ploke-lsp/index/traits"
)

const (
	minedCommits = 4000 // newest commits that are considered, without merges
	minedFiles   = 4    // source files that a case changes at most
	minedSubject = 3    // words that a subject has at least
	minedLines   = 300  // lines that a case changes at most, as they were before
)

// choreSubject matches subjects that say nothing about code.
var choreSubject = regexp.MustCompile(`(?i)^(bump|release|revert|prepare|merge|backport|version|v?\d+\.\d)|` +
	`\bversion bump\b|\b(bump|increment|update) (the )?version\b|\bchangelog\b|\btypos?\b`)

// mine writes count cases of a repository as JSON lines, newest first. They are spread evenly over
// its commits: of each equal part of the history it takes the newest commit that fits. A commit fits
// if it changes one to four source files that are not new, few lines, and its subject says what it does.
func mine(ctx context.Context, repos, name string, count int, out io.Writer) error {
	repo, err := repository(repos, name)
	if err != nil {
		return err
	}
	listed, err := git(ctx, "", "-C", repo, "rev-list", "--no-merges", "--min-parents=1",
		fmt.Sprintf("--max-count=%d", minedCommits), "HEAD")
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

// mineCommit returns the case of a commit, with the source files that it changes. It has no hunks if
// there are too many files.
func mineCommit(ctx context.Context, repo, name, commit string) (c testCase, err error) {
	about, err := git(ctx, "", "-C", repo, "rev-list", "--max-count=1", "--no-commit-header", "--format=%P%n%B", commit)
	if err != nil {
		return c, err
	}
	parent, message, _ := strings.Cut(about, "\n")
	message = strings.TrimSpace(message)
	subject, _, _ := strings.Cut(message, "\n")
	c = testCase{ID: name + "-" + commit[:10], Repo: name, Commit: parent, Subject: subject, Query: message}
	changed, err := git(ctx, "", "-C", repo, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=MD",
		parent, commit)
	if err != nil {
		return c, err
	}
	for file := range strings.SplitSeq(strings.TrimSuffix(changed, "\x00"), "\x00") {
		if file != "" && traits.PrecedenceOf(file, nil) == traits.Source {
			c.Files = append(c.Files, file)
		}
	}
	if len(c.Files) == 0 || len(c.Files) > minedFiles {
		return c, nil
	}
	for _, file := range c.Files {
		diff, err := git(ctx, "", "-C", repo, "--literal-pathspecs", "diff-tree", "-p", "--unified=0", "--no-renames", parent,
			commit, "--", file)
		if err != nil {
			return c, err
		}
		c.addHunks(file, diff)
	}
	return c, nil
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? `)

// addHunks adds the places that a file's diff without context changes.
func (c *testCase) addHunks(file, diff string) {
	for line := range strings.SplitSeq(diff, "\n") {
		m := hunkHeader.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		start, _ := strconv.Atoi(m[1])
		lines := 1
		if m[2] != "" {
			lines, _ = strconv.Atoi(m[2])
		}
		c.Hunks = append(c.Hunks, hunk{file, max(start, 1), lines})
	}
}

// fits reports whether a mined case is a fair one.
func (c *testCase) fits() bool {
	changed := 0
	for _, h := range c.Hunks {
		changed += h.Lines
	}
	return len(c.Hunks) > 0 && changed <= minedLines &&
		len(strings.Fields(c.Subject)) >= minedSubject && !choreSubject.MatchString(c.Subject)
}
