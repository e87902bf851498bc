#pragma once
// A form for the launch of a kernel without main(): its fields as text, what the file tells or suggests for them, and
// the `lanescope trace` command that they mean.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compile/source.h"
#include "core/result.h"
#include "job/request/kernel_signature.h"

namespace lanescope::sim {
struct Progress;  // sim/launch.h
}

namespace lanescope::job {

struct Request;        // job/run/job.h
struct LaunchOptions;  // job/request/launch_options.h

// One parameter. Every field is text, so that it can be wrong.
struct FormArgument {
  enum class Kind : std::uint8_t {
    buffer,  // `type`[`count`]=`value`; an empty value: never written
    scalar,  // `type`=`value`
    text     // `value` as it follows --arg: same:0, tex:…, bytes=…, a buffer with an offset
  };
  Kind kind = Kind::text;
  std::string type, count, value;

  std::string text() const;  // as for --arg
  static FormArgument from(const std::string& text);
  friend bool operator==(const FormArgument&, const FormArgument&) = default;
};

struct LaunchForm {
  std::string kernel;  // without template arguments
  std::vector<std::string> template_arguments;
  std::string grid, block;  // "64", "8,8,1"
  std::string cluster;      // the same; empty: as the kernel declares
  std::string shared;       // bytes of dynamic shared memory
  bool cooperative = false;
  // Folders of headers besides the file's own; a relative one begins there.
  std::vector<std::string> include_paths;
  std::vector<std::string> defines;     // "TILE=32"
  std::vector<FormArgument> arguments;  // one per parameter
  // As a `// run:` line gives them: "filter=f32[64]=iota", "scale<<<4,256>>>(same:0)".
  std::vector<std::string> symbols, then;

  std::string kernel_name() const;  // "reduce<float, 4>"
  friend bool operator==(const LaunchForm&, const LaunchForm&) = default;
};

// The form with its folders of headers from the root on; relative ones are in `folder`.
LaunchForm with_whole_folders(LaunchForm form, const std::string& folder);

// The form as one line that form_from() reads again, whatever is in its fields: "--kernel 'k' --grid 16 …".
std::string text_of(const LaunchForm& form);
LaunchForm form_from(std::string_view text);

// "lanescope trace FILE --kernel …", as a shell takes it.
std::string command_of(const LaunchForm& form, const std::string& file);

// A launch in few words: "<<<(4, 4), 256>>>(f32[4096]=iota, i32=64)".
std::string short_text(const LaunchForm& form);

// A number of the file's own launch that the file does not tell, though it tells others of the same dim3.
struct GuessedPart {
  std::string of;          // "grid" or "block"
  char axis = 'x';         // 'x', 'y' or 'z'
  std::string expression;  // as in the launch
};

// Where a form's first values come from.
struct FormOrigin {
  enum class Kind : std::uint8_t { run_line, launch, guessed } kind = Kind::guessed;
  int line = 0;         // of the `// run:` line or the launch
  bool shared = false;  // the launch tells its bytes of dynamic shared memory
  std::vector<GuessedPart> guessed = {};
};

// A kernel of a file with the form that it begins with.
struct FormKernel {
  KernelSignature signature;
  std::vector<KernelParameter> parameters;  // with the form's template arguments
  LaunchForm form;
  FormOrigin origin;
  Diagnostics unused;  // warnings: what is wrong with its `// run:` line, which is not used
};

// The kernels of a source, in its order. The values come from a `// run:` line of the kernel, else from the file's own
// launch where its values are constant, else from names and bounds in the kernel. Takes milliseconds for a large file.
std::vector<FormKernel> form_kernels(const compile::Source& source);

// What is wrong with the fields, each with the diagnostic that `lanescope trace` gives.
struct FormProblems {
  Diagnostics kernel, grid, block, cluster, shared;
  Diagnostics include_paths;           // warnings
  std::vector<Diagnostics> arguments;  // one per argument

  bool any() const;  // an error; warnings do not count
};
// At once: does not compile and reads no file.
FormProblems check_form(const LaunchForm& form);
// After check_form() found no error. Compiles, which is cached: the arguments against the parameters, the launch
// against the limits. Errors in the code itself are not the form's.
FormProblems check_form(const LaunchForm& form, const compile::Source& source, const sim::Progress* progress);

// The request that `lanescope trace` makes from command_of(). Errors: those of check_form() and request_from().
Result<Request> request_of(const LaunchForm& form, const compile::Source& source, Diagnostics& notes);

}  // namespace lanescope::job
