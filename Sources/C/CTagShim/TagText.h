#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tstring.h>
#include <tstringlist.h>

namespace crated {

// Text as tags hold it, in UTF-8. TagLib takes a text for empty that has one wrong byte in it.
bool isUTF8(const std::string &bytes);

// Whether there is a character beyond ASCII, wrong bytes or not.
bool hasLongCharacter(const std::string &bytes);

// In UTF-8.
std::string textOfWindows1252(const std::string &bytes);

// With U+FFFD in the place of what is no character; no longer than the daemon takes.
TagLib::String repairedUTF8(const std::string &bytes);
TagLib::StringList repairedList(const std::vector<std::string> &texts);

// The bytes after the one that tells the encoding, in UTF-8. Without a mark of the byte order the
// order is the one that leaves more letters of ours; a mark may stand before each of several texts.
std::string textOfUTF16(const std::string &bytes);

}  // namespace crated
