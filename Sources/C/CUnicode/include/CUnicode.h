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

#ifdef __cplusplus
}
#endif
#endif
