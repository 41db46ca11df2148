// Appends events to SQLite, each commit durable: a table of events, and one of tags by position.
//
//     sqlite wal|delete|group single|batches|writers COMMITS FOLDER EVENTS
//
// The first argument is the journal mode; `group` is `wal` with one connection, whose waiting writers
// share a transaction, as in CBaseline. With `wal` and `delete` each writer has a connection of its own.
// Prints the number of events and the seconds.
#include "events.h"

#include <pthread.h>
#include <sqlite3.h>

typedef struct {
    sqlite3 *db;
    sqlite3_stmt *begin, *commit, *add_event, *add_tag;
} store;

static void check(sqlite3 *db, int code, int expected) {
    if (code != expected) fail("sqlite", sqlite3_errmsg(db));
}

static void execute(sqlite3 *db, const char *sql) {
    check(db, sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    check(db, sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    return statement;
}

static void step(sqlite3 *db, sqlite3_stmt *statement) {
    check(db, sqlite3_step(statement), SQLITE_DONE);
    check(db, sqlite3_reset(statement), SQLITE_OK);
}

static void open_store(store *s, const char *path, const char *journal) {
    char pragma[64];
    check(s->db, sqlite3_open(path, &s->db), SQLITE_OK);
    sqlite3_busy_timeout(s->db, 60000);
    snprintf(pragma, sizeof pragma, "PRAGMA journal_mode=%s", journal);
    execute(s->db, pragma);
    execute(s->db, "PRAGMA synchronous=FULL");
    execute(s->db,
        "CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
        " occurred_at INTEGER NOT NULL, recorded_at INTEGER NOT NULL, payload BLOB NOT NULL)");
    execute(s->db,
        "CREATE TABLE IF NOT EXISTS tags (tag TEXT NOT NULL, position INTEGER NOT NULL,"
        " PRIMARY KEY (tag, position)) WITHOUT ROWID");
    s->begin = prepare(s->db, "BEGIN IMMEDIATE");
    s->commit = prepare(s->db, "COMMIT");
    s->add_event = prepare(s->db, "INSERT INTO events VALUES (NULL, ?, ?, ?, ?)");
    s->add_tag = prepare(s->db, "INSERT INTO tags VALUES (?, ?)");
}

static void add(store *s, const event *e) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    sqlite3_bind_text(s->add_event, 1, e->kind, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s->add_event, 2, atoll(e->at));
    sqlite3_bind_int64(s->add_event, 3, time.tv_sec * 1000000LL + time.tv_nsec / 1000);
    sqlite3_bind_blob(s->add_event, 4, e->payload, e->payload_size, SQLITE_STATIC);
    step(s->db, s->add_event);
    sqlite3_int64 position = sqlite3_last_insert_rowid(s->db);
    for (int t = 0; t < TAGS; t++) {
        sqlite3_bind_text(s->add_tag, 1, e->tags[t], -1, SQLITE_STATIC);
        sqlite3_bind_int64(s->add_tag, 2, position);
        step(s->db, s->add_tag);
    }
}

static void append(store *s, const event *events, size_t count) {
    step(s->db, s->begin);
    for (size_t i = 0; i < count; i++) add(s, &events[i]);
    step(s->db, s->commit);
}

// A writer with a connection of its own.
typedef struct {
    store store;
    const event *events;
    size_t count;
} connection;

static void *write_alone(void *argument) {
    connection *c = argument;
    for (size_t i = 0; i < c->count; i++) append(&c->store, &c->events[i], 1);
    return NULL;
}

// Writers that share a connection: the first to come commits the events of all that wait.
static struct {
    store store;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const event **queue;
    size_t asked, done;
    int is_led;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *write_together(void *argument) {
    connection *c = argument;
    pthread_mutex_lock(&shared.lock);
    for (size_t i = 0; i < c->count; i++) {
        shared.queue[shared.asked++] = &c->events[i];
        size_t ticket = shared.asked;
        while (shared.done < ticket) {
            if (shared.is_led) {
                pthread_cond_wait(&shared.changed, &shared.lock);
                continue;
            }
            shared.is_led = 1;
            size_t from = shared.done, to = shared.asked;
            pthread_mutex_unlock(&shared.lock);
            step(shared.store.db, shared.store.begin);
            for (size_t n = from; n < to; n++) add(&shared.store, shared.queue[n]);
            step(shared.store.db, shared.store.commit);
            pthread_mutex_lock(&shared.lock);
            shared.done = to;
            shared.is_led = 0;
            pthread_cond_broadcast(&shared.changed);
        }
    }
    pthread_mutex_unlock(&shared.lock);
    return NULL;
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "version")) return puts(sqlite3_libversion()) < 0;
    if (count != 6) fail("usage", "sqlite wal|delete|group WORK COMMITS FOLDER EVENTS");
    int is_group = !strcmp(arguments[1], "group"), is_batches = !strcmp(arguments[2], "batches");
    const char *journal = is_group ? "wal" : arguments[1];
    size_t commits = strtoul(arguments[3], NULL, 10), size = is_batches ? BATCH : 1;
    event *events = read_events(arguments[5], commits * size);
    char path[4096];
    snprintf(path, sizeof path, "%s/events.sqlite", arguments[4]);
    double start;
    open_store(&shared.store, path, journal);
    if (strcmp(arguments[2], "writers")) {
        start = now();
        for (size_t i = 0; i < commits; i++) append(&shared.store, &events[i * size], size);
    } else {
        connection writers[WRITERS] = {0};
        pthread_t threads[WRITERS];
        shared.queue = calloc(commits, sizeof *shared.queue);
        for (size_t w = 0; w < WRITERS; w++) {
            writers[w].count = commits / WRITERS;
            writers[w].events = &events[w * writers[w].count];
            if (!is_group) open_store(&writers[w].store, path, journal);
        }
        start = now();
        for (size_t w = 0; w < WRITERS; w++)
            pthread_create(&threads[w], NULL, is_group ? write_together : write_alone, &writers[w]);
        for (size_t w = 0; w < WRITERS; w++) pthread_join(threads[w], NULL);
    }
    double seconds = now() - start;
    sqlite3_stmt *stored = prepare(shared.store.db, "SELECT count(*) FROM events");
    sqlite3_step(stored);
    if ((size_t)sqlite3_column_int64(stored, 0) != commits * size) fail("sqlite", "events are missing");
    printf("%zu %f\n", commits * size, seconds);
    return 0;
}
