// Containers made of a row of chunks, each with a name and a size.
#include <algorithm>
#include <cstring>

#include "Sound.h"

namespace crated {

namespace {

constexpr int chunksMost = 8192;

bool is(const uint8_t *bytes, const char *name) { return std::memcmp(bytes, name, 4) == 0; }

// Cut at the end of the range: programs that stream don't know the size when they write it.
Span inside(Range range, uint64_t offset, uint64_t count) {
  if (offset >= range.end) return {range.end, 0};
  return {offset, std::min(count, range.end - offset)};
}

// Where the next chunk begins; the end of the range if that can't be.
uint64_t after(Range range, uint64_t payload, uint64_t size) {
  if (payload >= range.end || size > range.end - payload) return range.end;
  return payload + size;
}

Sound single(SoundKind kind, Span payload) {
  Sound sound;
  sound.kind = kind;
  sound.payload.push_back(payload);
  return sound;
}

}  // namespace

Sound findRIFF(FileBytes &bytes, Range range) {
  uint64_t place = range.begin + 12;
  uint64_t largeSize = UINT64_MAX;
  for (int turn = 0; turn < chunksMost && place < range.end; turn++) {
    uint8_t head[8];
    if (!bytes.readAll(place, head, 8)) break;
    uint64_t size = littleEndian32(head + 4);
    if (is(head, "ds64")) {
      uint8_t sizes[16];
      if (bytes.readAll(place + 8, sizes, 16)) largeSize = littleEndian64(sizes + 8);
    }
    if (is(head, "data")) {
      if (size == 0xFFFFFFFF) size = largeSize;
      return single(SoundKind::wave, inside(range, place + 8, size));
    }
    place = after(range, place + 8, size + (size & 1));
  }
  return single(SoundKind::wave, {range.end, 0});
}

Sound findAIFF(FileBytes &bytes, Range range) {
  uint64_t place = range.begin + 12;
  for (int turn = 0; turn < chunksMost && place < range.end; turn++) {
    uint8_t head[8];
    if (!bytes.readAll(place, head, 8)) break;
    uint64_t size = bigEndian32(head + 4);
    // An offset and a block size stand before the samples.
    if (is(head, "SSND") && size >= 8)
      return single(SoundKind::aiff, inside(range, place + 16, size - 8));
    place = after(range, place + 8, size + (size & 1));
  }
  return single(SoundKind::aiff, {range.end, 0});
}

Sound findMP4(FileBytes &bytes, Range range) {
  Sound sound;
  sound.kind = SoundKind::mp4;
  uint64_t place = range.begin;
  int turn = 0;
  for (; turn < chunksMost && place < range.end; turn++) {
    uint8_t head[16];
    if (!bytes.readAll(place, head, 8)) break;
    uint64_t size = bigEndian32(head);
    uint64_t headSize = 8;
    if (size == 1) {
      if (!bytes.readAll(place + 8, head + 8, 8)) break;
      size = bigEndian64(head + 8);
      headSize = 16;
    } else if (size == 0) {
      size = range.end - place;
    }
    if (size < headSize) break;
    if (is(head + 4, "mdat")) {
      Span span = inside(range, place + headSize, size - headSize);
      if (span.count > 0) sound.payload.push_back(span);
    }
    place = after(range, place, size);
  }
  // Cut off in the middle, the rest could be there after the next change.
  sound.isTooLittle = turn == chunksMost || sound.payload.empty();
  return sound;
}

Sound findDSF(FileBytes &bytes, Range range) {
  uint64_t place = range.begin;
  for (int turn = 0; turn < 16 && place < range.end; turn++) {
    uint8_t head[12];
    if (!bytes.readAll(place, head, 12)) break;
    uint64_t size = littleEndian64(head + 4);
    if (size < 12) break;
    if (is(head, "data")) return single(SoundKind::dsf, inside(range, place + 12, size - 12));
    place = after(range, place, size);
  }
  return single(SoundKind::dsf, {range.end, 0});
}

Sound findDSDIFF(FileBytes &bytes, Range range) {
  uint64_t place = range.begin + 16;
  for (int turn = 0; turn < chunksMost && place < range.end; turn++) {
    uint8_t head[12];
    if (!bytes.readAll(place, head, 12)) break;
    uint64_t size = bigEndian64(head + 4);
    if (is(head, "DSD ") || is(head, "DST "))
      return single(SoundKind::dsdiff, inside(range, place + 12, size));
    if (size == UINT64_MAX) break;
    place = after(range, place + 12, size + (size & 1));
  }
  return single(SoundKind::dsdiff, {range.end, 0});
}

Sound findASF(FileBytes &bytes, Range range) {
  static const uint8_t dataObject[16] = {0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11,
                                         0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C};
  constexpr uint64_t dataHead = 50;  // the object's head, the file's id, the number of packets
  uint64_t place = range.begin;
  for (int turn = 0; turn < 1024 && place < range.end; turn++) {
    uint8_t head[24];
    if (!bytes.readAll(place, head, 24)) break;
    uint64_t size = littleEndian64(head + 16);
    if (size < 24) break;
    if (std::memcmp(head, dataObject, 16) == 0) {
      if (size < dataHead) break;
      return single(SoundKind::asf, inside(range, place + dataHead, size - dataHead));
    }
    place = after(range, place, size);
  }
  return single(SoundKind::asf, {range.end, 0});
}

}  // namespace crated
