#include "TagStream.h"

#include <algorithm>

namespace crated {

TagLib::ByteVector TagStream::readBlock(unsigned long count) {
  if (place < 0 || place >= length()) return TagLib::ByteVector();
  // The count comes from the file, which may claim anything: no more than there is, ever.
  count = std::min(count, static_cast<unsigned long>(length() - place));
  TagLib::ByteVector block(static_cast<unsigned int>(std::min(count, 0x7FFFFFFFUL)), 0);
  size_t came = bytes.read(uint64_t(place), block.data(), block.size());
  block.resize(static_cast<unsigned int>(came));
  place += long(came);
  return block;
}

void TagStream::seek(long offset, Position from) {
  long base = from == Beginning ? 0 : from == Current ? place : length();
  long target;
  if (__builtin_add_overflow(base, offset, &target)) return;
  place = std::max(target, 0L);
}

}  // namespace crated
