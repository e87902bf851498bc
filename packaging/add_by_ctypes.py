"""Adds two vectors through libcuda.so.1 alone, to try `lanescope exec` on a machine without g++."""
import ctypes

PTX = b"""
.version 8.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b)
{
  .reg .b32 %x<4>;
  .reg .b64 %p<5>;
  ld.param.u64 %p0, [a];
  ld.param.u64 %p1, [b];
  mov.u32 %x0, %tid.x;
  mul.wide.u32 %p2, %x0, 4;
  add.u64 %p3, %p0, %p2;
  add.u64 %p4, %p1, %p2;
  ld.global.u32 %x1, [%p3];
  ld.global.u32 %x2, [%p4];
  add.u32 %x3, %x1, %x2;
  st.global.u32 [%p3], %x3;
  ret;
}
"""
cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    code = getattr(cuda, name)(*arguments)
    assert code == 0, f"{name} answered {code}"


threads = 64
words = (ctypes.c_uint32 * threads)(*range(threads))
context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
buffers = ctypes.c_uint64(), ctypes.c_uint64()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), PTX)
call("cuModuleGetFunction", ctypes.byref(kernel), module, b"add")
for buffer in buffers:
    call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(4 * threads))
    call("cuMemcpyHtoD_v2", buffer, words, ctypes.c_size_t(4 * threads))
parameters = (ctypes.c_void_p * 2)(*[ctypes.addressof(buffer) for buffer in buffers])
call("cuLaunchKernel", kernel, 1, 1, 1, threads, 1, 1, 0, None, parameters, None)
call("cuMemcpyDtoH_v2", words, buffers[0], ctypes.c_size_t(4 * threads))
assert list(words) == [2 * i for i in range(threads)], list(words)
print("63 + 63 is", words[63])
