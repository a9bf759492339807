#ifndef CONFINEMENTSHIMS_H
#define CONFINEMENTSHIMS_H
// What a thread can give up for the rest of its life, and that of the threads and programs it
// starts. All need crated_no_new_privileges() before. They return 0, or -1 with errno.
#include <stddef.h>

// The version of Landlock that the kernel has, see landlock(7); 0 where it has none.
int crated_landlock_version(void);

// No path can be opened, made, changed or removed; from version 4 on no TCP port is used, from
// version 6 on no process outside gets a signal or is reached through an abstract socket.
int crated_landlock_forbid_all(void);

// Nothing is made, changed or removed but below these directories, given by open descriptors.
// Fails with EOPNOTSUPP for version 1, which forbids to move a file to another directory.
int crated_landlock_confine_writing(const int *directories, size_t count);

// Nothing is opened, made, changed or removed by its path but below this directory, given by an
// open descriptor; from version 4 on no TCP port is bound or connected, from version 6 on no
// process outside gets a signal or is reached through an abstract socket.
int crated_landlock_keep_directory(int directory);

// Of this thread: no socket but a Unix one is made. Those that are open go on. Fails with
// EOPNOTSUPP where this kind of processor isn't known.
int crated_seccomp_forbid_network(void);

// Only memory, reading open files and talking over one socket are left, and no memory that is
// executed. Another system call, or over another socket, fails with EPERM. It holds for all threads
// of the process. Fails with EOPNOTSUPP where this kind of processor isn't known.
int crated_seccomp_forbid_most(int socket);

// Of this thread: only memory, and reading, writing, locking and talking over what is open are
// left: no memory that is executed, nothing opened or connected, no program started, no signal
// sent, nothing typed into a terminal. Another call fails with EPERM. Fails as the one above.
int crated_seccomp_keep_open(void);

// io_uring_setup(2) of one entry, with 120 bytes that are zero.
int crated_make_ring(void *parameters);

// close_range(2) from there to the end, or close(2) on every descriptor that may be open.
void crated_close_from(int first);
#endif
