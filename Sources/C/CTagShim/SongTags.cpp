#include "SongTags.h"

#include <algorithm>

#include <apefile.h>
#include <apefooter.h>
#include <apetag.h>
#include <asffile.h>
#include <flacfile.h>
#include <id3v1tag.h>
#include <id3v2tag.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <trueaudiofile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xiphcomment.h>
#if __has_include(<matroskafile.h>)
#include <matroskafile.h>
#include <matroskaproperties.h>
#endif

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
template <typename Source>
void add(const Source *source, PropertyMap &tags) {
  if (!source) return;
  for (const auto &[key, values] : source->properties()) add(key, values, tags);
}

// What TagLib keeps for itself: any field may stand in a free-form atom, under its own name.
void addFreeForm(const TagLib::MP4::Tag *tag, PropertyMap &tags) {
  static const String prefix("----:com.apple.iTunes:");
  if (!tag) return;
  for (const auto &[name, item] : tag->itemMap())
    if (name.startsWith(prefix)) add(name.substr(prefix.size()).upper(), item.toStringList(), tags);
}

// MP4 keeps a track's number and their total in one atom, where 0 stands for none.
void dropZeroTrack(PropertyMap &tags) {
  StringList &values = tags["TRACKNUMBER"];
  if (values.isEmpty()) return;
  String &text = values.front();
  if (text == "0" || text.startsWith("0/")) text = text.substr(1);
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
  auto end = file->length() - (file->hasID3v1Tag() ? 128 : 0);
  auto footer = end - decltype(end)(Footer::size());
  if (footer < 0) return;
  file->seek(footer);
  if (file->readBlock(8) != Footer::fileIdentifier()) return;
  TagLib::APE::Tag tag(file, footer);
  add(&tag, tags);
}

#if __has_include(<matroskafile.h>)
// Programs write it among the properties of the whole, and not among the tags.
void addTitle(TagLib::File *any, PropertyMap &tags) {
  auto file = dynamic_cast<TagLib::Matroska::File *>(any);
  if (file && file->audioProperties()) add("TITLE", file->audioProperties()->title(), tags);
}
#else
void addTitle(TagLib::File *, PropertyMap &) {}
#endif

// The tags of one file, in the order in which they are believed.
class Tags {
 public:
  Tags(FileBytes &bytes, const Sound &sound)
      : id3(readID3v2(bytes, sound, false)), ape(readAPE(bytes, sound)),
        comment(readComment(bytes, sound)) {}

  // What we read better than TagLib goes before what it reads.
  void add(const TagLib::ID3v2::Tag *theirs) {
    if (id3.tellsMore || !theirs || theirs->isEmpty()) addOurs();
    crated::add(theirs, tags);
  }

  void add(const TagLib::APE::Tag *theirs) {
    addOurAPE();
    crated::add(theirs, tags);
  }

  void add(const TagLib::Ogg::XiphComment *theirs) {
    crated::add(comment.get(), tags);
    crated::add(theirs, tags);
  }

  void add(const TagLib::Tag *other) { crated::add(other, tags); }

  void add(const PropertyMap &ours) {
    for (const auto &[key, values] : ours) crated::add(key, values, tags);
  }

  // An ID3v2 tag where TagLib doesn't look for one.
  void addOurs() {
    if (!id3.frames.empty()) crated::add(id3.tag().get(), tags);
  }

  // The fields of an APE tag that TagLib gives up on.
  void addOurAPE() { crated::add(ape.get(), tags); }

  void addMP4(const TagLib::MP4::Tag *theirs, const TagLib::MP4::Tag *ours) {
    for (const TagLib::MP4::Tag *tag : {ours, theirs}) {
      crated::add(tag, tags);
      dropZeroTrack(tags);
      addFreeForm(tag, tags);
    }
  }

  // Whatever kinds of tags it has.
  void addAll(const TagLib::File *file) {
    if (id3.tellsMore) addOurs();
    crated::add(comment.get(), tags);
    crated::add(file, tags);
    addOurs();
  }

  template <typename Kind>
  bool addEndTags(TagLib::File *any) {
    auto file = dynamic_cast<Kind *>(any);
    if (!file) return false;
    add(file->APETag());
    addOurs();
    add(file->ID3v1Tag());
    return true;
  }

  PropertyMap tags;

 private:
  const OwnID3 id3;
  const std::unique_ptr<TagLib::APE::Tag> ape;
  const std::unique_ptr<TagLib::Ogg::XiphComment> comment;
};

}  // namespace

PropertyMap tagsOf(TagLib::File *any, FileBytes &bytes, const Sound &sound, const OwnMP4 &mp4) {
  using namespace TagLib;
  Tags tags(bytes, sound);
  if (auto file = dynamic_cast<MPEG::File *>(any)) {
    tags.add(file->ID3v2Tag());
    tags.add(file->APETag());
    tags.add(file->ID3v1Tag());
  } else if (auto file = dynamic_cast<FLAC::File *>(any)) {
    tags.add(file->xiphComment());
    tags.add(file->ID3v2Tag());
    tags.add(file->ID3v1Tag());
  } else if (auto file = dynamic_cast<RIFF::WAV::File *>(any)) {
    tags.add(file->ID3v2Tag());
    tags.add(readInfo(bytes, sound));
  } else if (auto file = dynamic_cast<TrueAudio::File *>(any)) {
    tags.add(file->ID3v2Tag());
    tags.addOurAPE();
    addAPETag(file, tags.tags);
    tags.add(file->ID3v1Tag());
  } else if (auto file = dynamic_cast<MP4::File *>(any)) {
    tags.addMP4(file->tag(), mp4.tag.get());
    tags.addOurs();
  } else if (!tags.addEndTags<WavPack::File>(any) && !tags.addEndTags<APE::File>(any) &&
             !tags.addEndTags<MPC::File>(any)) {
    tags.addAll(any);
    addTitle(any, tags.tags);
  }
  if (auto file = dynamic_cast<ASF::File *>(any)) addAttributes(file->tag(), tags.tags);
  return tags.tags;
}

}  // namespace crated
