#include "Sound.h"

#include <cstring>

namespace crated {

namespace {

constexpr int outerTagsMost = 64;

bool startsWith(const uint8_t *bytes, const char *magic) {
  return std::memcmp(bytes, magic, std::strlen(magic)) == 0;
}

// The length of an ID3v2 tag whose header (or, at the end of a file, footer) this is; else 0.
uint64_t id3Length(const uint8_t header[10], const char *magic) {
  if (!startsWith(header, magic) || header[3] == 0xFF || header[4] == 0xFF) return 0;
  uint64_t size = 0;
  for (int i = 6; i < 10; i++) {
    if (header[i] & 0x80) return 0;
    size = size << 7 | header[i];
  }
  bool hasFooter = (header[5] & 0x10) != 0;
  return size + 10 + (hasFooter ? 10 : 0);
}

// What an APE header or footer says of the whole tag's length; 0 if it isn't one.
uint64_t apeLength(const uint8_t footer[32], bool isHeader) {
  if (!startsWith(footer, "APETAGEX")) return 0;
  uint32_t version = littleEndian32(footer + 8);
  uint64_t size = littleEndian32(footer + 12);
  uint32_t flags = littleEndian32(footer + 20);
  bool saysHeader = version >= 2000 && (flags & 0x20000000U) != 0;
  if (size < 32 || saysHeader != isHeader) return 0;
  bool hasHeader = isHeader || (version >= 2000 && (flags & 0x80000000U) != 0);
  return size + (hasHeader ? 32 : 0);
}

uint64_t leadingTag(FileBytes &bytes, Range range) {
  uint8_t header[32];
  if (range.count() >= 10 && bytes.readAll(range.begin, header, 10)) {
    if (uint64_t length = id3Length(header, "ID3")) return length;
  }
  if (range.count() >= 32 && bytes.readAll(range.begin, header, 32))
    return apeLength(header, true);
  return 0;
}

uint64_t lyricsLength(FileBytes &bytes, Range range) {
  uint8_t end[15];
  if (range.count() < 15 || !bytes.readAll(range.end - 15, end, 15)) return 0;
  if (!startsWith(end + 6, "LYRICS200")) return 0;
  uint64_t size = 0;
  for (int i = 0; i < 6; i++) {
    if (end[i] < '0' || end[i] > '9') return 0;
    size = size * 10 + (end[i] - '0');
  }
  return size + 15;
}

// An APE tag of 131 bytes has the letters of an ID3v1 tag where that would begin.
bool isInAPEHeader(FileBytes &bytes, Range range) {
  uint8_t head[8];
  return range.count() >= 131 && bytes.readAll(range.end - 131, head, 8) &&
         startsWith(head, "APETAGEX");
}

uint64_t trailingTag(FileBytes &bytes, Range range) {
  uint8_t tail[32];
  if (range.count() >= 128 && bytes.readAll(range.end - 128, tail, 4)) {
    if (startsWith(tail, "TAG") && !isInAPEHeader(bytes, range)) {
      // The "enhanced" tag stands before the plain one.
      bool isEnhanced = range.count() >= 355 && bytes.readAll(range.end - 355, tail, 4) &&
                        startsWith(tail, "TAG+");
      return isEnhanced ? 355 : 128;
    }
  }
  if (range.count() >= 32 && bytes.readAll(range.end - 32, tail, 32)) {
    if (uint64_t length = apeLength(tail, false)) return length;
    if (uint64_t length = id3Length(tail + 22, "3DI")) return length;
  }
  return lyricsLength(bytes, range);
}

Sound whole(SoundKind kind, Range range) {
  Sound sound;
  sound.kind = kind;
  sound.payload.push_back({range.begin, range.count()});
  return sound;
}

bool isID3(FileBytes &bytes, Span place) {
  uint8_t name[3];
  return bytes.readAll(place.offset, name, 3) && startsWith(name, "ID3");
}

// Nothing where this is no APE tag, from its header, if it has one, to its footer.
Span itemsOfAPE(FileBytes &bytes, Span place) {
  constexpr uint64_t footerSize = 32;
  uint8_t footer[footerSize];
  if (place.count < footerSize) return {};
  uint64_t end = place.offset + place.count;
  if (!bytes.readAll(end - footerSize, footer, footerSize)) return {};
  uint64_t size = littleEndian32(footer + 12);
  if (!startsWith(footer, "APETAGEX") || size < footerSize || size > place.count) return {};
  return {end - size, size - footerSize};
}

SoundKind moduleKind(FileBytes &bytes) {
  uint8_t head[48];
  if (!bytes.readAll(0, head, sizeof head)) return SoundKind::unknown;
  if (startsWith(head, "Extended Module: ")) return SoundKind::extended;
  if (startsWith(head, "IMPM")) return SoundKind::impulse;
  return startsWith(head + 44, "SCRM") ? SoundKind::scream3 : SoundKind::unknown;
}

bool isModule(FileBytes &bytes) {
  constexpr uint64_t namePlace = 1080;
  uint8_t name[4];
  if (!bytes.readAll(namePlace, name, 4)) return false;
  for (const char *known : {"M.K.", "M!K!", "M&K!", "N.T.", "FLT4", "FLT8", "OCTA", "CD81"})
    if (startsWith(name, known)) return true;
  auto isDigit = [](uint8_t byte) { return byte >= '0' && byte <= '9'; };
  return isDigit(name[0]) && (startsWith(name + 1, "CHN") ||
                              (isDigit(name[1]) && startsWith(name + 2, "CH")));
}

Sound soundOfModule(SoundKind kind) {
  Sound sound;
  sound.kind = kind;
  sound.isTooLittle = true;
  return sound;
}

bool isASF(const uint8_t *head) {
  static const uint8_t header[16] = {0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11,
                                     0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C};
  return std::memcmp(head, header, 16) == 0;
}

}  // namespace

Range withoutTags(FileBytes &bytes, TagPlaces &tags) {
  Range range{0, bytes.size()};
  for (int turn = 0; turn < outerTagsMost; turn++) {
    uint64_t length = leadingTag(bytes, range);
    if (length == 0 || length > range.count()) break;
    Span place{range.begin, length};
    if (tags.id3.count == 0 && isID3(bytes, place)) tags.id3 = place;
    range.begin += length;
  }
  for (int turn = 0; turn < outerTagsMost; turn++) {
    uint64_t length = trailingTag(bytes, range);
    if (length == 0 || length > range.count()) break;
    range.end -= length;
    if (tags.ape.count == 0) tags.ape = itemsOfAPE(bytes, {range.end, length});
  }
  return range;
}

namespace {

Sound soundIn(FileBytes &bytes, Range range) {
  uint8_t head[16];
  if (range.count() < 16 || !bytes.readAll(range.begin, head, 16)) return Sound();
  if (startsWith(head, "fLaC")) return findFLAC(bytes, range);
  if (startsWith(head, "OggS")) return findOgg(bytes, range);
  if (startsWith(head + 8, "WAVE") &&
      (startsWith(head, "RIFF") || startsWith(head, "RF64") || startsWith(head, "BW64")))
    return findRIFF(bytes, range);
  if (startsWith(head, "FORM") && (startsWith(head + 8, "AIFF") || startsWith(head + 8, "AIFC")))
    return findAIFF(bytes, range);
  for (const char *atom : {"ftyp", "moov", "mdat", "wide"})
    if (startsWith(head + 4, atom)) return findMP4(bytes, range);
  if (startsWith(head, "wvpk")) {
    Sound sound = whole(SoundKind::wavPack, range);
    // TagLib looks for it at the very beginning.
    sound.retouching.skipped = range.begin;
    return sound;
  }
  if (startsWith(head, "MAC ")) return whole(SoundKind::monkeys, range);
  if (startsWith(head, "MP+") || startsWith(head, "MPCK"))
    return whole(SoundKind::musepack, range);
  if (startsWith(head, "TTA1") || startsWith(head, "TTA2"))
    return whole(SoundKind::trueAudio, range);
  if (startsWith(head, "DSD ")) return findDSF(bytes, range);
  if (startsWith(head, "FRM8")) return findDSDIFF(bytes, range);
  if (isASF(head)) return findASF(bytes, range);
  if (startsWith(head, "\x1A\x45\xDF\xA3")) return findMatroska(bytes, range);
  if (startsWith(head, "ajkg")) return whole(SoundKind::shorten, range);
  SoundKind module = moduleKind(bytes);
  if (module != SoundKind::unknown) return soundOfModule(module);
  Sound sound = findMPEG(bytes, range);
  // Its name stands in the midst, where sound might say the same by chance.
  if (sound.kind == SoundKind::unknown && isModule(bytes)) return soundOfModule(SoundKind::module);
  return sound;
}

}  // namespace

Sound findSound(FileBytes &bytes) {
  TagPlaces outer;
  Range range = withoutTags(bytes, outer);
  Sound sound = soundIn(bytes, range);
  if (sound.tags.id3.count == 0) sound.tags.id3 = outer.id3;
  sound.tags.ape = outer.ape;
  return sound;
}

}  // namespace crated
