#include "TagStream.h"

#include <algorithm>

namespace crated {

TagLib::ByteVector TagStream::readBlock(StreamCount count) {
  if (place < 0 || place >= length()) return TagLib::ByteVector();
  // The count comes from the file, which may claim anything: no more than there is, ever.
  count = std::min(count, static_cast<StreamCount>(length() - place));
  TagLib::ByteVector block(static_cast<unsigned int>(std::min<StreamCount>(count, 0x7FFFFFFF)), 0);
  uint64_t offset = uint64_t(place) + retouching.skipped;
  size_t came = bytes.read(offset, block.data(), block.size());
  block.resize(static_cast<unsigned int>(came));
  for (const auto &[where, byte] : retouching.bytes)
    if (where >= offset && where < offset + came) block[int(where - offset)] = char(byte);
  place += StreamOffset(came);
  return block;
}

void TagStream::seek(StreamOffset offset, Position from) {
  StreamOffset base = from == Beginning ? 0 : from == Current ? place : length();
  StreamOffset target;
  if (__builtin_add_overflow(base, offset, &target)) return;
  place = std::max(target, StreamOffset(0));
}

}  // namespace crated
