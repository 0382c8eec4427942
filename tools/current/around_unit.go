package current

import (
	"bytes"
	"context"

	"ploke-lsp/index"
	"ploke-lsp/internal/secretscan"
)

// Surroundings are lines of a file.
type Surroundings struct {
	Text  string
	First int  // the number of the first one
	Whole bool // they are all of the file
}

// Around returns the lines of a unit that the index has just found, and at least so many before and after it, as far as
// the file has them. It returns all of a file that has at most whole bytes, or that had to be read whole.
func (f *Files) Around(ctx context.Context, u index.Unit, before, after, whole int) (Surroundings, error) {
	if _, read := f.read[u.Path]; !read {
		text, err := f.Workspace.Open(ctx, u.Path)
		if err != nil {
			return Surroundings{}, err
		}
		defer text.Close()
		// A text whose secrets are known has been classified.
		if _, known := secretscan.Known(text.Hash); known && text.Len() > whole {
			return linesAround(text, u, before, after)
		} else if known {
			all, err := text.Part(0, text.Len())
			return Surroundings{string(all), 1, true}, err
		}
	}
	src, err := f.At(ctx, u.Path)
	if err != nil {
		return Surroundings{}, err
	}
	return Surroundings{string(src.Text), 1, true}, nil
}

// ranges are the parts of a text.
type ranges interface {
	Len() int
	Part(start, end int) ([]byte, error)
}

// linesAround returns the lines of a unit, and at least so many before and after it. It reads only the part of the text
// that has them: how long the lines are is not known.
func linesAround(text ranges, u index.Unit, before, after int) (Surroundings, error) {
	for margin := aroundCode; u.EndByte <= text.Len(); margin *= 4 {
		from, to := max(u.StartByte-margin, 0), min(u.EndByte+margin, text.Len())
		part, err := text.Part(from, to)
		if err != nil {
			return Surroundings{}, err
		}
		start, end := 0, len(part)
		if from > 0 {
			start = bytes.IndexByte(part, '\n') + 1
		}
		if to < text.Len() {
			end = bytes.LastIndexByte(part, '\n') + 1
		}
		own, behind := u.StartByte-from, u.EndByte-from
		if from > 0 && (start == 0 || start > own) || end < behind {
			continue
		}
		above, below := bytes.Count(part[start:own], []byte{'\n'}), bytes.Count(part[behind:end], []byte{'\n'})
		if (from == 0 || above >= before) && (to == text.Len() || below > after) {
			return Surroundings{Text: string(part[start:end]), First: u.StartLine - above}, nil
		}
	}
	return Surroundings{}, nil
}
