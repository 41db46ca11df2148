/* Preloaded into the tool: makes one call on the log's files fail, records what is written to
 * them, or notes which pages are read.
 *
 *   ATTACK_FILES   beginning of the paths that count, links resolved
 *   ATTACK_STATE   file of counters: calls of each kind, faults made, faults on the first file
 *                  itself and not on one beside it
 *   ATTACK_MAIN    the path of that file
 *   ATTACK_FAULT   KIND:N:ERRNO:once|on|short   the n-th call of a kind fails, or all from it on,
 *                  or it writes half of what it was given
 *   ATTACK_RECORD  file to which every write, sync and change of size is added
 *   ATTACK_TOUCH   file of one byte a page of a file that LMDB maps, 1 where LMDB's map was read:
 *                  the tool's own maps are for its checks, which look at more than a command needs
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, WRITE, PWRITE, PWRITEV, FSYNC, FDATASYNC, MSYNC, FTRUNCATE, RENAME, MMAP, KINDS };
static const char *const names[KINDS] = {
    "open", "write", "pwrite", "pwritev", "fsync", "fdatasync", "msync", "ftruncate", "rename",
    "mmap"};

static const char *files;
static uint64_t *state, local_state[KINDS + 2];
static const char *main_file;
static int fault_kind = -1, fault_errno, fault_short, fault_on;
static uint64_t fault_number;
static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned char *touched;
static size_t touched_size;
static long page_size;

/* The maps that LMDB has now. */
enum { MAPS = 16 };
static struct { unsigned char *start; size_t size; } maps[MAPS];

#define REAL(name) ({ static __typeof__(name) *real; \
    real ? real : (real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)); })

static void *shared(const char *path, size_t size) {
    int file = REAL(open)(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || REAL(ftruncate)(file, (off_t)size) != 0) abort();
    void *at = REAL(mmap)(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) abort();
    return at;
}

static struct sigaction before;

static void on_fault(int number, siginfo_t *info, void *context) {
    unsigned char *at = info->si_addr;
    for (int index = 0; index < MAPS; index++) {
        unsigned char *start = maps[index].start;
        if (!start || at < start || at >= start + maps[index].size) continue;
        size_t page = (size_t)(at - start) / (size_t)page_size;
        if (page < touched_size) touched[page] = 1;
        mprotect(start + page * (size_t)page_size, (size_t)page_size, PROT_READ);
        return;
    }
    (void)number; (void)context;
    sigaction(SIGSEGV, &before, NULL);
}

__attribute__((constructor(101))) static void begin(void) {
    page_size = sysconf(_SC_PAGESIZE);
    files = getenv("ATTACK_FILES");
    main_file = getenv("ATTACK_MAIN");
    state = local_state;
    const char *path = getenv("ATTACK_STATE");
    if (path) state = shared(path, sizeof(uint64_t) * (KINDS + 2));
    const char *fault = getenv("ATTACK_FAULT");
    char kind[16], mode[16];
    unsigned long long number;
    int code;
    if (fault && sscanf(fault, "%15[a-z]:%llu:%d:%15s", kind, &number, &code, mode) == 4) {
        for (int index = 0; index < KINDS; index++)
            if (strcmp(kind, names[index]) == 0) fault_kind = index;
        fault_number = number;
        fault_errno = code;
        fault_on = strcmp(mode, "on") == 0;
        fault_short = strcmp(mode, "short") == 0;
    }
    path = getenv("ATTACK_RECORD");
    if (path) record = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    path = getenv("ATTACK_TOUCH");
    if (path) {
        touched_size = 1 << 20;
        touched = shared(path, touched_size);
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
        sigaction(SIGSEGV, &action, &before);
    }
}

/* The tool's own handler would come before the one that notes pages; it becomes the next one. */
void (*signal(int number, void (*handler)(int)))(int) {
    if (number != SIGSEGV || !touched) return REAL(signal)(number, handler);
    void (*last)(int) = before.sa_handler;
    memset(&before, 0, sizeof before);
    before.sa_handler = handler;
    return last;
}

static int counts_path(const char *path) {
    return files && path && strncmp(path, files, strlen(files)) == 0;
}

static int path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static int counts(int file) {
    char path[PATH_MAX];
    int saved = errno, answer = path_of(file, path) && counts_path(path);
    errno = saved;
    return answer;
}

