#pragma once
// PTX that the device's tests load, written as nvcc writes it.

namespace lanescope::device_test {

// add(a, b, c, n): c[i] = a[i] + b[i]. add_any: the same without the check of the index. keep: stores a pointer.
inline constexpr const char* add_text = R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "add.cu"
.visible .global .align 4 .u32 hits;
.visible .const .align 4 .u32 step;
.global .align 8 .u64 kept;
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .f32 %f<4>;
  .loc 1 3 1
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r5, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  setp.ge.s32 %p1, %r4, %r5;
  @%p1 bra DONE;
  mul.wide.s32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4; add.s64 %rd7, %rd3, %rd4;
  .loc 1 4 1
  ld.global.f32 %f1, [%rd5]; ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  .loc 1 5 1
  st.global.f32 [%rd7], %f3;
  ld.const.u32 %r7, [step];
  red.global.add.u32 [hits], %r7;
DONE:
  ret;
}
.visible .entry keep(.param .u64 p)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  st.global.u64 [kept], %rd1;
  ret;
}
.visible .entry through_kept(.param .u32 value)
{
  .reg .b32 %r<3>; .reg .b64 %rd<3>;
  ld.param.u32 %r1, [value];
  ld.global.u64 %rd1, [kept];
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry dynamic(.param .u64 p)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  st.global.u64 [%rd1], %rd1;
  ret;
}
)";

// rotate(out): each block writes 100 times its index into its shared memory. Its first thread stores to out[block] what
// the next block of the cluster wrote.
inline constexpr const char* rotate_text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry rotate(.param .u64 out)
{
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<12>;
  .shared .align 4 .u32 word;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x; mul.lo.u32 %r2, %r1, 100;
  st.shared.u32 [word], %r2;
  barrier.cluster.arrive; barrier.cluster.wait;
  mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, %cluster_nctarank;
  add.u32 %r3, %r3, 1; rem.u32 %r3, %r3, %r4;
  mov.u32 %r5, word;
  mapa.shared::cluster.u32 %r6, %r5, %r3;
  ld.shared::cluster.u32 %r7, [%r6];
  mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r7;
  barrier.cluster.arrive; barrier.cluster.wait;
  ret;
}
)";

}  // namespace lanescope::device_test
