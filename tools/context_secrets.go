package tools

import (
	"context"
	"slices"
	"sync"
)

// fileSecrets has the secrets of the files that a result may show. It looks for those of each file
// once. It is safe for concurrent use.
type fileSecrets struct {
	mu    sync.Mutex
	files map[string]*fileSecret
}

// fileSecret is what [sources.secretsOf] returns for a file.
type fileSecret struct {
	once    sync.Once
	secrets []string
	err     error
}

// of returns what srcs.secretsOf returns, and notes the secrets.
func (f *fileSecrets) of(ctx context.Context, srcs *sources, path string) ([]string, error) {
	f.mu.Lock()
	if f.files == nil {
		f.files = map[string]*fileSecret{}
	}
	if f.files[path] == nil {
		f.files[path] = &fileSecret{}
	}
	file := f.files[path]
	f.mu.Unlock()
	file.once.Do(func() { file.secrets, file.err = srcs.secretsOf(ctx, path) })
	noteAll(ctx, file.secrets)
	return file.secrets, file.err
}

// ahead looks for the secrets of hits in another goroutine, the best first, while it is decided
// which of them are shown. It notes nothing. The caller must call stop when it needs no more.
func (f *fileSecrets) ahead(ctx context.Context, srcs *sources, hits []*hit) (stop func()) {
	unnoted, _ := withReadings(ctx)
	unnoted, cancel := context.WithCancel(unnoted)
	wait := async(func() (struct{}, error) {
		for _, h := range hits {
			if unnoted.Err() != nil {
				break
			}
			_, _ = f.of(unnoted, srcs, h.Path) // whoever shows the file gets the error
		}
		return struct{}{}, nil
	})
	return func() {
		cancel()
		_, _ = wait()
	}
}

// note notes the secrets of the files that a result shows. It begins with the last file, since
// ahead comes from the first.
func (f *fileSecrets) note(ctx context.Context, srcs *sources, files []string) error {
	for _, path := range slices.Backward(files) {
		if _, err := f.of(ctx, srcs, path); err != nil && !unavailable(err) {
			return err
		}
	}
	return nil
}
