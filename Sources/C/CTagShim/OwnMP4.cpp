// MP4 atom by atom. TagLib takes the first of several atoms of one name, and leaves unsaid which
// tracks there are.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "CTagShim.h"
#include "MP4Atoms.h"
#include "OwnReading.h"
#include "TagText.h"

namespace crated {

namespace {

constexpr size_t keptMost = 4 << 20;
constexpr uint32_t typeUTF8 = 1;

class Reading {
 public:
  explicit Reading(FileBytes &bytes) : bytes(bytes) {}

  OwnMP4 run(Span movie) {
    OwnMP4 result;
    result.tag = std::make_unique<TagLib::MP4::Tag>();
    if (movie.count == 0) return result;
    Atoms atoms(bytes, movie.offset, movie.offset + movie.count);
    bool hasSoundTrack = false;
    Atom atom;
    while (atoms.next(atom)) {
      if (atom.name == "trak") hasSoundTrack = hasSoundTrack || isSoundTrack(bytes, atom);
      if (atom.name == "udta") readUserData(atom);
    }
    if (bytes.failure() != FileBytes::Failure::none) return result;
    result.hasSoundTrack = hasSoundTrack;
    for (const auto &[name, item] : items) {
      if (item.count < 2 && !item.hasWrongByte) continue;
      TagLib::String key(name, TagLib::String::Latin1);
      result.tag->setItem(key, TagLib::MP4::Item(repairedList(item.values)));
    }
    return result;
  }

 private:
  struct Item {
    std::vector<std::string> values;
    int count = 0;
    bool hasWrongByte = false;
  };

  void readUserData(const Atom &userData) {
    Atom meta;
    Atom list;
    if (!findAtom(bytes, "meta", userData, meta)) return;
    // QuickTime leaves out the version that stands before what the atom holds.
    uint8_t head[8];
    bool isPlain = bytes.readAll(meta.content, head, 8) && std::memcmp(head + 4, "hdlr", 4) == 0;
    if (!findAtom(bytes, "ilst", meta, list, isPlain ? 0 : 4)) return;
    Atoms atoms(bytes, list.content, list.end);
    Atom item;
    while (atoms.next(item)) readItem(item);
  }

  std::string textOf(const Atom &atom, uint64_t skipped) {
    uint64_t begin = atom.content + skipped;
    if (begin >= atom.end) return "";
    std::string text(size_t(std::min<uint64_t>(atom.end - begin, CRATED_TEXT_BYTES_MOST)), '\0');
    return bytes.readAll(begin, text.data(), text.size()) ? text : "";
  }

  void readItem(const Atom &atom) {
    std::string name = atom.name;
    std::string owner;
    std::vector<std::string> values;
    Atoms atoms(bytes, atom.content, atom.end);
    Atom part;
    while (atoms.next(part)) {
      uint8_t head[4];
      if (part.name == "mean") owner = textOf(part, 4);
      if (part.name == "name" && atom.name == "----") name += ":" + owner + ":" + textOf(part, 4);
      if (part.name != "data" || !bytes.readAll(part.content, head, 4)) continue;
      if ((bigEndian32(head) & 0xFFFFFF) != typeUTF8) return;
      values.push_back(textOf(part, 8));
    }
    Item &item = items[name];
    if (!values.empty()) item.count += 1;
    for (std::string &value : values) {
      kept += value.size();
      if (kept > keptMost) return;
      item.hasWrongByte |= !isUTF8(value);
      item.values.push_back(std::move(value));
    }
  }

  FileBytes &bytes;
  std::map<std::string, Item> items;
  size_t kept = 0;
};

}  // namespace

OwnMP4 readMP4(FileBytes &bytes, const Sound &sound) {
  return Reading(bytes).run(sound.tags.movie);
}

}  // namespace crated
