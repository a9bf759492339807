#include "OggPages.h"

#include <array>

namespace crated {

namespace {

constexpr std::array<uint32_t, 256> checksumTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t sum = byte << 24;
    for (int bit = 0; bit < 8; bit++) sum = sum << 1 ^ (sum & 0x80000000U ? 0x04C11DB7U : 0);
    table[byte] = sum;
  }
  return table;
}

// Whether the page is what was written: over all of it, its own place counting as zeros.
bool hasItsChecksum(const uint8_t *page, size_t count) {
  static constexpr std::array<uint32_t, 256> table = checksumTable();
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t byte = i >= 22 && i < 26 ? 0 : page[i];
    sum = sum << 8 ^ table[sum >> 24 ^ byte];
  }
  return sum == littleEndian32(page + 22);
}

}  // namespace

bool readPage(FileBytes &bytes, Range range, uint64_t offset, OggPage &page) {
  uint8_t head[27];
  if (offset + 27 > range.end || !bytes.readAll(offset, head, 27)) return false;
  if (std::memcmp(head, "OggS", 4) != 0 || head[4] != 0) return false;
  page.offset = offset;
  page.beginsStream = (head[5] & 2) != 0;
  page.serial = littleEndian32(head + 14);
  page.segmentCount = head[26];
  if (!bytes.readAll(offset + 27, page.segments, page.segmentCount)) return false;
  page.body = offset + 27 + page.segmentCount;
  page.next = page.body;
  for (int i = 0; i < page.segmentCount; i++) page.next += page.segments[i];
  return page.next <= range.end;
}

size_t wholePage(const uint8_t *bytes, size_t count) {
  if (count < 27 || std::memcmp(bytes, "OggS", 4) != 0 || bytes[4] != 0) return 0;
  size_t length = 27 + size_t(bytes[26]);
  if (length > count) return 0;
  for (size_t i = 0; i < bytes[26]; i++) length += bytes[27 + i];
  return length <= count && hasItsChecksum(bytes, length) ? length : 0;
}

}  // namespace crated
