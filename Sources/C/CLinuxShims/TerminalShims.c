#define _GNU_SOURCE
#include "TerminalShims.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { undoing_most = 256 };

static struct termios usual;
static char undoing[undoing_most];
static volatile size_t undoing_count;
static volatile int guarded = -1;
static volatile int shown = -1;
static volatile int told = -1;

static void restore_and_end(int number) {
  if (guarded >= 0) {
    ssize_t ignored = write(shown, undoing, undoing_count);
    (void)ignored;
    tcsetattr(guarded, TCSANOW, &usual);
  }
  signal(number, SIG_DFL);
  raise(number);
}

int crated_guard_terminal(int descriptor, int output, const void *bytes, size_t count) {
  if (tcgetattr(descriptor, &usual) != 0) return -1;
  undoing_count = count < undoing_most ? count : undoing_most;
  memcpy(undoing, bytes, undoing_count);
  shown = output;
  guarded = descriptor;
  // Also where the stack is full.
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = restore_and_end;
    action.sa_flags = (int)(SA_NODEFER | SA_RESETHAND | SA_ONSTACK);
    sigaction(faults[i], &action, NULL);
  }
  return 0;
}

int crated_take_keys(int descriptor) {
  struct termios raw = usual;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON | IXOFF);
  raw.c_oflag &= ~(tcflag_t)OPOST;
  raw.c_cflag |= CS8;
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  return tcsetattr(descriptor, TCSANOW, &raw);
}

int crated_is_background(int descriptor) {
  pid_t front = tcgetpgrp(descriptor);
  return front > 0 && front != getpgrp();
}

int crated_restore_terminal(int descriptor) {
  // A shell that has taken it has set it as it likes.
  if (crated_is_background(descriptor)) return 0;
  return tcsetattr(descriptor, TCSANOW, &usual);
}

static void tell(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(told, &byte, 1);
  (void)ignored;
  errno = before;
}

static int mask(int how, const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
  return pthread_sigmask(how, &set, NULL) == 0 ? 0 : -1;
}

int crated_tell_signals(int descriptor, const int *signals, size_t count) {
  told = descriptor;
  for (size_t i = 0; i < count; i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = tell;
    action.sa_flags = SA_RESTART;
    if (sigaction(signals[i], &action, NULL) != 0) return -1;
  }
  return mask(SIG_BLOCK, signals, count);
}

int crated_hear_signals(const int *signals, size_t count) {
  return mask(SIG_UNBLOCK, signals, count);
}

void crated_stop_job(void) {
  struct sigaction former, way;
  memset(&way, 0, sizeof way);
  way.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &way, &former);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &former, NULL);
}

void crated_end_by(int number) {
  struct sigaction way;
  memset(&way, 0, sizeof way);
  way.sa_handler = SIG_DFL;
  sigaction(number, &way, NULL);
  mask(SIG_UNBLOCK, &number, 1);
  raise(number);
}
