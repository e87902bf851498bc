#pragma once
// Where a header lies that a source includes but the compiler does not find: courses keep theirs in a folder beside.

#include <string>

namespace lanescope::compile {

// A folder such that FOLDER/`name` is a file, written so that it can follow -I if `source` is a path. Looks in folders
// up to two levels below the source's own, then below the two above it; not above one that has a .git, and not in more
// than some hundred folders. Empty: not found, or the source is not a file.
std::string folder_with_header(const std::string& source, const std::string& name);

}  // namespace lanescope::compile
