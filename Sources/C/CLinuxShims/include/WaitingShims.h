#ifndef WAITINGSHIMS_H
#define WAITINGSHIMS_H
// A mutex with the condition that threads wait for. They must never move in memory, and any thread
// may use them: neither can be said in Swift of those that its Glibc module has.
#include <stdint.h>

// For any number of threads at once, but for making and freeing it.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  struct crated_condition_place *place;
} crated_condition;

// Each ends the program, as Swift does, where there is no memory or it is used wrongly: unlocked or
// waited for by a thread that has not locked it, or locked by one that has.
crated_condition crated_condition_make(void);
void crated_condition_lock(crated_condition condition);
void crated_condition_unlock(crated_condition condition);
// Of those that wait, wakes all, or one at least.
void crated_condition_wake_all(crated_condition condition);
void crated_condition_wake_one(crated_condition condition);
// With the mutex locked by this thread: unlocks it, waits to be woken (or for nothing, at times),
// and locks it again.
void crated_condition_wait(crated_condition condition);
// The same until a time of CLOCK_MONOTONIC in nanoseconds. 0 where the time is over, as one before
// the clock's beginning is, which the C library refuses.
int crated_condition_wait_until(crated_condition condition, int64_t deadline);
// Nobody uses it any more, nor will.
void crated_condition_free(crated_condition condition);
#endif
