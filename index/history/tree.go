package history

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"strings"
)

// maxEntry is the size in bytes of the longest line that git writes for a file.
const maxEntry = 1 << 16

// Tree calls visit with each file that a folder has in a commit: its path, relative to the folder with slashes, and the
// id of its text, as git has it. The commit is named by its id or the beginning of it; Tree returns its whole id, "" if
// the folder's repository does not have it.
func Tree(ctx context.Context, dir, commit string, visit func(path string, blob []byte)) (id string, err error) {
	if ok, err := hasCommits(ctx, dir); !ok {
		return "", err
	}
	out, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{commit}")
	if err != nil {
		return "", ctx.Err()
	}
	id = strings.TrimSpace(string(out))
	parse := func(r io.Reader) error {
		lines := bufio.NewReaderSize(r, maxEntry)
		for {
			line, err := lines.ReadSlice(0)
			switch {
			case err == io.EOF && len(line) == 0:
				return nil
			case err != nil:
				return errors.New("git has listed a commit in a way that is not known")
			}
			about, path, _ := strings.Cut(string(line[:len(line)-1]), "\t")
			fields := strings.Fields(about) // the mode, the kind, the id
			if len(fields) != 3 || fields[1] != "blob" || !strings.HasPrefix(fields[0], "100") {
				continue // a submodule or a link
			}
			if blob, err := hex.DecodeString(fields[2]); err == nil {
				visit(path, blob)
			}
		}
	}
	return id, stream(ctx, dir, nil, parse, "ls-tree", "-r", "-z", id)
}
