#include <algorithm>

#include "Sound.h"

namespace crated {

namespace {

constexpr int metadataBlocksMost = 1024;
// Frames of digital silence take some 14 bytes for 1,152 samples or more; sound that is not silent
// takes at least one bit a sample.
constexpr uint64_t silentSamplesPerByte = 64;

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
  sound.isTooLittle = samples == 0 || frameBytes < digestPayloadLeast ||
                      frameBytes < samples / silentSamplesPerByte;
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
    place += 4 + size;
    bool isLast = (head[0] & 0x80) != 0;
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
