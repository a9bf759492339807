#ifndef CLINUXSHIMS_H
#define CLINUXSHIMS_H
// The system calls that Swift's Glibc module hides: behind _GNU_SOURCE, variadic, or made of
// macros.
// Every function returns what the call returns and leaves errno as the call left it.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

int crated_eventfd(void);
int crated_pipe2(int ends[2], int flags);
int crated_accept4(int socket, int flags);
int crated_name_thread(const char *name);
int crated_rename_no_replace(int old_dir, const char *old_name, int new_dir, const char *new_name);
// Begins to write what is in the page cache of the file, and does not wait. A hint.
void crated_start_writing(int file);
// A file without a name; it is gone when it is closed.
int crated_open_unnamed(int directory);
int crated_die_with_parent(void);
// A descriptor that poll(2) finds readable when the process has ended; from Linux 5.3 on.
int crated_open_process(pid_t process);
int crated_no_new_privileges(void);

// Blocks the signals in this thread and those it starts, and returns a descriptor that reads them.
int crated_signalfd(const int *signals, size_t count);
// The next signal, waiting for it; 0 after an interruption.
int crated_signalfd_next(int descriptor);

// Whether nobody has the file open for writing (a read lease was granted, and given back).
// Returns 1 granted, 0 somebody writes, -1 leases do not work here.
int crated_nobody_writes(int descriptor);

typedef struct {
  uint64_t inode;
  uint64_t size;
  int64_t birth_ns;  // 0 where the file system does not say
  int64_t modified_ns;
  int64_t changed_ns;
  uint64_t device;
  uint64_t mount;
  uint32_t mode;
  uint32_t links;
  int is_known_mount_root;  // 0 where the kernel does not say
  int is_mount_root;
} crated_stat;

// statx(2) with what a file stamp needs; flags as for fstatat.
int crated_statx(int directory, const char *name, int flags, crated_stat *result);

typedef struct {
  uint64_t identifier;  // f_fsid
  uint64_t type;        // f_type, see statfs(2)
} crated_file_system;
int crated_fstatfs(int descriptor, crated_file_system *result);

// One message with up to 64 descriptors (SCM_RIGHTS).
ssize_t crated_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);
// descriptor_count: how many there is room for, then how many came. They are close-on-exec.
ssize_t crated_receive_descriptors(
    int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count);

int crated_peer(int socket, uint32_t *uid, int32_t *pid);
int crated_getrandom(void *bytes, size_t count);
// malloc_trim(3) with nothing kept.
void crated_trim_heap(void);
// mallopt(3): at most so many heaps for all threads, whatever has at least so many bytes on pages
// of its own, always, and no more than so many free bytes kept at a heap's end.
void crated_limit_heaps(int heaps, size_t separate, size_t spare);
// The signal that ended a child which nobody has waited for yet, who goes on to be waited for;
// 0 where none did, or not yet.
int crated_ended_by(pid_t child);
int crated_exited(int status);       // WIFEXITED
int crated_exit_status(int status);  // WEXITSTATUS
int crated_term_signal(int status);  // WTERMSIG

#include "ConfinementShims.h"
#include "FolderShims.h"
#include "TerminalShims.h"
#include "WaitingShims.h"
#endif
