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

// A log under way: what one transaction writes goes through it.
typedef struct {
    const baseline_shape *shape;
    MDB_env *env;
    MDB_dbi events, commits, tags, kinds;
    uint64_t head;
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
    return mdb_txn_commit(txn);
}

static void writer_close(writer *w) {
    mdb_env_close(w->env);
    for (int t = 0; t < w->shape->tag_count; t++) free(w->last_of_tag[t]);
    free(w->touched);
}

static uint64_t mixed(uint64_t value) {
    value *= 0x9E3779B97F4A7C15u;
    return value ^ (value >> 32);
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
        TRY(mdb_put(txn, w->events, &key, &value, MDB_APPEND));
        for (int t = 0; t < w->shape->tag_count; t++)
            touch(w, before, t, position);
    }
    if (!w->shape->all_tables) return 0;
    key.mv_data = &first;
    value.mv_size = w->shape->commit_size;
    value.mv_data = w->commit;
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
            TRY(mdb_put(txn, w->tags, &key, &value, 0));
        }
        uint64_t kind = 1;
        key.mv_size = 8;
        key.mv_data = &kind;
        memcpy(last, &w->head, 8);
        TRY(mdb_put(txn, w->kinds, &key, &value, 0));
    }
    w->touched_count = 0;
    return mdb_txn_commit(txn);
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
