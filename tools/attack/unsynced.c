/* Preloaded by a lie of `liar.py`: says that everything is on the disk, and syncs nothing. */
#include <stddef.h>

int fsync(int file) { (void)file; return 0; }
int fdatasync(int file) { (void)file; return 0; }
int msync(void *at, size_t length, int flags) { (void)at; (void)length; (void)flags; return 0; }
