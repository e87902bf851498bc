#pragma once
// Turns the compiler's log into diagnostics in the user's terms.

#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/compiler_log.h"

namespace lanescope::compile {

struct LogContext {
  const Source& source;
  std::vector<std::string> left_out;
  std::vector<std::string> system_paths;
  bool whole_program = false;  // host code was compiled too
};

// Errors and warnings with their notes, in the log's order. Entries about name expressions are left out.
Diagnostics diagnose(const std::vector<LogEntry>& log, const LogContext& context);

// The log's reason why a name expression was not resolved: "identifier "foo" is undefined". Empty if it was.
Wording name_failure(const std::vector<LogEntry>& log, const std::string& expression);

// The warning about an #include that no kernel needs.
Diagnostic missing_but_unneeded(const Source& source, const std::string& name);

// compile.no_such_kernel of a kernel that the source only declares.
Diagnostic undefined_kernel(const Source& source, const std::string& name);

// "scale<4>" → "a::b::scale<4>" if the namespaces are all that is missing and only one of `kernels` fits; else empty.
std::string in_its_namespace(const std::string& wanted, const std::vector<std::string>& kernels);

// The same for its template arguments: "n::k<Op>" → "n::k<n::Op>" if the compiler's `reason` is that it does not know
// Op. Where it does not know n::Op either: "m::n::k<m::n::Op>" → "m::n::k<m::Op>". Unchanged if nothing is left to try.
std::string with_argument_in_namespace(const std::string& wanted, std::string_view reason);

// compile.no_such_kernel, which lists `kernels` and suggests the nearest one.
Diagnostic no_such_kernel(const Source& source, const std::string& wanted, const std::vector<std::string>& kernels,
                          const Wording& reason);

}  // namespace lanescope::compile
