#pragma once
#include <string>

#include <tfile.h>

#include "Sound.h"

namespace crated {

// What people call a file's format and codec; empty where TagLib doesn't know.
struct Name {
  const char *format;
  const char *codec;
};

Name nameOf(const TagLib::File *file, SoundKind kind);

// What TagLib is told that the file is called. What the bytes say goes before what the name says:
// an .mp3 may hold FLAC.
std::string honestExtension(SoundKind kind, const char *extension);

}  // namespace crated
