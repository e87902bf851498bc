#pragma once
// Runs PTX text in the interpreter: a kernel, its launch and its arguments in a few lines.
//
//   Launcher k(kernel(".param .u64 out", R"( ld.param.u64 %rd1, [out]; … ret; )"));
//   k.grid = {2, 1, 1}; k.block = {64, 1, 1};
//   const int out = k.add_buffer(std::vector<int>(128));
//   const LaunchResult result = k.run();
//   EXPECT_EQ(k.values<int>(result, out), …);

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "metrics/recompute.h"
#include "ptx/module.h"
#include "ptx_text.h"
#include "sim/launch.h"
#include "sim/naive_totals.h"

namespace lanescope::sim::test {

// A module with one kernel `k`. Registers %r, %rd, %f, %fd, %h, %p are declared, 64 of each.
inline std::string kernel(const std::string& parameters, const std::string& body, const std::string& before = "") {
  return lanescope::test::ptx_module(
      before + "\n.visible .entry k(" + parameters +
      ")\n{\n.reg .pred %p<64>;\n.reg .b16 %h<64>;\n.reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n"
      ".reg .f32 %f<64>;\n.reg .f64 %fd<64>;\n" +
      body + "\n}\n");
}

template <typename T>
constexpr ElementType element_type() {
  if constexpr (std::is_same_v<T, float>)
    return ElementType::f32;
  else if constexpr (std::is_same_v<T, double>)
    return ElementType::f64;
  else if constexpr (sizeof(T) == 1)
    return ElementType::u8;
  else if constexpr (sizeof(T) == 2)
    return ElementType::u16;
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? ElementType::i32 : ElementType::u32;
  else
    return std::is_signed_v<T> ? ElementType::i64 : ElementType::u64;
}

class Launcher {
 public:
  explicit Launcher(const std::string& ptx, const std::string& name = "k") {
    auto module = ptx::parse(ptx, "test.ptx");
    if (!module) {
      for (const Diagnostic& error : module.errors()) ADD_FAILURE() << format(error);
      return;
    }
    auto program = prepare(*module, name);
    if (program)
      program_ = *program;
    else
      errors = program.errors();
  }

  Dim3 grid, block{32, 1, 1};
  std::uint32_t shared_bytes = 0;
  bool cooperative = false;
  LaunchRequest request;  // record, max_steps, threads, …; run() sets launch and arguments
  Diagnostics errors;     // of prepare()

  template <typename T>
  int add_buffer(const std::vector<T>& values) {
    Argument argument;
    argument.type = element_type<T>();
    argument.is_buffer = true;
    argument.contents.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(argument.contents.data(), values.data(), argument.contents.size());
    request.arguments.push_back(argument);
    return static_cast<int>(request.arguments.size()) - 1;
  }
  template <typename T>
  int add_scalar(T value) {
    Argument argument;
    argument.type = element_type<T>();
    std::memcpy(&argument.scalar_bits, &value, sizeof value);
    request.arguments.push_back(argument);
    return static_cast<int>(request.arguments.size()) - 1;
  }

  LaunchResult run_anyway() {
    LaunchResult result;
    if (program_ == nullptr) {
      for (const Diagnostic& error : errors) ADD_FAILURE() << format(error);
      return result;
    }
    request.launch.grid = grid;
    request.launch.block = block;
    request.launch.dynamic_shared_bytes = shared_bytes;
    request.launch.cooperative = cooperative;
    if (request.threads == 0) request.threads = 1;
    return sim::run(*program_, request);
  }
  // Fails the test if the launch does not complete. Unless the test chooses what to record, records everything and
  // checks that the totals follow from the events.
  LaunchResult run() {
    const bool whole = !request.record.events && request.record.totals;
    if (whole) request.record.events = true;
    LaunchResult result = run_anyway();
    for (const Diagnostic& diagnostic : result.diagnostics) ADD_FAILURE() << format(diagnostic);
    EXPECT_TRUE(result.completed);
    if (whole) {
      request.record.events = false;
      EXPECT_TRUE(metrics::events_are_complete(result.trace));
      EXPECT_EQ(event_order_fault(result.trace), "");
      EXPECT_TRUE(naive_totals(result.trace) == result.trace.totals) << "the totals are not what the events add up to";
    }
    return result;
  }
  // The single error of a launch that must fail with this code.
  Diagnostic fault(const std::string& code) {
    const LaunchResult result = run_anyway();
    EXPECT_FALSE(result.completed);
    if (result.diagnostics.size() != 1) {
      ADD_FAILURE() << result.diagnostics.size() << " diagnostics";
      return {};
    }
    EXPECT_EQ(result.diagnostics[0].code, code) << format(result.diagnostics[0]);
    return result.diagnostics[0];
  }

  template <typename T>
  static std::vector<T> values(const LaunchResult& result, int argument) {
    const auto& bytes = result.arguments.at(static_cast<std::size_t>(argument)).contents;
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<const Program> program_;
};

}  // namespace lanescope::sim::test
