#include "WaitingShims.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct crated_condition_place {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

crated_condition crated_condition_make(void) {
  struct crated_condition_place *place = malloc(sizeof *place);
  if (place == NULL) abort();
  pthread_mutex_init(&place->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&place->condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return (crated_condition){place};
}

void crated_condition_lock(crated_condition condition) {
  pthread_mutex_lock(&condition.place->mutex);
}

void crated_condition_unlock(crated_condition condition) {
  pthread_mutex_unlock(&condition.place->mutex);
}

void crated_condition_wake_all(crated_condition condition) {
  pthread_cond_broadcast(&condition.place->condition);
}

void crated_condition_wake_one(crated_condition condition) {
  pthread_cond_signal(&condition.place->condition);
}

void crated_condition_wait(crated_condition condition) {
  pthread_cond_wait(&condition.place->condition, &condition.place->mutex);
}

int crated_condition_wait_until(crated_condition condition, int64_t deadline) {
  // A time before the clock's beginning is over as well, and has no form of its own.
  int64_t time = deadline < 0 ? 0 : deadline;
  struct timespec until = {time / 1000000000, time % 1000000000};
  return pthread_cond_timedwait(&condition.place->condition, &condition.place->mutex, &until) == 0;
}

void crated_condition_free(crated_condition condition) {
  pthread_cond_destroy(&condition.place->condition);
  pthread_mutex_destroy(&condition.place->mutex);
  free(condition.place);
}
