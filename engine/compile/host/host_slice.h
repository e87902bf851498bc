#pragma once
// Keeps only what a file's kernels need. A file for nvcc may contain any host code. If removing refused code does not
// converge, this removes everything that no kernel reaches by name, and then kernels that nobody asked for.

#include <cstddef>
#include <string>
#include <vector>

#include "compile/compiler_log.h"
#include "compile/host/host_code.h"
#include "compile/source.h"
#include "core/diagnostic.h"

namespace lanescope::compile {

// Replaces bytes of `text` by blanks. Keeps line ends and the directives #if, #else, #endif and #define, which may
// extend beyond the range.
void blank_out(std::string& text, std::size_t begin, std::size_t end);

// Blanks unneeded declarations at namespace scope in `texts` (a source and its headers, together). Needed are kernels,
// declarations with __device__, __constant__ or __shared__, and everything that these mention by name, directly or
// indirectly, through macros too. Adds the names of blanked declarations to `left_out`. Leaves a text with unbalanced
// braces unchanged. False: there was nothing to blank.
bool leave_out_unreached(const std::vector<std::string*>& texts, std::vector<std::string>& left_out);

// Whether leave_out_other_kernels() may help against these errors of the source: it has other kernels, and an error is
// not in one of `kernels`.
bool may_concern_others(const Diagnostics& errors, const Source& source, const std::vector<std::string>& kernels);

// For errors in kernels that were not asked for, or in code that only those use: blanks the declarations that have the
// errors, and those that mention them. `kernels` are the names of the kernels that were asked for, with or without
// namespaces and template arguments. Adds the names of the declarations with errors to `attempt.other_kernels`. False,
// and nothing is changed: no such error, or another one in code that `kernels` need.
bool leave_out_other_kernels(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                             const std::vector<std::string>& system_paths, const std::vector<std::string>& kernels);

}  // namespace lanescope::compile
