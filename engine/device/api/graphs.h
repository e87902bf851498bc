#pragma once
// Graphs of both APIs, and streams that are captured into one. A graph runs node by node, each after those that it
// depends on: one of the orders that CUDA allows.

#include <any>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "device/api/streams.h"
#include "device/api/user_objects.h"
#include "device/device.h"

namespace lanescope::device::api {

// The numbers of cudaGraphNodeType and CUgraphNodeType.
enum class NodeKind : int {
  kernel,
  memcpy,
  memset,
  host,
  graph,
  empty,
  wait_event,
  record_event,
  alloc = 10,
  release,
  conditional = 13
};

using Work = std::function<Status(Device&)>;

struct KernelCall {
  const void* function = nullptr;  // as the program named it
  Kernel* kernel = nullptr;
  LaunchShape shape;
  std::vector<std::byte> parameters;
  std::vector<void*> pointers;  // to each of them, for the program that asks

  // The same with the arguments that lie there.
  static Status make(const void* function, Kernel& kernel, const LaunchShape& shape, const void* const* arguments,
                     KernelCall& to);
  void point();
};

struct GraphNode {
  NodeKind kind{};
  Work work;  // empty: nothing
  std::vector<GraphNode*> after;
  std::any parameters;                // as the API that made it takes them; of a kernel a KernelCall
  const GraphNode* origin = nullptr;  // of a copy
  bool enabled = true;
};

// What kernels set and conditional nodes ask (graph_conditions.h).
struct Condition {
  std::uint64_t address = 0;
  unsigned value = 0;
  bool at_launch = false;  // the value is set when a launch begins
  std::shared_ptr<const void> place;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  UserReferences objects;
  std::vector<Condition> conditions;

  GraphNode* add(NodeKind kind, Work work, std::span<GraphNode* const> after, std::any parameters);
  std::unique_ptr<Graph> copy() const;
  // The node that this one is a copy of stands for.
  GraphNode* copy_of(const GraphNode* origin) const;
  // Each after those that it depends on; empty where some wait for one another.
  std::vector<GraphNode*> in_order() const;
};
Status run(Device& device, const std::vector<GraphNode*>& nodes);
Work launching(const KernelCall& call);

struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::vector<GraphNode*> order;
  unsigned long long flags = 0;
};

// Which calls may be made while a stream is captured, numbered as cudaStreamCaptureMode: of a capture, and of a thread.
enum class CaptureMode : int { global, of_thread, relaxed };

struct Capture {
  Graph* graph = nullptr;  // nullptr: it has ended
  bool into_own = true;    // else into a graph that the program made
  unsigned long long id = 0;
  const Stream* origin = nullptr;
  bool broken = false;
  CaptureMode mode = CaptureMode::global;
  std::thread::id by;
};

// What both APIs' calls do. Handles may be none.
Status begin_capture(const void* stream, int mode);
// Into a graph of the program's, after those of its nodes.
Status begin_capture_to(const void* stream, const void* graph, const void* const* after, std::size_t count, int mode);
// What the next node comes after; `flags` 0: besides what there is, 1: in its place.
Status set_last_captured(const void* stream, const void* const* nodes, std::size_t count, unsigned flags);
// Exchanges this thread's.
Status exchange_capture_mode(int* mode);
// Of a call that may wait for the device, such as cudaMalloc: capture_unsupported where a capture forbids it, which is
// broken then (documentation of cudaThreadExchangeStreamCaptureMode).
Status allowed_while_capturing();
// Of work for the legacy stream, or a wait for it: capture_implicit where a stream that it waits for (one that is not
// non-blocking) is captured, whose capture is broken then (CUDA Programming Guide, "Prohibited and Unhandled
// Operations").
Status allowed_in(const void* stream);
Status end_capture(const void* stream, void** graph);
// 0 no, 1 yes, 2 broken; the capture may be nullptr.
int capture_status(const void* stream, const Capture** capture);
Status make_graph(void** to, unsigned flags);
Status clone_graph(void** to, const void* graph);
Status destroy_graph(const void* graph);
GraphNode* find_node(const void* node);
Status add_node(void** to, const void* graph, const void* const* after, std::size_t count, NodeKind kind, Work work,
                std::any parameters);
Status depend(const void* graph, const void* const* from, const void* const* to, std::size_t count);
Status instantiate(void** to, const void* graph, unsigned long long flags);
Status launch_graph(Device& device, const void* exec, const void* stream);
// The node of the executable graph that was made of `node`.
GraphNode* find_in(const void* exec, const void* node);
// 0 done; else the number of cudaGraphExecUpdateResult.
Status update(const void* exec, const void* graph, int& result, const void** culprit);
// As the API's calls list things: a null `to` asks for the count alone.
Status list(const std::vector<GraphNode*>& nodes, void** to, std::size_t* count);

// Memory that a graph gives at its nodes.
struct GraphMemory {
  std::uint64_t address = 0, bytes = 0;
};
Work allocating(GraphMemory memory);
Work releasing(std::uint64_t address);

Stream* captured_stream(const void* stream);
Status note(Stream& stream, NodeKind kind, Work work, std::any parameters = {});

// What both APIs tell of a stream's capture, in their own types; all but `status` may be null, and are left alone where
// nothing is captured.
template <typename CaptureStatus, typename Id, typename GraphHandle, typename NodeHandle>
Status tell_capture(const void* stream, CaptureStatus* status, Id* id, GraphHandle* graph, const NodeHandle** last,
                    std::size_t* count) {
  if (status == nullptr || !is_stream(stream)) return Status::invalid_value;
  const Capture* capture = nullptr;
  *status = static_cast<CaptureStatus>(capture_status(stream, &capture));
  if (capture == nullptr) return Status::success;
  Stream& captured = *captured_stream(stream);
  if (id != nullptr) *id = capture->id;
  if (graph != nullptr) *graph = reinterpret_cast<GraphHandle>(capture->graph);
  if (last != nullptr) *last = reinterpret_cast<const NodeHandle*>(captured.last.data());
  if (count != nullptr) *count = captured.last.size();
  return Status::success;
}

template <typename Act>
Status do_or_note(Device& device, const void* stream, NodeKind kind, const Act& act) {
  if (!is_stream(stream)) return Status::invalid_handle;
  if (Stream* captured = captured_stream(stream)) return note(*captured, kind, act);
  if (const Status status = allowed_in(stream); status != Status::success) return status;
  return act(device);
}

}  // namespace lanescope::device::api
