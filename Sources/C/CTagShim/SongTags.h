#pragma once
#include <tfile.h>
#include <tpropertymap.h>

#include "OwnReading.h"

namespace crated {

// What all the tags of a file say together.
TagLib::PropertyMap tagsOf(TagLib::File *file, FileBytes &bytes, const Sound &sound,
                           const OwnMP4 &mp4);

}  // namespace crated
