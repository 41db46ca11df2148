#include "baseline.h"

#include <lmdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRY(call) do { int code = (call); if (code) return code; } while (0)

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int open_environment(const char *path, unsigned flags, MDB_env **env) {
    TRY(mdb_env_create(env));
    TRY(mdb_env_set_mapsize(*env, (size_t)16 << 30));
    TRY(mdb_env_set_maxdbs(*env, 16));
    return mdb_env_open(*env, path, MDB_NOSUBDIR | MDB_NOTLS | flags, 0644);
}

uint64_t baseline_sum(const void *bytes, size_t count) {
    const char *at = bytes;
    uint64_t sum = 0;
    size_t words = count / 8;
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, at + 8 * i, 8);
        sum += word;
    }
    for (size_t i = words * 8; i < count; i++) sum += (unsigned char)at[i];
    return sum;
}

int baseline_scan(const char *path, double *seconds, uint64_t *rows, uint64_t *sum) {
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi events;
    MDB_cursor *cursor;
    MDB_val key, value;
    TRY(open_environment(path, MDB_RDONLY, &env));
    TRY(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
    TRY(mdb_dbi_open(txn, "events", MDB_INTEGERKEY, &events));
    double start = now();
    uint64_t total = 0, count = 0;
    TRY(mdb_cursor_open(txn, events, &cursor));
    int code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
    while (code == 0) {
        // The checksum behind each row is no part of the event.
        if (value.mv_size < BASELINE_CHECKSUM) return MDB_CORRUPTED;
        total += baseline_sum(value.mv_data, value.mv_size - BASELINE_CHECKSUM);
        count++;
        code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    *seconds = now() - start;
    *rows = count;
    *sum = total;
    mdb_txn_abort(txn);
    mdb_env_close(env);
    return code == MDB_NOTFOUND ? 0 : code;
}

// The checksum of docs/format.md, over a table's number, a key and a value.

#define FIRST_CONSTANT 0xA0761D6478BD642Fu
#define SECOND_CONSTANT 0xE7037ED1A0B428DBu

static uint64_t fold_product(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static uint64_t word_at(const unsigned char *bytes, size_t count, size_t at) {
    uint64_t word = 0;
    if (at < count) memcpy(&word, bytes + at, count - at < 8 ? count - at : 8);
    return word;
}

static uint64_t lanes(const unsigned char *bytes, size_t count, uint64_t even) {
    uint64_t odd = even ^ SECOND_CONSTANT;
    size_t at = 0;
    for (; at + 32 <= count; at += 32) {
        uint64_t words[4];
        memcpy(words, bytes + at, 32);
        even = fold_product(words[0] ^ FIRST_CONSTANT, words[1] ^ even);
        odd = fold_product(words[2] ^ SECOND_CONSTANT, words[3] ^ odd);
    }
    for (; at < count; at += 16)
        even = fold_product(
            word_at(bytes, count, at) ^ FIRST_CONSTANT, word_at(bytes, count, at + 8) ^ even);
    return fold_product(even ^ count, odd ^ FIRST_CONSTANT);
}

// Writes the checksum of a value with the room for it at its end. Integer keys have 8 bytes.
static void add_checksum(uint64_t table, int is_integer, const MDB_val *key, MDB_val *value) {
    size_t count = value->mv_size - BASELINE_CHECKSUM;
    uint64_t sum, number = 0;
    if (is_integer) {
        memcpy(&number, key->mv_data, 8);
        sum = fold_product(table ^ FIRST_CONSTANT, number ^ SECOND_CONSTANT);
    } else {
        sum = lanes(
            key->mv_data, key->mv_size, fold_product(table ^ FIRST_CONSTANT, SECOND_CONSTANT));
    }
    sum = lanes(value->mv_data, count, sum);
    memcpy((unsigned char *)value->mv_data + count, &sum, BASELINE_CHECKSUM);
}

// A tag, or the kind, of an event that the index lacks. The kind has the greatest number as tag.
typedef struct {
    uint64_t tag;
    uint64_t position;
} entry;

#define INDEX_LAG 32768
#define BLOCK_POSITIONS 512
#define KIND_ENTRY UINT64_MAX

// A log under way: what one transaction writes goes through it.
typedef struct {
    const baseline_shape *shape;
    MDB_env *env;
    MDB_dbi events, commits, tags, kinds, index, meta;
    uint64_t head, indexed;
    entry *entries;
    size_t entry_count;
    uint64_t *last_of_tag[4];
    // The tags of the transaction under way, each once: which tag in the high half, its value.
    uint64_t *touched;
    size_t touched_count, touched_room;
    unsigned char event[1024];
    unsigned char commit[1024];
} writer;

static int writer_open(writer *w, const char *path, const baseline_shape *shape) {
    MDB_txn *txn;
    memset(w, 0, sizeof *w);
    memset(w->event, 0x5A, sizeof w->event);
    memset(w->commit, 0x5A, sizeof w->commit);
    w->shape = shape;
    for (int t = 0; t < shape->tag_count; t++)
        w->last_of_tag[t] = calloc(shape->tag_values[t], sizeof(uint64_t));
    TRY(open_environment(path, 0, &w->env));
    TRY(mdb_txn_begin(w->env, NULL, 0, &txn));
    TRY(mdb_dbi_open(txn, "events", MDB_CREATE | MDB_INTEGERKEY, &w->events));
    TRY(mdb_dbi_open(txn, "commits", MDB_CREATE | MDB_INTEGERKEY, &w->commits));
    TRY(mdb_dbi_open(txn, "tags", MDB_CREATE, &w->tags));
    TRY(mdb_dbi_open(txn, "kinds", MDB_CREATE | MDB_INTEGERKEY, &w->kinds));
    if (shape->has_index) {
        TRY(mdb_dbi_open(txn, "index", MDB_CREATE, &w->index));
        TRY(mdb_dbi_open(txn, "meta", MDB_CREATE, &w->meta));
    }
    return mdb_txn_commit(txn);
}

static void writer_close(writer *w) {
    mdb_env_close(w->env);
    for (int t = 0; t < w->shape->tag_count; t++) free(w->last_of_tag[t]);
    free(w->touched);
    free(w->entries);
}

static uint64_t mixed(uint64_t value) {
    value *= 0x9E3779B97F4A7C15u;
    return value ^ (value >> 32);
}

static void remember(writer *w, uint64_t tag, uint64_t position) {
    // Room for all that one pass indexes, doubled as it fills.
    if ((w->entry_count & (w->entry_count - 1)) == 0)
        w->entries = realloc(w->entries, (w->entry_count * 2 + 64) * sizeof *w->entries);
    w->entries[w->entry_count++] = (entry){tag, position};
}

static void touch(writer *w, uint64_t before, int tag, uint64_t position) {
    uint64_t value = mixed(position * 4 + (uint64_t)tag) % w->shape->tag_values[tag];
    uint64_t *last = &w->last_of_tag[tag][value];
    if (*last <= before) {
        if (w->touched_count == w->touched_room) {
            w->touched_room = w->touched_room * 2 + 64;
            w->touched = realloc(w->touched, w->touched_room * sizeof *w->touched);
        }
        w->touched[w->touched_count++] = (uint64_t)tag << 32 | value;
    }
    *last = position;
    if (w->shape->has_index) remember(w, (uint64_t)tag << 32 | value, position);
}

static int ascending(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

// `before` is the head before the transaction.
static int writer_commit(writer *w, MDB_txn *txn, uint64_t before, uint64_t events) {
    MDB_val key = {8, NULL}, value;
    uint64_t first = w->head + 1;
    for (uint64_t i = 0; i < events; i++) {
        uint64_t position = ++w->head;
        memcpy(w->event, &position, 8);
        key.mv_data = &position;
        value.mv_size = w->shape->event_size;
        value.mv_data = w->event;
        if (w->shape->has_index) add_checksum(2, 1, &key, &value);
        TRY(mdb_put(txn, w->events, &key, &value, MDB_APPEND));
        if (w->shape->has_index) remember(w, KIND_ENTRY, position);
        for (int t = 0; t < w->shape->tag_count; t++)
            touch(w, before, t, position);
    }
    if (!w->shape->all_tables) return 0;
    key.mv_data = &first;
    value.mv_size = w->shape->commit_size;
    value.mv_data = w->commit;
    if (w->shape->has_index) add_checksum(3, 1, &key, &value);
    return mdb_put(txn, w->commits, &key, &value, MDB_APPEND);
}

// Writes the last positions that changed, then makes all durable.
static int writer_finish(writer *w, MDB_txn *txn) {
    if (w->shape->all_tables) {
        // A position and the room of a checksum.
        unsigned char last[8 + BASELINE_CHECKSUM] = {0};
        MDB_val key, value = {sizeof last, last};
        char name[32];
        qsort(w->touched, w->touched_count, sizeof *w->touched, ascending);
        for (size_t i = 0; i < w->touched_count; i++) {
            uint32_t tag = (uint32_t)(w->touched[i] >> 32), number = (uint32_t)w->touched[i];
            key.mv_size = (size_t)snprintf(name, sizeof name, "%c-tag:%09u", 'a' + tag, number);
            key.mv_data = name;
            memcpy(last, &w->last_of_tag[tag][number], 8);
            if (w->shape->has_index) add_checksum(5, 0, &key, &value);
            TRY(mdb_put(txn, w->tags, &key, &value, 0));
        }
        uint64_t kind = 1;
        key.mv_size = 8;
        key.mv_data = &kind;
        memcpy(last, &w->head, 8);
        if (w->shape->has_index) add_checksum(6, 1, &key, &value);
        TRY(mdb_put(txn, w->kinds, &key, &value, 0));
    }
    w->touched_count = 0;
    return mdb_txn_commit(txn);
}

static int ascending_entries(const void *a, const void *b) {
    const entry *left = a, *right = b;
    if (left->tag != right->tag) return left->tag < right->tag ? -1 : 1;
    return left->position < right->position ? -1 : left->position > right->position;
}

static size_t add_leb128(unsigned char *bytes, uint64_t value) {
    size_t count = 0;
    while (value >= 0x80) {
        bytes[count++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    bytes[count++] = (unsigned char)value;
    return count;
}

// The key of a block that ends at a position, or of the summary: its tag, a zero byte, the position.
static size_t index_key(unsigned char *key, uint64_t tag, uint64_t position) {
    size_t count;
    if (tag == KIND_ENTRY) {
        memcpy(key, "k\0\1", 3);
        count = 3;
    } else {
        count = (size_t)sprintf(
            (char *)key, "t%c-tag:%09u", 'a' + (int)(tag >> 32), (uint32_t)tag);
    }
    key[count++] = 0;
    for (int shift = 56; shift >= 0; shift -= 8) key[count++] = (unsigned char)(position >> shift);
    return count;
}

// Adds the blocks and the summary of one tag, whose entries are `count` from `from` on.
static int index_tag(writer *w, MDB_txn *txn, const entry *from, size_t count) {
    unsigned char name[64], row[16 + 10 * BLOCK_POSITIONS + BASELINE_CHECKSUM];
    uint64_t summary[2] = {0, 0};
    MDB_val key = {0, name}, value;
    key.mv_size = index_key(name, from->tag, UINT64_MAX);
    int code = mdb_get(txn, w->index, &key, &value);
    if (code == 0) memcpy(summary, value.mv_data, sizeof summary);
    else if (code != MDB_NOTFOUND) return code;
    while (count > 0) {
        size_t used = count < BLOCK_POSITIONS ? count : BLOCK_POSITIONS, size = 8;
        uint64_t last = summary[0];
        memcpy(row, &last, 8);
        for (size_t i = 0; i < used; i++) {
            size += add_leb128(row + size, from[i].position - last);
            last = from[i].position;
        }
        key.mv_size = index_key(name, from->tag, last);
        value = (MDB_val){size + BASELINE_CHECKSUM, row};
        add_checksum(11, 0, &key, &value);
        TRY(mdb_put(txn, w->index, &key, &value, 0));
        summary[0] = last;
        summary[1] += used;
        from += used;
        count -= used;
    }
    memcpy(row, summary, sizeof summary);
    key.mv_size = index_key(name, (from - 1)->tag, UINT64_MAX);
    value = (MDB_val){sizeof summary + BASELINE_CHECKSUM, row};
    add_checksum(11, 0, &key, &value);
    return mdb_put(txn, w->index, &key, &value, 0);
}

// Writes the index of all events that it lacks, in a transaction of its own, as Daybook does.
static int writer_index(writer *w) {
    MDB_txn *txn;
    if (!w->shape->has_index || w->head < w->indexed + INDEX_LAG) return 0;
    TRY(mdb_txn_begin(w->env, NULL, 0, &txn));
    qsort(w->entries, w->entry_count, sizeof *w->entries, ascending_entries);
    for (size_t from = 0; from < w->entry_count;) {
        size_t end = from;
        while (end < w->entry_count && w->entries[end].tag == w->entries[from].tag) end++;
        TRY(index_tag(w, txn, w->entries + from, end - from));
        from = end;
    }
    unsigned char last[8 + BASELINE_CHECKSUM];
    char name[] = "indexedThrough";
    MDB_val key = {sizeof name - 1, name}, value = {sizeof last, last};
    memcpy(last, &w->head, 8);
    add_checksum(1, 0, &key, &value);
    TRY(mdb_put(txn, w->meta, &key, &value, 0));
    TRY(mdb_txn_commit(txn));
    w->indexed = w->head;
    w->entry_count = 0;
    free(w->entries);
    w->entries = NULL;
    return 0;
}

int baseline_append(
    const char *path, const baseline_shape *shape, uint64_t commits, uint64_t events_per_commit,
    double *seconds
) {
    writer w;
    TRY(writer_open(&w, path, shape));
    double start = now();
    for (uint64_t i = 0; i < commits; i++) {
        MDB_txn *txn;
        uint64_t before = w.head;
        TRY(mdb_txn_begin(w.env, NULL, 0, &txn));
        TRY(writer_commit(&w, txn, before, events_per_commit));
        TRY(writer_finish(&w, txn));
        TRY(writer_index(&w));
    }
    *seconds = now() - start;
    writer_close(&w);
    return 0;
}

typedef struct {
    writer w;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t asked, done;
    uint64_t per_thread;
    int is_led;
    int failure;
} group;

// The first thread to come writes for all that came while the last transaction was under way.
static void *group_thread(void *argument) {
    group *g = argument;
    for (uint64_t i = 0; i < g->per_thread; i++) {
        pthread_mutex_lock(&g->lock);
        uint64_t ticket = ++g->asked;
        while (g->done < ticket && !g->failure) {
            if (g->is_led) {
                pthread_cond_wait(&g->changed, &g->lock);
                continue;
            }
            g->is_led = 1;
            uint64_t from = g->done, to = g->asked;
            pthread_mutex_unlock(&g->lock);
            MDB_txn *txn;
            uint64_t before = g->w.head;
            int code = mdb_txn_begin(g->w.env, NULL, 0, &txn);
            for (uint64_t n = from; n < to && !code; n++) code = writer_commit(&g->w, txn, before, 1);
            if (!code) code = writer_finish(&g->w, txn);
            pthread_mutex_lock(&g->lock);
            g->done = to;
            g->failure = code;
            g->is_led = 0;
            pthread_cond_broadcast(&g->changed);
        }
        pthread_mutex_unlock(&g->lock);
    }
    return NULL;
}

int baseline_group(
    const char *path, const baseline_shape *shape, int threads, uint64_t commits_per_thread,
    double *seconds
) {
    group *g = calloc(1, sizeof *g);
    pthread_t ids[256];
    if (threads > 256) threads = 256;
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
    g->per_thread = commits_per_thread;
    TRY(writer_open(&g->w, path, shape));
    double start = now();
    for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, group_thread, g);
    for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    *seconds = now() - start;
    int failure = g->failure;
    writer_close(&g->w);
    free(g);
    return failure;
}
