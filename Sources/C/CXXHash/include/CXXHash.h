#ifndef CXXHASH_H
#define CXXHASH_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

// XXH3-128 (https://xxhash.com) of the bytes, as the two halves of its canonical number.
typedef struct {
  uint64_t high;
  uint64_t low;
} crated_hash128;

crated_hash128 crated_xxh3_128(const void *_Nullable bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif
