#pragma once
// Graphs of both APIs, and streams that are captured into a graph. A graph is executed node by node, each after those
// that it depends on. This is one of the orders that CUDA allows.

#include <any>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "device/api/streams.h"
#include "device/api/user_objects.h"
#include "device/device.h"

namespace lanescope::device::api {

// The values of cudaGraphNodeType and CUgraphNodeType.
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
  batch_mem_op,
  conditional
};

using Work = std::function<Status(Device&)>;

struct KernelCall {
  const void* function = nullptr;  // the program's handle
  Kernel* kernel = nullptr;
  LaunchShape shape;
  std::vector<std::byte> parameters;
  std::vector<void*> pointers;  // to each parameter, for programs that query them
  // Those that were set, without those that the shape has.
  std::map<int, AttributeValue> attributes;

  // Makes a call with the arguments at these addresses.
  static Status make(const void* function, Kernel& kernel, const LaunchShape& shape, const void* const* arguments,
                     KernelCall& to);
  void point();
};

struct GraphNode {
  NodeKind kind{};
  Work work;  // empty: no work
  std::vector<GraphNode*> after;
  std::any parameters;                // the parameters as the API takes them; for a kernel a KernelCall
  const GraphNode* origin = nullptr;  // for a copy: the original
  bool enabled = true;
};

// Set by kernels and read by conditional nodes (graph_conditions.h).
struct Condition {
  std::uint64_t address = 0;
  unsigned value = 0;
  bool at_launch = false;  // each launch starts with `value`
  std::shared_ptr<const void> place;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  UserReferences objects;
  std::vector<Condition> conditions;

  GraphNode* add(NodeKind kind, Work work, std::span<GraphNode* const> after, std::any parameters);
  std::unique_ptr<Graph> copy() const;
  // The node that is a copy of this one.
  GraphNode* copy_of(const GraphNode* origin) const;
  // Each node after those that it depends on. Empty if there is a cycle.
  std::vector<GraphNode*> in_order() const;
};

// The graph in a node of kind graph: its own, which the program may ask for and change. Its handle is valid as long as
// the node is.
struct InnerGraph {
  explicit InnerGraph(std::unique_ptr<Graph> of);
  InnerGraph(const InnerGraph&) = delete;
  InnerGraph& operator=(const InnerGraph&) = delete;
  ~InnerGraph();
  std::unique_ptr<Graph> graph;
};
Graph* inner_of(const GraphNode& node);  // nullptr if the node is of another kind
// Also inner graphs.
template <>
Graph* find<Graph>(const void* handle);
std::vector<Graph*> all_graphs();

Status run(Device& device, const std::vector<GraphNode*>& nodes);
Work launching(const KernelCall& call);

struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::vector<GraphNode*> order;
  unsigned long long flags = 0;
};

// Which calls are allowed while a stream is captured, with the values of cudaStreamCaptureMode. A capture has a mode,
// and so does a thread.
enum class CaptureMode : int { global, of_thread, relaxed };

struct Capture {
  Graph* graph = nullptr;  // nullptr: it has ended
  bool into_own = true;    // else into a graph of the program
  unsigned long long id = 0;
  const Stream* origin = nullptr;
  bool broken = false;
  CaptureMode mode = CaptureMode::global;
  std::thread::id by;
};

