#pragma once
// What messages tell about files that lie near a source: where a header is that the compiler does not find (courses
// keep theirs in a folder beside), and which file defines a function.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

// A folder such that FOLDER/`name` is a file, written so that it can follow -I if `source` is a path. Looks in folders
// up to two levels below the source's own, then below the two above it; not above one that has a .git, and not in more
// than some hundred folders. Empty: not found, or the source is not a file.
std::string folder_with_header(const std::string& source, const std::string& name);

// A function that a file beside the source defines.
struct DefinedBeside {
  std::string name;  // with the namespaces and the class that the definition is written in
  std::string file;  // as the source itself is named: from the same folder
  bool is_kernel = false;
};

// Sorted by file. Reads at most 200 files, of at most 1 MiB, with these extensions (".cu").
std::vector<DefinedBeside> functions_defined_beside(const std::string& source,
                                                    const std::vector<std::string_view>& extensions);

// The file that defines a function which the linker calls "a::f(int)" or "void a::f<int>(int*)"; empty: none.
std::string file_of_linker_name(const std::vector<DefinedBeside>& functions, std::string_view linker_name);

}  // namespace lanescope::compile
