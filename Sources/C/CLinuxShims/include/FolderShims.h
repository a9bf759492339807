#ifndef FOLDERSHIMS_H
#define FOLDERSHIMS_H
#include "CLinuxShims.h"

// getdents64(2): whole records of struct linux_dirent64; 0 at the end.
ssize_t crated_getdents(int directory, void *buffer, size_t count);

// statfs(2) by path.
int crated_statfs(const char *path, crated_file_system *result);

// Whether the first byte of a file is in memory; 0 where that can't be told (preadv2(2),
// RWF_NOWAIT).
int crated_is_in_memory(int descriptor);

// A descriptor that becomes readable when the wall clock is set, as resuming from sleep does too.
int crated_clock_jumps(void);
int crated_clock_jumps_again(int descriptor);

// A timer of CLOCK_MONOTONIC; 0 nanoseconds: it is disarmed.
int crated_timer(void);
int crated_timer_set(int descriptor, int64_t nanoseconds);

// A lease that somebody breaks while we hold it sends SIGIO, whose default action is to end the
// process.
void crated_ignore_lease_breaks(void);
#endif
