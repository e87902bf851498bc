#pragma once
// Gives the numbers of structs the offsets of their declarations (arrange()), and the buffers inside structs and
// tables, as in {i32=16,f32[256]=iota} and &{8*f32[64]}, their places among those of the request.

#include <vector>

#include "core/diagnostic.h"
#include "job/run/job.h"

namespace lanescope::job {

// For launch 1 and the symbols, after all its arguments and before other launches are added. Errors: argument.no_such,
// argument.too_large.
Diagnostics place_pointed_buffers(Request& request);
// For a later launch with all its parameters. `new_buffers`: buffers that will follow the request's; the structs' own
// are added. Errors: argument.no_such.
Diagnostics place_pointed_buffers(const Request& request, std::vector<RequestedArgument>& new_buffers,
                                  RequestedLaunch& next);

// A buffer of the request and bytes from its pointer. An argument of the first launch may itself be same:N.
struct BufferPlace {
  std::size_t argument = 0;  // among the request's arguments and then its buffers
  std::uint64_t offset = 0;
};
// `known`: the number of arguments and buffers. `text` is for the error, argument.no_such.
Result<BufferPlace> buffer_at(const Request& request, BufferPlace place, std::size_t known, const std::string& text);

}  // namespace lanescope::job
