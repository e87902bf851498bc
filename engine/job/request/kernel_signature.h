#pragma once
// The kernels of a source as their declarations give them, without compiling: what a launch of each needs.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/wording.h"
#include "job/request/struct_members.h"

namespace lanescope::compile {
struct Source;  // compile/source.h
}

namespace lanescope::job {

// A struct as CUDA lays it out.
struct StructLayout {
  struct Number {  // or pointer; each element of a vector or an array is one
    std::int64_t at = 0, bytes = 0;
    std::string name;  // of the member: "rows[1]", "mesh.vertices"; for each element of a vector that of the vector
  };
  std::int64_t bytes = 0, alignment = 1;  // 0 bytes: unknown
  std::vector<Number> numbers;            // in order; none if there are very many
};

struct KernelParameter {
  std::string name;      // empty if it has none
  std::string declared;  // as in the source, without its name: "const float*"
  // The type without const, blanks, namespaces and the star; types that the file or the template arguments name are
  // replaced: "float", "unsignedint".
  std::string type;
  std::string scope;                       // the namespaces of the type, without "::" and std
  bool pointer = false, constant = false;  // constant: a pointer to const
  // Of a struct whose declaration in the file shows its layout: each is a number or a pointer. Empty for other types.
  std::vector<KernelParameter> members;
  StructLayout layout;  // of a struct, or of the struct that a pointer points to, if the file shows it

  // As in --arg: "f32"; "" if the type is not known. Of a vector: its elements' type.
  std::string element() const;
  // Elements of element() in one `type`: 4 for float4.
  int elements_each() const;
  // A struct, or a pointer to one, whose declaration was not found.
  bool has_unknown_layout() const;
};

struct KernelSignature {
  struct TemplateParameter {
    std::string name;      // empty if it has none
    std::string declared;  // "typename T", "int N"
    std::string value;     // its default; empty if it has none
    bool is_type() const { return declared.starts_with("typename") || declared.starts_with("class"); }
  };
  std::string name;  // "ns::scale", without template arguments; of several: "(void (*)(float*, int))ns::scale"
  std::vector<TemplateParameter> template_parameters;
  std::vector<std::string> instantiated;  // the arguments of the file's first explicit instantiation
  std::string parameters;                 // as in the source, between the parentheses
  std::string bounds;                     // the first argument of __launch_bounds__()
  std::string body;                       // of the definition, without comments; empty for a declaration
  std::size_t offset = 0;                 // of the name, in the text
  int line = 0;
};

class SourceKernels {
 public:
  // `text` as compile::with_definitions() gives it.
  explicit SourceKernels(const std::string& text);
  // Adds the types that a header declares; those of the source come first.
  void add_types(const std::string& header);

  // Each kernel once, in the order of their first declarations. Templates of one name count as one.
  const std::vector<KernelSignature>& all() const { return all_; }
  // The kernel with this name, with or without namespaces and template arguments; of several that differ in their
  // parameters the first, unless the name has its type. nullptr: there is none.
  const KernelSignature* find(std::string_view kernel) const;
  // Its parameters with these template arguments; those that are missing stay as the source names them.
  std::vector<KernelParameter> parameters(const KernelSignature& kernel,
                                          const std::vector<std::string>& template_arguments) const;
  // The same for a declaration by itself: "Params params".
  KernelParameter declared(std::string_view declaration) const;
  // Each parameter's type as a demangler writes it, "float const*", typedefs replaced. "" for a type that is neither a
  // number nor a pointer to numbers. None if there is no such kernel.
  std::vector<std::string> declared_types(std::string_view kernel) const;

 private:
  std::vector<KernelSignature> all_;
  std::map<std::string, std::string, std::less<>> types_;  // what typedefs, `using` and macros name
  StructMembers structs_;
};

// The kernels of a source. If the type of a parameter is not in the source, the types of its headers are there too.
SourceKernels kernels_of(const compile::Source& source);
// Adds the types of all headers that the source includes, CUDA's own left out.
void add_types_of_headers(SourceKernels& kernels, const compile::Source& source);

struct HeaderKernel {
  std::string name;
  std::string header;  // its path
};
// The kernels of the files that the source includes, CUDA's own left out.
std::vector<HeaderKernel> kernels_of_headers(const compile::Source& source);
// That the file itself has none, and the names of the first of `found`.
Wording kernels_in_headers(const std::vector<HeaderKernel>& found);

// "unsignedlonglong" → "unsigned long long".
std::string with_blanks(std::string_view type);

// The arguments of "reduce<float, 4>"; none for "reduce".
std::vector<std::string> template_arguments(const std::string& kernel);

}  // namespace lanescope::job
