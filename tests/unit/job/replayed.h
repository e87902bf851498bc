#pragma once
// Runs whose steps tests replay.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "job/run/job.h"
#include "sim/replay.h"

namespace lanescope::test {

inline job::Outcome run_kernel(const std::string& text, Dim3 grid, Dim3 block,
                               std::vector<job::RequestedArgument> arguments, bool keep_events = true) {
  job::Request request;
  request.source = {"k.cu", text, {}};
  request.first().kernel = "k";
  request.first().shape.grid = grid;
  request.first().shape.block = block;
  request.arguments = std::move(arguments);
  request.record.events = keep_events;
  job::Outcome outcome = job::run(request);
  EXPECT_TRUE(outcome.completed) << (outcome.diagnostics.empty() ? "" : format(outcome.diagnostics[0]));
  return outcome;
}

// The first access of a kind by a warp.
inline sim::Step access(const job::Outcome& outcome, trace::Operation operation, std::uint32_t block,
                        std::uint32_t warp, trace::MemorySpace space = trace::MemorySpace::global) {
  for (const trace::WarpEvent& event : outcome.first().trace.warp(block, warp))
    if (event.kind == trace::EventKind::memory && event.space == space &&
        outcome.first().trace.sites[event.site].operation == operation)
      return {block, warp, event.sequence};
  ADD_FAILURE() << "no such access";
  return {};
}

}  // namespace lanescope::test