// The calls of both APIs. Handles may be invalid.
Status begin_capture(const void* stream, int mode);
// Captures into a graph of the program, after these nodes of it.
Status begin_capture_to(const void* stream, const void* graph, const void* const* after, std::size_t count, int mode);
// Sets the nodes on which the next node depends. `flags` 0: in addition to the present ones; 1: instead of them.
Status set_last_captured(const void* stream, const void* const* nodes, std::size_t count, unsigned flags);
// Exchanges the mode of this thread.
Status exchange_capture_mode(int* mode);
// For a call that may wait for the device, such as cudaMalloc: capture_unsupported if a capture forbids it. That
// capture is then invalid (documentation of cudaThreadExchangeStreamCaptureMode).
Status allowed_while_capturing();
// For work on the legacy stream, or a wait for it: capture_implicit if a stream that it waits for (one that is not
// non-blocking) is being captured. That capture is then invalid (CUDA Programming Guide, "Prohibited and Unhandled
// Operations").
Status allowed_in(const void* stream);
Status end_capture(const void* stream, void** graph);
// 0 no, 1 yes, 2 invalid. The capture may be nullptr.
int capture_status(const void* stream, const Capture** capture);
Status make_graph(void** to, unsigned flags);
Status clone_graph(void** to, const void* graph);
Status destroy_graph(const void* graph);
GraphNode* find_node(const void* node);
void forget_node(const GraphNode* node);  // its handle is no longer valid
// What a node does. made_of() of each API makes one from each structure that describes a node.
struct NodeWork {
  NodeKind kind{};
  Work work;
  std::any parameters;
};
Status add_node(void** to, const void* graph, const void* const* after, std::size_t count, NodeWork what);
// A node that executes a copy of `child`.
Status add_child_graph(void** to, const void* graph, const void* const* after, std::size_t count, const void* child);
Status tell_child_graph(const void* node, void** to);
// Gives the graph in a node of the executable graph the parameters of `child`. graph_update_failure if the shapes
// differ.
Status set_child_graph(const void* exec, const void* node, const void* child);
// invalid_value if the node is of another kind. A kernel's attributes stay.
Status set_work(GraphNode& node, const NodeWork& what);
// `kind`: a value of NodeKind.
Status tell_kind(const void* node, int& kind);
Status depend(const void* graph, const void* const* from, const void* const* to, std::size_t count);
Status instantiate(void** to, const void* graph, unsigned long long flags);
Status destroy_exec(const void* exec);
Status launch_graph(Device& device, const void* exec, const void* stream);
// The node of the executable graph that was made from `node`.
GraphNode* find_in(const void* exec, const void* node);
// 0 if done; otherwise a value of cudaGraphExecUpdateResult.
Status update(const void* exec, const void* graph, int& result, const void** culprit);
// Whether the executable graph can be launched in the stream.
Status can_launch(const void* exec, const void* stream);
// Lists a graph's nodes, or those that depend on no other, like the calls of the APIs. If `to` is null, gives only the
// count.
Status list_nodes(const void* graph, bool roots, void** to, std::size_t* count);

// The handles of both APIs are addresses.
template <typename Handle>
const void* const* handles(const Handle* of) {
  return reinterpret_cast<const void* const*>(of);
}
template <typename Handle>
void** place_of(Handle* to) {
  return reinterpret_cast<void**>(to);
}

// Memory that a graph allocates in its nodes.
struct GraphMemory {
  std::uint64_t address = 0, bytes = 0;
};
// A node that allocates; its address is known at once. invalid_value for no bytes.
Status add_allocation(Device& device, void** to, const void* graph, const void* const* after, std::size_t count,
                      std::uint64_t bytes, std::uint64_t& address);
// A node that frees what a node of a graph allocates. invalid_value for any other address.
Status add_release(void** to, const void* graph, const void* const* after, std::size_t count, std::uint64_t address);
// Whether a node of some graph allocates at this address.
bool is_graph_memory(std::uint64_t address);
// Addresses for a node that will allocate. Address 0 if there are none.
GraphMemory reserve_for_graph(Device& device, std::uint64_t bytes);
Work allocating(GraphMemory memory);
Work releasing(std::uint64_t address);

Stream* captured_stream(const void* stream);
Status note(Stream& stream, NodeKind kind, Work work, std::any parameters = {});

// What both APIs report about a stream's capture, in their own types. All pointers but `status` may be null. They are
// not written if the stream is not captured.
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

// A copy, or only what it would answer.
enum class Doing : std::uint8_t { all_of_it, only_the_check };
// Whether a copy or fill that is done later can touch these bytes: now, or because a node of a graph allocates them.
Status check_later(const Device::Range& range, const char* call);
Status check_block_later(const Device::Block& block, std::uint64_t width, std::uint64_t rows, std::uint64_t slices,
                         const char* call);
struct LaterFill {
  std::uint64_t address = 0, pitch = 0, element_bytes = 0, width = 0, height = 0;  // width in elements
};
Status check_fill_later(const LaterFill& fill, const char* call);
inline Status anything() {
  return Status::success;
}

template <typename Act, typename Check = decltype(&anything)>
Status do_or_note(Device& device, const void* stream, NodeKind kind, const Act& act, const Check& check = anything) {
  if (const Status known = expect_stream(stream); known != Status::success) return known;
  if (Stream* captured = captured_stream(stream)) {
    const Status status = captured->capture->broken ? Status::success : check();
    return status == Status::success ? note(*captured, kind, act) : status;
  }
  if (const Status status = allowed_in(stream); status != Status::success) return status;
  return act(device);
}

}  // namespace lanescope::device::api
