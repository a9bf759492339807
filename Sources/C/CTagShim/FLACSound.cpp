#include <algorithm>

#include "Sound.h"

namespace crated {

namespace {

constexpr int metadataBlocksMost = 1024;
// Frames of digital silence take some 14 bytes for 1,152 samples or more; sound that is not silent
// takes at least one bit a sample.
constexpr uint64_t silentSamplesPerByte = 64;
// Of eight channels, each said in a number.
constexpr uint32_t silentFrameMost = 64;
constexpr uint8_t lastBlock = 0x80;
constexpr uint8_t padding = 1;
constexpr uint8_t seekTable = 3;
constexpr uint8_t comment = 4;

// 0 where it is not said.
uint64_t sampleCount(const uint8_t streamInfo[34]) {
  return bigEndian64(streamInfo + 10) & ((uint64_t(1) << 36) - 1);
}

}  // namespace

bool hasMD5(const uint8_t streamInfo[34]) {
  return std::any_of(streamInfo + 18, streamInfo + 34, [](uint8_t byte) { return byte != 0; });
}

void identifyFLAC(Sound &sound, const uint8_t streamInfo[34], uint64_t frameBytes) {
  // Sample rate, channels, bits, number of samples, MD5. Sizes of blocks and frames tell of the
  // encoder, not of the sound.
  sound.identity.assign(streamInfo + 10, streamInfo + 34);
  uint64_t samples = sampleCount(streamInfo);
  // Whoever made the stream without knowing its end may still have known how large frames get.
  uint32_t frameMost = bigEndian32(streamInfo + 6) & 0xFFFFFF;
  bool isSilent = samples == 0 ? frameMost > 0 && frameMost < silentFrameMost
                               : frameBytes < samples / silentSamplesPerByte;
  sound.isTooLittle = isSilent || frameBytes < digestPayloadLeast;
}

Sound findFLAC(FileBytes &bytes, Range range) {
  Sound sound;
  sound.kind = SoundKind::flac;
  sound.isTooLittle = true;
  uint8_t streamInfo[34] = {};
  uint64_t place = range.begin + 4;
  for (int turn = 0; turn < metadataBlocksMost && place < range.end; turn++) {
    uint8_t head[4];
    if (!bytes.readAll(place, head, 4)) return sound;
    uint64_t size = bigEndian32(head) & 0xFFFFFF;
    if (turn == 0) {
      if ((head[0] & 0x7F) != 0 || size < 34) return sound;
      if (!bytes.readAll(place + 4, streamInfo, 34)) return sound;
    }
    uint8_t type = head[0] & ~lastBlock;
    if (type == comment && sound.tags.comment.empty())
      sound.tags.comment.push_back({place + 4, size});
    // TagLib takes no block of no bytes, but for these two.
    if (turn > 0 && size == 0 && type != padding && type != seekTable)
      sound.retouching.bytes.push_back({place, uint8_t((head[0] & lastBlock) | padding)});
    place += 4 + size;
    bool isLast = (head[0] & lastBlock) != 0;
    if (!isLast) continue;
    if (place >= range.end) return sound;
    uint64_t frameBytes = range.end - place;
    sound.isTooLittle = false;
    if (hasMD5(streamInfo)) {
      identifyFLAC(sound, streamInfo, frameBytes);
    } else {
      sound.payload.push_back({place, frameBytes});
    }
    return sound;
  }
  return sound;
}

}  // namespace crated
