package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// A format puts a client's block into a text and takes it out. Each error says why the text is
// not understood, or what is wrong with its block.
type format interface {
	// write returns the text with a block that holds config, in the place of the block that it has.
	write(text []byte, client, config string) ([]byte, error)
	// remove returns the text without the block. If it has none, the error is errNoBlock.
	remove(text []byte, client string) (rest []byte, err error)
}

// A Location is where a person's file is, or would be.
type Location struct {
	Path    string // absolute
	Home    string // the person's home folder, absolute
	WorkDir string // the current folder, absolute
}

// A File is the configuration file of a client.
type File struct {
	Client *Client
	Location
}

// A Change is what was done to a file.
type Change struct {
	Done    bool     // the file is another than before
	Removed bool     // the file held nothing else, and is gone
	Copy    string   // the path of the copy of the file as it was; "" if none was made
	ByHand  []string // what the person has to do in addition
}

// Plan returns the change that puts the configuration for some languages into the file, or brings the
// block there up to date. It writes nothing.
func (f File) Plan(languages []string) (Plan, error) {
	if f.Client.format == nil {
		return Plan{}, errors.New(f.Client.why)
	}
	original, err := f.read()
	if err != nil {
		return Plan{}, err
	}
	rest, err := f.Client.format.remove(original.text, f.Client.Name)
	if errors.Is(err, errNoBlock) {
		rest, err = original.text, nil
	}
	if err == nil {
		err = f.checkMentions(rest)
	}
	if err != nil {
		return Plan{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	config, byHand, err := f.config(languages, rest)
	if err != nil {
		return Plan{}, err
	}
	text, err := f.Client.format.write(original.text, f.Client.Name, config)
	if err != nil {
		return Plan{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	return Plan{original: original, text: text, byHand: byHand}, nil
}

// Write makes the change that Plan returns.
func (f File) Write(languages []string, now time.Time) (Change, error) {
	plan, err := f.Plan(languages)
	if err != nil {
		return Change{}, err
	}
	return plan.Apply(now)
}

// Undo takes the block out of the file. A copy is kept if the block is not what Write puts there
// by default. A file that Write has created is removed.
func (f File) Undo(now time.Time) (Change, error) {
	if f.Client.format == nil {
		return Change{}, errors.New(f.Client.why)
	}
	original, err := f.read()
	if err != nil {
		return Change{}, err
	}
	rest, err := f.Client.format.remove(original.text, f.Client.Name)
	switch {
	case errors.Is(err, errNoBlock):
		return Change{}, nil
	case err != nil:
		return Change{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	edited, err := f.edited(original.text, rest)
	if err != nil {
		return Change{}, err
	}
	change := Change{Done: true, Removed: len(rest) == 0 && !original.hasCopies()}
	if edited {
		if change.Copy, err = original.copy(now); err != nil {
			return Change{}, err
		}
	}
	if change.Removed {
		return change, os.Remove(f.Path)
	}
	return change, original.replace(rest)
}

// edited reports whether the block in text is not the one that Write puts there by default.
// rest is the text without it.
func (f File) edited(text, rest []byte) (bool, error) {
	config, _, err := f.config(nil, rest)
	if err != nil {
		return false, err
	}
	again, err := f.Client.format.write(text, f.Client.Name, config)
	return !bytes.Equal(again, text), err
}

// config returns the configuration for a file whose text is rest, without the block.
func (f File) config(languages []string, rest []byte) (config string, byHand []string, err error) {
	if languages, err = f.Client.choose(languages); err != nil {
		return "", nil, err
	}
	if f.Client.adapt != nil {
		if languages, byHand, err = f.Client.adapt(languages, rest); err != nil {
			return "", nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	config, err = f.Client.render(languages)
	return config, byHand, err
}

// What [File.State] says.
const (
	SetUp    = "set up"
	NotSetUp = "not set up"
	ByHand   = "by hand" // only a person can set it up
)

// State says in a few words whether the file has the configuration: one of the constants, "set up by hand", or
// why that is unknown.
func (f File) State() string {
	if f.Client.format == nil {
		return ByHand
	}
	_, text, err := readSettings(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err.Error()
	}
	_, err = f.Client.format.remove(text, f.Client.Name)
	switch {
	case err == nil:
		return SetUp
	case !errors.Is(err, errNoBlock):
		return err.Error()
	case f.checkMentions(text) != nil:
		return "set up by hand"
	}
	return NotSetUp
}

// checkMentions returns an error if a text without the client's block names ploke-lsp outside of
// the blocks of other clients: then a person has configured it already.
func (f File) checkMentions(text []byte) error {
	for _, c := range slices.Concat(clients, agents) {
		if begin, end, err := markers(text, c.Name); err == nil {
			blank := bytes.Repeat([]byte("\n"), bytes.Count(text[begin:end], []byte("\n")))
			text = bytes.Join([][]byte{text[:begin], blank, text[end:]}, nil)
		}
	}
	if at := bytes.Index(text, []byte("ploke-lsp")); at >= 0 {
		return fmt.Errorf("line %d names ploke-lsp already, outside of a block of ours; take that out first, or leave all "+
			"as it is", 1+bytes.Count(text[:at], []byte("\n")))
	}
	return nil
}
