#include "SongTags.h"

#include <algorithm>

#include <apefile.h>
#include <apefooter.h>
#include <apetag.h>
#include <asffile.h>
#include <flacfile.h>
#include <id3v1tag.h>
#include <id3v2tag.h>
#include <infotag.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <trueaudiofile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xiphcomment.h>

namespace crated {

namespace {

using TagLib::PropertyMap;
using TagLib::String;
using TagLib::StringList;

bool saysSomething(const StringList &values) {
  return std::any_of(values.begin(), values.end(), [](const String &it) { return !it.isEmpty(); });
}

void add(const String &key, const StringList &values, PropertyMap &tags) {
  auto known = tags.find(key);
  if (saysSomething(values) && (known == tags.end() || !saysSomething(known->second)))
    tags.replace(key, values);
}

// Of several kinds of tags in one file the first that has a field is believed: TagLib would take
// all fields from the first that is not empty, which may hold no more than the encoder's name.
template <typename Tag>
void add(const Tag *tag, PropertyMap &tags) {
  if (!tag) return;
  for (const auto &[key, values] : tag->properties()) add(key, values, tags);
}

// What TagLib keeps for itself: any field may stand in a free-form atom, under its own name.
void addFreeForm(const TagLib::MP4::Tag *tag, PropertyMap &tags) {
  static const String prefix("----:com.apple.iTunes:");
  if (!tag) return;
  for (const auto &[name, item] : tag->itemMap())
    if (name.startsWith(prefix)) add(name.substr(prefix.size()).upper(), item.toStringList(), tags);
}

String textOf(const TagLib::ASF::Attribute &attribute) {
  using TagLib::ASF::Attribute;
  switch (attribute.type()) {
    case Attribute::BoolType: return attribute.toBool() ? "1" : "0";
    case Attribute::WordType: return String::number(attribute.toUShort());
    case Attribute::DWordType: return String::number(int(attribute.toUInt()));
    default: return attribute.toString();
  }
}

// What TagLib passes over: the further artists, and fields of later taggers.
void addAttributes(const TagLib::ASF::Tag *tag, PropertyMap &tags) {
  if (!tag) return;
  auto values = [tag](const char *name) {
    StringList values;
    for (const TagLib::ASF::Attribute &attribute : tag->attribute(name))
      values.append(textOf(attribute));
    return values;
  };
  StringList &artists = tags["ARTIST"];
  for (const String &artist : values("Author"))
    if (!artists.contains(artist)) artists.append(artist);
  add("COMPILATION", values("WM/IsCompilation"), tags);
  StringList original = values("WM/OriginalReleaseTime");
  if (saysSomething(original)) tags.replace("ORIGINALDATE", original);
}

// TagLib doesn't look for one in TrueAudio, where foobar2000 and ffmpeg write it.
void addAPETag(TagLib::TrueAudio::File *file, PropertyMap &tags) {
  using TagLib::APE::Footer;
  long end = file->length() - (file->hasID3v1Tag() ? 128 : 0);
  long footer = end - long(Footer::size());
  if (footer < 0) return;
  file->seek(footer);
  if (file->readBlock(8) != Footer::fileIdentifier()) return;
  TagLib::APE::Tag tag(file, footer);
  add(&tag, tags);
}

template <typename Kind>
bool addEndTags(TagLib::File *any, PropertyMap &tags) {
  auto file = dynamic_cast<Kind *>(any);
  if (!file) return false;
  add(file->APETag(), tags);
  add(file->ID3v1Tag(), tags);
  return true;
}

}  // namespace

PropertyMap tagsOf(TagLib::File *any) {
  using namespace TagLib;
  PropertyMap tags;
  if (auto file = dynamic_cast<MPEG::File *>(any)) {
    add(file->ID3v2Tag(), tags);
    add(file->APETag(), tags);
    add(file->ID3v1Tag(), tags);
  } else if (auto file = dynamic_cast<FLAC::File *>(any)) {
    add(file->xiphComment(), tags);
    add(file->ID3v2Tag(), tags);
    add(file->ID3v1Tag(), tags);
  } else if (auto file = dynamic_cast<RIFF::WAV::File *>(any)) {
    add(file->ID3v2Tag(), tags);
    add(file->InfoTag(), tags);
  } else if (auto file = dynamic_cast<TrueAudio::File *>(any)) {
    add(file->ID3v2Tag(), tags);
    addAPETag(file, tags);
    add(file->ID3v1Tag(), tags);
  } else if (!addEndTags<WavPack::File>(any, tags) && !addEndTags<APE::File>(any, tags) &&
             !addEndTags<MPC::File>(any, tags)) {
    tags = any->properties();
  }
  if (auto file = dynamic_cast<MP4::File *>(any)) addFreeForm(file->tag(), tags);
  if (auto file = dynamic_cast<ASF::File *>(any)) addAttributes(file->tag(), tags);
  return tags;
}

}  // namespace crated
