package syntax

/*
#include <stdlib.h> // defines __GLIBC__ where it is
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
static void keep(int bytes) { mallopt(M_TRIM_THRESHOLD, bytes); }
#else
static void trim(void) {}
static void keep(int bytes) {}
#endif
*/
import "C"

// ReleaseMemory returns memory that parsing has freed in the C library to the system, if the C
// library is glibc, which would keep it. It takes some milliseconds, so call it after many
// files only.
func ReleaseMemory() { C.trim() }

// keptBytes is how much free memory glibc keeps at the end of each of its arenas. The tree of a
// file of 200 KB takes as much. By default, glibc would return the memory of most trees to the
// system after each file, and the next file would cost a page fault for each page.
const keptBytes = 4 << 20

func init() { C.keep(keptBytes) }