/* Counts a call on a path; 1 if it is to fail. */
static int path_fails(enum kind kind, const char *path) {
    uint64_t number = __atomic_add_fetch(&state[kind], 1, __ATOMIC_SEQ_CST);
    if ((int)kind != fault_kind || number < fault_number || (!fault_on && number > fault_number))
        return 0;
    __atomic_add_fetch(&state[KINDS], 1, __ATOMIC_SEQ_CST);
    if (main_file && path && strcmp(path, main_file) == 0)
        __atomic_add_fetch(&state[KINDS + 1], 1, __ATOMIC_SEQ_CST);
    errno = fault_errno;
    return 1;
}

static int fails(enum kind kind, int file) {
    char path[PATH_MAX];
    return path_fails(kind, path_of(file, path) ? path : NULL);
}

/* One record: kind, path length, offset, length; path; data. A `d` is a write that was durable
 * when it returned, an `s` a sync of a file, an `f` of a folder, a `t` a change of size, an `x` a
 * library that takes syncs before the C library does. */
static void note_path(char what, const char *path, off_t offset, const void *data, size_t length) {
    struct { char what; char pad[3]; uint32_t path; int64_t offset; uint64_t length; } head =
        {what, {0}, (uint32_t)strlen(path), offset, length};
    struct iovec parts[3] = {
        {&head, sizeof head}, {(void *)path, head.path}, {(void *)data, data ? length : 0}};
    pthread_mutex_lock(&lock);
    if (REAL(writev)(record, parts, 3) < 0) abort();
    pthread_mutex_unlock(&lock);
}

static void note(char what, int file, off_t offset, const void *data, size_t length) {
    char path[PATH_MAX];
    if (record < 0 || !path_of(file, path)) return;
    note_path(what, path, offset, data, length);
}

/* A call that is recorded here is made only if what is called next is the C library. */
__attribute__((constructor(200))) static void note_strangers(void) {
    static const char *const syncs[] = {"fsync", "fdatasync", "msync", "pwrite", "pwritev"};
    static const char *const libraries[] = {"libc.", "libc-", "libpthread", "ld-musl"};
    for (size_t index = 0; record >= 0 && index < sizeof syncs / sizeof *syncs; index++) {
        Dl_info found;
        void *next = dlsym(RTLD_NEXT, syncs[index]);
        if (!next || !dladdr(next, &found) || !found.dli_fname) continue;
        const char *name = strrchr(found.dli_fname, '/');
        name = name ? name + 1 : found.dli_fname;
        size_t known = 0, count = sizeof libraries / sizeof *libraries;
        while (known < count && strncmp(name, libraries[known], strlen(libraries[known]))) known++;
        if (known == count) note_path('x', found.dli_fname, 0, NULL, 0);
    }
}

static void note_write(int file, off_t offset, const void *data, ssize_t length) {
    if (record < 0 || length <= 0) return;
    int flags = fcntl(file, F_GETFL);
    note(flags & O_DSYNC ? 'd' : 'w', file, offset, data, (size_t)length);
}

static size_t shorter(size_t count) { return count > 1 ? count / 2 : count; }

ssize_t write(int file, const void *data, size_t count) {
    if (!counts(file)) return REAL(write)(file, data, count);
    if (fails(WRITE, file)) {
        if (!fault_short) return -1;
        count = shorter(count);
    }
    off_t at = lseek(file, 0, SEEK_CUR);
    if (fcntl(file, F_GETFL) & O_APPEND) { struct stat s; fstat(file, &s); at = s.st_size; }
    ssize_t done = REAL(write)(file, data, count);
    note_write(file, at, data, done);
    return done;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (!counts(file)) return REAL(writev)(file, parts, count);
    ssize_t all = 0;
    for (int index = 0; index < count; index++) {
        ssize_t done = write(file, parts[index].iov_base, parts[index].iov_len);
        if (done < 0) return all ? all : -1;
        all += done;
        if ((size_t)done < parts[index].iov_len) break;
    }
    return all;
}

static ssize_t write_at(int file, const void *data, size_t count, off_t at) {
    if (counts(file) && fails(PWRITE, file)) {
        if (!fault_short) return -1;
        count = shorter(count);
    }
    ssize_t done = REAL(pwrite)(file, data, count, at);
    if (record >= 0 && counts(file)) note_write(file, at, data, done);
    return done;
}

ssize_t pwrite(int file, const void *data, size_t count, off_t at) {
    return write_at(file, data, count, at);
}
ssize_t pwrite64(int file, const void *data, size_t count, off_t at) {
    return write_at(file, data, count, at);
}

