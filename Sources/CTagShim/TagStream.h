#pragma once
#include <string>

#include <tbytevector.h>
#include <tiostream.h>

#include "FileBytes.h"

namespace crated {

// What TagLib sees of a file: bytes that can't be changed, and a name that is nothing but an
// extension. By path TagLib would open for writing, and closing that wakes every watcher.
class TagStream : public TagLib::IOStream {
 public:
  TagStream(FileBytes &bytes, const std::string &extension)
      : bytes(bytes), fileName("x." + extension) {}

  TagLib::FileName name() const override { return fileName.c_str(); }
  TagLib::ByteVector readBlock(unsigned long count) override;
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  void seek(long offset, Position from = Beginning) override;
  void clear() override {}
  long tell() const override { return place; }
  long length() override { return long(bytes.size()); }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, unsigned long, unsigned long) override {}
  void removeBlock(unsigned long, unsigned long) override {}
  void truncate(long) override {}

 private:
  FileBytes &bytes;
  const std::string fileName;
  long place = 0;
};

}  // namespace crated
