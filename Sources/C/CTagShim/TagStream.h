#pragma once
#include <string>

#include <taglib.h>
#include <tbytevector.h>
#include <tiostream.h>

#include "FileBytes.h"
#include "Sound.h"

namespace crated {

// TagLib 2 measures files in other numbers than TagLib 1.
#if TAGLIB_MAJOR_VERSION >= 2
using StreamOffset = TagLib::offset_t;
using StreamCount = size_t;
using StreamStart = TagLib::offset_t;
#else
using StreamOffset = long;
using StreamCount = unsigned long;
using StreamStart = unsigned long;
#endif

// What TagLib sees of a file: bytes that can't be changed, and a name that is nothing but an
// extension. By path TagLib would open for writing, and closing that wakes every watcher.
class TagStream : public TagLib::IOStream {
 public:
  TagStream(FileBytes &bytes, const Retouching &retouching, const std::string &extension)
      : bytes(bytes), retouching(retouching), fileName("x." + extension) {}

  TagLib::FileName name() const override { return fileName.c_str(); }
  TagLib::ByteVector readBlock(StreamCount count) override;
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  void seek(StreamOffset offset, Position from = Beginning) override;
  void clear() override {}
  StreamOffset tell() const override { return place; }
  StreamOffset length() override { return StreamOffset(bytes.size() - retouching.skipped); }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, StreamStart, StreamCount) override {}
  void removeBlock(StreamStart, StreamCount) override {}
  void truncate(StreamOffset) override {}

 private:
  FileBytes &bytes;
  const Retouching &retouching;
  const std::string fileName;
  StreamOffset place = 0;
};

}  // namespace crated
