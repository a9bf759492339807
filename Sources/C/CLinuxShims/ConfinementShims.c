#define _GNU_SOURCE
#include "ConfinementShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

// linux/landlock.h as far as it is used: the headers of many systems are older than their kernels.
enum {
  landlock_create_ruleset = 444,
  landlock_add_rule = 445,
  landlock_restrict_self = 446,
  landlock_asks_version = 1,
  landlock_path_beneath = 1,
};

struct landlock_ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scope;
};

struct landlock_path {
  uint64_t allowed;
  int32_t directory;
} __attribute__((packed));

// The same number on all processors.
enum { io_uring_setup_call = 425 };

// Bits of `files`.
enum {
  landlock_execute = 1 << 0,
  landlock_write_file = 1 << 1,
  landlock_read_file = 1 << 2,
  landlock_read_directory = 1 << 3,
  // Bits 4 to 12: removing and making directories, files, sockets, links, devices.
  landlock_change_directory = 0x1ff0,
  landlock_refer = 1 << 13,         // version 2
  landlock_truncate = 1 << 14,      // version 3
  landlock_device_control = 1 << 15 // version 5
};

// What does no harm that the daemon must be kept from.
static const uint64_t reading =
    landlock_execute | landlock_read_file | landlock_read_directory | landlock_device_control;

int crated_landlock_version(void) {
  long version = syscall(landlock_create_ruleset, NULL, 0, landlock_asks_version);
  return version > 0 ? (int)version : 0;
}

static struct landlock_ruleset everything(int version) {
  struct landlock_ruleset rules = {.files = landlock_execute | landlock_write_file |
                                            landlock_read_file | landlock_read_directory |
                                            landlock_change_directory};
  if (version >= 2) rules.files |= landlock_refer;
  if (version >= 3) rules.files |= landlock_truncate;
  // TCP: to bind and to connect.
  if (version >= 4) rules.network = 3;
  if (version >= 5) rules.files |= landlock_device_control;
  // Abstract Unix sockets and signals.
  if (version >= 6) rules.scope = 3;
  return rules;
}

static int ruleset(const struct landlock_ruleset *rules, int version) {
  // An older kernel wants a structure of its time.
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  return (int)syscall(landlock_create_ruleset, rules, size, 0);
}

static int restrict_self(int rules) {
  int result = (int)syscall(landlock_restrict_self, rules, 0);
  int error = errno;
  close(rules);
  errno = error;
  return result;
}

int crated_landlock_forbid_all(void) {
  int version = crated_landlock_version();
  struct landlock_ruleset all = everything(version);
  int rules = ruleset(&all, version);
  return rules < 0 ? -1 : restrict_self(rules);
}

// Forbids what `all` has, but for what it has of files below the directories.
static int confine_to(struct landlock_ruleset all, int version, const int *directories,
                      size_t count) {
  int rules = ruleset(&all, version);
  if (rules < 0) return -1;
  for (size_t i = 0; i < count; i++) {
    struct landlock_path path = {.allowed = all.files, .directory = directories[i]};
    if (syscall(landlock_add_rule, rules, landlock_path_beneath, &path, 0) == 0) continue;
    int error = errno;
    close(rules);
    errno = error;
    return -1;
  }
  return restrict_self(rules);
}

int crated_landlock_confine_writing(const int *directories, size_t count) {
  int version = crated_landlock_version();
  if (version == 1) {
    errno = EOPNOTSUPP;
    return -1;
  }
  struct landlock_ruleset writing = {.files = everything(version).files & ~reading};
  return confine_to(writing, version, directories, count);
}

int crated_landlock_keep_directory(int directory) {
  int version = crated_landlock_version();
  return confine_to(everything(version), version, &directory, 1);
}

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OUR_ARCHITECTURE

