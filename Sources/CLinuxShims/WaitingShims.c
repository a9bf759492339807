#include "WaitingShims.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct crated_event_place {
  pthread_mutex_t mutex;
  pthread_cond_t added;
  _Atomic uint64_t count;  // grows only under the mutex
};

crated_events crated_events_make(void) {
  struct crated_event_place *place = malloc(sizeof *place);
  if (place == NULL) abort();
  pthread_mutex_init(&place->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&place->added, &attributes);
  pthread_condattr_destroy(&attributes);
  atomic_init(&place->count, 0);
  return (crated_events){place};
}

uint64_t crated_events_count(crated_events events) {
  return atomic_load(&events.place->count);
}

void crated_events_add(crated_events events, int wakes_all) {
  struct crated_event_place *place = events.place;
  pthread_mutex_lock(&place->mutex);
  atomic_fetch_add(&place->count, 1);
  if (wakes_all) {
    pthread_cond_broadcast(&place->added);
  } else {
    pthread_cond_signal(&place->added);
  }
  pthread_mutex_unlock(&place->mutex);
}

void crated_events_wait(crated_events events, uint64_t seen) {
  struct crated_event_place *place = events.place;
  pthread_mutex_lock(&place->mutex);
  while (atomic_load(&place->count) == seen) pthread_cond_wait(&place->added, &place->mutex);
  pthread_mutex_unlock(&place->mutex);
}

int crated_events_wait_until(crated_events events, uint64_t seen, int64_t deadline) {
  struct crated_event_place *place = events.place;
  // A time before the clock's begin is over as well, and has no form of its own.
  int64_t time = deadline < 0 ? 0 : deadline;
  struct timespec until = {time / 1000000000, time % 1000000000};
  pthread_mutex_lock(&place->mutex);
  int result = 0;
  while (result == 0 && atomic_load(&place->count) == seen) {
    result = pthread_cond_timedwait(&place->added, &place->mutex, &until);
  }
  int has_grown = atomic_load(&place->count) != seen;
  pthread_mutex_unlock(&place->mutex);
  return has_grown;
}

void crated_events_free(crated_events events) {
  pthread_cond_destroy(&events.place->added);
  pthread_mutex_destroy(&events.place->mutex);
  free(events.place);
}
