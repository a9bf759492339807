#include <algorithm>

#include "CXXHash.h"
#include "Sound.h"

namespace crated {

namespace {

// Appends part of the payload's concatenation.
bool append(FileBytes &bytes, const Sound &sound, uint64_t from, uint64_t count,
            std::vector<uint8_t> &to) {
  for (const Span &span : sound.payload) {
    if (count == 0) break;
    if (from >= span.count) {
      from -= span.count;
      continue;
    }
    size_t part = size_t(std::min(count, span.count - from));
    size_t start = to.size();
    to.resize(start + part);
    if (!bytes.readAll(span.offset + from, to.data() + start, part)) return false;
    count -= part;
    from = 0;
  }
  return count == 0;
}

void appendNumber(uint64_t number, std::vector<uint8_t> &to) {
  for (int shift = 0; shift < 64; shift += 8) to.push_back(uint8_t(number >> shift));
}

bool areZeros(const std::vector<uint8_t> &bytes, size_t from) {
  return std::all_of(bytes.begin() + long(from), bytes.end(), [](uint8_t it) { return it == 0; });
}

}  // namespace

std::optional<Digest> digestOf(FileBytes &bytes, const Sound &sound) {
  if (sound.kind == SoundKind::unknown || sound.isTooLittle) return std::nullopt;
  std::vector<uint8_t> sampled;
  sampled.reserve(3 * digestWindow + 64 + sound.identity.size());
  sampled.push_back(uint8_t(sound.kind));
  appendNumber(sound.identity.size(), sampled);
  sampled.insert(sampled.end(), sound.identity.begin(), sound.identity.end());

  if (!sound.payload.empty()) {
    uint64_t total = 0;
    for (const Span &span : sound.payload) total += span.count;
    if (total < digestPayloadLeast) return std::nullopt;
    appendNumber(total, sampled);
    size_t start = sampled.size();
    bool came;
    if (total <= 3 * digestWindow) {
      came = append(bytes, sound, 0, total, sampled);
    } else {
      came = append(bytes, sound, 0, digestWindow, sampled) &&
             append(bytes, sound, (total - digestWindow) / 2, digestWindow, sampled) &&
             append(bytes, sound, total - digestWindow, digestWindow, sampled);
    }
    if (!came || areZeros(sampled, start)) return std::nullopt;
  } else if (!sound.samples.empty()) {
    size_t start = sampled.size();
    sampled.insert(sampled.end(), sound.samples.begin(), sound.samples.end());
    if (areZeros(sampled, start)) return std::nullopt;
  } else if (sound.identity.empty()) {
    return std::nullopt;
  }
  crated_hash128 hash = crated_xxh3_128(sampled.data(), sampled.size());
  return Digest{hash.high, hash.low};
}

}  // namespace crated
