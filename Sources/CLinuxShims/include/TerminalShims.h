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
// Sets the terminal as it was. Writes nothing.
int crated_restore_terminal(int descriptor);
// From now on these signals write their number, a byte each, to the descriptor, even where whoever
// started the program had blocked them.
int crated_tell_signals(int descriptor, const int *signals, size_t count);
// What ^Z does to a job whose programs know nothing of it; returns when it goes on.
void crated_stop_job(void);
// Ends as a program does that knows nothing of the signal; returns where that one ends none.
void crated_end_by(int signal);
// Columns and rows; -1 where the terminal does not say.
int crated_window_size(int descriptor, int *columns, int *rows, int *width, int *height);
#endif
