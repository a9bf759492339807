// Matroska is a tree of elements, each with an id, a size and what it holds. The sound is what is
// in the clusters; taggers leave those alone.
#include <algorithm>

#include "Sound.h"

namespace crated {

namespace {

constexpr int elementsMost = 16'384;
constexpr uint32_t idOfSegment = 0x18538067;
constexpr uint32_t idOfCluster = 0x1F43B675;

struct Element {
  uint32_t id;
  uint64_t content;
  uint64_t end;
  bool isOpenEnded;
};

// A number whose first byte tells by its leading zeros how many bytes it has.
bool readNumber(FileBytes &bytes, uint64_t &place, size_t most, bool keepsMark, uint64_t &number) {
  uint8_t raw[8];
  if (!bytes.readAll(place, raw, 1) || raw[0] == 0) return false;
  size_t length = size_t(__builtin_clz(raw[0])) - 24 + 1;
  if (length > most || !bytes.readAll(place, raw, length)) return false;
  number = keepsMark ? raw[0] : raw[0] & (0xFF >> length);
  bool isAllOnes = number == uint64_t(0xFF >> length);
  for (size_t i = 1; i < length; i++) {
    number = number << 8 | raw[i];
    isAllOnes = isAllOnes && raw[i] == 0xFF;
  }
  if (!keepsMark && isAllOnes) number = UINT64_MAX;
  place += length;
  return true;
}

bool readElement(FileBytes &bytes, uint64_t place, uint64_t end, Element &element) {
  uint64_t id;
  uint64_t size;
  if (place >= end || !readNumber(bytes, place, 4, true, id)) return false;
  if (!readNumber(bytes, place, 8, false, size)) return false;
  // Of a stream that was written as it came: up to where its like begins.
  bool isOpenEnded = size == UINT64_MAX;
  if (place > end) return false;
  element = {uint32_t(id), place, place + std::min(size, end - place), isOpenEnded};
  return true;
}

}  // namespace

Sound findMatroska(FileBytes &bytes, Range range) {
  Sound sound;
  sound.kind = SoundKind::matroska;
  uint64_t place = range.begin;
  uint64_t end = range.end;
  Element element;
  int turn = 0;
  for (; turn < elementsMost && readElement(bytes, place, end, element); turn++) {
    place = element.end;
    if (element.id == idOfSegment) {
      place = element.content;
      end = element.end;
    }
    if (element.id != idOfCluster) continue;
    sound.payload.push_back({element.content, element.end - element.content});
    if (element.isOpenEnded) break;
  }
  sound.isTooLittle = turn == elementsMost || sound.payload.empty();
  return sound;
}

}  // namespace crated
