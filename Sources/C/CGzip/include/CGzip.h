#ifndef CGZIP_H
#define CGZIP_H
#include <stddef.h>
#include <stdint.h>

// Packs bytes by zlib into the format of gzip (RFC 1952), as small as it can. Returns the length;
// 0 where they don't fit into `room`, or where there is no memory.
size_t crated_gzip(const uint8_t *bytes, size_t count, uint8_t *packed, size_t room);
#endif
