#pragma once
// The data members of a struct as its declaration gives them, without compiling.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compile/host/source_scan.h"

namespace lanescope::job {

// By the name of the struct or class, without namespaces: one declaration per member, in order, such as "float*
// elements" and "float row[4]". No members if the layout does not follow from the types of the members alone: the
// struct has a base, a virtual function, a bit-field, a reference, a pointer to a function, a struct that is declared
// in it, or its own alignment.
using StructMembers = std::map<std::string, std::vector<std::string>, std::less<>>;

// Adds what `declaration` declares, if it is a struct or class. Several of one name that differ, as in two
// namespaces or behind an #if, have no members. `code`: as
// compile::blank_non_code() gives it, with the declaration in the same place.
void add_struct(StructMembers& to, std::string_view code, const compile::ScannedDeclaration& declaration);

}  // namespace lanescope::job
