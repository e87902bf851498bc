#pragma once
// Kernels of our own that a measurement needs, as PTX that the driver assembles. Internal to gpu/.

namespace lanescope::gpu {

// Holds the stream back until the host writes the first of two words of its memory, or for a while at most: the GPU is
// never held for good. The second word tells the host that it runs: opened before that, it would hold nothing. A kernel
// rather than cuStreamWaitValue, because what a kernel leaves between itself and the first event is what any kernel
// before ours would leave; after a memory operation that gap is 0.1 to 0.2 µs shorter, and so would be the times.
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

// Reads a buffer of zeros, 16 bytes a thread at a time. What was read is looked at, or the loads would be left out;
// nothing is written.
inline constexpr const char* reader_ptx = R"(.version 6.0
.target sm_50
.address_size 64
.visible .entry lanescope_reader(.param .u64 buffer, .param .u64 bytes)
{
  .reg .pred %done, %other;
  .reg .b32 %block, %thread, %threads, %blocks, %found, %a, %b, %c, %d;
  .reg .b64 %first, %address, %end, %step, %offset;
  ld.param.u64 %first, [buffer];
  cvta.to.global.u64 %first, %first;
  ld.param.u64 %end, [bytes];
  add.s64 %end, %first, %end;
  mov.u32 %block, %ctaid.x;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %thread, %block, %threads, %thread;
  mul.wide.u32 %offset, %thread, 16;
  add.s64 %address, %first, %offset;
  mul.lo.u32 %threads, %threads, %blocks;
  mul.wide.u32 %step, %threads, 16;
  mov.u32 %found, 0;
again:
  setp.ge.u64 %done, %address, %end;
  @%done bra out;
  ld.global.v4.u32 {%a, %b, %c, %d}, [%address];
  or.b32 %a, %a, %b;
  or.b32 %c, %c, %d;
  or.b32 %a, %a, %c;
  or.b32 %found, %found, %a;
  add.s64 %address, %address, %step;
  bra again;
out:
  setp.ne.u32 %other, %found, 0;
  @%other st.global.u32 [%first], %found;
  ret;
}
)";

}  // namespace lanescope::gpu
