#ifndef TERMINALSHIMS_H
#define TERMINALSHIMS_H
// Signals and a terminal, for what has to be done where no Swift may run.
#include <stddef.h>

// Remembers how the terminal is set, and bytes that undo what was written to its output. From then
// on a signal that ends a program by its fault (SIGSEGV, SIGILL, ...) undoes both first.
// Returns 0, or -1 where the descriptor is no terminal.
int crated_guard_terminal(int descriptor, int output, const void *bytes, size_t count);
// Takes keys as they come: no line editing, no echo, no signals made of keys.
int crated_take_keys(int descriptor);
// Whether the terminal is another job's, and its modes are not ours to set.
int crated_is_background(int descriptor);
// Sets the terminal as it was, if it is ours. Writes nothing.
int crated_restore_terminal(int descriptor);
// From now on these signals write their number, a byte each, to the descriptor, in a thread that
// hears them. This one doesn't, and those that it starts don't, until it is told to: where a single
// thread hears them, all that came while it was stopped are told before it goes on.
int crated_tell_signals(int descriptor, const int *signals, size_t count);
// This thread hears them, even where whoever started the program had blocked them.
int crated_hear_signals(const int *signals, size_t count);
// What ^Z does to a job whose programs know nothing of it; returns when it goes on, and at once
// where nobody could let it go on.
void crated_stop_job(void);
// Ends as a program does that knows nothing of the signal; returns where that one ends none.
void crated_end_by(int signal);
#endif
