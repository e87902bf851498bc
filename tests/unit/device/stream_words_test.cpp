// Words that a stream waits for. What an H200 answers to the other calls: tests/exec/stream_values.cu.

#include <thread>

#include "device/exec_libraries.h"

namespace lanescope::device_test {
namespace {

constexpr unsigned equal = 1;
constexpr int not_supported = 801;

class StreamWords : public ExecLibraries {
 protected:
  int wait(std::uint64_t at, unsigned value, unsigned how) {
    void* const none = nullptr;
    return call("cuStreamWaitValue32_v2", none, at, value, how);
  }
};

// A GPU's stream would wait for ever.
TEST_F(StreamWords, AWaitThatNothingCanEndIsRefused) {
  std::uint64_t memory = 0;
  ASSERT_EQ(call("cudaMalloc", &memory, std::size_t{64}), 0);
  call("cudaMemset", memory, 0, std::size_t{64});
  EXPECT_EQ(wait(memory, 0, equal), 0);
  EXPECT_EQ(wait(memory, 5, equal), not_supported);
  void* const none = nullptr;
  ASSERT_EQ(call("cuStreamWriteValue32_v2", none, memory, 5u, 0u), 0);
  EXPECT_EQ(wait(memory, 5, equal), 0);
}

TEST_F(StreamWords, AnotherThreadOfTheHostEndsAWait) {
  unsigned* word = nullptr;
  ASSERT_EQ(call("cudaMallocHost", &word, std::size_t{64}), 0);
  *word = 0;
  std::thread other([word] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    __atomic_store_n(word, 5u, __ATOMIC_RELEASE);
  });
  EXPECT_EQ(wait(reinterpret_cast<std::uint64_t>(word), 5, equal), 0);
  other.join();
}

}  // namespace
}  // namespace lanescope::device_test
