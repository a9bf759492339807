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

// DSF says in its head where an ID3v2 tag begins, which goes on to the end.
Span pointerToTag(FileBytes &bytes, Range range, uint64_t head) {
  uint8_t pointer[8];
  if (!bytes.readAll(head + 20, pointer, 8)) return {};
  uint64_t offset = littleEndian64(pointer);
  if (offset == 0 || offset >= range.end - range.begin) return {};
  return {range.begin + offset, range.end - range.begin - offset};
}

}  // namespace

Sound findRIFF(FileBytes &bytes, Range range) {
  Sound sound = single(SoundKind::wave, {range.end, 0});
  bool hasSound = false;
  uint64_t place = range.begin + 12;
  uint64_t largeSize = UINT64_MAX;
  uint64_t bytesPerSecond = 0;
  for (int turn = 0; turn < chunksMost && place < range.end; turn++) {
    uint8_t head[8];
    if (!bytes.readAll(place, head, 8)) break;
    uint64_t size = littleEndian32(head + 4);
    if (is(head, "ds64")) {
      uint8_t sizes[16];
      if (bytes.readAll(place + 8, sizes, 16)) largeSize = littleEndian64(sizes + 8);
    }
    if (is(head, "fmt ")) {
      uint8_t format[12];
      if (bytes.readAll(place + 8, format, 12)) {
        sound.channels = format[2] | format[3] << 8;
        sound.hertz = littleEndian32(format + 4);
        bytesPerSecond = littleEndian32(format + 8);
      }
    }
    if (is(head, "data") && !hasSound) {
      hasSound = true;
      if (size == 0xFFFFFFFF) size = largeSize;
      Span payload = inside(range, place + 8, size);
      sound.payload = {payload};
      uint8_t start[4];
      bool isPacked = bytes.readAll(payload.offset, start, 4) && is(start, "wvpk");
      if (bytesPerSecond > 0 && !isPacked)
        sound.milliseconds = millisecondsOf(payload.count, bytesPerSecond);
    }
    if (is(head, "id3 ") || is(head, "ID3 ")) sound.tags.id3 = inside(range, place + 8, size);
    uint8_t start[4];
    if (is(head, "LIST") && size > 4 && bytes.readAll(place + 8, start, 4) && is(start, "INFO"))
      sound.tags.info.push_back(inside(range, place + 12, size - 4));
    if (is(head, "CSET") && bytes.readAll(place + 8, start, 2))
      sound.tags.codePage = uint16_t(start[0] | start[1] << 8);
    place = after(range, place + 8, size + (size & 1));
  }
  return sound;
}

Sound findAIFF(FileBytes &bytes, Range range) {
  Sound sound = single(SoundKind::aiff, {range.end, 0});
  bool hasSound = false;
  uint64_t place = range.begin + 12;
  for (int turn = 0; turn < chunksMost && place < range.end; turn++) {
    uint8_t head[8];
    if (!bytes.readAll(place, head, 8)) break;
    uint64_t size = bigEndian32(head + 4);
    // An offset and a block size stand before the samples.
    if (is(head, "SSND") && size >= 8 && !hasSound) {
      hasSound = true;
      sound.payload = {inside(range, place + 16, size - 8)};
    }
    if (is(head, "ID3 ") || is(head, "id3 ")) sound.tags.id3 = inside(range, place + 8, size);
    place = after(range, place + 8, size + (size & 1));
  }
  return sound;
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
    Span content = inside(range, place + headSize, size - headSize);
    if (is(head + 4, "mdat") && content.count > 0) sound.payload.push_back(content);
    if (is(head + 4, "moov") && sound.tags.movie.count == 0) sound.tags.movie = content;
    if (is(head + 4, "moof")) sound.fragments.push_back(content);
    place = after(range, place, size);
  }
  // Cut off in the middle, the rest could be there after the next change.
  sound.isTooLittle = turn == chunksMost || sound.payload.empty();
  return sound;
}

Sound findDSF(FileBytes &bytes, Range range) {
  Span id3{};
  uint64_t place = range.begin;
  for (int turn = 0; turn < 16 && place < range.end; turn++) {
    uint8_t head[12];
    if (!bytes.readAll(place, head, 12)) break;
    uint64_t size = littleEndian64(head + 4);
    if (size < 12) break;
    if (is(head, "DSD ")) id3 = pointerToTag(bytes, range, place);
    if (is(head, "data")) {
      Sound sound = single(SoundKind::dsf, inside(range, place + 12, size - 12));
      sound.tags.id3 = id3;
      return sound;
    }
    place = after(range, place, size);
  }
  return single(SoundKind::dsf, {range.end, 0});
}

Sound findDSDIFF(FileBytes &bytes, Range range) {
  Sound sound = single(SoundKind::dsdiff, {range.end, 0});
  bool hasSound = false;
  uint64_t place = range.begin + 16;
  for (int turn = 0; turn < chunksMost && place < range.end; turn++) {
    uint8_t head[12];
    if (!bytes.readAll(place, head, 12)) break;
    uint64_t size = bigEndian64(head + 4);
    if ((is(head, "DSD ") || is(head, "DST ")) && !hasSound) {
      hasSound = true;
      sound.payload = {inside(range, place + 12, size)};
    }
    if (is(head, "ID3 ")) sound.tags.id3 = inside(range, place + 12, size);
    if (size == UINT64_MAX) break;
    place = after(range, place + 12, size + (size & 1));
  }
  return sound;
}

namespace {

// Whether one of the streams that ASF's header describes is sound; nothing if it describes none.
std::optional<bool> announcesSound(FileBytes &bytes, Range header) {
  static const uint8_t streamObject[16] = {0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11,
                                           0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65};
  static const uint8_t soundStream[16] = {0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11,
                                          0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B};
  std::optional<bool> announces;
  // The object's head, and the number of those in it.
  uint64_t place = header.begin + 30;
  for (int turn = 0; turn < 1024 && place < header.end; turn++) {
    uint8_t head[40];
    if (!bytes.readAll(place, head, 40)) break;
    uint64_t size = littleEndian64(head + 16);
    if (size < 24) break;
    if (std::memcmp(head, streamObject, 16) == 0)
      announces = announces.value_or(false) || std::memcmp(head + 24, soundStream, 16) == 0;
    place = after(header, place, size);
  }
  return announces;
}

}  // namespace

Sound findASF(FileBytes &bytes, Range range) {
  static const uint8_t dataObject[16] = {0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11,
                                         0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C};
  constexpr uint64_t dataHead = 50;  // the object's head, the file's id, the number of packets
  Sound sound = single(SoundKind::asf, {range.end, 0});
  uint64_t place = range.begin;
  for (int turn = 0; turn < 1024 && place < range.end; turn++) {
    uint8_t head[24];
    if (!bytes.readAll(place, head, 24)) break;
    uint64_t size = littleEndian64(head + 16);
    if (size < 24) break;
    if (turn == 0) sound.isAnnounced = announcesSound(bytes, {place, after(range, place, size)});
    if (std::memcmp(head, dataObject, 16) == 0) {
      if (size < dataHead) break;
      sound.payload = {inside(range, place + dataHead, size - dataHead)};
      break;
    }
    place = after(range, place, size);
  }
  return sound;
}

}  // namespace crated
