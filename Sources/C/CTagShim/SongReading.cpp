#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#include <audioproperties.h>
#include <fileref.h>
#include <tfile.h>
#include <taglib.h>
#include <tpropertymap.h>

#include "CTagShim.h"
#include "FormatNames.h"
#include "Pictures.h"
#include "SongTags.h"
#include "Sound.h"
#include "TagStream.h"

namespace crated {

namespace {

// Of several values of a field: the first, all behind semicolons, or all as people write names.
enum class Values { first, joined, named };

struct Field {
  int text;
  Values values;
  // In order of preference.
  const char *keys[4];
};

const Field fields[] = {
    {CRATED_TITLE, Values::first, {"TITLE"}},
    {CRATED_ARTIST, Values::joined, {"ARTIST"}},
    {CRATED_ALBUM, Values::first, {"ALBUM"}},
    {CRATED_ALBUM_ARTIST, Values::named, {"ALBUMARTIST", "ALBUM_ARTIST", "ALBUM ARTIST"}},
    {CRATED_COMPOSER, Values::joined, {"COMPOSER"}},
    {CRATED_GENRE, Values::joined, {"GENRE"}},
    {CRATED_DATE, Values::first, {"DATE", "YEAR", "RELEASEDATE"}},
    {CRATED_ORIGINAL_DATE, Values::first, {"ORIGINALDATE", "ORIGINALYEAR", "ORIGYEAR"}},
    {CRATED_DISC, Values::first, {"DISCNUMBER", "DISC"}},
    {CRATED_DISC_TOTAL, Values::first, {"DISCTOTAL", "TOTALDISCS"}},
    {CRATED_TRACK, Values::first, {"TRACKNUMBER", "TRACK"}},
    {CRATED_TRACK_TOTAL, Values::first, {"TRACKTOTAL", "TOTALTRACKS"}},
    {CRATED_COMPILATION, Values::first, {"COMPILATION"}},
    {CRATED_TITLE_SORT, Values::first, {"TITLESORT"}},
    {CRATED_ARTIST_SORT, Values::first, {"ARTISTSORT"}},
    {CRATED_ALBUM_SORT, Values::first, {"ALBUMSORT"}},
    {CRATED_ALBUM_ARTIST_SORT, Values::first, {"ALBUMARTISTSORT"}},
    {CRATED_RECORDING, Values::first, {"MUSICBRAINZ_TRACKID"}},
    {CRATED_RELEASE, Values::first, {"MUSICBRAINZ_ALBUMID"}},
    {CRATED_RELEASE_ARTIST, Values::first, {"MUSICBRAINZ_ALBUMARTISTID"}},
};

// Fills the caller's room from its beginning.
class Texts {
 public:
  Texts(uint8_t *room, crated_song &song) : room(room), song(song) {}

  void put(int text, const char *bytes, size_t count) {
    if (count > CRATED_TEXT_BYTES_MOST) {
      count = CRATED_TEXT_BYTES_MOST;
      // Not in the middle of a character.
      while (count > 0 && (uint8_t(bytes[count]) & 0xC0) == 0x80) count -= 1;
    }
    if (count > CRATED_ROOM_BYTES - used) return;
    std::memcpy(room + used, bytes, count);
    song.texts[text] = {uint32_t(used), uint32_t(count)};
    used += count;
  }

  void put(int text, const std::string &value) { put(text, value.data(), value.size()); }