static ssize_t write_all_at(int file, const struct iovec *parts, int count, off_t at) {
    if (!counts(file)) return REAL(pwritev)(file, parts, count, at);
    int cut = 0;
    if (fails(PWRITEV, file)) {
        if (!fault_short) return -1;
        cut = 1;
    }
    ssize_t all = 0;
    for (int index = 0; index < count; index++) {
        size_t length = parts[index].iov_len;
        if (cut && index == count / 2) length = shorter(length);
        ssize_t done = REAL(pwrite)(file, parts[index].iov_base, length, at + all);
        if (done < 0) return all ? all : -1;
        note_write(file, at + all, parts[index].iov_base, done);
        all += done;
        if ((size_t)done < parts[index].iov_len) break;
    }
    return all;
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
    return write_all_at(file, parts, count, at);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off_t at) {
    return write_all_at(file, parts, count, at);
}

static void note_sync(int file) {
    struct stat status;
    if (record < 0 || fstat(file, &status) != 0) return;
    note(S_ISDIR(status.st_mode) ? 'f' : 's', file, 0, NULL, 0);
}

int fsync(int file) {
    if (counts(file) && fails(FSYNC, file)) return -1;
    int code = REAL(fsync)(file);
    if (code == 0) note_sync(file);
    return code;
}

int fdatasync(int file) {
    if (counts(file) && fails(FDATASYNC, file)) return -1;
    int code = REAL(fdatasync)(file);
    if (code == 0) note_sync(file);
    return code;
}

int msync(void *at, size_t length, int flags) {
    if (path_fails(MSYNC, NULL)) return -1;
    return REAL(msync)(at, length, flags);
}

static int cut(int file, off_t length) {
    if (counts(file) && fails(FTRUNCATE, file)) return -1;
    int code = REAL(ftruncate)(file, length);
    if (code == 0 && counts(file)) note('t', file, length, NULL, 0);
    return code;
}
int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off_t length) { return cut(file, length); }

int rename(const char *from, const char *to) {
    if (counts_path(to) && path_fails(RENAME, to)) return -1;
    return REAL(rename)(from, to);
}

static int open_path_fails(int folder, const char *path) {
    char whole[PATH_MAX];
    if (!path || folder != AT_FDCWD) return 0;
    if (path[0] != '/') {
        if (!getcwd(whole, sizeof whole)) return 0;
        strncat(whole, "/", sizeof whole - strlen(whole) - 1);
        strncat(whole, path, sizeof whole - strlen(whole) - 1);
        path = whole;
    }
    return counts_path(path) && path_fails(OPEN, path);
}

#define OPENER(name, folder, ...) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    } \
    if (open_path_fails(folder, path)) return -1; \
    return REAL(name)(__VA_ARGS__, flags, mode);

int open(const char *path, int flags, ...) { OPENER(open, AT_FDCWD, path) }
int open64(const char *path, int flags, ...) { OPENER(open64, AT_FDCWD, path) }
int openat(int folder, const char *path, int flags, ...) { OPENER(openat, folder, folder, path) }
int openat64(int folder, const char *path, int flags, ...) { OPENER(openat64, folder, folder, path) }

/* True where a call comes from LMDB. */
static int is_of_lmdb(void *caller) {
    Dl_info found;
    return dladdr(caller, &found) && found.dli_fname && strstr(found.dli_fname, "liblmdb");
}

static void *map_file(
    void *at, size_t size, int protection, int flags, int file, off_t offset, void *caller) {
    if (file >= 0 && counts(file) && fails(MMAP, file)) return MAP_FAILED;
    unsigned char *found = REAL(mmap)(at, size, protection, flags, file, offset);
    char path[PATH_MAX];
    if (!touched || found == MAP_FAILED || file < 0 || !counts(file) || !is_of_lmdb(caller)
        || !path_of(file, path) || strstr(path, "lock"))
        return found;
    for (int index = 0; index < MAPS; index++) {
        if (maps[index].start) continue;
        maps[index].start = found;
        maps[index].size = size;
        mprotect(found, size, PROT_NONE);
        break;
    }
    return found;
}
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return map_file(at, size, protection, flags, file, offset, __builtin_return_address(0));
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return map_file(at, size, protection, flags, file, offset, __builtin_return_address(0));
}

int munmap(void *at, size_t size) {
    for (int index = 0; index < MAPS; index++)
        if (maps[index].start == at) maps[index].start = NULL;
    return REAL(munmap)(at, size);
}
