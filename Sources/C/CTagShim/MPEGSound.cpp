#include <algorithm>
#include <cstring>

#include "Sound.h"

namespace crated {

namespace {

// How far from its beginning a file must show its first frame.
constexpr uint64_t searchMost = 1 << 20;
constexpr int candidatesMost = 4096;
constexpr int framesToAgree = 3;

struct Frame {
  bool isADTS;
  // What all frames of a stream share: version, layer, sample rate.
  uint32_t kind;
  uint64_t length;
  bool isVersion1;
  bool isMono;
};

bool parseADTS(const uint8_t head[6], Frame &frame) {
  unsigned rate = head[2] >> 2 & 0xF;
  uint64_t length = uint64_t(head[3] & 3) << 11 | uint64_t(head[4]) << 3 | head[5] >> 5;
  if (rate > 12 || length < 7) return false;
  frame = {true, uint32_t(head[1] & 0xFE) << 8 | uint32_t(head[2] & 0xFC), length, false, false};
  return true;
}

bool parseFrame(const uint8_t head[6], Frame &frame) {
  if (head[0] != 0xFF || (head[1] & 0xE0) != 0xE0) return false;
  if ((head[1] & 0xF6) == 0xF0) return parseADTS(head, frame);
  static const uint16_t rates[3] = {44100, 48000, 32000};
  static const uint16_t bits[5][15] = {
      {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},  // 1, layer I
      {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},     // 1, layer II
      {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},      // 1, layer III
      {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},     // 2, layer I
      {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},          // 2, II and III
  };
  unsigned version = head[1] >> 3 & 3;  // 0: 2.5, 2: 2, 3: 1
  unsigned layer = 4 - (head[1] >> 1 & 3);
  unsigned bitIndex = head[2] >> 4;
  unsigned rateIndex = head[2] >> 2 & 3;
  if (version == 1 || layer == 4 || bitIndex == 0 || bitIndex == 15 || rateIndex == 3) return false;
  bool isVersion1 = version == 3;
  unsigned row = isVersion1 ? layer - 1 : layer == 1 ? 3 : 4;
  uint64_t bitRate = uint64_t(bits[row][bitIndex]) * 1000;
  uint64_t rate = rates[rateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2);
  uint64_t padding = head[2] >> 1 & 1;
  uint64_t length;
  if (layer == 1) {
    length = (12 * bitRate / rate + padding) * 4;
  } else {
    uint64_t samplesInEight = layer == 3 && !isVersion1 ? 72 : 144;
    length = samplesInEight * bitRate / rate + padding;
  }
  if (length < 24) return false;
  bool isMono = head[3] >> 6 == 3;
  frame = {false, uint32_t(head[1] & 0xFE) << 8 | uint32_t(head[2] & 0x0C), length, isVersion1,
           isMono};
  return true;
}

// Whether frames of one kind follow each other from here, or up to the end of the sound.
bool isVerified(FileBytes &bytes, Range range, uint64_t place, Frame &first) {
  for (int count = 0; count < framesToAgree; count++) {
    uint8_t head[6];
    Frame frame;
    if (count > 0 && place == range.end) return true;
    if (place + 6 > range.end || !bytes.readAll(place, head, 6)) return false;
    if (!parseFrame(head, frame)) return false;
    if (count == 0) {
      first = frame;
    } else if (frame.kind != first.kind || frame.isADTS != first.isADTS) {
      return false;
    }
    place += frame.length;
  }
  return true;
}

// Encoders and re-muxers keep notes on the stream in a first frame without sound, and rewrite it.
bool holdsNotes(FileBytes &bytes, uint64_t place, const Frame &frame) {
  if (frame.isADTS) return false;
  uint64_t sideInfo = frame.isVersion1 ? (frame.isMono ? 17 : 32) : (frame.isMono ? 9 : 17);
  const uint64_t places[3] = {4 + sideInfo, 6 + sideInfo, 36};
  const char *names[3][2] = {{"Xing", "Info"}, {"Xing", "Info"}, {"VBRI", "VBRI"}};
  for (int i = 0; i < 3; i++) {
    uint8_t name[4];
    if (places[i] + 4 > frame.length || !bytes.readAll(place + places[i], name, 4)) continue;
    for (const char *known : names[i])
      if (std::memcmp(name, known, 4) == 0) return true;
  }
  return false;
}

// Where an ID3v2 tag stands between the beginning and the sound, behind something else; TagLib 2
// doesn't look there any more.
Span tagInJunk(FileBytes &bytes, Range junk) {
  constexpr uint64_t junkMost = 64 * 1024;
  std::vector<uint8_t> window(size_t(std::min(junk.count(), junkMost)));
  if (window.size() < 10 || !bytes.readAll(junk.begin, window.data(), window.size())) return {};
  const void *found = memmem(window.data(), window.size() - 6, "ID3", 3);
  if (!found) return {};
  uint64_t place = uint64_t(static_cast<const uint8_t *>(found) - window.data());
  return {junk.begin + place, junk.count() - place};
}

}  // namespace

Sound findMPEG(FileBytes &bytes, Range range) {
  constexpr size_t step = 4096;
  uint8_t window[step + 1];
  int candidates = 0;
  uint64_t searchEnd = std::min(range.end, range.begin + searchMost);
  for (uint64_t base = range.begin; base < searchEnd; base += step) {
    size_t came = bytes.read(base, window, sizeof window);
    for (size_t i = 0; i + 1 < came; i++) {
      if (window[i] != 0xFF || (window[i + 1] & 0xE0) != 0xE0) continue;
      if (++candidates > candidatesMost) return Sound();
      uint64_t place = base + i;
      Frame frame;
      if (!isVerified(bytes, range, place, frame)) continue;
      if (holdsNotes(bytes, place, frame)) place += frame.length;
      Sound sound;
      sound.tags.id3 = tagInJunk(bytes, {range.begin, base + i});
      sound.kind = frame.isADTS ? SoundKind::adts : SoundKind::mpeg;
      sound.payload.push_back({place, range.end - place});
      return sound;
    }
  }
  return Sound();
}

}  // namespace crated
