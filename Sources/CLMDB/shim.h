#include <lmdb.h>
#ifdef __linux__
#include <sys/statfs.h>
#endif
