// Graphs, stream capture and stream-ordered memory, through the entry points.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "unit/device/device_texts.h"
#include "unit/device/exec_libraries.h"

namespace lanescope {
namespace {

using device_test::Dim;
using device_test::Program;

// In the layout of the headers.
struct KernelParameters {
  const void* function = nullptr;
  Dim grid, block;
  unsigned shared = 0;
  void** arguments = nullptr;
  void** extra = nullptr;
};
struct MemsetParameters {
  void* to = nullptr;
  std::size_t pitch = 0;
  unsigned value = 0, element_bytes = 4;
  std::size_t width = 0, height = 1;
};

class Graphs : public device_test::ExecLibraries {
 protected:
  static constexpr std::size_t bytes_ = 400;
  Program program_{device_test::add_text};
  char stub_ = 0;
  void** registered_ = nullptr;
  void *a_ = nullptr, *c_ = nullptr, *stream_ = nullptr, *graph_ = nullptr, *exec_ = nullptr;
  unsigned n_ = 100;
  std::vector<float> back_ = std::vector<float>(100);

  void SetUp() override {
    ExecLibraries::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    registered_ = start(program_, &stub_, "add");
    a_ = allocate(bytes_);
    c_ = allocate(bytes_);
    const std::vector<float> ones(n_, 1.0f);
    copy(a_, ones.data(), 1);
    copy(c_, ones.data(), 1);
    ASSERT_EQ(call("cudaStreamCreate", &stream_), 0);
  }
  void TearDown() override {
    if (registered_ != nullptr) call<void>("__cudaUnregisterFatBinary", registered_);
  }
  void copy(void* to, const void* from, int kind) { EXPECT_EQ(call("cudaMemcpy", to, from, bytes_, kind), 0); }
  float result() {
    copy(back_.data(), c_, 2);
    for (const float one : back_) EXPECT_EQ(one, back_[0]);
    return back_[0];
  }
  // c = a + c, in the stream.
  int add(void* stream) {
    void* arguments[] = {&a_, &c_, &c_, &n_};
    return call("cudaLaunchKernel", static_cast<const void*>(&stub_), Dim{4}, Dim{32}, static_cast<void**>(arguments),
                std::size_t{0}, stream);
  }
  void* add_kernel(void* graph, std::vector<void*> after) {
    void* arguments[] = {&a_, &c_, &c_, &n_};
    const KernelParameters parameters{&stub_, {4}, {32}, 0, arguments, nullptr};
    void* node = nullptr;
    EXPECT_EQ(call("cudaGraphAddKernelNode", &node, graph, after.data(), after.size(), &parameters), 0);
    return node;
  }
  void* add_memset(void* graph, std::vector<void*> after) {
    const MemsetParameters parameters{c_, 0, 0, 4, n_, 1};
    void* node = nullptr;
    EXPECT_EQ(call("cudaGraphAddMemsetNode", &node, graph, after.data(), after.size(), &parameters), 0);
    return node;
  }
  int instantiate() { return call("cudaGraphInstantiate", &exec_, graph_, 0ull); }
  int run() { return call("cudaGraphLaunch", exec_, stream_); }
};

TEST_F(Graphs, ACapturedStreamDoesNothingUntilTheGraphIsLaunched) {
  ASSERT_EQ(call("cudaStreamBeginCapture", stream_, 0), 0);
  EXPECT_EQ(add(stream_), 0);
  EXPECT_EQ(call("cudaMemcpyAsync", static_cast<void*>(back_.data()), static_cast<const void*>(c_), bytes_, 2, stream_),
            0);
  int capturing = 0;
  EXPECT_EQ(call("cudaStreamIsCapturing", stream_, &capturing), 0);
  EXPECT_EQ(capturing, 1);
  ASSERT_EQ(call("cudaStreamEndCapture", stream_, &graph_), 0);
  EXPECT_EQ(result(), 1);
  std::size_t nodes = 0;
  EXPECT_EQ(call("cudaGraphGetNodes", graph_, static_cast<void**>(nullptr), &nodes), 0);
  EXPECT_EQ(nodes, 2u);
  ASSERT_EQ(instantiate(), 0);
  EXPECT_EQ(call("cudaGraphDestroy", graph_), 0);
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(back_[7], 2) << "the copy is a part of the graph";
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(result(), 3);
  EXPECT_EQ(call("cudaGraphExecDestroy", exec_), 0);
  EXPECT_EQ(run(), 1);
}

TEST_F(Graphs, EventsTakeOtherStreamsIntoTheCaptureAndBackOut) {
  void *other = nullptr, *fork = nullptr, *join = nullptr;
  ASSERT_EQ(call("cudaStreamCreate", &other) + call("cudaEventCreate", &fork) + call("cudaEventCreate", &join), 0);
  ASSERT_EQ(call("cudaStreamBeginCapture", stream_, 0), 0);
  EXPECT_EQ(call("cudaEventRecord", fork, stream_) + call("cudaStreamWaitEvent", other, fork, 0u), 0);
  EXPECT_EQ(call("cudaMemsetAsync", c_, 0, bytes_, other), 0);
  EXPECT_EQ(call("cudaEventSynchronize", join), 0) << "not recorded in the capture so far";
  EXPECT_EQ(call("cudaEventRecord", join, other) + call("cudaStreamWaitEvent", stream_, join, 0u), 0);
  EXPECT_EQ(add(stream_), 0);
  ASSERT_EQ(call("cudaStreamEndCapture", stream_, &graph_), 0);
  EXPECT_EQ(result(), 1);
  ASSERT_EQ(instantiate() + run() + run(), 0);
  EXPECT_EQ(result(), 1);
  EXPECT_EQ(add(other), 0);
  EXPECT_EQ(result(), 2) << "the other stream is free again";
}

TEST_F(Graphs, ACaptureThatIsWaitedForOrLeftUnjoinedGivesNoGraph) {
  ASSERT_EQ(call("cudaStreamBeginCapture", stream_, 0), 0);
  EXPECT_EQ(call("cudaStreamSynchronize", stream_), 900);
  EXPECT_EQ(call("cudaStreamEndCapture", stream_, &graph_), 901);
  EXPECT_EQ(graph_, nullptr);
  void *other = nullptr, *fork = nullptr;
  ASSERT_EQ(call("cudaStreamCreate", &other) + call("cudaEventCreate", &fork), 0);
  ASSERT_EQ(call("cudaStreamBeginCapture", stream_, 0), 0);
  EXPECT_EQ(call("cudaEventRecord", fork, stream_) + call("cudaStreamWaitEvent", other, fork, 0u), 0);
  EXPECT_EQ(add(other), 0);
  EXPECT_EQ(call("cudaStreamEndCapture", stream_, &graph_), 904);
  ASSERT_EQ(call("cudaStreamBeginCapture", stream_, 0), 0);
  EXPECT_EQ(call("cudaEventRecord", fork, stream_) + call("cudaStreamWaitEvent", other, fork, 0u), 0);
  EXPECT_EQ(call("cudaStreamEndCapture", other, &graph_), 903);
  EXPECT_EQ(call("cudaStreamEndCapture", stream_, &graph_), 901) << "ended in the wrong stream";
  EXPECT_EQ(call("cudaStreamBeginCapture", static_cast<void*>(nullptr), 0), 900);
}

// From the CUDA Programming Guide, "prohibited operations": the legacy stream waits for every blocking stream, so it
// must not be used while one is captured. Capturing a non-blocking stream does not affect it.
TEST_F(Graphs, TheLegacyStreamMayNotBeUsedWhileABlockingStreamIsCaptured) {
  constexpr int implicit = 906, invalidated = 901;
  void* const legacy = nullptr;
  void* event = nullptr;
  ASSERT_EQ(call("cuInit", 0u) + call("cudaEventCreate", &event), 0);
  const auto refused = [&](auto&& use) {
    ASSERT_EQ(call("cudaStreamBeginCapture", stream_, 0), 0);
    EXPECT_EQ(use(), implicit);
    EXPECT_EQ(call("cudaStreamEndCapture", stream_, &graph_), invalidated);
  };
  refused([&] { return add(legacy); });
  refused([&] { return call("cudaMemset", c_, 0, bytes_); });
  refused([&] { return call("cudaMemsetAsync", c_, 0, bytes_, legacy); });
  refused([&] { return call("cuMemsetD8_v2", c_, 0, bytes_); });
  refused([&] { return call("cudaEventRecord", event, legacy); });
  refused([&] { return call("cudaStreamSynchronize", legacy); });
  EXPECT_EQ(result(), 1) << "nothing was done";
  void* apart = nullptr;
  ASSERT_EQ(call("cudaStreamCreateWithFlags", &apart, 1u), 0);
  ASSERT_EQ(call("cudaStreamBeginCapture", apart, 0), 0);
  EXPECT_EQ(add(legacy), 0);
  EXPECT_EQ(call("cudaStreamEndCapture", apart, &graph_), 0);
  EXPECT_EQ(result(), 2);
}

TEST_F(Graphs, NodesRunInTheOrderOfTheirDependenciesWhateverTheOrderOfTheirMaking) {
  ASSERT_EQ(call("cudaGraphCreate", &graph_, 0u), 0);
  void* kernel = add_kernel(graph_, {});
  void* zero = add_memset(graph_, {});
  EXPECT_EQ(call("cudaGraphAddDependencies", graph_, &zero, &kernel, static_cast<void*>(nullptr), std::size_t{1}), 0);
  ASSERT_EQ(instantiate() + run(), 0);
  EXPECT_EQ(result(), 1);
  EXPECT_EQ(call("cudaGraphAddDependencies", graph_, &kernel, &zero, static_cast<void*>(nullptr), std::size_t{1}), 0);
  EXPECT_EQ(instantiate(), 1) << "they wait for one another";
}

TEST_F(Graphs, AnExecutableGraphIsChangedByItsNodesAndByAnotherGraph) {
  ASSERT_EQ(call("cudaGraphCreate", &graph_, 0u), 0);
  void* kernel = add_kernel(graph_, {add_memset(graph_, {})});
  ASSERT_EQ(instantiate(), 0);
  unsigned half = 50;
  void* arguments[] = {&a_, &a_, &c_, &half};
  const KernelParameters parameters{&stub_, {4}, {32}, 0, arguments, nullptr};
  EXPECT_EQ(call("cudaGraphExecKernelNodeSetParams", exec_, kernel, &parameters), 0);
  EXPECT_EQ(run(), 0);
  copy(back_.data(), c_, 2);
  EXPECT_EQ(back_[49], 2);
  EXPECT_EQ(back_[50], 0);
  struct Info {
    int result = 9;
    void *node = nullptr, *from = nullptr;
  } info;
  EXPECT_EQ(call("cudaGraphExecUpdate", exec_, graph_, &info), 0);
  EXPECT_EQ(info.result, 0);
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(result(), 1);
  add_memset(graph_, {kernel});
  EXPECT_EQ(call("cudaGraphExecUpdate", exec_, graph_, &info), 910);
  EXPECT_EQ(info.result, 2);
  KernelParameters told;
  EXPECT_EQ(call("cudaGraphKernelNodeGetParams", kernel, &told), 0);
  EXPECT_EQ(told.function, &stub_);
  EXPECT_EQ(*static_cast<unsigned*>(told.arguments[3]), 100u);
}

TEST_F(Graphs, MemoryOfAGraphIsThereFromItsNodeOnAndMustBeGivenBackBeforeTheNextLaunch) {
  ASSERT_EQ(call("cudaStreamBeginCapture", stream_, 0), 0);
  void* memory = nullptr;
  EXPECT_EQ(call("cudaMallocAsync", &memory, bytes_, stream_), 0);
  EXPECT_EQ(call("cudaMemsetAsync", memory, 0, bytes_, stream_), 0);
  ASSERT_EQ(call("cudaStreamEndCapture", stream_, &graph_), 0);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(call("cudaMemset", memory, 0, bytes_), 1) << "nothing is there before the launch";
  ASSERT_EQ(instantiate() + run(), 0);
  std::uint64_t used = 0;
  EXPECT_EQ(call("cudaDeviceGetGraphMemAttribute", 0, 0, &used), 0);
  EXPECT_EQ(used, bytes_);
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(call("cudaFree", memory), 0);
  EXPECT_EQ(run(), 0) << "at the same address";
  EXPECT_EQ(call("cudaFreeAsync", memory, stream_), 0);
}

TEST_F(Graphs, BothApisShareTheirHandles) {
  void* context = nullptr;
  ASSERT_EQ(call("cuInit", 0u) + call("cuCtxGetCurrent", &context), 0);
  ASSERT_EQ(call("cuStreamBeginCapture_v2", stream_, 0), 0);
  EXPECT_EQ(call("cuMemsetD8Async", c_, 0, bytes_, stream_), 0);
  EXPECT_EQ(add(stream_), 0);
  ASSERT_EQ(call("cuStreamEndCapture", stream_, &graph_), 0);
  ASSERT_EQ(call("cuGraphInstantiateWithFlags", &exec_, graph_, 0ull), 0);
  EXPECT_EQ(call("cuGraphLaunch", exec_, stream_) + run(), 0);
  EXPECT_EQ(result(), 1);
}

// Parameters of a conditional node, in the layout of the headers.
struct NodeParameters {
  int type = 13;
  int reserved[3] = {};
  std::uint64_t handle = 0;
  int kind = 0;
  unsigned size = 1;
  void** bodies = nullptr;
  long long rest[27] = {};
};

// How a condition's default value controls an IF, a WHILE and a SWITCH node: cudaConditionalNodeParams in
// driver_types.h. The bodies add 1 to c, or set it to 0.
TEST_F(Graphs, AConditionalNodeRunsTheBodyThatItsConditionNames) {
  struct Case {
    int kind;
    unsigned size, value;
    float result;
  };
  for (const Case& one : {Case{0, 1, 0, 1}, Case{0, 1, 7, 2}, Case{0, 2, 0, 0}, Case{0, 2, 1, 2}, Case{1, 1, 0, 1},
                          Case{2, 2, 0, 2}, Case{2, 2, 1, 0}, Case{2, 2, 2, 1}}) {
    const std::vector<float> ones(n_, 1.0f);
    copy(c_, ones.data(), 1);
    std::uint64_t handle = 0;
    ASSERT_EQ(call("cudaGraphCreate", &graph_, 0u), 0);
    ASSERT_EQ(call("cudaGraphConditionalHandleCreate", &handle, graph_, one.value, 1u), 0);
    NodeParameters parameters;
    parameters.handle = handle;
    parameters.kind = one.kind;
    parameters.size = one.size;
    void* node = nullptr;
    ASSERT_EQ(call("cudaGraphAddNode", &node, graph_, static_cast<void*>(nullptr), static_cast<void*>(nullptr),
                   std::size_t{0}, &parameters),
              0);
    add_kernel(parameters.bodies[0], {});
    if (one.size == 2) add_memset(parameters.bodies[1], {});
    ASSERT_EQ(instantiate(), 0);
    EXPECT_EQ(call("cudaGraphDestroy", graph_), 0) << "the executable graph has its own bodies";
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(result(), one.result) << "kind " << one.kind << ", size " << one.size << ", value " << one.value;
    EXPECT_EQ(call("cudaGraphExecDestroy", exec_), 0);
  }
}

TEST_F(Graphs, WrongConditionalNodesAreRefused) {
  ASSERT_EQ(call("cudaGraphCreate", &graph_, 0u), 0);
  std::uint64_t handle = 0;
  EXPECT_EQ(call("cudaGraphConditionalHandleCreate", &handle, graph_, 0u, 2u), 1) << "an unknown flag";
  ASSERT_EQ(call("cudaGraphConditionalHandleCreate", &handle, graph_, 0u, 0u), 0);
  void* node = nullptr;
  const auto add_conditional = [&](std::uint64_t of, int kind, unsigned size) {
    NodeParameters parameters;
    parameters.handle = of;
    parameters.kind = kind;
    parameters.size = size;
    const int status = call("cudaGraphAddNode", &node, graph_, static_cast<void*>(nullptr), static_cast<void*>(nullptr),
                            std::size_t{0}, &parameters);
    return status != 0 ? nullptr : parameters.bodies[0];
  };
  EXPECT_EQ(add_conditional(handle + 4, 0, 1), nullptr) << "nobody made that handle";
  EXPECT_EQ(add_conditional(handle, 0, 3), nullptr);
  EXPECT_EQ(add_conditional(handle, 1, 2), nullptr);
  EXPECT_EQ(add_conditional(handle, 2, 0), nullptr);
  EXPECT_EQ(add_conditional(handle, 3, 1), nullptr);
  void* body = add_conditional(handle, 0, 1);
  ASSERT_NE(body, nullptr);
  struct HostParameters {
    void (*function)(void*) = nullptr;
    void* data = nullptr;
  } host;
  host.function = [](void*) {};
  EXPECT_EQ(call("cudaGraphAddHostNode", &node, body, static_cast<void*>(nullptr), std::size_t{0}, &host), 0);
  EXPECT_NE(instantiate(), 0) << "no body may call the host";
}

TEST_F(Graphs, AStreamIsCapturedIntoAGraphOfTheProgramAfterTheNodesThatItNames) {
  ASSERT_EQ(call("cudaGraphCreate", &graph_, 0u), 0);
  void* zero = add_memset(graph_, {});
  ASSERT_EQ(
      call("cudaStreamBeginCaptureToGraph", stream_, graph_, &zero, static_cast<void*>(nullptr), std::size_t{1}, 0), 0);
  EXPECT_EQ(add(stream_), 0);
  int capturing = 0;
  void *graph = nullptr, **last = nullptr;
  std::size_t count = 0;
  EXPECT_EQ(call("cudaStreamGetCaptureInfo", stream_, &capturing, static_cast<void*>(nullptr), &graph, &last,
                 static_cast<void*>(nullptr), &count),
            0);
  EXPECT_EQ(graph, graph_);
  ASSERT_EQ(count, 1u);
  void* second = add_kernel(graph_, {last[0]});
  EXPECT_EQ(
      call("cudaStreamUpdateCaptureDependencies", stream_, &second, static_cast<void*>(nullptr), std::size_t{1}, 1u),
      0);
  EXPECT_EQ(add(stream_), 0);
  EXPECT_EQ(call("cudaStreamEndCapture", stream_, static_cast<void**>(nullptr)), 0);
  EXPECT_EQ(
      call("cudaStreamUpdateCaptureDependencies", stream_, &second, static_cast<void*>(nullptr), std::size_t{1}, 1u),
      401)
      << "it is captured no more";
  ASSERT_EQ(instantiate() + run(), 0);
  EXPECT_EQ(result(), 3);
}

// The documentation of cudaUserObjectCreate, cudaGraphRetainUserObject and cudaGraphReleaseUserObject.
TEST_F(Graphs, AUserObjectIsDestroyedWhenNeitherProgramNorGraphHasIt) {
  static int destroyed;
  destroyed = 0;
  void (*const destroy)(void*) = [](void* what) { destroyed += *static_cast<int*>(what); };
  int one = 1;
  void *object = nullptr, *copy = nullptr;
  EXPECT_EQ(call("cudaUserObjectCreate", &object, &one, destroy, 1u, 0u), 1) << "the only flag is needed";
  ASSERT_EQ(call("cudaUserObjectCreate", &object, &one, destroy, 1u, 1u), 0);
  EXPECT_EQ(call("cudaUserObjectRelease", object, 2u), 1) << "there is one";
  EXPECT_EQ(call("cudaUserObjectRetain", object, 1u), 0);
  EXPECT_EQ(call("cudaUserObjectRelease", object, 1u), 0);
  ASSERT_EQ(call("cudaGraphCreate", &graph_, 0u), 0);
  EXPECT_EQ(call("cudaGraphReleaseUserObject", graph_, object, 1u), 1) << "the graph has none yet";
  EXPECT_EQ(call("cudaGraphRetainUserObject", graph_, object, 1u, 0u), 0);
  EXPECT_EQ(call("cudaGraphRetainUserObject", graph_, object, 1u, 1u), 0) << "the program's own, handed over";
  EXPECT_EQ(call("cudaUserObjectRelease", object, 1u), 1) << "the program has none any more";
  EXPECT_EQ(call("cudaGraphReleaseUserObject", graph_, object, 1u), 0);
  ASSERT_EQ(instantiate(), 0);
  ASSERT_EQ(call("cuInit", 0u) + call("cuGraphClone", &copy, graph_), 0);
  EXPECT_EQ(call("cudaGraphDestroy", graph_), 0);
  EXPECT_EQ(call("cuGraphReleaseUserObject", copy, object, 1u), 0);
  EXPECT_EQ(destroyed, 0) << "the executable graph has it";
  EXPECT_EQ(call("cudaGraphExecDestroy", exec_), 0);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(call("cudaUserObjectRetain", object, 1u), 1) << "it is gone";
}

TEST_F(Graphs, PoolsCountWhatTheyGave) {
  void *pool = nullptr, *memory = nullptr;
  ASSERT_EQ(call("cudaDeviceGetDefaultMemPool", &pool, 0), 0);
  std::uint64_t before = 0, now = 0, threshold = 1 << 20;
  EXPECT_EQ(call("cudaMemPoolGetAttribute", pool, 7, &before), 0);
  ASSERT_EQ(call("cudaMallocFromPoolAsync", &memory, bytes_, pool, stream_), 0);
  EXPECT_EQ(call("cudaMemPoolGetAttribute", pool, 7, &now), 0);
  EXPECT_EQ(now, before + bytes_);
  EXPECT_EQ(call("cudaFreeAsync", memory, stream_), 0);
  EXPECT_EQ(call("cudaMemPoolGetAttribute", pool, 7, &now), 0);
  EXPECT_EQ(now, before);
  EXPECT_EQ(call("cudaMemPoolSetAttribute", pool, 4, &threshold), 0);
  EXPECT_EQ(call("cudaMemPoolGetAttribute", pool, 4, &now), 0);
  EXPECT_EQ(now, threshold);
  EXPECT_EQ(call("cudaMemPoolGetAttribute", pool, 9, &now), 1);
  EXPECT_EQ(call("cudaMemPoolDestroy", stream_), 1);
}

// As an H100 answers (driver 580.159.04), and as CCCL's test of pointers expects.
TEST_F(Graphs, PoolsAreOfTheDeviceOfTheHostOrManaged) {
  struct Properties {  // in the layout of the headers
    int allocation = 1, handles = 0, location = 1, id = 0;
    void* security = nullptr;
    std::size_t most = 0;
    std::array<char, 56> rest{};
  };
  struct Location {
    int type, id;
  };
  struct Pool {
    int allocation, location;              // 1: pinned, 2: managed; 1: device, 2: host
    int type, host_access, device_access;  // cudaMemoryType, cudaMemAccessFlags
    unsigned memory_type, is_managed;      // CU_POINTER_ATTRIBUTE_…
  };
  for (const Pool& one : {Pool{1, 1, 2, 0, 3, 2, 0}, Pool{1, 2, 1, 3, 0, 1, 0}, Pool{2, 1, 3, 0, 3, 2, 1}}) {
    const Properties properties{.allocation = one.allocation, .location = one.location};
    void *pool = nullptr, *memory = nullptr, *found = nullptr;
    ASSERT_EQ(call("cudaMemPoolCreate", &pool, &properties), 0);
    ASSERT_EQ(call("cudaMallocFromPoolAsync", &memory, bytes_, pool, stream_), 0);
    std::array<std::uint64_t, 16> attributes{};
    EXPECT_EQ(call("cudaPointerGetAttributes", attributes.data(), memory), 0);
    EXPECT_EQ(static_cast<int>(attributes[0]), one.type);
    int access = 7;
    Location host{2, 0}, here{1, 0};
    EXPECT_EQ(call("cudaMemPoolGetAccess", &access, pool, &host), 0);
    EXPECT_EQ(access, one.host_access);
    EXPECT_EQ(call("cudaMemPoolGetAccess", &access, pool, &here), 0);
    EXPECT_EQ(access, one.device_access);
    const struct {
      Location at;
      int flags;
    } both[2] = {{host, 3}, {here, 3}};
    EXPECT_EQ(call("cudaMemPoolSetAccess", pool, &both[0], std::size_t{2}), 0);
    for (Location* at : {&host, &here}) {
      EXPECT_EQ(call("cudaMemPoolGetAccess", &access, pool, at), 0);
      EXPECT_EQ(access, 3);
    }
    unsigned memory_type = 7, is_managed = 7;
    EXPECT_EQ(call("cuPointerGetAttribute", &memory_type, 2, memory), 0);
    EXPECT_EQ(call("cuPointerGetAttribute", &is_managed, 8, memory), 0);
    EXPECT_EQ(call("cuPointerGetAttribute", &found, 17, memory), 0);
    EXPECT_EQ(memory_type, one.memory_type);
    EXPECT_EQ(is_managed, one.is_managed);
    EXPECT_EQ(found, pool);
    EXPECT_EQ(call("cudaFreeAsync", memory, stream_), 0);
    EXPECT_EQ(call("cudaMemPoolDestroy", pool), 0);
  }
  const Properties nowhere{.allocation = 1, .location = 0};
  void* pool = nullptr;
  EXPECT_EQ(call("cudaMemPoolCreate", &pool, &nowhere), 1);
}

}  // namespace
}  // namespace lanescope
