// Appends events to a PostgreSQL server, each commit durable: a table of events, and one of tags by
// position.
//
//     postgres single|batches|writers|clients|steps COMMITS CONNECTION EVENTS
//
// One event is one statement and one round trip. A batch is copied (COPY) under a lock of the table.
// Writers have a connection each and take no lock, so that their positions are not in the order of their
// commits; readers would have to wait for gaps. The 64 clients take one lock for all, read the end, look for an
// event with the first tag after it, and insert: `clients` by a function in one round trip, `steps` in a
// transaction of five, as a program does it that decides between them. Prints the number of events and the
// seconds.
#include "events.h"

#include <libpq-fe.h>
#include <pthread.h>

static const char *connection_text;

static PGresult *result(PGconn *c, PGresult *r) {
    ExecStatusType status = PQresultStatus(r);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN)
        fail("postgres", PQerrorMessage(c));
    return r;
}

static void execute(PGconn *c, const char *sql) { PQclear(result(c, PQexec(c, sql))); }

static PGconn *open_connection(void) {
    PGconn *c = PQconnectdb(connection_text);
    if (PQstatus(c) != CONNECTION_OK) fail("postgres", PQerrorMessage(c));
    return c;
}

static void prepare(PGconn *c) {
    PQclear(result(c, PQprepare(c, "append",
        "WITH e AS (INSERT INTO events (kind, occurred_at, payload)"
        " VALUES ($1, $2, $3) RETURNING position)"
        " INSERT INTO tags SELECT unnest(ARRAY[$4, $5, $6]), position FROM e",
        6, (Oid[]){25, 20, 17, 25, 25, 25})));
}

static void prepare_locked(PGconn *c) {
    PQclear(result(c, PQprepare(c, "append", "SELECT append_locked($1, $2, $3, ARRAY[$4, $5, $6])",
        6, (Oid[]){25, 20, 17, 25, 25, 25})));
}

static void prepare_steps(PGconn *c) {
    prepare(c);
    PQclear(result(c, PQprepare(c, "find",
        "SELECT FROM tags WHERE tag = $1 AND position > $2 LIMIT 1", 2, (Oid[]){25, 20})));
}

static void append(PGconn *c, const event *e) {
    const char *values[] = {
        e->kind, e->at, (char *)e->payload, e->tags[0], e->tags[1], e->tags[2]};
    int lengths[] = {0, 0, e->payload_size, 0, 0, 0}, formats[] = {0, 0, 1, 0, 0, 0};
    PQclear(result(c, PQexecPrepared(c, "append", 6, values, lengths, formats, 0)));
}

static void append_in_steps(PGconn *c, const event *e) {
    execute(c, "BEGIN; SELECT pg_advisory_xact_lock(1)");
    PGresult *head = result(c, PQexec(c, "SELECT coalesce(max(position), 0) FROM events"));
    const char *values[] = {e->tags[0], PQgetvalue(head, 0, 0)};
    PQclear(result(c, PQexecPrepared(c, "find", 2, values, NULL, NULL, 0)));
    PQclear(head);
    append(c, e);
    execute(c, "COMMIT");
}

static void copy(PGconn *c, const char *line, int size) {
    if (PQputCopyData(c, line, size) != 1) fail("postgres", PQerrorMessage(c));
}

static void end_copy(PGconn *c) {
    if (PQputCopyEnd(c, NULL) != 1) fail("postgres", PQerrorMessage(c));
    PQclear(result(c, PQgetResult(c)));
    while (PQgetResult(c)) {}
}

