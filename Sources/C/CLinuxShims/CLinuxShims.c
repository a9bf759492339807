#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <malloc.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

enum { descriptors_most = 64 };

int crated_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
int crated_pipe2(int ends[2], int flags) { return pipe2(ends, flags); }
int crated_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
int crated_accept4(int socket, int flags) { return accept4(socket, NULL, NULL, flags); }
int crated_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int crated_rename_no_replace(int old_dir, const char *old_name, int new_dir, const char *new_name) {
  return renameat2(old_dir, old_name, new_dir, new_name, RENAME_NOREPLACE);
}

void crated_start_writing(int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }

int crated_open_unnamed(int directory) {
  return openat(directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

int crated_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }
int crated_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int crated_signalfd(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error != 0) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC);
}

int crated_signalfd_next(int descriptor) {
  struct signalfd_siginfo news;
  ssize_t count = read(descriptor, &news, sizeof news);
  if (count == (ssize_t)sizeof news) return (int)news.ssi_signo;
  return count < 0 && errno != EINTR ? -1 : 0;
}

int crated_nobody_writes(int descriptor) {
  if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0) {
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 1;
  }
  return errno == EAGAIN ? 0 : -1;
}

static int64_t nanoseconds(struct statx_timestamp time) {
  int64_t result;
  if (__builtin_mul_overflow((int64_t)time.tv_sec, (int64_t)1000000000, &result) ||
      __builtin_add_overflow(result, (int64_t)time.tv_nsec, &result))
    return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
  return result;
}

int crated_statx(int directory, const char *name, int flags, crated_stat *result) {
  struct statx found;
  // STATX_MNT_ID (0x1000) is newer than some headers.
  if (statx(directory, name, flags, STATX_BASIC_STATS | STATX_BTIME | 0x1000U, &found) != 0)
    return -1;
  memset(result, 0, sizeof *result);
  result->inode = found.stx_ino;
  result->size = found.stx_size;
  result->birth_ns = (found.stx_mask & STATX_BTIME) ? nanoseconds(found.stx_btime) : 0;
  result->modified_ns = nanoseconds(found.stx_mtime);
  result->changed_ns = nanoseconds(found.stx_ctime);
  result->device = makedev(found.stx_dev_major, found.stx_dev_minor);
#ifdef STATX_MNT_ID
  result->mount = (found.stx_mask & STATX_MNT_ID) ? found.stx_mnt_id : 0;
#endif
  // STATX_ATTR_MOUNT_ROOT (0x2000), likewise.
  result->is_known_mount_root = (found.stx_attributes_mask & 0x2000U) != 0;
  result->is_mount_root = (found.stx_attributes & 0x2000U) != 0;
  result->mode = found.stx_mode;
  result->links = found.stx_nlink;
  return 0;
}

int crated_fstatfs(int descriptor, crated_file_system *result) {
  struct statfs found;
  if (fstatfs(descriptor, &found) != 0) return -1;
  uint32_t halves[2];
  memcpy(halves, &found.f_fsid, sizeof halves);
  result->identifier = ((uint64_t)halves[0] << 32) | halves[1];
  result->type = (uint64_t)found.f_type;
  return 0;
}

ssize_t crated_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
  if (descriptor_count > descriptors_most) {
    errno = EINVAL;
    return -1;
  }
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * descriptors_most)];
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    memset(control, 0, sizeof control);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t crated_receive_descriptors(
    int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * descriptors_most)];
  struct iovec part = {bytes, count};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = control,
      .msg_controllen = sizeof control,
  };
  size_t room = *descriptor_count;
  *descriptor_count = 0;
  ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (result < 0) return result;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t came = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < came; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
      if (*descriptor_count < room)
        descriptors[(*descriptor_count)++] = descriptor;
      else
        close(descriptor);
    }
  }
  return result;
}

int crated_peer(int socket, uint32_t *uid, int32_t *pid) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
  *uid = peer.uid;
  *pid = peer.pid;
  return 0;
}

void crated_trim_heap(void) { malloc_trim(0); }

void crated_limit_heaps(int heaps, size_t separate, size_t spare) {
  mallopt(M_ARENA_MAX, heaps);
  mallopt(M_MMAP_THRESHOLD, (int)separate);
  mallopt(M_TRIM_THRESHOLD, (int)spare);
}

int crated_getrandom(void *bytes, size_t count) {
  return getrandom(bytes, count, 0) == (ssize_t)count ? 0 : -1;
}

int crated_ended_by(pid_t child) {
  siginfo_t ended;
  memset(&ended, 0, sizeof ended);
  if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return 0;
  return ended.si_code == CLD_KILLED || ended.si_code == CLD_DUMPED ? ended.si_status : 0;
}

int crated_exited(int status) { return WIFEXITED(status); }
int crated_exit_status(int status) { return WEXITSTATUS(status); }
int crated_term_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
