#include "CXXHash.h"

// The header-only form: no shared library to find at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>

crated_hash128 crated_xxh3_128(const void *bytes, size_t count) {
  static const char nothing = 0;
  XXH128_hash_t hash = XXH3_128bits(bytes ? bytes : &nothing, count);
  crated_hash128 result = {hash.high64, hash.low64};
  return result;
}
