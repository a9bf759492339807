#ifndef WAITINGSHIMS_H
#define WAITINGSHIMS_H
// A count of events that threads wait to see grow (an eventcount: Reed and Kanodia, 1979): what a
// condition is to a mutex, for a value that another lock guards. A thread remembers the count,
// looks at the value, and where that isn't yet what it needs waits until the count has left the
// one remembered; who changes the value adds an event afterwards. So no change is slept through
// that comes between the look and the wait.
#include <stdint.h>

// All of its calls are for any number of threads at once, but for the last one.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  struct crated_event_place *place;
} crated_events;

// Ends the program where there is no memory, as Swift does.
crated_events crated_events_make(void);
uint64_t crated_events_count(crated_events events);
// Wakes all that wait, or one of them at least.
void crated_events_add(crated_events events, int wakes_all);
void crated_events_wait(crated_events events, uint64_t seen);
// The same until a time of CLOCK_MONOTONIC in nanoseconds. Whether the count has grown.
int crated_events_wait_until(crated_events events, uint64_t seen, int64_t deadline);
// Nobody waits any more, nor will.
void crated_events_free(crated_events events);
#endif
