#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "FileBytes.h"

namespace crated {

// What a file holds, by its bytes. The numbers go into digests that are stored: never renumber.
enum class SoundKind : uint8_t {
  unknown = 0,
  mpeg = 1,
  adts = 2,
  flac = 3,
  mp4 = 4,
  wave = 5,
  aiff = 6,
  wavPack = 7,
  monkeys = 8,
  musepack = 9,
  trueAudio = 10,
  dsf = 11,
  dsdiff = 12,
  asf = 13,
  vorbis = 14,
  opus = 15,
  speex = 16,
  oggFlac = 17,
};

struct Span {
  uint64_t offset;
  uint64_t count;
};

// Where the sound lies, without tags and the container's bookkeeping.
struct Sound {
  SoundKind kind = SoundKind::unknown;
  // What stands for the sound as it is: FLAC's MD5, the codec headers in Ogg.
  std::vector<uint8_t> identity;
  // The payload in pieces, sampled at its head, middle and tail.
  std::vector<Span> payload;
  // Ogg's samples: the payload there is scattered over pages.
  std::vector<uint8_t> samples;
  // Less than a digest can tell apart.
  bool isTooLittle = false;
};

struct Range {
  uint64_t begin;
  uint64_t end;
  uint64_t count() const { return end - begin; }
};

// The file without ID3, APE and Lyrics3 tags at its ends.
Range withoutTags(FileBytes &bytes);

// Looks at a bounded part of the file; never fails, but may find nothing.
Sound findSound(FileBytes &bytes);

// The parts of findSound, by container. Each gets the range without outer tags.
Sound findMPEG(FileBytes &bytes, Range range);
Sound findFLAC(FileBytes &bytes, Range range);
Sound findMP4(FileBytes &bytes, Range range);
Sound findRIFF(FileBytes &bytes, Range range);
Sound findAIFF(FileBytes &bytes, Range range);
Sound findDSF(FileBytes &bytes, Range range);
Sound findDSDIFF(FileBytes &bytes, Range range);
Sound findASF(FileBytes &bytes, Range range);
Sound findOgg(FileBytes &bytes, Range range);

// The bytes of STREAMINFO, and how many bytes of frames follow the metadata.
void identifyFLAC(Sound &sound, const uint8_t streamInfo[34], uint64_t frameBytes);
bool hasMD5(const uint8_t streamInfo[34]);

struct Digest {
  uint64_t high;
  uint64_t low;
};

constexpr size_t digestWindow = 16 * 1024;
constexpr uint64_t digestPayloadLeast = 4 * 1024;

// Nothing where there is too little sound, only zeros, or bytes that can't be read.
std::optional<Digest> digestOf(FileBytes &bytes, const Sound &sound);

}  // namespace crated
