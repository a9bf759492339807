#pragma once
#include <string>

#include <tfile.h>

#include "Sound.h"

namespace crated {

// What people call a file's format and codec; empty where TagLib doesn't know.
struct Name {
  std::string format;
  std::string codec;
};

Name nameOf(const TagLib::File *file, SoundKind kind);

// What TagLib is told that the file is called. What the bytes say goes before what the name says:
// an .mp3 may hold FLAC.
std::string honestExtension(SoundKind kind, const char *extension);

// Whether the linked TagLib has a reader for files that are called so.
bool hasReader(const std::string &extension);

// A piece for a tracker: TagLib takes any bytes for one.
bool isModule(const TagLib::File *file);

// Whether files of this kind may hold pictures that move and no sound at all.
bool mayBeVideo(SoundKind kind);

}  // namespace crated
