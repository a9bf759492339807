#pragma once
#include <cstring>
#include <vector>

#include "Sound.h"

namespace crated {

constexpr size_t oggPageMost = 27 + 255 + 255 * 255;
// Each costs a checksum over as much as a page may hold.
constexpr int spoiledPagesMost = 256;

struct OggPage {
  uint64_t offset;
  uint64_t body;
  uint64_t next;
  uint32_t serial;
  bool beginsStream;
  uint8_t segmentCount;
  uint8_t segments[255];
};

// Whether a page begins there that ends in the range; its checksum is not looked at.
bool readPage(FileBytes &bytes, Range range, uint64_t offset, OggPage &page);

// The length of the page that begins the bytes; 0 if none does, or it is not as it was written.
size_t wholePage(const uint8_t *bytes, size_t count);

// Calls with each whole page from a place to the end, whatever lies between and behind them.
template <class Take>
bool eachWholePage(FileBytes &bytes, Range range, uint64_t from, Take take) {
  std::vector<uint8_t> window(size_t(range.end - from));
  if (!bytes.readAll(from, window.data(), window.size())) return false;
  size_t place = 0;
  for (int spoiled = 0; place < window.size() && spoiled < spoiledPagesMost;) {
    const uint8_t *page = window.data() + place;
    size_t left = window.size() - place;
    if (size_t length = wholePage(page, left)) {
      take(page, length);
      place += length;
      continue;
    }
    spoiled += left >= 4 && std::memcmp(page, "OggS", 4) == 0;
    const void *found = left > 1 ? memmem(page + 1, left - 1, "OggS", 4) : nullptr;
    if (!found) break;
    place = size_t(static_cast<const uint8_t *>(found) - window.data());
  }
  return true;
}

}  // namespace crated
