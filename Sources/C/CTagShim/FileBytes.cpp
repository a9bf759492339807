#include "FileBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace crated {

namespace {

// A normal file takes some dozens of reads and under 200 KiB, covers included; one with a cover of
// 50 MiB, read twice, still fits.
constexpr uint64_t requestsMost = 500'000;
constexpr uint64_t diskReadsMost = 20'000;
constexpr uint64_t diskBytesMost = 192ULL << 20;

}  // namespace

size_t FileBytes::readDisk(uint64_t offset, uint8_t *to, size_t count) {
  size_t done = 0;
  while (done < count) {
    if (diskReads >= diskReadsMost || diskBytes + (count - done) > diskBytesMost) {
      failed = Failure::budget;
      return 0;
    }
    diskReads += 1;
    ssize_t came = pread(descriptor, to + done, count - done, off_t(offset + done));
    if (came < 0) {
      if (errno == EINTR) continue;
      failed = Failure::disk;
      error = errno;
      return 0;
    }
    if (came == 0) break;
    done += size_t(came);
    diskBytes += uint64_t(came);
  }
  return done;
}

FileBytes::Block &FileBytes::load(uint64_t number) {
  Block *oldest = &blocks[0];
  for (Block &block : blocks) {
    if (block.number == number) {
      block.lastUse = requests;
      return block;
    }
    if (block.lastUse < oldest->lastUse) oldest = &block;
  }
  oldest->bytes.resize(blockSize);
  oldest->number = noBlock;
  oldest->count = readDisk(number * blockSize, oldest->bytes.data(), blockSize);
  oldest->number = number;
  oldest->lastUse = requests;
  return *oldest;
}

size_t FileBytes::read(uint64_t offset, void *to, size_t count) {
  if (failed != Failure::none) return 0;
  requests += 1;
  if (requests > requestsMost) {
    failed = Failure::budget;
    return 0;
  }
  if (offset >= length) return 0;
  count = size_t(std::min<uint64_t>(count, length - offset));
  uint8_t *target = static_cast<uint8_t *>(to);
  if (count >= blockSize) return readDisk(offset, target, count);

  size_t done = 0;
  while (done < count) {
    uint64_t place = offset + done;
    const Block &block = load(place / blockSize);
    if (failed != Failure::none) return 0;
    size_t start = size_t(place % blockSize);
    if (start >= block.count) break;
    size_t part = std::min(count - done, block.count - start);
    std::memcpy(target + done, block.bytes.data() + start, part);
    done += part;
  }
  return done;
}

}  // namespace crated
