#pragma once
#include <tbytevector.h>
#include <tfile.h>

#include "Sound.h"

namespace crated {

// The front cover that is in an open file, else its first picture; empty where there is none.
TagLib::ByteVector coverOf(TagLib::File *file, FileBytes &bytes, const Sound &sound);

}  // namespace crated
