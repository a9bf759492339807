#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include <sys/stat.h>

#include <aifffile.h>
#include <apefile.h>
#include <asffile.h>
#include <audioproperties.h>
#include <fileref.h>
#include <flacfile.h>
#include <itfile.h>
#include <modfile.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <oggflacfile.h>
#include <opusfile.h>
#include <s3mfile.h>
#include <speexfile.h>
#include <taglib.h>
#include <tpropertymap.h>
#include <trueaudiofile.h>
#include <vorbisfile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xmfile.h>

#include "CTagShim.h"
#include "Sound.h"
#include "TagStream.h"

namespace crated {

namespace {

enum class Values { first, joined };

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
    {CRATED_ALBUM_ARTIST, Values::first, {"ALBUMARTIST", "ALBUM_ARTIST", "ALBUM ARTIST"}},
    {CRATED_COMPOSER, Values::joined, {"COMPOSER"}},
    {CRATED_GENRE, Values::joined, {"GENRE"}},
    {CRATED_DATE, Values::first, {"DATE", "YEAR"}},
    {CRATED_ORIGINAL_DATE, Values::first, {"ORIGINALDATE", "ORIGINALYEAR"}},
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

std::string joined(const TagLib::StringList &list) {
  std::string result;
  for (const TagLib::String &value : list) {
    if (value.isEmpty()) continue;
    if (!result.empty()) result += "; ";
    result += value.to8Bit(true);
    if (result.size() > CRATED_TEXT_BYTES_MOST) break;
  }
  return result;
}

void putTags(const TagLib::PropertyMap &tags, Texts &texts) {
  for (const Field &field : fields) {
    for (const char *key : field.keys) {
      if (!key) break;
      auto found = tags.find(key);
      if (found == tags.end() || found->second.isEmpty()) continue;
      const TagLib::StringList &values = found->second;
      texts.put(field.text, field.values == Values::joined ? joined(values)
                                                           : values.front().to8Bit(true));
      break;
    }
  }
}

struct Name {
  const char *format;
  const char *codec;
};

Name mp4Name(const TagLib::MP4::File &file) {
  const TagLib::MP4::Properties *properties = file.audioProperties();
  if (!properties) return {"m4a", ""};
  switch (properties->codec()) {
    case TagLib::MP4::Properties::AAC: return {"m4a", "AAC"};
    case TagLib::MP4::Properties::ALAC: return {"m4a", "ALAC"};
    default: return {"m4a", ""};
  }
}

Name mpegName(const TagLib::MPEG::File &file, SoundKind kind) {
  if (kind == SoundKind::adts) return {"aac", "AAC"};
  const TagLib::MPEG::Properties *properties = file.audioProperties();
  if (properties && properties->layer() == 1) return {"mp1", "MP1"};
  if (properties && properties->layer() == 2) return {"mp2", "MP2"};
  return {"mp3", "MP3"};
}

Name asfName(const TagLib::ASF::File &file) {
  const TagLib::ASF::Properties *properties = file.audioProperties();
  if (!properties) return {"wma", "WMA"};
  switch (properties->codec()) {
    case TagLib::ASF::Properties::WMA9Pro: return {"wma", "WMA Pro"};
    case TagLib::ASF::Properties::WMA9Lossless: return {"wma", "WMA Lossless"};
    default: return {"wma", "WMA"};
  }
}

template <typename Kind>
bool is(const TagLib::File *file) {
  return dynamic_cast<const Kind *>(file) != nullptr;
}

Name nameOf(const TagLib::File *file, SoundKind kind) {
  using namespace TagLib;
  if (auto mpeg = dynamic_cast<const MPEG::File *>(file)) return mpegName(*mpeg, kind);
  if (auto mp4 = dynamic_cast<const MP4::File *>(file)) return mp4Name(*mp4);
  if (auto asf = dynamic_cast<const ASF::File *>(file)) return asfName(*asf);
  if (is<FLAC::File>(file)) return {"flac", "FLAC"};
  if (is<Ogg::Vorbis::File>(file)) return {"ogg", "Vorbis"};
  if (is<Ogg::Opus::File>(file)) return {"opus", "Opus"};
  if (is<Ogg::Speex::File>(file)) return {"spx", "Speex"};
  if (is<Ogg::FLAC::File>(file)) return {"oga", "FLAC"};
  if (is<RIFF::WAV::File>(file)) return {"wav", "PCM"};
  if (is<RIFF::AIFF::File>(file)) return {"aiff", "PCM"};
  if (is<WavPack::File>(file)) return {"wv", "WavPack"};
  if (is<APE::File>(file)) return {"ape", "Monkey's Audio"};
  if (is<MPC::File>(file)) return {"mpc", "Musepack"};
  if (is<TrueAudio::File>(file)) return {"tta", "TrueAudio"};
  if (is<Mod::File>(file)) return {"mod", "Module"};
  if (is<S3M::File>(file)) return {"s3m", "Module"};
  if (is<IT::File>(file)) return {"it", "Module"};
  if (is<XM::File>(file)) return {"xm", "Module"};
  return {"", ""};
}

// What TagLib is told that the file is called. What the bytes say goes before what the name says:
// an .mp3 may hold FLAC.
std::string honestExtension(SoundKind kind, const char *extension) {
  switch (kind) {
    case SoundKind::mpeg: return "mp3";
    case SoundKind::adts: return "mp3";
    case SoundKind::flac: return "flac";
    case SoundKind::mp4: return "m4a";
    case SoundKind::wave: return "wav";
    case SoundKind::aiff: return "aiff";
    case SoundKind::wavPack: return "wv";
    case SoundKind::monkeys: return "ape";
    case SoundKind::musepack: return "mpc";
    case SoundKind::trueAudio: return "tta";
    case SoundKind::asf: return "wma";
    case SoundKind::vorbis: return "ogg";
    case SoundKind::opus: return "opus";
    case SoundKind::speex: return "spx";
    case SoundKind::oggFlac: return "oga";
    case SoundKind::dsf: return "dsf";
    case SoundKind::dsdiff: return "dff";
    case SoundKind::unknown: break;
  }
  return extension;
}

void putProperties(const TagLib::AudioProperties *properties, crated_song &song) {
  if (!properties) return;
  song.milliseconds = properties->lengthInMilliseconds();
  song.kilobits_per_second = properties->bitrate();
  song.hertz = properties->sampleRate();
  song.channels = properties->channels();
}

int32_t readTags(FileBytes &bytes, const Sound &sound, const char *extension, Texts &texts,
                 crated_song &song) {
  TagStream stream(bytes, honestExtension(sound.kind, extension));
  TagLib::FileRef reference(&stream, true, TagLib::AudioProperties::Fast);
  TagLib::File *file = reference.file();
  if (!file && sound.kind != SoundKind::unknown) return CRATED_SONG_UNSUPPORTED;
  if (!file || !file->isValid()) return CRATED_SONG_UNKNOWN;
  TagLib::PropertyMap tags = file->properties();
  putProperties(file->audioProperties(), song);
  // TagLib calls anything named .mp3 valid.
  bool hasSound = sound.kind != SoundKind::unknown || song.hertz > 0;
  if (!hasSound && tags.isEmpty()) return CRATED_SONG_UNKNOWN;
  putTags(tags, texts);
  Name name = nameOf(file, sound.kind);
  texts.put(CRATED_FORMAT, name.format, std::strlen(name.format));
  texts.put(CRATED_CODEC, name.codec, std::strlen(name.codec));
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
  struct stat found;
  if (fstat(descriptor, &found) != 0) {
    song->status = CRATED_SONG_DISK_ERROR;
    song->error_number = errno;
    return;
  }
  int32_t status;
  try {
    crated::FileBytes bytes(descriptor, uint64_t(std::max<off_t>(found.st_size, 0)));
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
  song->error_number = error;
}

const char *crated_taglib_version(void) {
  static const std::string version =
      std::to_string(TAGLIB_MAJOR_VERSION) + "." + std::to_string(TAGLIB_MINOR_VERSION) +
      (TAGLIB_PATCH_VERSION > 0 ? "." + std::to_string(TAGLIB_PATCH_VERSION) : "");
  return version.c_str();
}
