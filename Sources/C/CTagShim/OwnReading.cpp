#include "OwnReading.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "CTagShim.h"
#include "TagText.h"

namespace crated {

namespace {

constexpr int fieldsMost = 4096;
// Of all values together; one that is longer than a text may be is cut.
constexpr size_t keptMost = 4 << 20;

// Bytes that lie in pieces.
class Pieces {
 public:
  Pieces(FileBytes &bytes, const std::vector<Span> &spans) : bytes(bytes), spans(spans) {}

  // Fewer where they end. Each place is at or behind the one before.
  std::string read(uint64_t place, uint64_t count) {
    while (current < spans.size() && place - before >= spans[current].count) {
      before += spans[current].count;
      current += 1;
    }
    std::string result;
    uint64_t skipped = place - before;
    for (size_t i = current; i < spans.size() && count > 0; i++) {
      size_t part = size_t(std::min(count, spans[i].count - skipped));
      size_t had = result.size();
      result.resize(had + part);
      if (!bytes.readAll(spans[i].offset + skipped, result.data() + had, part)) return "";
      count -= part;
      skipped = 0;
    }
    return result;
  }

  // Little-endian; false where they end.
  bool readNumber(uint64_t place, uint32_t &number) {
    std::string bytes = read(place, 4);
    if (bytes.size() < 4) return false;
    number = littleEndian32(reinterpret_cast<const uint8_t *>(bytes.data()));
    return true;
  }

 private:
  FileBytes &bytes;
  const std::vector<Span> &spans;
  // Where the last reading began, and how much lies before that piece.
  size_t current = 0;
  uint64_t before = 0;
};

std::string upper(std::string name) {
  for (char &letter : name)
    if (letter >= 'a' && letter <= 'z') letter -= 'a' - 'A';
  return name;
}

// The values of each field, and whether one of them has a wrong byte.
class Fields {
 public:
  void add(const std::string &name, std::string value) {
    size += name.size() + value.size();
    if (size > keptMost) return;
    Field &field = fields[upper(name)];
    field.hasWrongByte |= !isUTF8(value);
    field.values.push_back(std::move(value));
  }

  // Texts for TagLib are made of these alone.
  template <class Take>
  void eachWrong(Take take) const {
    for (const auto &[name, field] : fields)
      if (field.hasWrongByte) take(TagLib::String(name), repairedList(field.values));
  }

 private:
  struct Field {
    std::vector<std::string> values;
    bool hasWrongByte = false;
  };
  std::map<std::string, Field> fields;
  size_t size = 0;
};

// Pictures are megabytes in letters.
bool isPicture(const std::string &start) {
  std::string name = upper(start.substr(0, start.find('=')));
  return name == "METADATA_BLOCK_PICTURE" || name == "COVERART";
}

}  // namespace

std::unique_ptr<TagLib::Ogg::XiphComment> readComment(FileBytes &bytes, const Sound &sound) {
  auto tag = std::make_unique<TagLib::Ogg::XiphComment>();
  Pieces pieces(bytes, sound.tags.comment);
  uint32_t vendorLength;
  uint32_t count;
  if (!pieces.readNumber(0, vendorLength)) return tag;
  uint64_t place = 4 + uint64_t(vendorLength);
  if (!pieces.readNumber(place, count)) return tag;
  place += 4;
  Fields fields;
  for (uint32_t i = 0; i < std::min<uint32_t>(count, fieldsMost); i++) {
    uint32_t length;
    if (!pieces.readNumber(place, length)) break;
    place += 4;
    std::string start = pieces.read(place, std::min<uint32_t>(length, 64));
    size_t sign = start.find('=');
    if (sign != std::string::npos && sign > 0 && !isPicture(start)) {
      uint64_t most = std::min<uint64_t>(length, 64 + CRATED_TEXT_BYTES_MOST);
      std::string field = length > start.size() ? pieces.read(place, most) : start;
      if (field.size() < most) break;
      fields.add(field.substr(0, sign), field.substr(sign + 1));
    }
    place += length;
  }
  fields.eachWrong([&](const TagLib::String &name, const TagLib::StringList &values) {
    for (const TagLib::String &value : values) tag->addField(name, value, false);
  });
  return tag;
}

std::unique_ptr<TagLib::APE::Tag> readAPE(FileBytes &bytes, const Sound &sound) {
  auto tag = std::make_unique<TagLib::APE::Tag>();
  constexpr uint64_t headLength = 8;
  constexpr size_t nameMost = 255;
  std::vector<Span> items = {sound.tags.ape};
  Pieces pieces(bytes, items);
  Fields fields;
  uint64_t place = 0;
  for (int turn = 0; turn < fieldsMost; turn++) {
    std::string head = pieces.read(place, headLength + nameMost + 1);
    size_t end = head.size() > headLength ? head.find('\0', headLength) : std::string::npos;
    if (end == std::string::npos) break;
    const uint8_t *numbers = reinterpret_cast<const uint8_t *>(head.data());
    uint64_t length = littleEndian32(numbers);
    bool isText = (littleEndian32(numbers + 4) >> 1 & 3) == 0;
    place += end + 1;
    if (isText) {
      std::string name = head.substr(headLength, end - headLength);
      std::string value = pieces.read(place, std::min<uint64_t>(length, CRATED_TEXT_BYTES_MOST));
      for (size_t begin = 0; begin <= value.size();) {
        size_t stop = std::min(value.find('\0', begin), value.size());
        fields.add(name, value.substr(begin, stop - begin));
        begin = stop + 1;
      }
    }
    place += length;
  }
  fields.eachWrong([&](const TagLib::String &name, const TagLib::StringList &values) {
    tag->setItem(name, TagLib::APE::Item(name, values));
  });
  return tag;
}

}  // namespace crated
