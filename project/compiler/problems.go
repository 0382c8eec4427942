package compiler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// A Problem is what a server reports of a range of a file.
type Problem struct {
	Path string // absolute
	lspclient.Problem
}

// A Report is what a server says of the texts that it was asked about, and of no others.
type Report struct {
	Problems  []Problem
	Source    string
	Readiness Readiness
	Took      time.Duration
}

// Unread says why the server may not know all that is wrong; "" if it has read the whole project.
func (r *Report) Unread() string {
	switch r.Readiness {
	case Complete:
		return ""
	case Loading:
		return r.Source + " is still reading the project"
	}
	return r.Source + " does not say that it has read the project"
}

// A Text is what a file may become.
type Text struct {
	Path string // absolute
	Data []byte
}

// ErrUnreported says that a server has not said what is wrong with a text: it may be anything.
var ErrUnreported = errors.New("it has not reported what is wrong with this text")

// ServerOf names the server that would be asked about a file with a text; "" if there is none.
func (s *Servers) ServerOf(path string, text []byte) string {
	command := s.options.Commands()[syntax.Detect(path, text)].Command
	if len(command) == 0 {
		return ""
	}
	return filepath.Base(command[0])
}

// Problems returns what the server reports of a file as it is now.
func (s *Servers) Problems(ctx context.Context, path string) (*Report, error) {
	_, now, err := s.report(ctx, nil, []string{path})
	return now, err
}

// LayOver returns what a server reports of files as they are, and with texts laid over them. All files are of one
// server. Other questions wait meanwhile.
func (s *Servers) LayOver(ctx context.Context, texts []Text, files []string) (before, after *Report, err error) {
	return s.report(ctx, texts, files)
}

func (s *Servers) report(ctx context.Context, texts []Text, files []string) (before, after *Report, err error) {
	about := ""
	switch {
	case len(files) > 0:
		about = files[0]
	case len(texts) > 0:
		about = texts[0].Path
	}
	serving, err := s.of(ctx, about, texts)
	if err != nil {
		return nil, nil, err
	}
	r := request{Kind: problems, Files: files, Laid: texts}
	for again := false; ; again = true {
		view := serving.own()
		given, err := serving.ask(ctx, view, r)
		if err != nil {
			return nil, nil, err
		}
		if err := given.checkReports(files); err != nil {
			return nil, nil, err
		}
		switch {
		case view.key == serving.own().key:
			return given.Before, given.After, nil
		case again:
			return nil, nil, ErrChanged
		}
	}
}

// checkReports refuses reports of another process about other files than these.
func (r *result) checkReports(files []string) error {
	for _, report := range []*Report{r.Before, r.After} {
		if report == nil || slices.ContainsFunc(report.Problems, func(p Problem) bool {
			return !slices.Contains(files, p.Path) || p.Start < 0 || p.End < p.Start
		}) {
			return errOtherAnswer
		}
		report.Source, report.Readiness = shownSource(report.Source), report.Readiness.known()
	}
	return nil
}

// twiceReport asks a server, and once more if a file changes meanwhile.
func (s *server) twiceReport(ctx context.Context, client *lspclient.Client, v *view,
	r request) (before, after *Report, err error) {
	for again := false; ; again = true {
		before, after, err = s.report(ctx, client, v, r)
		if !errors.Is(err, ErrChanged) || again {
			return before, after, err
		}
	}
}

// report asks a server. It is alone with it, and leaves it with the texts of the view.
func (s *server) report(ctx context.Context, client *lspclient.Client, v *view,
	r request) (before, after *Report, err error) {
	if err := s.turns.enter(ctx, alone); err != nil {
		return nil, nil, err
	}
	defer s.turns.leave()
	if client.Readiness() == lspclient.Unknown && s.young() {
		client.AwaitComplete(ctx, youngWait)
	}
	if client.Readiness() == lspclient.Loading {
		client.AwaitComplete(ctx, s.options.loadTime)
	}
	state, err := s.tellTexts(ctx, client, v)
	if err != nil {
		return nil, nil, err
	}
	laid := map[string][]byte{}
	for _, t := range r.Laid {
		laid[t.Path] = t.Data
	}
	existing := slices.DeleteFunc(slices.Clone(r.Files), func(path string) bool {
		_, err := v.read(ctx, path)
		return err != nil
	})
	defer func() { // whatever happened
		if _, told := s.tellTexts(context.WithoutCancel(ctx), client, v); told != nil {
			err = errors.Join(err, told)
		}
	}()
	if before, err = s.reportOf(ctx, client, v, existing, nil); err != nil {
		return nil, nil, err
	}
	after = before
	if len(r.Laid) > 0 {
		if after, err = s.reportOf(ctx, client, v, r.Files, laid); err != nil {
			return nil, nil, err
		}
	}
	now, err := s.onDisk(ctx)
	if err == nil && !now.same(state) {
		err = ErrChanged
	}
	return before, after, err
}

// reportOf asks about files with texts laid over.
func (s *server) reportOf(ctx context.Context, client *lspclient.Client, v *view, files []string,
	laid map[string][]byte) (*Report, error) {
	r := &Report{Source: client.Server(), Readiness: readinessOf(client)}
	began := time.Now()
	documents, err := v.documents(ctx, files, laid)
	if err != nil {
		return nil, err
	}
	if err := client.SetDocuments(documents); err != nil {
		return nil, err
	}
	for _, path := range files {
		found, err := client.Problems(ctx, path)
		if errors.Is(err, lspclient.ErrNoProblems) {
			return nil, fmt.Errorf("%s: %w", r.Source, ErrUnreported)
		}
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			r.Problems = append(r.Problems, Problem{path, p})
		}
	}
	if r.Readiness == Complete { // it may have begun to read the project once more
		r.Readiness = readinessOf(client)
	}
	r.Took = time.Since(began)
	return r, nil
}

// documents returns unsaved texts, and files as they are, with others laid over them.
func (v *view) documents(ctx context.Context, files []string,
	laid map[string][]byte) (documents []lspclient.Document, err error) {
	texts := map[string][]byte{}
	for _, file := range v.unsaved {
		texts[file.Path] = file.Text
	}
	for _, path := range files {
		if _, over := laid[path]; !over {
			file, err := v.read(ctx, path)
			if err != nil {
				return nil, err
			}
			texts[path] = file.Text
		}
	}
	for path, text := range laid {
		if workspace.Classify(text) == "" {
			texts[path] = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
	}
	for path, text := range texts {
		documents = append(documents, documentOf(path, text))
	}
	return documents, nil
}
