#include "TagText.h"

#include "CTagShim.h"

namespace crated {

namespace {

// The length of the character that begins here; 0: none does, and so many bytes belong together.
size_t characterLength(const std::string &bytes, size_t place, size_t &wrong) {
  auto at = [&](size_t index) { return index < bytes.size() ? uint8_t(bytes[index]) : 0; };
  uint8_t first = at(place);
  wrong = 1;
  if (first < 0x80) return 1;
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  // What the first byte leaves open to the second: no long forms, no surrogates, nothing beyond.
  uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (size_t i = 1; i < length; i++) {
    uint8_t byte = at(place + i);
    if (byte < least || byte > most) return 0;
    wrong += 1;
    least = 0x80;
    most = 0xBF;
  }
  return length;
}

void append(uint32_t character, std::string &to) {
  if (character < 0x80) {
    to += char(character);
  } else if (character < 0x800) {
    to += char(0xC0 | character >> 6);
    to += char(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    to += char(0xE0 | character >> 12);
    to += char(0x80 | (character >> 6 & 0x3F));
    to += char(0x80 | (character & 0x3F));
  } else {
    to += char(0xF0 | character >> 18);
    to += char(0x80 | (character >> 12 & 0x3F));
    to += char(0x80 | (character >> 6 & 0x3F));
    to += char(0x80 | (character & 0x3F));
  }
}

constexpr uint32_t replacement = 0xFFFD;

bool isBigEndian(const std::string &bytes) {
  size_t even = 0;
  size_t odd = 0;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    even += bytes[i] == 0;
    odd += bytes[i + 1] == 0;
  }
  return even > odd;
}

}  // namespace

bool isUTF8(const std::string &bytes) {
  size_t wrong;
  for (size_t place = 0; place < bytes.size();) {
    size_t length = characterLength(bytes, place, wrong);
    if (length == 0) return false;
    place += length;
  }
  return true;
}

bool hasLongCharacter(const std::string &bytes) {
  size_t wrong;
  for (size_t place = 0; place < bytes.size();) {
    size_t length = characterLength(bytes, place, wrong);
    if (length > 1) return true;
    place += length == 0 ? wrong : 1;
  }
  return false;
}

std::string textOfWindows1252(const std::string &bytes) {
  // From 0x80 on, as the WHATWG's encoding standard has them; from 0xA0 on it is Latin-1.
  static const uint16_t characters[32] = {
      0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
      0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};
  std::string text;
  for (char byte : bytes) {
    uint8_t code = uint8_t(byte);
    append(code >= 0x80 && code < 0xA0 ? characters[code - 0x80] : code, text);
  }
  return text;
}

TagLib::String repairedUTF8(const std::string &bytes) {
  std::string repaired;
  for (size_t place = 0; place < bytes.size() && repaired.size() <= CRATED_TEXT_BYTES_MOST;) {
    size_t wrong;
    size_t length = characterLength(bytes, place, wrong);
    if (length == 0) {
      append(replacement, repaired);
      place += wrong;
    } else {
      repaired.append(bytes, place, length);
      place += length;
    }
  }
  return TagLib::String(repaired, TagLib::String::UTF8);
}

TagLib::StringList repairedList(const std::vector<std::string> &texts) {
  TagLib::StringList list;
  for (const std::string &text : texts) list.append(repairedUTF8(text));
  return list;
}

std::string textOfUTF16(const std::string &bytes) {
  std::string text;
  bool isBig = isBigEndian(bytes);
  auto unitAt = [&](size_t place) -> uint32_t {
    uint32_t first = uint8_t(bytes[place]);
    uint32_t second = uint8_t(bytes[place + 1]);
    return isBig ? first << 8 | second : second << 8 | first;
  };
  for (size_t place = 0; place + 1 < bytes.size(); place += 2) {
    uint32_t unit = unitAt(place);
    if (unit == 0xFEFF) continue;
    if (unit == 0xFFFE) {
      isBig = !isBig;
      continue;
    }
    bool isHigh = unit >= 0xD800 && unit < 0xDC00;
    if (isHigh && place + 3 < bytes.size()) {
      uint32_t low = unitAt(place + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        append(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), text);
        place += 2;
        continue;
      }
    }
    append(unit >= 0xD800 && unit < 0xE000 ? replacement : unit, text);
  }
  return text;
}

}  // namespace crated
