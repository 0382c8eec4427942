package workspace

import (
	"path/filepath"
	"strings"
	"sync"
)

// ruleCache keeps the rules of a root's folders as the last Walk, or else the
// first question, found them.
type ruleCache struct {
	root    string
	exclude *ruleSet // nil when there are none

	mu   sync.Mutex
	dirs map[string]*rules
}

func newRuleCache(root string, exclude []string) *ruleCache {
	c := &ruleCache{root: root, dirs: make(map[string]*rules)}
	if len(exclude) > 0 {
		c.exclude = parseRules([]byte(strings.Join(exclude, "\n")))
	}
	return c
}

// load reads the rules of dir afresh; parent are those of the folder around it,
// maybe tells which names to look for.
func (c *ruleCache) load(dir string, parent *rules, maybe func(name string) bool) *rules {
	if dir == c.root {
		parent = rulesAround(dir)
	}
	r := loadRules(dir, parent, maybe)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dirs[dir] = r
	return r
}

// get returns the rules of dir, reading them only if nobody has.
func (c *ruleCache) get(dir string) *rules {
	c.mu.Lock()
	r, ok := c.dirs[dir]
	c.mu.Unlock()
	if ok {
		return r
	}
	if dir == c.root {
		return c.load(dir, nil, anything)
	}
	return c.load(dir, c.get(filepath.Dir(dir)), anything)
}

// skip is the decision about one entry by its name and the rules r of its
// folder; the folders around it are not looked at.
func (c *ruleCache) skip(r *rules, path string, isDir bool) Skip {
	if repositoryFolder(filepath.Base(path)) {
		return Ignored
	}
	if c.ignored(r, path, isDir) {
		return Ignored
	}
	if !isDir && secret(path) {
		return Secret
	}
	return ""
}

func (c *ruleCache) ignored(r *rules, path string, isDir bool) bool {
	if c.exclude != nil {
		rel := filepath.ToSlash(relTo(c.root, path))
		if ignored, matched := c.exclude.match(rel, isDir); matched {
			return ignored
		}
	}
	return r.ignores(path, isDir)
}
