#define _GNU_SOURCE
#include "FolderShims.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

ssize_t crated_getdents(int directory, void *buffer, size_t count) {
  return syscall(SYS_getdents64, directory, buffer, count);
}

int crated_statfs(const char *path, crated_file_system *result) {
  struct statfs found;
  if (statfs(path, &found) != 0) return -1;
  uint32_t halves[2];
  memcpy(halves, &found.f_fsid, sizeof halves);
  result->identifier = ((uint64_t)halves[0] << 32) | halves[1];
  result->type = (uint64_t)found.f_type;
  return 0;
}

int crated_is_in_memory(int descriptor) {
  char byte;
  struct iovec place = {&byte, 1};
  return preadv2(descriptor, &place, 1, 0, RWF_NOWAIT) >= 0;
}

int crated_clock_jumps(void) {
  int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (descriptor < 0) return -1;
  if (crated_clock_jumps_again(descriptor) != 0) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
  }
  return descriptor;
}

int crated_clock_jumps_again(int descriptor) {
  // Armed so late that only a jump of the clock ends it.
  struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 4000000000}};
  return timerfd_settime(
      descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int crated_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

int crated_timer_set(int descriptor, int64_t nanoseconds) {
  struct itimerspec time = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(descriptor, 0, &time, NULL);
}

void crated_ignore_lease_breaks(void) { signal(SIGIO, SIG_IGN); }
