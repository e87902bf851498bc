#pragma once
// The source's names of the places that a launch reads and writes. A place without a name is described by its bytes.

#include <optional>
#include <string>
#include <vector>

#include "job/replay/shared_arrays.h"
#include "job/run/job.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::job {

// Name of a buffer or parameter, numbered from 0: the request's name, else the parameter's name in the source, else
// "arg0".
std::string argument_name(const Request& request, std::size_t argument);

class PlaceNames {
 public:
  // For launch 1, 2, … of an outcome, which must have run. `program`: of its kernel. Both must outlive this object.
  PlaceNames(const Outcome& outcome, int launch, const sim::Program& program);

  // A parameter of the kernel, from 0.
  std::string parameter(std::size_t index) const;

  struct Place {
    std::string text;                  // "in[56]"; "tile[1][4]"; "tile + 148 B"; "shared + 148 B"
    ptx::Type type = ptx::Type::none;  // type of the elements, if argument or declaration tells
    int argument = -1;                 // index of the request's argument
    std::int64_t index = 0;            // index of the element in its contents, from 0
    friend bool operator==(const Place&, const Place&) = default;
  };
  // The place of an access to memory space `space`; `address` as in the event.
  Place at(trace::MemorySpace space, std::uint64_t address) const;

 private:
  struct Named {
    std::string name;
    std::uint64_t address = 0, bytes = 0, offset = 0;  // offset: distance of the passed pointer from `address`
    ptx::Type type = ptx::Type::none;
    int argument = -1;
  };
  static Place at(const Named& buffer, std::uint64_t address);

  const Outcome& outcome_;
  int launch_;
  const ptx::Function& kernel_;
  std::vector<Named> buffers_;
  std::vector<SharedArray> shared_;
};

// Index of the request's argument (or, after those, its buffer) that a launch passes as a parameter; −1: a scalar of
// the launch's own, or none.
int argument_of_parameter(const Request& request, int launch, std::size_t parameter);

// "out[37]": an element of a buffer by name. Error: argument.no_element.
struct NamedElement {
  int argument = 0;
  std::int64_t index = 0;
};
Result<NamedElement> find_element(const Outcome& outcome, const std::string& text);

}  // namespace lanescope::job
