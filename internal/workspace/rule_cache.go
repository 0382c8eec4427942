package workspace

import (
	"path/filepath"
	"strings"
	"sync"
)

// ruleCache caches the ignore rules of a root's folders, as read by the last Walk or else
// at the first use.
type ruleCache struct {
	root    string
	names   NameRules
	exclude *ruleSet // nil if there are none

	mu   sync.Mutex
	dirs map[string]*rules
}

func newRuleCache(root string, names NameRules, exclude []string) *ruleCache {
	c := &ruleCache{root: root, names: names, dirs: make(map[string]*rules)}
	if len(exclude) > 0 {
		c.exclude = parseRules(names, []byte(strings.Join(exclude, "\n")))
	}
	return c
}

// load reads the rules of dir again. parent holds the rules of the folder above it, and
// mayExist reports which ignore files to look for.
func (c *ruleCache) load(dir string, parent *rules, mayExist func(name string) bool) *rules {
	if dir == c.root {
		parent = outerRules(c.names, dir)
	}
	r := loadRules(c.names, dir, parent, mayExist)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dirs[dir] = r
	return r
}

// get returns the rules of dir, and reads them if they are not cached.
func (c *ruleCache) get(dir string) *rules {
	c.mu.Lock()
	r, ok := c.dirs[dir]
	c.mu.Unlock()
	if ok {
		return r
	}
	if dir == c.root {
		return c.load(dir, nil, anyName)
	}
	return c.load(dir, c.get(filepath.Dir(dir)), anyName)
}

// skip returns the reason to skip an entry, by its name and the rules r of its folder. It
// does not check the folders above.
func (c *ruleCache) skip(r *rules, path string, isDir bool) Skip {
	if isRepositoryData(filepath.Base(path)) {
		return Ignored
	}
	if c.ignored(r, path, isDir) {
		return Ignored
	}
	if !isDir && isSecret(path) {
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