// The next two instructions are the answer to one number.
#define ALLOW(call)                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// An argument that fits into an int: the lower half of a word, which comes first.
#define ALLOW_WITH(call, argument, value)                                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4),                                          \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[argument])), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, 1),                               \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),                                               \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
// The third argument of mmap(2) and mprotect(2); its lower half comes first on both processors.
#define ALLOW_IF_NOT_EXECUTED(call)                                                        \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4),                                   \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[2])), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),                               \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),                                        \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// The numbers below mean something else to another architecture.
#define BEGIN                                                                        \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, arch)), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),                   \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),                           \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr))
// Open files; memory; the time, where the kernel doesn't lend it; signals, as far as they end the
// process, and the end.
#define ALLOW_USUAL                                                                             \
  ALLOW(pread64), ALLOW(read), ALLOW(lseek), ALLOW(close), ALLOW(brk),                          \
      ALLOW_IF_NOT_EXECUTED(mmap), ALLOW_IF_NOT_EXECUTED(mprotect), ALLOW(munmap),              \
      ALLOW(mremap), ALLOW(madvise), ALLOW(futex), ALLOW(getrandom), ALLOW(clock_gettime),      \
      ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(restart_syscall), ALLOW(exit),          \
      ALLOW(exit_group)
// Refused, not killed: a C library to come may try a call that it can do without.
#define END BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static int set_filter(struct sock_filter *instructions, size_t count, unsigned flags) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = instructions};
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  // The number of a thread that could not be bound.
  if (result > 0) errno = ESRCH;
  return result == 0 ? 0 : -1;
}

int crated_seccomp_forbid_most(int socket) {
  struct sock_filter instructions[] = {
      BEGIN,
      ALLOW_USUAL,
      // The daemon's socket.
      ALLOW_WITH(recvmsg, 0, socket),
      ALLOW_WITH(sendto, 0, socket),
      // The limit on computing, set anew for each file.
      ALLOW(setitimer),
      END,
  };
  return set_filter(
      instructions, sizeof instructions / sizeof *instructions, SECCOMP_FILTER_FLAG_TSYNC);
}

int crated_seccomp_keep_open(void) {
  struct sock_filter instructions[] = {
      BEGIN,
      ALLOW_USUAL,
      // Files and sockets that are open; a database's locks, and how large it is.
      ALLOW(write),
      ALLOW(writev),
      ALLOW(pwrite64),
      ALLOW(ftruncate),
      ALLOW(fdatasync),
      ALLOW(fcntl),
      ALLOW(fstat),
      ALLOW_WITH(newfstatat, 3, AT_EMPTY_PATH),
      ALLOW(sendto),
      ALLOW(recvfrom),
      ALLOW(recvmsg),
      ALLOW(shutdown),
      ALLOW(ppoll),
#ifdef SYS_poll
      ALLOW(poll),
#endif
      // Whether something is a terminal, and how large; nothing that types into it.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TCGETS, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCGWINSZ, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      // Who this is, and waiting.
      ALLOW(getpid),
      ALLOW(gettid),
      ALLOW(geteuid),
      ALLOW(sysinfo),
      ALLOW(clock_nanosleep),
      ALLOW(nanosleep),
      ALLOW(sched_yield),
      // What a thread's signals are handled on: sanitizers give theirs back at the end.
      ALLOW(sigaltstack),
      END,
  };
  return set_filter(instructions, sizeof instructions / sizeof *instructions, 0);
}

int crated_seccomp_forbid_network(void) {
#ifndef __X32_SYSCALL_BIT
#define __X32_SYSCALL_BIT 0x40000000
#endif
  struct sock_filter instructions[] = {
      BEGIN,
      // The numbers of x32 are other names of the same calls.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, __X32_SYSCALL_BIT, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      // Makes sockets, and connects them, without any further call.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, io_uring_setup_call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return set_filter(instructions, sizeof instructions / sizeof *instructions, 0);
}

#else

int crated_seccomp_forbid_network(void) {
  errno = EOPNOTSUPP;
  return -1;
}

int crated_seccomp_forbid_most(int socket) {
  (void)socket;
  errno = EOPNOTSUPP;
  return -1;
}

int crated_seccomp_keep_open(void) {
  errno = EOPNOTSUPP;
  return -1;
}

#endif

int crated_make_ring(void *parameters) {
  return (int)syscall(io_uring_setup_call, 1, parameters);
}

void crated_close_from(int first) {
  enum { close_range_call = 436, most = 1 << 20 };
  if (syscall(close_range_call, (unsigned)first, ~0U, 0) == 0) return;
  // Before Linux 5.9.
  struct rlimit limit;
  int end = most;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most) end = (int)limit.rlim_cur;
  for (int descriptor = first; descriptor < end; descriptor++) close(descriptor);
}
