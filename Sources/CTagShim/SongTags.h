#pragma once
#include <tfile.h>
#include <tpropertymap.h>

namespace crated {

// What all the tags of a file say together.
TagLib::PropertyMap tagsOf(TagLib::File *file);

}  // namespace crated
