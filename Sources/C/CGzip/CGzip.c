#include "CGzip.h"

#include <limits.h>
#include <zlib.h>

// The largest window, and gzip's header and end instead of zlib's own.
enum { window = 15 + 16, memory = 9 };

size_t crated_gzip(const uint8_t *bytes, size_t count, uint8_t *packed, size_t room) {
  if (count > UINT_MAX || room > UINT_MAX) return 0;
  z_stream stream = {0};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY)) {
    return 0;
  }
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = packed;
  stream.avail_out = (uInt)room;
  int result = deflate(&stream, Z_FINISH);
  size_t length = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? length : 0;
}
