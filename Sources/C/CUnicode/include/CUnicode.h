#ifndef CUNICODE_H
#define CUNICODE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

// Brings UTF-8 to NFC (https://www.unicode.org/reports/tr15/). With `folds`, it is also folded by
// Unicode's full case folding, a run of white space becomes one blank, and that at the ends goes,
// as do default-ignorable characters everywhere.
//
// Returns the bytes that takes. No more than `capacity` are written: if it is more, the result is
// worth nothing, and the caller tries again with as many. -1 where the text is not UTF-8.
ptrdiff_t crated_normalise(const uint8_t *_Nullable text, size_t count, bool folds,
                           uint8_t *_Nullable room, size_t capacity);

// Takes UTF-8 apart into NFKD: accents, ligatures and half-width characters; default-ignorable
// characters go. The same holds of what is returned.
ptrdiff_t crated_take_apart(const uint8_t *_Nullable text, size_t count, uint8_t *_Nullable room,
                            size_t capacity);

// A decoder of a code page by the C library's name, which loads a file for it: iconv(3). NULL where
// this system has none.
void *_Nullable crated_decoder_open(const char *_Nonnull page);
void crated_decoder_close(void *_Nonnull decoder);

// Forgets what an earlier text ended in.
void crated_decoder_begin(void *_Nonnull decoder);

// Decodes to UTF-8 as much as has room; NULL for what still waits for an accent at the end.
//
// Returns the bytes written. `used` says how many bytes they were, and `is_odd` whether the next
// one is no character, or the beginning of one that is cut off.
size_t crated_decode(void *_Nonnull decoder, const uint8_t *_Nullable text, size_t count,
                     size_t *_Nonnull used, bool *_Nonnull is_odd, uint8_t *_Nonnull room,
                     size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
