package syntax

/*
#include <stdlib.h> // defines __GLIBC__ where it is
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// ReleaseMemory gives what parsing has left unused in the C library back to the
// system, where that library keeps it for later. It takes some milliseconds, and is
// worth it after many files.
func ReleaseMemory() { C.trim() }
