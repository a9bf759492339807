// Ogg cuts packets into pages, and every tagger cuts anew: what is hashed is the packets' bytes.
// Not the positions that pages carry, nor the last of them: re-muxers count the codec's delay and
// the samples cut off at the end in ways of their own.
#include <algorithm>
#include <cstring>

#include "OggPages.h"

namespace crated {

namespace {

constexpr int pagesMost = 65'536;
constexpr size_t setupMost = 1 << 20;
constexpr int extraHeadersMost = 16;

struct Stream {
  SoundKind kind = SoundKind::unknown;
  uint32_t serial = 0;
  // How many packets come before the sound; for Ogg FLAC they say themselves which is the last.
  int headers = 0;
  std::vector<uint8_t> identification;
  std::vector<uint8_t> setup;
  // The second packet.
  std::vector<Span> comment;
  bool isBehindOthers = false;
};

// Which codec a stream's first page announces.
bool recognise(FileBytes &bytes, const OggPage &page, Stream &stream) {
  size_t count = 0;
  for (int i = 0; i < page.segmentCount; i++) count += page.segments[i];
  std::vector<uint8_t> packet(std::min<size_t>(count, 512));
  if (packet.size() < 16 || !bytes.readAll(page.body, packet.data(), packet.size())) return false;
  const uint8_t *head = packet.data();
  if (std::memcmp(head, "\x01vorbis", 7) == 0) {
    stream.kind = SoundKind::vorbis;
    stream.headers = 3;
  } else if (std::memcmp(head, "OpusHead", 8) == 0) {
    stream.kind = SoundKind::opus;
    stream.headers = 2;
    // The gain at which to play, which programs for loudness set.
    if (packet.size() >= 18) packet[16] = packet[17] = 0;
  } else if (std::memcmp(head, "Speex   ", 8) == 0 && packet.size() >= 80) {
    stream.kind = SoundKind::speex;
    stream.headers = 2 + int(std::min<uint32_t>(littleEndian32(head + 68), extraHeadersMost));
  } else if (std::memcmp(head, "\x7F" "FLAC", 5) == 0 && packet.size() >= 51) {
    stream.kind = SoundKind::oggFlac;
    stream.headers = 0;
  } else {
    return false;
  }
  stream.serial = page.serial;
  stream.identification = std::move(packet);
  return true;
}

void addPiece(Span piece, std::vector<Span> &pieces) {
  if (!pieces.empty() && pieces.back().offset + pieces.back().count == piece.offset) {
    pieces.back().count += piece.count;
  } else {
    pieces.push_back(piece);
  }
}

// The comment without what says that it is one.
std::vector<Span> commentOf(FileBytes &bytes, const Stream &stream) {
  std::vector<Span> pieces = stream.comment;
  uint64_t count = 0;
  if (stream.kind == SoundKind::vorbis) count = 7;
  if (stream.kind == SoundKind::opus) count = 8;
  if (stream.kind == SoundKind::oggFlac) count = 4;
  if (pieces.empty() || pieces[0].count < count) return {};
  uint8_t first;
  bool isFLAC = stream.kind == SoundKind::oggFlac;
  // There any block of metadata may be the second.
  if (isFLAC && (!bytes.readAll(pieces[0].offset, &first, 1) || (first & 0x7F) != 4)) return {};
  pieces[0].offset += count;
  pieces[0].count -= count;
  return pieces;
}

struct SoundStart {
  uint64_t page;
  // Bytes of that page's body that still belong to headers.
  uint64_t skipped;
};

// Walks over the header packets, which may be long: covers are comments here.
bool skipHeaders(FileBytes &bytes, Range range, Stream &stream, SoundStart &start) {
  uint64_t offset = range.begin;
  int packet = 0;
  bool isPacketStart = true;
  bool isLastHeader = false;
  OggPage page;
  for (int turn = 0; turn < pagesMost; turn++, offset = page.next) {
    if (!readPage(bytes, range, offset, page)) return false;
    if (stream.kind == SoundKind::unknown) {
      if (!page.beginsStream) return false;
      if (!recognise(bytes, page, stream)) {
        stream.isBehindOthers = true;
        continue;
      }
    }
    if (page.serial != stream.serial) continue;
    uint64_t place = page.body;
    for (int i = 0; i < page.segmentCount; i++) {
      size_t count = page.segments[i];
      if (packet == 1) addPiece({place, count}, stream.comment);
      if (isPacketStart && stream.kind == SoundKind::oggFlac && packet > 0 && count > 0) {
        uint8_t first;
        if (!bytes.readAll(place, &first, 1)) return false;
        isLastHeader = (first & 0x80) != 0;
      }
      if (stream.kind == SoundKind::vorbis && packet == 2) {
        size_t had = stream.setup.size();
        if (had + count > setupMost) return false;
        stream.setup.resize(had + count);
        if (!bytes.readAll(place, stream.setup.data() + had, count)) return false;
      }
      place += count;
      isPacketStart = count < 255;
      if (!isPacketStart) continue;
      packet += 1;
      if (isLastHeader || packet == stream.headers) {
        start = {page.offset, place - page.body};
        return true;
      }
    }
  }
  return false;
}

// The first bytes of sound, up to a window full.
bool readHead(FileBytes &bytes, Range range, const Stream &stream, SoundStart start,
              std::vector<uint8_t> &head) {
  uint64_t offset = start.page;
  uint64_t skipped = start.skipped;
  OggPage page;
  for (int turn = 0; turn < pagesMost && head.size() < digestWindow; turn++, offset = page.next) {
    if (!readPage(bytes, range, offset, page)) break;
    if (page.serial != stream.serial) continue;
    uint64_t count = page.next - page.body - skipped;
    size_t part = size_t(std::min<uint64_t>(count, digestWindow - head.size()));
    size_t had = head.size();
    head.resize(had + part);
    if (!bytes.readAll(page.body + skipped, head.data() + had, part)) return false;
    skipped = 0;
  }
  return bytes.failure() == FileBytes::Failure::none;
}

// Collects the pages of [from, the end], which may begin in the middle of a page.
bool collectPages(FileBytes &bytes, Range range, uint32_t serial, uint64_t from,
                  std::vector<uint8_t> &tail) {
  size_t count = size_t(range.end - from);
  std::vector<uint8_t> window(count);
  if (!bytes.readAll(from, window.data(), count)) return false;
  size_t place = 0;
  while (place + 27 <= count) {
    const uint8_t *head = window.data() + place;
    size_t lacing = head[26];
    bool isPage = std::memcmp(head, "OggS", 4) == 0 && head[4] == 0 && place + 27 + lacing <= count;
    size_t body = place + 27 + lacing;
    size_t next = body;
    if (isPage) {
      for (size_t i = 0; i < lacing; i++) next += head[27 + i];
      // The letters may stand in a packet by chance: then no page follows.
      isPage = next == count || (next + 4 <= count &&
                                 std::memcmp(window.data() + next, "OggS", 4) == 0);
    }
    if (!isPage) {
      // What came before a gap is not the tail.
      const uint8_t *found = static_cast<const uint8_t *>(
          memmem(head + 1, count - place - 1, "OggS", 4));
      if (!found) return false;
      place = size_t(found - window.data());
      tail.clear();
      continue;
    }
    if (littleEndian32(head + 14) == serial)
      tail.insert(tail.end(), window.begin() + long(body), window.begin() + long(next));
    place = next;
  }
  return true;
}

// Of a file that is cut, or has something else between its pages or behind them.
bool collectWholePages(FileBytes &bytes, Range range, uint32_t serial, uint64_t from,
                       std::vector<uint8_t> &tail) {
  return eachWholePage(bytes, range, from, [&](const uint8_t *page, size_t length) {
    if (littleEndian32(page + 14) != serial) return;
    tail.insert(tail.end(), page + 27 + page[26], page + length);
  });
}

OggClock clockOf(const Stream &stream, Range range) {
  const uint8_t *head = stream.identification.data();
  OggClock clock{range, stream.serial};
  if (stream.kind == SoundKind::vorbis) clock.perSecond = littleEndian32(head + 12);
  if (stream.kind == SoundKind::speex) clock.perSecond = littleEndian32(head + 36);
  if (stream.kind == SoundKind::oggFlac) clock.perSecond = bigEndian32(head + 27) >> 12;
  if (stream.kind == SoundKind::opus) {
    clock.perSecond = 48'000;
    clock.begin = uint64_t(head[10]) | uint64_t(head[11]) << 8;
  }
  return clock;
}

using Collect = decltype(collectPages);

// The last bytes of sound, a window full unless there are fewer.
bool readTail(FileBytes &bytes, Range range, uint32_t serial, SoundStart start, Collect collect,
              std::vector<uint8_t> &tail) {
  for (uint64_t reach = 2 * digestWindow; reach <= 64 * oggPageMost; reach *= 4) {
    bool reachesStart = range.end - start.page <= reach;
    tail.clear();
    bool isWhole =
        collect(bytes, range, serial, reachesStart ? start.page : range.end - reach, tail);
    if (isWhole && reachesStart && tail.size() >= start.skipped)
      tail.erase(tail.begin(), tail.begin() + long(start.skipped));
    size_t count = tail.size();
    if (isWhole && (reachesStart || count >= digestWindow)) {
      if (count > digestWindow) tail.erase(tail.begin(), tail.end() - long(digestWindow));
      return true;
    }
    if (reachesStart || bytes.failure() != FileBytes::Failure::none) return false;
  }
  return false;
}

}  // namespace

int64_t millisecondsByClock(FileBytes &bytes, const OggClock &clock) {
  if (clock.perSecond == 0) return 0;
  uint64_t position = 0;
  uint64_t reach = std::min<uint64_t>(clock.pages.count(), 4 * oggPageMost);
  eachWholePage(bytes, clock.pages, clock.pages.end - reach, [&](const uint8_t *page, size_t) {
    bool says = littleEndian32(page + 14) == clock.serial && littleEndian64(page + 6) != UINT64_MAX;
    if (says) position = littleEndian64(page + 6);
  });
  return position > clock.begin ? millisecondsOf(position - clock.begin, clock.perSecond) : 0;
}

Sound findOgg(FileBytes &bytes, Range range) {
  Sound sound;
  sound.isTooLittle = true;
  Stream stream;
  SoundStart start{};
  bool hasSound = skipHeaders(bytes, range, stream, start);
  sound.kind = stream.kind;
  sound.isBehindOthers = stream.isBehindOthers;
  if (!hasSound) return sound;
  sound.tags.comment = commentOf(bytes, stream);
  sound.clock = clockOf(stream, range);
  // TagLib looks for Ogg FLAC at the very beginning.
  sound.retouching.skipped = range.begin;
  if (stream.kind == SoundKind::oggFlac) {
    const uint8_t *streamInfo = stream.identification.data() + 17;
    if (hasMD5(streamInfo)) {
      identifyFLAC(sound, streamInfo, range.end - start.page);
      return sound;
    }
  }
  std::vector<uint8_t> head;
  std::vector<uint8_t> tail;
  if (!readHead(bytes, range, stream, start, head) || head.size() < digestPayloadLeast)
    return sound;
  if (!readTail(bytes, range, stream.serial, start, collectPages, tail) &&
      !readTail(bytes, range, stream.serial, start, collectWholePages, tail))
    return sound;
  sound.isTooLittle = false;
  // Ogg FLAC counts its header packets in the first one, so a tagger changes it.
  if (stream.kind != SoundKind::oggFlac) sound.identity = stream.identification;
  sound.identity.insert(sound.identity.end(), stream.setup.begin(), stream.setup.end());
  sound.samples = std::move(head);
  sound.samples.insert(sound.samples.end(), tail.begin(), tail.end());
  return sound;
}

}  // namespace crated
