#include <algorithm>
#include <cstring>
#include <string>

#include <unistd.h>

#include <apefile.h>
#include <apetag.h>
#include <asffile.h>
#include <asfpicture.h>
#include <asftag.h>
#include <attachedpictureframe.h>
#include <fileref.h>
#include <flacfile.h>
#include <flacpicture.h>
#include <id3v2tag.h>
#include <mp4coverart.h>
#include <mp4file.h>
#include <mp4tag.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <trueaudiofile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xiphcomment.h>

#include "CTagShim.h"
#include "CXXHash.h"
#include "FormatNames.h"
#include "OwnReading.h"
#include "Pictures.h"
#include "Sound.h"
#include "TagStream.h"

namespace crated {

namespace {

// The front cover, else the first picture that there is.
class Cover {
 public:
  void offer(const TagLib::ByteVector &picture, bool isFront) {
    if (picture.isEmpty() || picture.size() > CRATED_PICTURE_BYTES_MOST) return;
    if (!bytes.isEmpty() && (this->isFront || !isFront)) return;
    bytes = picture;
    this->isFront = isFront;
  }

  void offer(TagLib::ID3v2::Tag *tag) {
    if (!tag) return;
    for (TagLib::ID3v2::Frame *frame : tag->frameList("APIC")) {
      auto *picture = dynamic_cast<TagLib::ID3v2::AttachedPictureFrame *>(frame);
      if (!picture) continue;
      offer(picture->picture(),
            picture->type() == TagLib::ID3v2::AttachedPictureFrame::FrontCover);
    }
  }

  void offer(const TagLib::List<TagLib::FLAC::Picture *> &pictures) {
    for (TagLib::FLAC::Picture *picture : pictures)
      offer(picture->data(), picture->type() == TagLib::FLAC::Picture::FrontCover);
  }

  void offer(TagLib::Ogg::XiphComment *comment) {
    if (comment) offer(comment->pictureList());
  }

  void offer(TagLib::APE::Tag *tag) {
    if (!tag) return;
    for (const auto &[key, item] : tag->itemListMap()) {
      if (item.type() != TagLib::APE::Item::Binary || !key.startsWith("COVER ART")) continue;
      // The file's name, a zero, the picture.
      TagLib::ByteVector value = item.binaryData();
      int end = value.find('\0');
      if (end >= 0) offer(value.mid(end + 1), key == "COVER ART (FRONT)");
    }
  }

  void offer(TagLib::MP4::Tag *tag) {
    if (!tag || !tag->contains("covr")) return;
    for (const TagLib::MP4::CoverArt &art : tag->item("covr").toCoverArtList())
      offer(art.data(), true);
  }

  void offer(TagLib::ASF::Tag *tag) {
    if (!tag || !tag->contains("WM/Picture")) return;
    for (const TagLib::ASF::Attribute &attribute : tag->attribute("WM/Picture")) {
      TagLib::ASF::Picture picture = attribute.toPicture();
      if (!picture.isValid()) continue;
      offer(picture.picture(), picture.type() == TagLib::ASF::Picture::FrontCover);
    }
  }

  TagLib::ByteVector bytes;

 private:
  bool isFront = false;
};

template <class Kind>
Kind *as(TagLib::File *file) {
  return dynamic_cast<Kind *>(file);
}

void offerPictures(TagLib::File *file, Cover &cover) {
  if (auto *mpeg = as<TagLib::MPEG::File>(file)) {
    cover.offer(mpeg->ID3v2Tag());
    cover.offer(mpeg->APETag());
  } else if (auto *flac = as<TagLib::FLAC::File>(file)) {
    cover.offer(flac->pictureList());
    cover.offer(flac->xiphComment());
    cover.offer(flac->ID3v2Tag());
  } else if (auto *mp4 = as<TagLib::MP4::File>(file)) {
    cover.offer(mp4->tag());
  } else if (auto *asf = as<TagLib::ASF::File>(file)) {
    cover.offer(asf->tag());
  } else if (auto *wave = as<TagLib::RIFF::WAV::File>(file)) {
    cover.offer(wave->ID3v2Tag());
  } else if (auto *wavPack = as<TagLib::WavPack::File>(file)) {
    cover.offer(wavPack->APETag());
  } else if (auto *monkey = as<TagLib::APE::File>(file)) {
    cover.offer(monkey->APETag());
  } else if (auto *musepack = as<TagLib::MPC::File>(file)) {
    cover.offer(musepack->APETag());
  } else if (auto *trueAudio = as<TagLib::TrueAudio::File>(file)) {
    cover.offer(trueAudio->ID3v2Tag());
  } else {
    // Ogg in all its kinds; AIFF and, where TagLib has them, DSF and DSDIFF.
    cover.offer(dynamic_cast<TagLib::Ogg::XiphComment *>(file->tag()));
    cover.offer(dynamic_cast<TagLib::ID3v2::Tag *>(file->tag()));
  }
}

}  // namespace

TagLib::ByteVector coverOf(TagLib::File *file, FileBytes &bytes, const Sound &sound) {
  Cover cover;
  offerPictures(file, cover);
  // Read once more, and with its pictures: only where TagLib found none.
  if (cover.bytes.isEmpty()) cover.offer(readID3v2(bytes, sound, true).tag().get());
  return cover.bytes;
}

}  // namespace crated

size_t crated_read_picture(int descriptor, const char *extension, uint8_t *room) {
  off_t size = lseek(descriptor, 0, SEEK_END);
  if (size <= 0) return 0;
  try {
    crated::FileBytes bytes(descriptor, uint64_t(size));
    crated::Sound sound = crated::findSound(bytes);
    crated::TagStream stream(bytes, sound.retouching,
                             crated::honestExtension(sound.kind, extension));
    TagLib::FileRef reference(&stream, false);
    if (!reference.file() || !reference.file()->isValid()) return 0;
    TagLib::ByteVector cover = crated::coverOf(reference.file(), bytes, sound);
    // Half a picture is none.
    if (bytes.failure() != crated::FileBytes::Failure::none) return 0;
    std::copy(cover.begin(), cover.end(), room);
    return cover.size();
  } catch (...) {
    return 0;
  }
}

size_t crated_read_whole(int descriptor, uint8_t *room) {
  off_t size = lseek(descriptor, 0, SEEK_END);
  if (size <= 0 || size > CRATED_PICTURE_BYTES_MOST) return 0;
  crated::FileBytes bytes(descriptor, uint64_t(size));
  return bytes.readAll(0, room, size_t(size)) ? size_t(size) : 0;
}

uint64_t crated_picture_digest(const uint8_t *bytes, size_t count) {
  uint64_t digest = crated_xxh3_128(bytes, count).low;
  return digest == 0 ? 1 : digest;
}
