// malloc(), new and delete in kernels as CUDA writes them, over several launches.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "job/run/again.h"
#include "job/run/job.h"
#include "sim/memory/device_heap.h"

namespace lanescope::job {
namespace {

using testing::HasSubstr;

// Each thread keeps its own list from launch to launch, as the programming guide's example keeps an array.
constexpr const char* heap_kernels = R"x(struct Node {
  int value;
  Node* next;
};
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const { return 1; }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
__global__ void build(Node** lists, int* areas) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  lists[i] = nullptr;
  for (int k = 0; k < 3; ++k) lists[i] = new Node{i * 10 + k, lists[i]};
  Shape* shape = i % 2 ? new Square(i) : new Shape;
  areas[i] = shape->area();
  delete shape;
}
__global__ void sum(Node** lists, int* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, total = 0;
  for (Node* at = lists[i]; at != nullptr; at = at->next) total += at->value;
  sums[i] = total;
}
__global__ void release(Node** lists) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (Node* at = lists[i]; at != nullptr;) {
    Node* next = at->next;
    delete at;
    at = next;
  }
}
)x";

Request lists_in(int launches) {
  Request request;
  request.source = {"lists.cu", heap_kernels, {}};
  request.first().kernel = "build";
  request.first().shape = {.grid = {2}, .block = {32}};
  request.arguments = {{"u64[64]", "lists"}, {"i32[64]", "areas"}};
  request.buffers = {{"i32[64]", "sums"}};
  if (launches > 1)
    request.launches.push_back(
        {.number = 2, .kernel = "sum", .shape = {.grid = {2}, .block = {32}}, .parameters = {{0, {}}, {2, {}}}});
  if (launches > 2)
    request.launches.push_back(
        {.number = 3, .kernel = "release", .shape = {.grid = {2}, .block = {32}}, .parameters = {{0, {}}}});
  request.record.events = true;
  return request;
}

std::vector<std::int32_t> numbers(const sim::Argument& argument) {
  std::vector<std::int32_t> values(argument.contents.size() / 4);
  std::memcpy(values.data(), argument.contents.data(), values.size() * 4);
  return values;
}

TEST(Heap, AListStaysFromLaunchToLaunchUntilItIsDeleted) {
  const Outcome outcome = run(lists_in(3));
  ASSERT_TRUE(outcome.completed) << (outcome.diagnostics.empty() ? "" : format(outcome.diagnostics.front()));
  EXPECT_TRUE(outcome.diagnostics.empty()) << format(outcome.diagnostics.front());
  const std::vector<std::int32_t> areas = numbers(outcome.arguments[1]), sums = numbers(outcome.arguments[2]);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(areas[static_cast<std::size_t>(i)], i % 2 ? i * i : 1);
    EXPECT_EQ(sums[static_cast<std::size_t>(i)], 30 * i + 3);
  }
}

TEST(Heap, WhatNobodyFreesIsSaidAtTheLineThatAllocatedIt) {
  const Outcome outcome = run(lists_in(2));
  ASSERT_TRUE(outcome.completed);
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  const Diagnostic& note = outcome.diagnostics.front();
  EXPECT_EQ(note.code, "memory.heap_leak");
  EXPECT_EQ(note.severity, Severity::note);
  EXPECT_EQ(note.place.file, "lists.cu");
  EXPECT_EQ(note.place.line, 17) << "where new stands";
  EXPECT_THAT(note.message, HasSubstr("3072 bytes in 192 allocations"));
}

TEST(Heap, ALaterLaunchRunsAgainWithWhatWasThere) {
  const Outcome outcome = run(lists_in(3));
  ASSERT_TRUE(outcome.completed);
  const Result<Again> again = prepare_again(outcome, 2);
  ASSERT_TRUE(again.ok());
  ASSERT_NE(again->request.heap, nullptr);
  EXPECT_EQ(again->request.heap->used(), 64u * 3 * 16);
  const sim::LaunchResult result = sim::run(*again->program, again->request);
  EXPECT_TRUE(result.completed);
  EXPECT_EQ(numbers(result.arguments[1]), numbers(outcome.arguments[2]));
}

TEST(Heap, IsAsLargeAsTheRequestSays) {
  Request request = lists_in(1);
  request.heap_bytes = 64 * 16;
  const Outcome outcome = run(request);
  EXPECT_FALSE(outcome.completed) << "new gives null, and the constructor writes there";
  EXPECT_EQ(std::ranges::count(outcome.diagnostics, "memory.heap_full", &Diagnostic::code), 1);
}

}  // namespace
}  // namespace lanescope::job
