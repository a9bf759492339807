// How long an MP4 is that was written in fragments, as live streams and downloads are: its head
// tells no length. ISO/IEC 14496-12, 8.8.
#include <algorithm>
#include <vector>

#include "MP4Atoms.h"
#include "Sound.h"

namespace crated {

namespace {

// Fragments that are looked at from the end on for one of the sound: others may be of pictures.
constexpr int fragmentsMost = 16;
// Bytes of samples' entries that are read at once.
constexpr uint64_t entryBytesMost = 4096;

// Which fields follow, by the flags of tfhd and trun.
constexpr uint32_t hasBaseOffset = 0x1, hasDescription = 0x2, hasDefaultDuration = 0x8;
constexpr uint32_t hasDataOffset = 0x1, hasFirstFlags = 0x4, hasDuration = 0x100, hasSize = 0x200,
                   hasFlags = 0x400, hasOffset = 0x800;

struct Track {
  uint32_t number = 0;
  uint32_t perSecond = 0;
  // Of each sample whose fragment says none.
  uint32_t duration = 0;
};

class Fragments {
 public:
  Fragments(FileBytes &bytes, Span movie)
      : bytes(bytes), movie{"moov", movie.offset, movie.offset + movie.count} {}

  int64_t milliseconds(const std::vector<Span> &fragments) {
    Track track;
    if (!findTrack(track)) return 0;
    int turn = 0;
    for (auto one = fragments.rbegin(); one != fragments.rend() && turn < fragmentsMost; ++one) {
      turn++;
      Atoms parts(bytes, one->offset, one->offset + one->count);
      Atom part;
      while (parts.next(part)) {
        uint64_t end = 0;
        if (part.name == "traf" && endOf(part, track, end))
          return millisecondsOf(end, track.perSecond);
      }
    }
    return 0;
  }

 private:
  bool number(uint64_t place, uint32_t &value) {
    uint8_t field[4];
    if (!bytes.readAll(place, field, 4)) return false;
    value = bigEndian32(field);
    return true;
  }

  // Times are longer in the second version of an atom.
  bool isLong(const Atom &atom, bool &answer) {
    uint32_t head;
    if (!number(atom.content, head)) return false;
    answer = head >> 24 == 1;
    return true;
  }

  bool findTrack(Track &track) {
    Atoms atoms(bytes, movie.content, movie.end);
    Atom atom;
    while (atoms.next(atom)) {
      if (atom.name != "trak" || !isSoundTrack(bytes, atom)) continue;
      Atom head;
      Atom media;
      Atom time;
      bool isLongHead = false;
      bool isLongTime = false;
      if (!findAtom(bytes, "tkhd", atom, head) || !findAtom(bytes, "mdia", atom, media) ||
          !findAtom(bytes, "mdhd", media, time) || !isLong(head, isLongHead) ||
          !isLong(time, isLongTime))
        return false;
      return number(head.content + (isLongHead ? 20 : 12), track.number) &&
             number(time.content + (isLongTime ? 20 : 12), track.perSecond) &&
             track.perSecond > 0 && findDefault(track);
    }
    return false;
  }

  bool findDefault(Track &track) {
    Atom extends;
    if (!findAtom(bytes, "mvex", movie, extends)) return false;
    Atoms atoms(bytes, extends.content, extends.end);
    Atom atom;
    while (atoms.next(atom)) {
      uint32_t of;
      if (atom.name == "trex" && number(atom.content + 4, of) && of == track.number)
        return number(atom.content + 12, track.duration);
    }
    return false;
  }

  // Where a fragment of the track ends, in its own time; nothing where it doesn't tell.
  bool endOf(const Atom &fragment, Track track, uint64_t &end) {
    Atom head;
    Atom begin;
    uint32_t flags;
    uint32_t of;
    if (!findAtom(bytes, "tfhd", fragment, head) || !number(head.content, flags) ||
        !number(head.content + 4, of) || of != track.number ||
        !findAtom(bytes, "tfdt", fragment, begin))
      return false;
    uint64_t skipped = (flags & hasBaseOffset ? 8 : 0) + (flags & hasDescription ? 4 : 0);
    if (flags & hasDefaultDuration && !number(head.content + 8 + skipped, track.duration))
      return false;
    bool isLongTime = false;
    uint8_t time[8] = {};
    if (!isLong(begin, isLongTime) ||
        !bytes.readAll(begin.content + 4, time + (isLongTime ? 0 : 4), isLongTime ? 8 : 4))
      return false;
    end = bigEndian64(time);
    // A time before which no file began; what is added stays within the number.
    if (end >> 56 != 0) return false;
    Atoms atoms(bytes, fragment.content, fragment.end);
    Atom run;
    while (atoms.next(run))
      if (run.name == "trun" && !addRun(run, track, end)) return false;
    return true;
  }

  bool addRun(const Atom &run, const Track &track, uint64_t &end) {
    uint32_t flags;
    uint32_t count;
    if (!number(run.content, flags) || !number(run.content + 4, count)) return false;
    if (!(flags & hasDuration)) {
      end += uint64_t(count) * track.duration;
      return true;
    }
    uint64_t entry = 0;
    for (uint32_t field : {hasDuration, hasSize, hasFlags, hasOffset})
      if (flags & field) entry += 4;
    uint64_t place =
        run.content + 8 + (flags & hasDataOffset ? 4 : 0) + (flags & hasFirstFlags ? 4 : 0);
    if (place > run.end || uint64_t(count) * entry > run.end - place) return false;
    const uint64_t atOnce = entryBytesMost / entry;
    uint8_t entries[entryBytesMost];
    for (uint64_t left = count; left > 0;) {
      uint64_t taken = std::min(left, atOnce);
      if (!bytes.readAll(place, entries, size_t(taken * entry))) return false;
      // The duration is the first field of each.
      for (uint64_t one = 0; one < taken; one++) end += bigEndian32(entries + one * entry);
      place += taken * entry;
      left -= taken;
    }
    return true;
  }

  FileBytes &bytes;
  const Atom movie;
};

}  // namespace

int64_t millisecondsByFragments(FileBytes &bytes, const Sound &sound) {
  if (sound.fragments.empty() || sound.tags.movie.count == 0) return 0;
  return Fragments(bytes, sound.tags.movie).milliseconds(sound.fragments);
}

}  // namespace crated
