// The events that `daybook-bench --print-events` wrote, for the peers in C.
#ifndef EVENTS_H
#define EVENTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TAGS 3
#define BATCH 1000
#define WRITERS 32
#define CLIENTS 64

typedef struct {
    char *kind, *at, *hex;
    unsigned char *payload;
    int payload_size;
    char *tags[TAGS];
} event;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static unsigned digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

// Reads the first `count` events of a file.
static event *read_events(const char *path, size_t count) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path, "cannot be read");
    event *events = calloc(count, sizeof *events);
    for (size_t i = 0; i < count; i++) {
        char *line = NULL;
        size_t room = 0;
        if (getline(&line, &room, file) < 0) fail(path, "has too few events");
        event *e = &events[i];
        e->kind = strtok(line, "\t\n");
        e->at = strtok(NULL, "\t\n");
        e->hex = strtok(NULL, "\t\n");
        for (int t = 0; t < TAGS; t++) e->tags[t] = strtok(NULL, "\t\n");
        if (!e->tags[TAGS - 1]) fail(path, "has a line with too few columns");
        e->payload_size = (int)strlen(e->hex) / 2;
        e->payload = malloc((size_t)e->payload_size);
        for (int b = 0; b < e->payload_size; b++)
            e->payload[b] = (unsigned char)(digit(e->hex[2 * b]) << 4 | digit(e->hex[2 * b + 1]));
    }
    fclose(file);
    return events;
}

#endif
