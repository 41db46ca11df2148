// What LMDB itself can do, in C: the figures that Daybook's are held against.
#ifndef BASELINE_H
#define BASELINE_H

#include <stddef.h>
#include <stdint.h>

// Bytes of the checksum behind each row. The baseline writes rows of the same sizes, and computes
// checksums only if `has_index` is set.
#define BASELINE_CHECKSUM 8

// What is written for each event and each commit.
typedef struct {
    // Bytes of an event's row and of a commit's row, with the room of a checksum.
    size_t event_size;
    size_t commit_size;
    // Whether the tables commits, tags and kinds are written too, as Daybook does.
    int all_tables;
    // Whether every row gets its checksum and the table index its rows, every 32,768 events.
    int has_index;
    // For each tag of an event, how many values it has.
    int tag_count;
    uint32_t tag_values[4];
} baseline_shape;

// All return 0, or the error number of LMDB; times are in seconds and leave opening out.

// Adds every byte of every event in the table `events`, in words of eight bytes.
int baseline_scan(const char *path, double *seconds, uint64_t *rows, uint64_t *sum);

// The sum that baseline_scan takes of one row.
uint64_t baseline_sum(const void *bytes, size_t count);

// Appends commits of so many events, each durable.
int baseline_append(
    const char *path, const baseline_shape *shape, uint64_t commits, uint64_t events_per_commit,
    double *seconds);

// The same from several threads, one event a commit; threads that wait share a transaction.
int baseline_group(
    const char *path, const baseline_shape *shape, int threads, uint64_t commits_per_thread,
    double *seconds);

#endif
