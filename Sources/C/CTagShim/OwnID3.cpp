// ID3v2 frame by frame. TagLib 1.13 drops a UTF-16 text without a mark of the byte order and a
// UTF-8 text with a wrong byte, all that follows a frame of no bytes, and the whole tag behind an
// extended header of version 2.3.
#include <algorithm>
#include <cstring>

#include "CTagShim.h"
#include "OwnReading.h"
#include "TagText.h"

namespace crated {

namespace {

constexpr int framesMost = 4096;
// A tag that is cut all over by zeros is put right before it is read, up to here.
constexpr uint64_t unsynchronisedMost = 4 << 20;
// UTF-16 takes twice the room.
constexpr size_t textMost = 2 * CRATED_TEXT_BYTES_MOST + 64;
constexpr size_t pictureMost = 8 << 20;
constexpr size_t keptMost = 16 << 20;

// TagLib's tag, filled with frames from here.
class FilledTag : public TagLib::ID3v2::Tag {
 public:
  FilledTag(uint8_t version, const std::string &frames) {
    if (frames.empty()) return;
    const char head[10] = {'I', 'D', '3', char(version), 0, 0, 0, 0, 0, 0};
    header()->setData(TagLib::ByteVector(head, 10));
    parse(TagLib::ByteVector(frames.data(), unsigned(frames.size())));
  }
};

// The zeros that keep a tag from looking like sound, taken out.
std::string synchronised(const std::string &bytes) {
  std::string result;
  result.reserve(bytes.size());
  size_t begin = 0;
  while (begin < bytes.size()) {
    size_t end = std::min(bytes.find('\xFF', begin), bytes.size() - 1) + 1;
    result.append(bytes, begin, end - begin);
    begin = end + (end < bytes.size() && uint8_t(bytes[end - 1]) == 0xFF && bytes[end] == 0);
  }
  return result;
}

uint32_t sevenBits(const uint8_t *bytes) {
  return uint32_t(bytes[0] & 0x7F) << 21 | uint32_t(bytes[1] & 0x7F) << 14 |
         uint32_t(bytes[2] & 0x7F) << 7 | (bytes[3] & 0x7F);
}

// What stands between a tag's header and its end.
class Frames {
 public:
  Frames(FileBytes &bytes, Span place) : bytes(bytes), begin(place.offset), count(place.count) {}

  uint64_t size() const { return count; }

  std::string read(uint64_t place, uint64_t most) const {
    if (place >= count) return "";
    most = std::min(most, count - place);
    if (isInMemory) return memory.substr(size_t(place), size_t(most));
    std::string result(size_t(most), '\0');
    result.resize(bytes.read(begin + place, result.data(), result.size()));
    return result;
  }

  void synchronise() {
    memory = synchronised(read(0, std::min(count, unsynchronisedMost)));
    count = memory.size();
    isInMemory = true;
  }

 private:
  FileBytes &bytes;
  uint64_t begin;
  uint64_t count;
  std::string memory;
  bool isInMemory = false;
};

struct Frame {
  std::string name;
  uint64_t content;
  uint64_t size;
  // Two bytes, from version 2.3 on.
  uint8_t flags = 0;
};

class Walk {
 public:
  Walk(FileBytes &bytes, Span place, uint8_t version, uint8_t flags, bool wantsPictures)
      : frames(bytes, place), version(version), wantsPictures(wantsPictures) {
    bool isUnsynchronised = (flags & 0x80) != 0;
    if (isUnsynchronised && version < 4) frames.synchronise();
    areAllUnsynchronised = isUnsynchronised && version == 4;
    if ((flags & 0x40) != 0 && version > 2) nextPlace = afterExtendedHeader();
  }

  OwnID3 run() {
    bool hasGap = false;
    for (int turn = 0; turn < framesMost; turn++) {
      Frame frame;
      if (!next(frame)) break;
      if (frame.size == 0) {
        hasGap = true;
        continue;
      }
      if (take(frame) && hasGap) tellsMore = true;
    }
    return {std::move(kept), version, tellsMore};
  }

 private:
  size_t nameLength() const { return version < 3 ? 3 : 4; }
  size_t headLength() const { return version < 3 ? 6 : 10; }

