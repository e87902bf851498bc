#pragma once
// Kernels of our own that measurements need, as PTX for the driver to assemble. Internal to gpu/.

#include <string>
#include <string_view>

namespace lanescope::gpu {

// The gate: holds the stream back until the host writes the first of two words in its memory, or until a time limit, so
// that it never blocks the GPU for good. It sets the second word to tell the host that it runs; if the host opened the
// gate earlier, it would hold nothing back. This is a kernel rather than cuStreamWaitValue because the gap between a
// kernel and the first event is the same after any kernel. After a memory operation that gap, and so each measured
// time, is 0.1 to 0.2 µs shorter.
inline constexpr const char* gate_ptx = R"(.version 6.0
.target sm_50
.address_size 64
.visible .entry lanescope_gate(.param .u64 words, .param .u64 nanoseconds)
{
  .reg .pred %open<2>;
  .reg .b32 %value, %one;
  .reg .b64 %address, %start, %now, %limit;
  ld.param.u64 %address, [words];
  cvta.to.global.u64 %address, %address;
  ld.param.u64 %limit, [nanoseconds];
  mov.u32 %one, 1;
  st.volatile.global.u32 [%address+4], %one;
  mov.u64 %start, %globaltimer;
again:
  ld.volatile.global.u32 %value, [%address];
  setp.ne.u32 %open0, %value, 0;
  @%open0 ret;
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %start;
  setp.lt.u64 %open1, %now, %limit;
  @%open1 bra again;
  ret;
}
)";

// A kernel that goes over a buffer, `bytes_each` bytes per thread and iteration.
struct OverBuffer {
  std::string_view name, version, target;
  int bytes_each;
  std::string_view registers;  // that the two below need
  std::string_view handle;     // what is done with the bytes at %address
  std::string_view at_end;     // after the last of them; the buffer is from %first to %end
};

// Reads the buffer. It writes nothing: the store's condition never holds, because the end of a buffer is not 0. ptxas
// does not know that, so it keeps the loads.
inline constexpr OverBuffer reader{.name = "lanescope_reader",
                                   .version = "6.0",
                                   .target = "sm_50",
                                   .bytes_each = 16,
                                   .registers = R"(
  .reg .pred %other;
  .reg .b32 %found, %a, %b, %c, %d;
  mov.u32 %found, 0;)",
                                   .handle = R"(
  ld.global.v4.u32 {%a, %b, %c, %d}, [%address];
  or.b32 %a, %a, %b;
  or.b32 %c, %c, %d;
  or.b32 %a, %a, %c;
  or.b32 %found, %found, %a;)",
                                   .at_end = R"(
  setp.eq.u64 %other, %end, 0;
  @%other st.global.u32 [%first], %found;)"};

// Removes the buffer's lines of 128 bytes from L2 without writing them back, so that L2 is left empty. Its contents are
// indeterminate afterwards. Devices before compute capability 8.0 do not have this instruction.
inline constexpr OverBuffer discarder{
    .name = "lanescope_discarder", .version = "7.4", .target = "sm_80", .bytes_each = 128, .handle = R"(
  discard.global.L2 [%address], 128;)"};

inline std::string ptx_of(const OverBuffer& kernel) {
  std::string ptx;
  const auto add = [&](auto... parts) { ((ptx += parts), ...); };
  const std::string bytes_each = std::to_string(kernel.bytes_each);
  add(".version ", kernel.version, "\n.target ", kernel.target, "\n.address_size 64\n.visible .entry ", kernel.name,
      R"((.param .u64 buffer, .param .u64 bytes)
{
  .reg .pred %done;
  .reg .b32 %block, %thread, %threads, %blocks;
  .reg .b64 %first, %address, %end, %step, %offset;)",
      kernel.registers, R"(
  ld.param.u64 %first, [buffer];
  cvta.to.global.u64 %first, %first;
  ld.param.u64 %end, [bytes];
  add.s64 %end, %first, %end;
  mov.u32 %block, %ctaid.x;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %thread, %block, %threads, %thread;
  mul.wide.u32 %offset, %thread, )",
      bytes_each, R"(;
  add.s64 %address, %first, %offset;
  mul.lo.u32 %threads, %threads, %blocks;
  mul.wide.u32 %step, %threads, )",
      bytes_each, R"(;
again:
  setp.ge.u64 %done, %address, %end;
  @%done bra out;)",
      kernel.handle, R"(
  add.s64 %address, %address, %step;
  bra again;
out:)",
      kernel.at_end, "\n  ret;\n}\n");
  return ptx;
}

}  // namespace lanescope::gpu
