// The tests' compiler processes are the program's own.

#include "compile/worker.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

[[maybe_unused]] const bool commanded = [] {
  compile::set_worker_command({LANESCOPE_BINARY, "compile-worker"});
  return true;
}();

}  // namespace
}  // namespace lanescope::test