  bool isName(const std::string &name) const {
    if (name.size() != nameLength()) return false;
    return std::all_of(name.begin(), name.end(), [&](char letter) {
      bool isLast = &letter == &name.back();
      // Old names in a newer tag, as iTunes wrote them.
      if (isLast && version == 3 && letter == 0) return true;
      return (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    });
  }

  uint64_t afterExtendedHeader() {
    std::string head = frames.read(0, 10);
    // Some taggers set the flag for nothing.
    if (head.size() < 10 || isName(head.substr(0, 4))) return 0;
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(head.data());
    // TagLib 1.13 loses frames of such a tag, of either version.
    tellsMore = true;
    if (version == 4) return sevenBits(bytes);
    return 4 + uint64_t(bigEndian32(bytes));
  }

  uint64_t sizeOf(const uint8_t *head, uint64_t content) const {
    if (version < 3) return uint64_t(head[3]) << 16 | uint64_t(head[4]) << 8 | head[5];
    uint64_t plain = bigEndian32(head + 4);
    if (version == 3) return plain;
    uint64_t size = sevenBits(head + 4);
    // iTunes wrote sizes of version 2.3 into tags of 2.4.
    bool mayBePlain = size > 127 && !isName(frames.read(content + size, 4));
    return mayBePlain && isName(frames.read(content + plain, 4)) ? plain : size;
  }

  bool next(Frame &frame) {
    std::string head = frames.read(nextPlace, headLength());
    if (head.size() < headLength()) return false;
    frame.name = head.substr(0, nameLength());
    if (!isName(frame.name)) return false;
    frame.content = nextPlace + headLength();
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(head.data());
    frame.size = sizeOf(bytes, frame.content);
    if (frame.size > frames.size() - frame.content) return false;
    if (version > 2) frame.flags = bytes[9];
    nextPlace = frame.content + frame.size;
    return true;
  }

  // Whether the frame says something that is wanted here.
  bool take(const Frame &frame) {
    bool isText = frame.name[0] == 'T';
    bool isName = frame.name.compare(0, 3, "UFI") == 0;
    bool isPicture = frame.name == "APIC" || frame.name.compare(0, 3, "PIC") == 0;
    if (!isText && !isName && !(isPicture && wantsPictures)) return false;
    // Packed, encrypted or grouped: left to TagLib.
    uint8_t odd = version == 4 ? 0x4C : 0xE0;
    if ((frame.flags & odd) != 0) return false;
    if (!isText && frame.size > (isPicture ? pictureMost : textMost)) return false;
    bool isCut = frame.size > textMost && isText;
    std::string content = frames.read(frame.content, isCut ? textMost : frame.size);
    if (version == 4) {
      bool isUnsynchronised = areAllUnsynchronised || (frame.flags & 0x02) != 0;
      if ((frame.flags & 0x01) != 0) content.erase(0, 4);
      if (isUnsynchronised) content = synchronised(content);
    }
    if (isText) repair(content);
    if (content.empty()) return false;
    keep(frame.name, content);
    return true;
  }

  void repair(std::string &content) {
    if (content.empty()) return;
    bool hasMark = content.compare(1, 2, "\xFF\xFE") == 0 || content.compare(1, 2, "\xFE\xFF") == 0;
    char encoding = content[0];
    std::string text = content.substr(1);
    if (encoding == 1 && !hasMark && text.size() >= 2) {
      text = textOfUTF16(text);
    } else if (encoding == 0 && hasMark) {
      // Said to be Latin-1, which never begins so.
      text = textOfUTF16(text);
    } else if (encoding != 3 || isUTF8(text)) {
      return;
    }
    tellsMore = true;
    TagLib::ByteVector repaired = repairedTexts(text);
    content.assign(1, 3);
    content.append(repaired.data(), repaired.size());
  }

  // Text by text: a zero stands between two.
  static TagLib::ByteVector repairedTexts(const std::string &texts) {
    TagLib::ByteVector result;
    size_t begin = 0;
    while (begin <= texts.size()) {
      size_t end = std::min(texts.find('\0', begin), texts.size());
      if (begin > 0) result.append('\0');
      result.append(repairedUTF8(texts.substr(begin, end - begin)).data(TagLib::String::UTF8));
      begin = end + 1;
    }
    return result;
  }

  void keep(const std::string &name, const std::string &content) {
    if (kept.size() + content.size() > keptMost) return;
    kept += name;
    size_t size = content.size();
    if (version < 3) {
      for (int shift : {16, 8, 0}) kept += char(size >> shift & 0xFF);
    } else if (version == 3) {
      for (int shift : {24, 16, 8, 0}) kept += char(size >> shift & 0xFF);
    } else {
      for (int shift : {21, 14, 7, 0}) kept += char(size >> shift & 0x7F);
    }
    if (version > 2) kept.append(2, '\0');
    kept += content;
  }

  Frames frames;
  const uint8_t version;
  const bool wantsPictures;
  bool areAllUnsynchronised = false;
  bool tellsMore = false;
  uint64_t nextPlace = 0;
  std::string kept;
};

}  // namespace

std::unique_ptr<TagLib::ID3v2::Tag> OwnID3::tag() const {
  return std::make_unique<FilledTag>(version, frames);
}

OwnID3 readID3v2(FileBytes &bytes, const Sound &sound, bool wantsPictures) {
  constexpr uint64_t headLength = 10;
  uint8_t head[headLength];
  Span place = sound.tags.id3;
  if (place.count <= headLength || !bytes.readAll(place.offset, head, headLength)) return {};
  uint8_t version = head[3];
  bool isPacked = version == 2 && (head[5] & 0x40) != 0;
  if (std::memcmp(head, "ID3", 3) != 0 || version < 2 || version > 4 || isPacked) return {};
  uint64_t size = std::min<uint64_t>(sevenBits(head + 6), place.count - headLength);
  return Walk(bytes, {place.offset + headLength, size}, version, head[5], wantsPictures).run();
}

}  // namespace crated
