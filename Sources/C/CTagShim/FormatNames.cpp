#include "FormatNames.h"

#include <aifffile.h>
#include <apefile.h>
#include <asffile.h>
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
#include <trueaudiofile.h>
#include <vorbisfile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xmfile.h>

#include <algorithm>
#include <cstring>

#include <fileref.h>

// What later versions of TagLib have, or were built without.
#if __has_include(<dsffile.h>)
#define HAS_DSD 1
#include <dsdifffile.h>
#include <dsffile.h>
#endif
#if __has_include(<shortenfile.h>)
#define HAS_SHORTEN 1
#include <shortenfile.h>
#endif
#if __has_include(<matroskafile.h>)
#define HAS_MATROSKA 1
#include <matroskafile.h>
#include <matroskaproperties.h>
#endif

namespace crated {

namespace {

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

#ifdef HAS_MATROSKA
Name matroskaName(const TagLib::Matroska::File &file) {
  const TagLib::Matroska::Properties *properties = file.audioProperties();
  if (!properties) return {"mka", ""};
  std::string format = properties->docType() == "webm" ? "webm" : "mka";
  // Such as "A_VORBIS" and "A_AAC/MPEG4/LC".
  std::string id = properties->codecName().to8Bit(true);
  if (id.compare(0, 2, "A_") == 0) id.erase(0, 2);
  id = id.substr(0, id.find('/'));
  static const struct {
    const char *id;
    const char *name;
  } known[] = {{"VORBIS", "Vorbis"}, {"OPUS", "Opus"}, {"MPEG", "MP3"}, {"WAVPACK4", "WavPack"},
               {"TTA1", "TrueAudio"}};
  for (const auto &codec : known)
    if (id == codec.id) return {format, codec.name};
  return {format, id};
}
#endif

template <typename Kind>
bool is(const TagLib::File *file) {
  return dynamic_cast<const Kind *>(file) != nullptr;
}

}  // namespace

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
#ifdef HAS_DSD
  if (is<DSF::File>(file)) return {"dsf", "DSD"};
  if (is<DSDIFF::File>(file)) return {"dff", "DSD"};
#endif
#ifdef HAS_SHORTEN
  if (is<Shorten::File>(file)) return {"shn", "Shorten"};
#endif
#ifdef HAS_MATROSKA
  if (auto matroska = dynamic_cast<const Matroska::File *>(file)) return matroskaName(*matroska);
#endif
  if (is<Mod::File>(file)) return {"mod", "Module"};
  if (is<S3M::File>(file)) return {"s3m", "Module"};
  if (is<IT::File>(file)) return {"it", "Module"};
  if (is<XM::File>(file)) return {"xm", "Module"};
  return {"", ""};
}

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
    case SoundKind::matroska: return "mka";
    case SoundKind::shorten: return "shn";
    case SoundKind::module: return "mod";
    case SoundKind::scream3: return "s3m";
    case SoundKind::impulse: return "it";
    case SoundKind::extended: return "xm";
    case SoundKind::unknown: break;
  }
  // Which older versions of TagLib know under that one name only.
  for (const char *other : {"mp1", "mp2", "aac"})
    if (std::strcmp(extension, other) == 0) return "mp3";
  return extension;
}

bool hasReader(const std::string &extension) {
  static const TagLib::StringList known = TagLib::FileRef::defaultFileExtensions();
  return known.contains(TagLib::String(extension));
}

bool isModule(const TagLib::File *file) { return is<TagLib::Mod::File>(file); }

bool mayBeVideo(SoundKind kind) {
  return kind == SoundKind::mp4 || kind == SoundKind::asf || kind == SoundKind::matroska;
}

}  // namespace crated
