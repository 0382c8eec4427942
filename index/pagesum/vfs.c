#include "vfs.h"

#include <stdbool.h>
#include <string.h>

// file is an open file: a header, and the file of the system's VFS behind it.
typedef struct {
	sqlite3_file base;
	bool database, wal;
	sqlite3_file system[];
} file;

static sqlite3_vfs *parent, checked;

static sqlite3_file *below(sqlite3_file *f) { return ((file *)f)->system; }

// A page ends in its checksum. The byte 20 of the first page says how many bytes at the end
// of each page SQLite leaves alone.
enum { SUM_BYTES = 8, RESERVED_AT = 20, MIN_PAGE = 512 };

static bool is_page_size(int n) { return n >= MIN_PAGE && (n & (n - 1)) == 0; }

// checksum is Fletcher's, of 64 bits. It begins with the page's number, so that a page in
// another page's place has a wrong checksum.
static uint64_t checksum(const uint8_t *page, int n, int64_t at) {
	uint64_t a = (uint64_t)(at / n) + 1, b = 0;
	for (int i = 0; i < n - SUM_BYTES; i += 8) { // two steps at once, which takes half the time
		uint32_t words[2];
		memcpy(words, page + i, sizeof words);
		b += 2 * (a + words[0]) + words[1];
		a += (uint64_t)words[0] + words[1];
	}
	return b % UINT32_MAX << 32 | a % UINT32_MAX;
}

static int read_page(file *f, uint8_t *page, int n, int64_t at) {
	int rc = f->system->methods->read(f->system, page, n, at);
	if (!is_page_size(n) || at % n != 0 || (rc == IOERR_SHORT_READ && at == 0)) return rc; // the first page of a new file
	if (rc != OK) return rc == IOERR_SHORT_READ ? IOERR_DATA : rc;
	uint64_t sum;
	memcpy(&sum, page + n - SUM_BYTES, SUM_BYTES);
	return sum == checksum(page, n, at) ? OK : IOERR_DATA;
}

