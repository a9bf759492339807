#include "WaitingShims.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct crated_condition_place {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

static void expect(int is_so) {
  if (!is_so) abort();
}

crated_condition crated_condition_make(void) {
  struct crated_condition_place *place = malloc(sizeof *place);
  expect(place != NULL);
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&place->mutex, &kind);
  pthread_mutexattr_destroy(&kind);
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&place->condition, &clock);
  pthread_condattr_destroy(&clock);
  return (crated_condition){place};
}

void crated_condition_lock(crated_condition condition) {
  expect(pthread_mutex_lock(&condition.place->mutex) == 0);
}

void crated_condition_unlock(crated_condition condition) {
  expect(pthread_mutex_unlock(&condition.place->mutex) == 0);
}

void crated_condition_wake_all(crated_condition condition) {
  pthread_cond_broadcast(&condition.place->condition);
}

void crated_condition_wake_one(crated_condition condition) {
  pthread_cond_signal(&condition.place->condition);
}

void crated_condition_wait(crated_condition condition) {
  expect(pthread_cond_wait(&condition.place->condition, &condition.place->mutex) == 0);
}

int crated_condition_wait_until(crated_condition condition, int64_t deadline) {
  struct timespec until = {deadline / 1000000000, deadline % 1000000000};
  int error = pthread_cond_timedwait(&condition.place->condition, &condition.place->mutex, &until);
  expect(error == 0 || error == ETIMEDOUT || error == EINVAL);
  return error == 0;
}

void crated_condition_free(crated_condition condition) {
  pthread_cond_destroy(&condition.place->condition);
  pthread_mutex_destroy(&condition.place->mutex);
  free(condition.place);
}
