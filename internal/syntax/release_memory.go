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

// ReleaseMemory returns memory that parsing has freed in the C library to the system, if the C
// library is glibc, which would keep it. It takes some milliseconds, so call it after many
// files only.
func ReleaseMemory() { C.trim() }
