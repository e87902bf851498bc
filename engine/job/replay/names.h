#pragma once
// What the source calls the places that a launch reads and writes. No name is invented: what has none is told by its
// bytes.

#include <optional>
#include <string>
#include <vector>

#include "job/run/job.h"
#include "ptx/module.h"

namespace lanescope::job {

// Of a buffer or parameter, from 0: the request's name, else the parameter's in the source; "arg0" where neither says.
std::string argument_name(const Request& request, std::size_t argument);

class PlaceNames {
 public:
  // Of launch 1, 2, … of an outcome, which ran; `kernel`: its own, in `module`. All must outlive this.
  PlaceNames(const Outcome& outcome, int launch, const ptx::Module& module, const ptx::Function& kernel);

  // A parameter of the kernel, from 0.
  std::string parameter(std::size_t index) const;

  struct Place {
    std::string text;                  // "in[56]"; "tile + 148 B"; "shared + 148 B"
    ptx::Type type = ptx::Type::none;  // of the buffer's elements, where its argument tells
    int argument = -1;                 // of the request, and
    std::int64_t index = 0;            // the element in its contents, from 0
    friend bool operator==(const Place&, const Place&) = default;
  };
  // Where an access of that space goes; an address as in the event.
  Place at(trace::MemorySpace space, std::uint64_t address) const;

 private:
  struct Named {
    std::string name;
    std::uint64_t address = 0, bytes = 0, offset = 0;  // offset: of the pointer that is passed, behind the address
    ptx::Type type = ptx::Type::none;
    int argument = -1;
  };
  static Place at(const Named& buffer, std::uint64_t address);

  const Outcome& outcome_;
  int launch_;
  const ptx::Function& kernel_;
  std::vector<Named> buffers_;
  std::string shared_;  // the only shared variable's name; empty: there are several, or none
};

// The argument of the request, or of its buffers, that a launch passes as a parameter; −1: a scalar of its own, or
// none.
int argument_of_parameter(const Request& request, int launch, std::size_t parameter);

// "out[37]": an element of a buffer by its name. Error: argument.no_element.
struct NamedElement {
  int argument = 0;
  std::int64_t index = 0;
};
Result<NamedElement> find_element(const Outcome& outcome, const std::string& text);

}  // namespace lanescope::job
