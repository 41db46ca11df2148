#include <lmdb.h>
#ifdef __linux__
#include <sys/statfs.h>
#endif

#ifdef __linux__
/* glibc declares it under _GNU_SOURCE alone, which Swift's importer does not define. */
extern int fallocate(int, int, long, long);
#endif
#include <errno.h>

/* Gives the first `size` bytes of a file their blocks and leaves its length as it is (1 is
   FALLOC_FL_KEEP_SIZE). Returns an errno; ENOTSUP where the system has no such call. */
static inline int daybook_reserve(int descriptor, long long size) {
#ifdef __linux__
    int code;
    do {
        code = fallocate(descriptor, 1, 0, (long)size) == 0 ? 0 : errno;
    } while (code == EINTR);
    return code;
#else
    return ENOTSUP;
#endif
}

#ifdef __linux__
/* Only macros; headers with types would make them this module's. */
#include <sys/syscall.h>
extern long syscall(long, ...);

/* renameat2(2) from the working folder (-100 is AT_FDCWD), which glibc declares under _GNU_SOURCE
   alone; 1 is RENAME_NOREPLACE. */
static inline int daybook_rename_without_replacing(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, -100, from, -100, to, 1u);
}
#endif

/* Asks the processor to fetch the 192 bytes at an address, of which none need be readable. */
static inline void daybook_prefetch(const void *address) {
    __builtin_prefetch(address);
    __builtin_prefetch((const char *)address + 64);
    __builtin_prefetch((const char *)address + 128);
}