static uint32_t big_endian(const uint8_t *p) {
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t little_endian(const uint8_t *p) {
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

// The log is a header and frames. A frame is a header and a page. Each header ends in two
// sums that continue those of the header before.
enum { WAL_HEADER = 32, FRAME_HEADER = 24, FRAME_SUMMED = 8, FRAME_SUMS = 16, WAL_SUMS = 24 };

static void add(uint32_t sums[2], const uint8_t *data, int n, uint32_t (*word)(const uint8_t *)) {
	for (int i = 0; i < n; i += 8) {
		sums[0] += word(data + i) + sums[1];
		sums[1] += word(data + i + 4) + sums[0];
	}
}

static int read_wal(file *f, uint8_t *page, int n, int64_t at) {
	int (*read)(sqlite3_file *, void *, int, int64_t) = f->system->methods->read;
	int rc = read(f->system, page, n, at);
	int64_t frame = at - FRAME_HEADER;
	if (rc != OK || !is_page_size(n) || frame < WAL_HEADER || (frame - WAL_HEADER) % (n + FRAME_HEADER) != 0) return rc;
	uint8_t magic[4], header[FRAME_HEADER], before[8];
	int64_t sums_before = frame == WAL_HEADER ? WAL_SUMS : frame - (n + FRAME_HEADER) + FRAME_SUMS;
	if ((rc = read(f->system, magic, sizeof magic, 0)) != OK) return rc;
	if ((rc = read(f->system, header, sizeof header, frame)) != OK) return rc;
	if ((rc = read(f->system, before, sizeof before, sums_before)) != OK) return rc;
	uint32_t sums[2] = {big_endian(before), big_endian(before + 4)};
	uint32_t (*word)(const uint8_t *) = magic[3] & 1 ? big_endian : little_endian;
	add(sums, header, FRAME_SUMMED, word);
	add(sums, page, n, word);
	bool right = sums[0] == big_endian(header + FRAME_SUMS) && sums[1] == big_endian(header + FRAME_SUMS + 4);
	return right ? OK : IOERR_DATA;
}

static int checked_read(sqlite3_file *base, void *data, int n, int64_t at) {
	file *f = (file *)base;
	if (f->database) return read_page(f, data, n, at);
	if (f->wal) return read_wal(f, data, n, at);
	return f->system->methods->read(f->system, data, n, at);
}

static int checked_write(sqlite3_file *base, const void *data, int n, int64_t at) {
	file *f = (file *)base;
	if (f->database && is_page_size(n) && at % n == 0) {
		uint8_t *page = (uint8_t *)data; // SQLite does not use the reserved bytes
		if (at == 0 && page[RESERVED_AT] != SUM_BYTES) return IOERR_WRITE;
		uint64_t sum = checksum(page, n, at);
		memcpy(page + n - SUM_BYTES, &sum, SUM_BYTES);
	}
	return f->system->methods->write(f->system, data, n, at);
}

// The other methods are the system's.
#define METHOD(name, parameters, arguments) \
	static int pass_##name parameters { return below(f)->methods->name arguments; }
METHOD(close, (sqlite3_file *f), (below(f)))
METHOD(truncate, (sqlite3_file *f, int64_t size), (below(f), size))
METHOD(sync, (sqlite3_file *f, int flags), (below(f), flags))
METHOD(size, (sqlite3_file *f, int64_t *size), (below(f), size))
METHOD(lock, (sqlite3_file *f, int level), (below(f), level))
METHOD(unlock, (sqlite3_file *f, int level), (below(f), level))
METHOD(check_reserved_lock, (sqlite3_file *f, int *held), (below(f), held))
METHOD(control, (sqlite3_file *f, int op, void *arg), (below(f), op, arg))
METHOD(sector_size, (sqlite3_file *f), (below(f)))
METHOD(shm_map, (sqlite3_file *f, int page, int size, int extend, void volatile **at), (below(f), page, size, extend, at))
METHOD(shm_lock, (sqlite3_file *f, int at, int n, int flags), (below(f), at, n, flags))
METHOD(shm_unmap, (sqlite3_file *f, int delete), (below(f), delete))
static void pass_shm_barrier(sqlite3_file *f) { below(f)->methods->shm_barrier(below(f)); }

// whole_pages makes SQLite read no part of a page, which could not be checked.
static int whole_pages(sqlite3_file *f) { return below(f)->methods->characteristics(below(f)) & ~IOCAP_SUBPAGE_READ; }

// Version 2 has no memory-mapped reads, which would not be checked.
static const sqlite3_io_methods methods = {
	.version = 2, .close = pass_close, .read = checked_read, .write = checked_write, .truncate = pass_truncate,
	.sync = pass_sync, .size = pass_size, .lock = pass_lock, .unlock = pass_unlock,
	.check_reserved_lock = pass_check_reserved_lock, .control = pass_control, .sector_size = pass_sector_size,
	.characteristics = whole_pages, .shm_map = pass_shm_map, .shm_lock = pass_shm_lock,
	.shm_barrier = pass_shm_barrier, .shm_unmap = pass_shm_unmap,
};

static int checked_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out) {
	file *f = (file *)base;
	f->base.methods = 0;
	f->database = flags & OPEN_MAIN_DB;
	f->wal = flags & OPEN_WAL;
	int rc = parent->open(parent, name, f->system, flags, out);
	if (f->system->methods) f->base.methods = &methods; // also after an error, so that SQLite closes it
	return rc;
}

// pagesum_register registers the VFS. It returns an error code of SQLite.
int pagesum_register(const char *name) {
	if (!sqlite3_vfs_find || !(parent = sqlite3_vfs_find(0))) return IOERR_READ;
	checked = *parent;
	checked.next = 0;
	checked.name = name;
	checked.file_bytes += sizeof(file);
	checked.open = checked_open;
	return sqlite3_vfs_register(&checked, 0);
}
