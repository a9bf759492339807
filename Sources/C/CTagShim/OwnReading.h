#pragma once
#include <memory>
#include <optional>
#include <string>

#include <apetag.h>
#include <id3v2tag.h>
#include <mp4tag.h>
#include <tpropertymap.h>
#include <xiphcomment.h>

#include "Sound.h"

// Tags that the shim reads by itself, where TagLib gives up: on a text with a wrong byte, on a tag
// with an odd frame, on tags in places where it doesn't look. What is found is put into TagLib's
// own kinds of tags, since they know which field means what.
namespace crated {

struct OwnID3 {
  // As frames of a tag of that version.
  std::string frames;
  uint8_t version = 0;
  // Whether TagLib is known to get less out of the same bytes.
  bool tellsMore = false;

  // Made when it is asked for: of most files TagLib's own has it all.
  std::unique_ptr<TagLib::ID3v2::Tag> tag() const;
};

// The texts of an ID3v2 tag, and its pictures if they are wanted. Nothing where there is no tag.
OwnID3 readID3v2(FileBytes &bytes, const Sound &sound, bool wantsPictures);

// The fields that have a wrong byte in a value, with all their values.
std::unique_ptr<TagLib::Ogg::XiphComment> readComment(FileBytes &bytes, const Sound &sound);
std::unique_ptr<TagLib::APE::Tag> readAPE(FileBytes &bytes, const Sound &sound);

struct OwnMP4 {
  // The atoms that stand there more than once, or have a wrong byte in a value.
  std::unique_ptr<TagLib::MP4::Tag> tag;
  // Nothing where the file doesn't tell which tracks it has.
  std::optional<bool> hasSoundTrack;
};

OwnMP4 readMP4(FileBytes &bytes, const Sound &sound);

// The texts of RIFF's INFO, by TagLib's names for them.
TagLib::PropertyMap readInfo(FileBytes &bytes, const Sound &sound);

}  // namespace crated
