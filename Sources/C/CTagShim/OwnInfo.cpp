// RIFF's INFO chunk by chunk. TagLib gives up at a name that it wouldn't write, and takes every
// text for UTF-8.
#include <algorithm>
#include <cstring>

#include "CTagShim.h"
#include "OwnReading.h"
#include "TagText.h"

namespace crated {

namespace {

constexpr int chunksMost = 4096;

// As they are called in INFO, and by TagLib.
struct Field {
  const char *name;
  const char *key;
};

const Field fields[] = {
    {"INAM", "TITLE"}, {"IART", "ARTIST"},      {"IPRD", "ALBUM"},       {"IGNR", "GENRE"},
    {"ICRD", "DATE"},  {"IPRT", "TRACKNUMBER"}, {"ITRK", "TRACKNUMBER"},
};

const char *keyOf(const uint8_t name[4]) {
  for (const Field &field : fields)
    if (std::memcmp(name, field.name, 4) == 0) return field.key;
  return nullptr;
}

// In the code page that the file declares, else in UTF-8 where any of it is, wrong bytes or not,
// else in the one that most programs on Windows have written.
TagLib::String textOf(std::string bytes, uint16_t codePage) {
  constexpr uint16_t windows1252 = 1252;
  constexpr uint16_t utf8 = 65001;
  bytes = bytes.substr(0, bytes.find('\0'));
  bool isWindows = codePage == windows1252 || (codePage != utf8 && !hasLongCharacter(bytes));
  return repairedUTF8(isWindows ? textOfWindows1252(bytes) : bytes);
}

}  // namespace

TagLib::PropertyMap readInfo(FileBytes &bytes, const Sound &sound) {
  TagLib::PropertyMap tags;
  for (Span list : sound.tags.info) {
    uint64_t place = list.offset;
    uint64_t end = list.offset + list.count;
    for (int turn = 0; turn < chunksMost && place + 8 <= end; turn++) {
      uint8_t head[8];
      if (!bytes.readAll(place, head, 8)) break;
      uint64_t size = littleEndian32(head + 4);
      place += 8;
      if (const char *key = keyOf(head); key && !tags.contains(key)) {
        std::string text(size_t(std::min<uint64_t>({size, end - place, CRATED_TEXT_BYTES_MOST})),
                         '\0');
        if (!bytes.readAll(place, text.data(), text.size())) break;
        TagLib::String value = textOf(std::move(text), sound.tags.codePage);
        if (!value.isEmpty()) tags.replace(key, value);
      }
      place += size + (size & 1);
    }
  }
  return tags;
}

}  // namespace crated