 private:
  uint8_t *room;
  crated_song &song;
  size_t used = 0;
};

// What counts in a field of several values: each once, with no more bytes than a text may have.
std::vector<std::string> valuesOf(const TagLib::StringList &list) {
  std::vector<std::string> values;
  std::set<std::string> known;
  size_t bytes = 0;
  for (const TagLib::String &tagged : list) {
    std::string value = tagged.stripWhiteSpace().to8Bit(true);
    if (value.empty() || !known.insert(value).second) continue;
    bytes += value.size();
    values.push_back(std::move(value));
    if (bytes > CRATED_TEXT_BYTES_MOST) break;
  }
  return values;
}

std::string textOf(const TagLib::StringList &list, Values meant) {
  if (meant == Values::first) return list.front().to8Bit(true);
  std::string text;
  std::vector<std::string> values = valuesOf(list);
  for (size_t place = 0; place < values.size(); place += 1) {
    bool isLast = place + 1 == values.size();
    if (place > 0) text += meant == Values::joined ? "; " : isLast ? " & " : ", ";
    text += values[place];
  }
  return text;
}

void putTags(const TagLib::PropertyMap &tags, Texts &texts) {
  for (const Field &field : fields) {
    for (const char *key : field.keys) {
      if (!key) break;
      auto found = tags.find(key);
      if (found == tags.end() || found->second.isEmpty()) continue;
      texts.put(field.text, textOf(found->second, field.values));
      break;
    }
  }
}

constexpr int32_t taglibVersion =
    TAGLIB_MAJOR_VERSION * 10'000 + TAGLIB_MINOR_VERSION * 100 + TAGLIB_PATCH_VERSION;

// A second of sound takes more, were it silent: a length that leaves less is none.
constexpr int64_t bitsPerSecondLeast = 100;

void putProperties(const TagLib::AudioProperties *properties, FileBytes &bytes, const Sound &sound,
                   crated_song &song) {
  if (!properties) return;
  song.milliseconds = properties->lengthInMilliseconds();
  song.kilobits_per_second = properties->bitrate();
  song.hertz = properties->sampleRate();
  song.channels = properties->channels();
  // No file is so large that its bits don't fit.
  int64_t bits = int64_t(std::min<uint64_t>(bytes.size(), uint64_t(1) << 48)) * 8;
  int64_t milliseconds = sound.milliseconds;
  if (song.milliseconds <= 0 && milliseconds <= 0)
    milliseconds = sound.kind == SoundKind::mp4 ? millisecondsByFragments(bytes, sound)
                                                : millisecondsByClock(bytes, sound.clock);
  if (song.milliseconds <= 0 && milliseconds > 0) {
    song.milliseconds = milliseconds;
    if (song.hertz <= 0) song.hertz = sound.hertz;
    if (song.channels <= 0) song.channels = sound.channels;
    if (song.kilobits_per_second <= 0) song.kilobits_per_second = bits / milliseconds;
  }
  if (song.milliseconds > bits * 1000 / bitsPerSecondLeast) song.milliseconds = 0;
}

// Why TagLib has no tags of a file.
int32_t reasonFor(const Sound &sound, const std::string &extension) {
  if (sound.kind == SoundKind::unknown) return CRATED_SONG_UNKNOWN;
  if (!hasReader(extension) || sound.isBehindOthers) return CRATED_SONG_UNSUPPORTED;
  return CRATED_SONG_DAMAGED;
}

int32_t readTags(FileBytes &bytes, const Sound &sound, const char *extension, Texts &texts,
                 crated_song &song) {
  std::string name = honestExtension(sound.kind, extension);
  TagStream stream(bytes, sound.retouching, name);
  TagLib::FileRef reference(&stream, true, TagLib::AudioProperties::Fast);
  TagLib::File *file = reference.file();
  if (!file || !file->isValid()) return reasonFor(sound, name);
  putProperties(file->audioProperties(), bytes, sound, song);
  OwnMP4 mp4 = readMP4(bytes, sound);
  bool saysRate = song.hertz > 0 || song.channels > 0;
  bool isAnnounced = mp4.hasSoundTrack.value_or(sound.isAnnounced.value_or(saysRate));
  if (mayBeVideo(sound.kind) && !isAnnounced) return CRATED_SONG_UNKNOWN;
  TagLib::PropertyMap tags = tagsOf(file, bytes, sound, mp4);
  // TagLib calls anything named .mp3 valid.
  bool hasSound = sound.kind != SoundKind::unknown || song.hertz > 0;
  if (!hasSound && (tags.isEmpty() || isModule(file))) return CRATED_SONG_UNKNOWN;
  putTags(tags, texts);
  Name names = nameOf(file, sound.kind);
  texts.put(CRATED_FORMAT, names.format);
  texts.put(CRATED_CODEC, names.codec);
  TagLib::ByteVector cover = coverOf(file, bytes, sound);
  if (!cover.isEmpty())
    song.cover = crated_picture_digest(reinterpret_cast<const uint8_t *>(cover.data()),
                                       cover.size());
  return CRATED_SONG_READ;
}

int32_t readSong(FileBytes &bytes, const char *extension, uint8_t *room, crated_song &song) {
  if (bytes.size() == 0) return CRATED_SONG_EMPTY;
  Sound sound = findSound(bytes);
  Texts texts(room, song);
  int32_t status = readTags(bytes, sound, extension, texts, song);
  // Before the tags are believed: out of budget, TagLib calmly says that there are none.
  if (bytes.failure() == FileBytes::Failure::none && status == CRATED_SONG_READ) {
    if (std::optional<Digest> digest = digestOf(bytes, sound)) {
      song.has_digest = 1;
      song.digest_high = digest->high;
      song.digest_low = digest->low;
    }
  }
  switch (bytes.failure()) {
    case FileBytes::Failure::none: return status;
    case FileBytes::Failure::budget: return CRATED_SONG_TOO_LARGE;
    case FileBytes::Failure::disk: song.error_number = bytes.errorNumber(); break;
  }
  return CRATED_SONG_DISK_ERROR;
}

}  // namespace

}  // namespace crated

void crated_read_song(int descriptor, const char *extension, uint8_t *room, crated_song *song) {
  std::memset(song, 0, sizeof *song);
  // fstat(2) would do as well, but C libraries make it of a call that takes paths.
  off_t size = lseek(descriptor, 0, SEEK_END);
  if (size < 0) {
    song->status = CRATED_SONG_DISK_ERROR;
    song->error_number = errno;
    return;
  }
  int32_t status;
  try {
    crated::FileBytes bytes(descriptor, uint64_t(size));
    status = crated::readSong(bytes, extension, room, *song);
  } catch (...) {
    status = CRATED_SONG_BROKEN;
  }
  if (status == CRATED_SONG_READ) {
    song->status = status;
    return;
  }
  int32_t error = song->error_number;
  std::memset(song, 0, sizeof *song);
  song->status = status;
  song->error_number = status == CRATED_SONG_UNSUPPORTED ? crated::taglibVersion : error;
}

const char *crated_taglib_extensions(void) {
  static const std::string names =
      TagLib::FileRef::defaultFileExtensions().toString("\n").to8Bit() + "\n";
  return names.c_str();
}

const char *crated_taglib_version(void) {
  static const std::string version =
      std::to_string(TAGLIB_MAJOR_VERSION) + "." + std::to_string(TAGLIB_MINOR_VERSION) +
      (TAGLIB_PATCH_VERSION > 0 ? "." + std::to_string(TAGLIB_PATCH_VERSION) : "");
  return version.c_str();
}
