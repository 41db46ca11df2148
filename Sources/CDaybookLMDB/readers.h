#include <lmdb.h>

#if MDB_VERSION_MAJOR != 0 || MDB_VERSION_MINOR != 9
#error "Daybook reads the pages of LMDB 0.9; this is another version, whose files are others."
#endif

#ifdef __linux__
#include <errno.h>
#include <stdint.h>
#include <sys/types.h>

/* glibc's header of threads has types of another module. */
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_consistent(pthread_mutex_t *);
extern pthread_t pthread_self(void);

/* The start of the lock file in LMDB's lock format 1 (MDB_txninfo in mdb.c of LMDB 0.9), where
   readers lock the byte of their process number (0x10000). */
struct daybook_readers {
    uint32_t magic;
    uint32_t format;
    pthread_mutex_t mutex;
    size_t newest;
    unsigned count;
};
enum { daybook_lock_format = 0x10001 };

/* A slot of the table (MDB_reader). */
struct daybook_reader {
    size_t state;
    pid_t process;
    pthread_t thread;
};

/* Each part of the lock file begins at a multiple of 64 bytes. */
static inline size_t daybook_aligned(size_t size) { return (size + 63) & ~(size_t)63; }

/* Returns the number of slots in a lock file of `size` bytes. */
static inline size_t daybook_reader_limit(size_t size) {
    size_t head = daybook_aligned(sizeof(struct daybook_readers))
        + daybook_aligned(sizeof(pthread_mutex_t));
    return size < head ? 0 : (size - head) / daybook_aligned(sizeof(struct daybook_reader));
}

/* Returns the slot with this index. */
static inline struct daybook_reader *daybook_reader_at(
    struct daybook_readers *table, size_t index) {
    return (struct daybook_reader *)((char *)table + daybook_aligned(sizeof *table)
        + daybook_aligned(sizeof(pthread_mutex_t))
        + index * daybook_aligned(sizeof(struct daybook_reader)));
}

static inline unsigned daybook_reader_count(struct daybook_readers *table) {
    return __atomic_load_n(&table->count, __ATOMIC_SEQ_CST);
}

static inline size_t daybook_newest_state(struct daybook_readers *table) {
    return __atomic_load_n(&table->newest, __ATOMIC_SEQ_CST);
}

/* Gives a slot back. */
static inline void daybook_reader_free(struct daybook_reader *reader) {
    __atomic_store_n(&reader->process, 0, __ATOMIC_SEQ_CST);
}

/* Gives back all slots of a process number whose byte the caller has locked. */
static inline void daybook_readers_clear(
    struct daybook_readers *table, size_t limit, pid_t process) {
    for (size_t index = 0; index < limit && index < daybook_reader_count(table); index++) {
        struct daybook_reader *reader = daybook_reader_at(table, index);
        if (__atomic_load_n(&reader->process, __ATOMIC_SEQ_CST) == process)
            daybook_reader_free(reader);
    }
}

/* Takes a free slot for a process number whose byte the caller has locked, as mdb_txn_renew0 does.
   Returns 0, MDB_READERS_FULL or an errno. */
static inline int daybook_reader_take(
    struct daybook_readers *table, size_t limit, pid_t process, struct daybook_reader **taken) {
    int code = pthread_mutex_lock(&table->mutex);
    /* A holder that died in between left a slot that is free, or that is cleared like others. */
    if (code == EOWNERDEAD) code = pthread_mutex_consistent(&table->mutex);
    if (code != 0) return code;
    size_t count = daybook_reader_count(table), index = 0;
    while (index < count
        && __atomic_load_n(&daybook_reader_at(table, index)->process, __ATOMIC_SEQ_CST) != 0)
        index++;
    if (index < limit) {
        struct daybook_reader *reader = daybook_reader_at(table, index);
        __atomic_store_n(&reader->state, (size_t)-1, __ATOMIC_SEQ_CST);
        reader->thread = pthread_self();
        if (index == count)
            __atomic_store_n(&table->count, (unsigned)(count + 1), __ATOMIC_SEQ_CST);
        __atomic_store_n(&reader->process, process, __ATOMIC_SEQ_CST);
        *taken = reader;
    } else {
        code = MDB_READERS_FULL;
    }
    pthread_mutex_unlock(&table->mutex);
    return code;
}

/* Registers the newest state in a slot, so that no writer reuses its pages, and returns the number
   of the transaction that committed it. */
static inline size_t daybook_reader_begin(
    struct daybook_readers *table, struct daybook_reader *reader) {
    size_t state;
    do {
        state = daybook_newest_state(table);
        __atomic_store_n(&reader->state, state, __ATOMIC_SEQ_CST);
    } while (state != daybook_newest_state(table));
    return state;
}

/* Ends a read; the slot stays taken. */
static inline void daybook_reader_end(struct daybook_reader *reader) {
    __atomic_store_n(&reader->state, (size_t)-1, __ATOMIC_SEQ_CST);
}
#endif
