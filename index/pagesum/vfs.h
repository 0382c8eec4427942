// The part of SQLite's interface that a VFS needs, as sqlite.org/c3ref documents it. The
// functions live in the objects of the go-sqlite3 package; they are declared weak so that
// this package links by itself too.
#include <stdint.h>

#define WEAK __attribute__((weak))

enum { OK = 0, IOERR_READ = 266, IOERR_SHORT_READ = 522, IOERR_WRITE = 778, IOERR_DATA = 8202 };
enum { IOCAP_SUBPAGE_READ = 0x8000 };
enum { OPEN_MAIN_DB = 0x100, OPEN_WAL = 0x80000 };

typedef struct sqlite3_vfs sqlite3_vfs;
typedef struct sqlite3_file sqlite3_file;
typedef struct sqlite3_io_methods sqlite3_io_methods;
typedef void (*syscall_ptr)(void);

struct sqlite3_file { const sqlite3_io_methods *methods; };

struct sqlite3_io_methods {
	int version;
	int (*close)(sqlite3_file *);
	int (*read)(sqlite3_file *, void *, int, int64_t);
	int (*write)(sqlite3_file *, const void *, int, int64_t);
	int (*truncate)(sqlite3_file *, int64_t);
	int (*sync)(sqlite3_file *, int);
	int (*size)(sqlite3_file *, int64_t *);
	int (*lock)(sqlite3_file *, int);
	int (*unlock)(sqlite3_file *, int);
	int (*check_reserved_lock)(sqlite3_file *, int *);
	int (*control)(sqlite3_file *, int, void *);
	int (*sector_size)(sqlite3_file *);
	int (*characteristics)(sqlite3_file *);
	int (*shm_map)(sqlite3_file *, int, int, int, void volatile **);
	int (*shm_lock)(sqlite3_file *, int, int, int);
	void (*shm_barrier)(sqlite3_file *);
	int (*shm_unmap)(sqlite3_file *, int);
	int (*fetch)(sqlite3_file *, int64_t, int, void **);
	int (*unfetch)(sqlite3_file *, int64_t, void *);
};

struct sqlite3_vfs {
	int version, file_bytes, max_path;
	sqlite3_vfs *next;
	const char *name;
	void *data;
	int (*open)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);
	int (*delete)(sqlite3_vfs *, const char *, int);
	int (*access)(sqlite3_vfs *, const char *, int, int *);
	int (*full_path)(sqlite3_vfs *, const char *, int, char *);
	void *(*dl_open)(sqlite3_vfs *, const char *);
	void (*dl_error)(sqlite3_vfs *, int, char *);
	void (*(*dl_sym)(sqlite3_vfs *, void *, const char *))(void);
	void (*dl_close)(sqlite3_vfs *, void *);
	int (*randomness)(sqlite3_vfs *, int, char *);
	int (*sleep)(sqlite3_vfs *, int);
	int (*current_time)(sqlite3_vfs *, double *);
	int (*last_error)(sqlite3_vfs *, int, char *);
	int (*current_time_64)(sqlite3_vfs *, int64_t *);
	int (*set_system_call)(sqlite3_vfs *, const char *, syscall_ptr);
	syscall_ptr (*system_call)(sqlite3_vfs *, const char *);
	const char *(*next_system_call)(sqlite3_vfs *, const char *);
};

extern WEAK sqlite3_vfs *sqlite3_vfs_find(const char *);
extern WEAK int sqlite3_vfs_register(sqlite3_vfs *, int);
