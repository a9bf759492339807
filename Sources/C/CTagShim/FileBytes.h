#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crated {

// The bytes of a file by pread(2), within a budget: a file that lies about its sizes must cost a
// bounded amount of reading. Small reads go through a few cached blocks, since TagLib reads in
// bites of a few bytes.
class FileBytes {
 public:
  enum class Failure { none, budget, disk };

  // The descriptor stays the caller's.
  FileBytes(int descriptor, uint64_t size) : descriptor(descriptor), length(size) {}
  FileBytes(const FileBytes &) = delete;
  FileBytes &operator=(const FileBytes &) = delete;

  uint64_t size() const { return length; }
  Failure failure() const { return failed; }
  // errno of the read that failed.
  int errorNumber() const { return error; }

  // Copies what there is of [offset, offset + count): less at the end of the file, and nothing at
  // all once something has failed.
  size_t read(uint64_t offset, void *to, size_t count);
  // Whether all of it was there.
  bool readAll(uint64_t offset, void *to, size_t count) {
    return read(offset, to, count) == count;
  }

 private:
  static constexpr size_t blockSize = 8 * 1024;
  static constexpr uint64_t noBlock = UINT64_MAX;

  struct Block {
    uint64_t number = noBlock;
    size_t count = 0;
    uint64_t lastUse = 0;
    std::vector<uint8_t> bytes;
  };

  size_t readDisk(uint64_t offset, uint8_t *to, size_t count);
  Block &load(uint64_t number);

  const int descriptor;
  const uint64_t length;
  Failure failed = Failure::none;
  int error = 0;
  uint64_t requests = 0;
  uint64_t diskReads = 0;
  uint64_t diskBytes = 0;
  std::array<Block, 4> blocks;
};

inline uint32_t bigEndian32(const uint8_t *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

inline uint64_t bigEndian64(const uint8_t *bytes) {
  return uint64_t(bigEndian32(bytes)) << 32 | bigEndian32(bytes + 4);
}

inline uint32_t littleEndian32(const uint8_t *bytes) {
  return uint32_t(bytes[3]) << 24 | uint32_t(bytes[2]) << 16 | uint32_t(bytes[1]) << 8 | bytes[0];
}

inline uint64_t littleEndian64(const uint8_t *bytes) {
  return uint64_t(littleEndian32(bytes + 4)) << 32 | littleEndian32(bytes);
}

}  // namespace crated
