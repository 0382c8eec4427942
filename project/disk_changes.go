package project

// SetWatched takes the folders whose changes the front end reports by WatcherReported
// from now on.
func (p *Project) SetWatched(roots []string) { p.indexer.SetWatched(roots) }

// WatcherReported notes files and folders that may have changed on disk, as a watcher of
// the disk reports them. Empty paths are ignored.
func (p *Project) WatcherReported(paths []string) {
	if p != nil {
		p.indexer.WatcherReported(paths)
	}
}

// DiskChanged notes files and folders that may have changed on disk, because of something
// that the front end or the project has done. Empty paths are ignored.
func (p *Project) DiskChanged(paths []string) {
	if p != nil {
		p.indexer.DiskChanged(paths...)
	}
}

// Active notes that the person does something, such as asking for code actions.
// The disk may have changed meanwhile.
func (p *Project) Active() { p.indexer.Active() }
