package trial

// withoutWaiting is nothing: a folder on Windows has no pipes.
const withoutWaiting = 0
