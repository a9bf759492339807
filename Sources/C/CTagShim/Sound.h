#pragma once
#include <cstdint>
#include <optional>
#include <utility>
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
  matroska = 18,
  shorten = 19,
  // Tracker modules, which have no digest.
  module = 20,
  scream3 = 21,
  impulse = 22,
  extended = 23,
};

struct Span {
  uint64_t offset;
  uint64_t count;
};

// Where tags lie that the shim reads by itself; of no bytes: nowhere.
struct TagPlaces {
  Span id3{};
  // An APE tag's items, without its header and footer.
  Span ape{};
  // A Vorbis comment, which Ogg cuts into pages.
  std::vector<Span> comment;
  // RIFF's LIST chunks of texts, without their name INFO.
  std::vector<Span> info;
  // The code page that RIFF says they are in; 0: it doesn't.
  uint16_t codePage = 0;
  // What is in MP4's moov.
  Span movie{};
};

// What TagLib is told of a file that isn't quite so, for it to read more.
struct Retouching {
  // Bytes at the beginning that TagLib doesn't see.
  uint64_t skipped = 0;
  // Where it sees another byte.
  std::vector<std::pair<uint64_t, uint8_t>> bytes;
};

struct Range {
  uint64_t begin;
  uint64_t end;
  uint64_t count() const { return end - begin; }
};

// What the pages of an Ogg stream say the time with.
struct OggClock {
  Range pages{};
  uint32_t serial = 0;
  // 0: nothing is known.
  uint64_t perSecond = 0;
  uint64_t begin = 0;
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
  // What else was found on the way.
  TagPlaces tags;
  Retouching retouching;
  // Where the container says it in a way that TagLib doesn't read; 0: it doesn't.
  int64_t milliseconds = 0;
  int64_t hertz = 0;
  int64_t channels = 0;
  OggClock clock;
  // What is in MP4's moof atoms: heads of fragments.
  std::vector<Span> fragments;
  // Whether a stream or track of sound is announced; nothing where the container isn't asked.
  std::optional<bool> isAnnounced;
  // Whether other streams than this sound's begin the file: video, mostly.
  bool isBehindOthers = false;
};

// The file without ID3, APE and Lyrics3 tags at its ends, and where the outermost of those lie.
Range withoutTags(FileBytes &bytes, TagPlaces &tags);

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
// By the last page that says so; 0 where none does. Reads some hundred kilobytes.
int64_t millisecondsByClock(FileBytes &bytes, const OggClock &clock);
// By MP4's last fragment of sound; 0 where none tells it.
int64_t millisecondsByFragments(FileBytes &bytes, const Sound &sound);
Sound findMatroska(FileBytes &bytes, Range range);

// The bytes of STREAMINFO, and how many bytes of frames follow the metadata.
void identifyFLAC(Sound &sound, const uint8_t streamInfo[34], uint64_t frameBytes);
bool hasMD5(const uint8_t streamInfo[34]);

// How long so many samples or bytes take at so many a second.
inline int64_t millisecondsOf(uint64_t count, uint64_t perSecond) {
  return int64_t(count / perSecond * 1000 + count % perSecond * 1000 / perSecond);
}

struct Digest {
  uint64_t high;
  uint64_t low;
};

constexpr size_t digestWindow = 16 * 1024;
constexpr uint64_t digestPayloadLeast = 4 * 1024;

// Nothing where there is too little sound, only zeros, or bytes that can't be read.
std::optional<Digest> digestOf(FileBytes &bytes, const Sound &sound);

}  // namespace crated
