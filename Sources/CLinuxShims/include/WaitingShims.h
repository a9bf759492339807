#ifndef WAITINGSHIMS_H
#define WAITINGSHIMS_H
// A mutex with the condition that threads wait for: of Swift's Glibc module they have to be
// variables that nothing moves, which the compiler can't be shown.
#include <stdint.h>

// For any number of threads at once, but for making and freeing it.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  struct crated_condition_place *place;
} crated_condition;

// Ends the program where there is no memory, as Swift does.
crated_condition crated_condition_make(void);
void crated_condition_lock(crated_condition condition);
void crated_condition_unlock(crated_condition condition);
// Of those that wait, wakes all, or one at least.
void crated_condition_wake_all(crated_condition condition);
void crated_condition_wake_one(crated_condition condition);
// With the mutex locked by this thread: unlocks it, waits to be woken (or for nothing, at times),
// and locks it again.
void crated_condition_wait(crated_condition condition);
// The same until a time of CLOCK_MONOTONIC in nanoseconds. 0 where the time is over.
int crated_condition_wait_until(crated_condition condition, int64_t deadline);
// Nobody uses it any more, nor will.
void crated_condition_free(crated_condition condition);
#endif
