#pragma once
#include <cstring>
#include <string>

#include "FileBytes.h"

namespace crated {

struct Atom {
  std::string name;
  uint64_t content;
  uint64_t end;
};

// The atoms of a range of MP4 (ISO/IEC 14496-12), one after the other.
class Atoms {
 public:
  Atoms(FileBytes &bytes, uint64_t begin, uint64_t end) : bytes(bytes), place(begin), end(end) {}

  bool next(Atom &atom) {
    uint8_t head[16];
    if (++count > most || place + 8 > end || !bytes.readAll(place, head, 8)) return false;
    uint64_t size = bigEndian32(head);
    uint64_t headSize = 8;
    if (size == 1) {
      if (!bytes.readAll(place + 8, head + 8, 8)) return false;
      size = bigEndian64(head + 8);
      headSize = 16;
    } else if (size == 0) {
      size = end - place;
    }
    if (size < headSize || size > end - place) return false;
    atom = {std::string(reinterpret_cast<char *>(head) + 4, 4), place + headSize, place + size};
    place += size;
    return true;
  }

 private:
  static constexpr int most = 4096;

  FileBytes &bytes;
  uint64_t place;
  const uint64_t end;
  int count = 0;
};

// The first atom of a name inside another, behind so many bytes of that one's own.
inline bool findAtom(FileBytes &bytes, const char *name, const Atom &in, Atom &found,
                     uint64_t skipped = 0) {
  Atoms atoms(bytes, in.content + skipped, in.end);
  while (atoms.next(found))
    if (found.name == name) return true;
  return false;
}

inline bool isSoundTrack(FileBytes &bytes, const Atom &track) {
  Atom media;
  Atom kind;
  uint8_t head[12];
  return findAtom(bytes, "mdia", track, media) && findAtom(bytes, "hdlr", media, kind) &&
         bytes.readAll(kind.content, head, 12) && std::memcmp(head + 8, "soun", 4) == 0;
}

}  // namespace crated