static void append_batch(PGconn *c, const event *events) {
    char line[4096];
    execute(c, "BEGIN; LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE");
    PGresult *head = result(c, PQexec(c, "SELECT coalesce(max(position), 0) FROM events"));
    long long first = atoll(PQgetvalue(head, 0, 0)) + 1;
    PQclear(head);
    execute(c, "COPY events (position, kind, occurred_at, payload) FROM STDIN");
    for (int i = 0; i < BATCH; i++)
        copy(c, line, snprintf(line, sizeof line, "%lld\t%s\t%s\t\\\\x%s\n",
            first + i, events[i].kind, events[i].at, events[i].hex));
    end_copy(c);
    execute(c, "COPY tags FROM STDIN");
    for (int i = 0; i < BATCH; i++)
        for (int t = 0; t < TAGS; t++)
            copy(c, line, snprintf(line, sizeof line, "%s\t%lld\n", events[i].tags[t], first + i));
    end_copy(c);
    execute(c, "COMMIT");
}

typedef struct {
    PGconn *connection;
    const event *events;
    size_t count;
    void (*append)(PGconn *, const event *);
} writer;

static void *write_events(void *argument) {
    writer *w = argument;
    for (size_t i = 0; i < w->count; i++) w->append(w->connection, &w->events[i]);
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 5) fail("usage", "postgres single|batches|writers|clients|steps COMMITS CONNECTION EVENTS");
    const char *work = arguments[1];
    size_t commits = strtoul(arguments[2], NULL, 10), size = strcmp(work, "batches") ? 1 : BATCH;
    int in_steps = !strcmp(work, "steps"), is_locked = !strcmp(work, "clients");
    size_t writer_count = is_locked || in_steps ? CLIENTS : strcmp(work, "writers") ? 1 : WRITERS;
    connection_text = arguments[3];
    event *events = read_events(arguments[4], commits * size);
    PGconn *c = open_connection();
    execute(c, "SET client_min_messages = warning; DROP TABLE IF EXISTS events, tags");
    execute(c,
        "CREATE TABLE events (position bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,"
        " kind text NOT NULL, occurred_at bigint NOT NULL,"
        " recorded_at timestamptz NOT NULL DEFAULT now(), payload bytea NOT NULL)");
    execute(c,
        "CREATE TABLE tags (tag text NOT NULL, position bigint NOT NULL,"
        " PRIMARY KEY (tag, position))");
    execute(c,
        "CREATE OR REPLACE FUNCTION append_locked(kind text, at bigint, payload bytea, tag text[])"
        " RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE head bigint; p bigint; BEGIN"
        " PERFORM pg_advisory_xact_lock(1);"
        " SELECT coalesce(max(position), 0) INTO head FROM events;"
        " IF EXISTS (SELECT FROM tags t WHERE t.tag = append_locked.tag[1] AND t.position > head)"
        " THEN RETURN NULL; END IF;"
        " INSERT INTO events (kind, occurred_at, payload) VALUES (kind, at, payload)"
        " RETURNING position INTO p;"
        " INSERT INTO tags SELECT unnest(append_locked.tag), p; RETURN p; END $$");
    writer writers[CLIENTS] = {0};
    for (size_t w = 0; w < writer_count; w++) {
        size_t each = commits / writer_count;
        writers[w] = (writer){
            open_connection(), &events[w * each], each, in_steps ? append_in_steps : append};
        void (*prepares)(PGconn *) = in_steps ? prepare_steps : is_locked ? prepare_locked : prepare;
        prepares(writers[w].connection);
    }
    double start = now();
    if (size == BATCH) {
        for (size_t i = 0; i < commits; i++) append_batch(writers[0].connection, &events[i * size]);
    } else {
        pthread_t threads[CLIENTS];
        for (size_t w = 0; w < writer_count; w++)
            pthread_create(&threads[w], NULL, write_events, &writers[w]);
        for (size_t w = 0; w < writer_count; w++) pthread_join(threads[w], NULL);
    }
    double seconds = now() - start;
    PGresult *stored = result(c, PQexec(c, "SELECT count(*) FROM events"));
    if ((size_t)atoll(PQgetvalue(stored, 0, 0)) != commits * size)
        fail("postgres", "events are missing");
    printf("%zu %f\n", commits * size, seconds);
    return 0;
}
