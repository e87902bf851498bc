// Atomics on shared memory, one kernel each: which lanes take turns (trace::Turns). turns.out has what the model says;
// the test compares it with the machine code that ptxas makes.
#include <cuda_fp16.h>

using Long = unsigned long long;
__constant__ int table[64];

__device__ unsigned shared_address(void* p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ __noinline__ int computed(int a) {
  return a * 3 + (a >> 5);
}
__device__ __noinline__ void in_a_function(int* s, int a, int v) {
  atomicMax(s + a, v);
}

__device__ void add_one_in_cluster(int* s) {
#if __CUDA_ARCH__ >= 900
  asm volatile("atom.shared::cluster.add.u32 _, [%0], 1;" :: "r"(shared_address(s)));
#else
  atomicAdd(s, 2);
#endif
}

// p: read by thread; n, k, f, d and w are the same in all threads; v differs.
#define KERNEL(name, ...)                                                                                          \
  extern "C" __global__ void name(int* p, const int* __restrict__ q, int n, int k, Long w, float f, double d) {     \
    __shared__ int s[1024];                                                                                         \
    __shared__ Long t[64];                                                                                          \
    int v = p[threadIdx.x];                                                                                         \
    __VA_ARGS__;                                                                                                    \
    __syncthreads();                                                                                                \
    p[threadIdx.x] = s[threadIdx.x] + (int)t[threadIdx.x] + v;                                                      \
  }

// Addresses that are, or are not, the same in all lanes. A maximum whose result is not used is combined before one lane
// executes it if ptxas knows that they are.
KERNEL(of_symbol, atomicMax(&s[3], v))
KERNEL(of_param, atomicMax(&s[k], v))
KERNEL(ctaid, atomicMax(&s[blockIdx.x & 63], v))
KERNEL(tidx_div32, atomicMax(&s[threadIdx.x / 32], v))
KERNEL(tidy, atomicMax(&s[threadIdx.y], v))
KERNEL(constmem, atomicMax(&s[table[k & 63]], v))
KERNEL(ldg_uniform, atomicMax(&s[q[k]], v))
KERNEL(ldg_plain_uniform, atomicMax(&s[p[k]], v))
KERNEL(shared_load, t[threadIdx.x] = v; __syncthreads(); atomicMax(&s[t[k]], v))
KERNEL(of_loop, for (int i = 0; i < n; ++i) atomicMax(&s[i], v * i))
KERNEL(loop_const, for (int i = 0; i < 5; ++i) atomicMax(&s[i], v * i))
KERNEL(loop_divergent_bound, for (int i = 0; i < v; ++i) atomicMax(&s[i], v * i))
KERNEL(after_divergent_return, if (v < 5) return; atomicMax(&s[k], v))
KERNEL(in_divergent_if, if (v < 5) atomicMax(&s[k], v))
KERNEL(divergent_phi, int i = 3; if (v < 5) i = 4; atomicMax(&s[i], v))
KERNEL(divergent_phi_uniform_value, int i = k; if (v < 5) { i = k + 4; t[i] = v; } atomicMax(&s[i], v))
KERNEL(uniform_phi, int i = k; if (n < 5) { i = k + 4; t[i] = v; } atomicMax(&s[i], v))
KERNEL(of_shfl, int i = __shfl_sync(~0u, v, 0); atomicMax(&s[i & 63], v))
KERNEL(of_ballot, unsigned b = __ballot_sync(~0u, v < 3); atomicMax(&s[b & 63], v))
KERNEL(popc_ballot, unsigned b = __popc(__ballot_sync(~0u, v < 3)); atomicMax(&s[b], v))
KERNEL(of_redux, unsigned b = __reduce_add_sync(~0u, v); atomicMax(&s[b & 63], v))
KERNEL(gridstride, for (int i = blockIdx.x; i < n; i += gridDim.x) atomicMax(&s[i & 63], v * i))
KERNEL(thread_stride_loop, for (int i = threadIdx.x; i < n; i += blockDim.x) atomicMax(&s[k], p[i]))
KERNEL(after_divergent_loop, int i = 0; while (p[i] < v) ++i; atomicMax(&s[i & 63], v))
KERNEL(of_float_math, atomicMax(&s[(int)(k * 1.5f)], v))
KERNEL(of_div, atomicMax(&s[n / k], v))
KERNEL(mul_hi, atomicMax(&s[__mulhi(n, k)], v))
KERNEL(select_uniform, atomicMax(&s[n < 3 ? k : n], v))
KERNEL(select_divergent, atomicMax(&s[v < 3 ? k : n], v))
KERNEL(of_clz, atomicMax(&s[__clz(k)], v))
KERNEL(of_min, atomicMax(&s[min(n, k)], v))
KERNEL(warpid_const, if (threadIdx.x < 32) atomicMax(&s[0], v))
KERNEL(bar_or, int b = __syncthreads_or(v); atomicMax(&s[b & 3], v))
KERNEL(ntid, atomicMax(&s[blockDim.x], v))
KERNEL(sizet, atomicMax(&s[(size_t)n * k % 61], v))
KERNEL(tid_zero_const, atomicMax(&s[threadIdx.x * 0 + 5], v))
KERNEL(atomic_result_idx, int b = atomicAdd(&p[0], 1); atomicMax(&s[b & 63], v))
KERNEL(of_nested, for (int i = 0; i < n; ++i) if (p[i] < v) atomicMax(&s[i], v * i))
KERNEL(of_break, for (int i = 0; i < n; ++i) { if (p[i] < v) break; atomicMax(&s[i], v * i); })
KERNEL(ptr_sel, int* g = n < 3 ? s : s + 512; atomicMax(g + k, v))
KERNEL(local_array, int l[4] = {1, n, k, 3}; atomicMax(&s[l[k & 3]], v))
KERNEL(of_clock, atomicMax(&s[clock() & 63], v))
KERNEL(laneid, unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); atomicMax(&s[l], v))
KERNEL(smid, unsigned l; asm("mov.u32 %0, %%smid;" : "=r"(l)); atomicMax(&s[l & 63], v))
KERNEL(warpid, unsigned l; asm("mov.u32 %0, %%warpid;" : "=r"(l)); atomicMax(&s[l & 63], v))
KERNEL(of_match, unsigned b = __match_any_sync(~0u, v); atomicMax(&s[b & 63], v))
KERNEL(of_all, int b = __all_sync(~0u, v); atomicMax(&s[b], v))
KERNEL(activemask, unsigned b = __activemask(); atomicMax(&s[b & 63], v))
KERNEL(u64_div, atomicMax(&s[(long long)n / k], v))
KERNEL(umod, atomicMax(&s[(unsigned)n % (unsigned)k], v))
KERNEL(uni_if_then, if (n > 5) atomicMax(&s[k], v))
KERNEL(ctaid_y_mix, atomicMax(&s[(blockIdx.y * gridDim.x + blockIdx.x) % 61], v))
KERNEL(tidx_and0xffe0, atomicMax(&s[threadIdx.x & ~31], v))
KERNEL(bfe, atomicMax(&s[(k >> 3) & 15], v))
KERNEL(byteperm, atomicMax(&s[__byte_perm(n, k, 0x3210) & 15], v))
KERNEL(of_popc, atomicMax(&s[__popc(n)], v))
KERNEL(fmul, atomicMax(&s[(int)(__int_as_float(n) * 2.f)], v))
KERNEL(of_double, atomicMax(&s[(int)(n * 2.5)], v))
KERNEL(of_sqrt, atomicMax(&s[(int)sqrtf(n)], v))
KERNEL(generic_load, const int* g = n > 5 ? q : s; atomicMax(&s[g[k]&63], v))
KERNEL(fdiv, atomicMax(&s[(int)(f / k)&63], v))
KERNEL(fdiv_fast, atomicMax(&s[(int)__fdividef(f, k)&63], v))
KERNEL(frcp, atomicMax(&s[(int)__frcp_rn(f)&63], v))
KERNEL(fsqrt_approx, float r; asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(f)); atomicMax(&s[(int)r&63], v))
KERNEL(ddiv, atomicMax(&s[(int)(d / k)&63], v))
KERNEL(dsqrt, atomicMax(&s[(int)sqrt(d)&63], v))
KERNEL(u64_div_const, atomicMax(&s[(w / 10)&63], v))
KERNEL(u64_rem, atomicMax(&s[(w % n)&63], v))
KERNEL(u64_shift_mul, atomicMax(&s[(w * n >> 3)&63], v))
KERNEL(of_call, atomicMax(&s[computed(k)&63], v))
KERNEL(in_func, in_a_function(s, k, v))
KERNEL(local_dyn, int l[64]; for (int i = 0; i < 64; ++i) l[i] = p[i]; l[v & 63] = n; atomicMax(&s[l[k]&63], v))
KERNEL(shfl_lane_param, atomicMax(&s[__shfl_sync(~0u, v, k)&63], v))
KERNEL(shfl_up, atomicMax(&s[__shfl_up_sync(~0u, v, 1)&63], v))
KERNEL(shfl_const_lane_uniform_val_down, atomicMax(&s[__shfl_down_sync(~0u, k, 1)&63], v))
KERNEL(of_half, atomicMax(&s[(int)__half2float(__float2half(f))&63], v))
KERNEL(of_fma, atomicMax(&s[(int)fmaf(f, f, f)&63], v))
KERNEL(of_expf, atomicMax(&s[(int)expf(f)&63], v))
KERNEL(of_sinf, atomicMax(&s[(int)__sinf(f)&63], v))
KERNEL(dfma, atomicMax(&s[(int)(d * d + 1)&63], v))
KERNEL(volatile_load, atomicMax(&s[*(volatile int*)&p[k]&63], v))
KERNEL(syncthreads_count, atomicMax(&s[__syncthreads_count(v)&63], v))
KERNEL(ldcg, atomicMax(&s[__ldcg(&p[k])&63], v))
KERNEL(dp4a, atomicMax(&s[__dp4a(n, k, 3)&63], v))
KERNEL(tid_eq0_broadcast, __shared__ int x; if (threadIdx.x == 0) x = n; __syncthreads(); atomicMax(&s[x&63], v))
KERNEL(min_uniform_div, atomicMax(&s[min(k, (int)threadIdx.x)], v))
KERNEL(of_switch, int i; switch (n) { case 1: i = k; break; case 2: i = k * 3; break; case 9: i = 4; break; default: i = 7; } atomicMax(&s[i&63], v))
KERNEL(loop_cont, for (int i = 0; i < n; ++i) { if (p[i] < v) continue; atomicMax(&s[i&63], v * i); })
KERNEL(nested_loops, for (int i = 0; i < n; ++i) for (int j = 0; j < p[threadIdx.x + i]; ++j) atomicMax(&s[i&63], v * j))
KERNEL(nested_loops_j, if (v > 3) for (int j = 0; j < n; ++j) atomicMax(&s[j&63], v * j))
KERNEL(while_tid, for (int i = threadIdx.x / 32; i < n; i += 8) atomicMax(&s[i&63], v))
KERNEL(uniform_load_in_div_loop, for (int i = threadIdx.x; i < n; i += blockDim.x) atomicMax(&s[q[k]&63], v*i))
KERNEL(warp_aggregate, unsigned m = __activemask(); int l = __ffs(m) - 1; if ((threadIdx.x & 31) == l) atomicMax(&s[__popc(m)], v))
KERNEL(lane_pred, if ((threadIdx.x & 31) == 0) atomicMax(&s[threadIdx.x / 32], v))
KERNEL(of_sad, atomicMax(&s[__sad(n,k,3)&63], v))
KERNEL(cluster_sreg, unsigned l; asm("mov.u32 %0, %%nwarpid;" : "=r"(l)); atomicMax(&s[l & 63], v))
KERNEL(global_timer, Long l; asm("mov.u64 %0, %%globaltimer;" : "=l"(l)); atomicMax(&s[l & 63], v))
KERNEL(ballot_div, unsigned b = 0; if (v > 3) b = __ballot_sync(__activemask(), v < 9); atomicMax(&s[b & 63], v))
KERNEL(ballot_in_div, if (v > 3) { unsigned b = __ballot_sync(__activemask(), v < 9); atomicMax(&s[b & 63], v); })

// Operations.
KERNEL(add_by_lane, atomicAdd(&s[v & 63], v))
KERNEL(add_by_lane_used, v = atomicAdd(&s[v & 63], n))
KERNEL(add_one_by_lane, atomicAdd(&s[v & 63], 1))
KERNEL(add_one_by_lane_used, v = atomicAdd(&s[v & 63], 1))
KERNEL(add_two_by_lane, atomicAdd(&s[v & 63], 2))
KERNEL(add_unsigned_one_by_lane, atomicAdd((unsigned*)&s[v & 63], 1u))
KERNEL(increment_by_lane, atomicInc((unsigned*)&s[v & 63], 0xffffffffu))
KERNEL(increment_by_lane_used, v = atomicInc((unsigned*)&s[v & 63], 0xffffffffu))
KERNEL(increment_to_seven, atomicInc((unsigned*)&s[v & 63], 7))
KERNEL(increment_uniform, v = atomicInc((unsigned*)&s[k], 0xffffffffu))
KERNEL(increment_uniform_to_seven, atomicInc((unsigned*)&s[k], 7))
KERNEL(decrement_uniform, atomicDec((unsigned*)&s[k], 0xffffffffu))
KERNEL(add_uniform_used, v = atomicAdd(&s[k], v))
KERNEL(add_one_uniform_used, v = atomicAdd(&s[k], 1))
KERNEL(max_uniform_used, v = atomicMax(&s[k], v))
KERNEL(and_uniform, atomicAnd(&s[k], v))
KERNEL(xor_uniform_used, v = atomicXor(&s[k], v))
KERNEL(exchange_uniform, v = atomicExch(&s[k], v))
KERNEL(swap_uniform, v = atomicCAS(&s[k], v, n))
KERNEL(swap_by_lane, v = atomicCAS(&s[v & 63], v, n))
KERNEL(exchange_wide, v = atomicExch(&t[v & 63], w))
KERNEL(swap_wide, v = atomicCAS(&t[v & 63], w, (Long)v))
KERNEL(float_by_lane, atomicAdd((float*)&s[v & 63], f))
KERNEL(double_by_lane, atomicAdd((double*)&t[v & 63], d))
KERNEL(long_by_lane, atomicAdd(&t[v & 63], w))
KERNEL(long_max_uniform, atomicMax(&t[k], w))
KERNEL(generic_one_by_lane, int* g = n > 5 ? p : s; atomicAdd(g + v, 1))
KERNEL(u64_add_param_val, atomicAdd(&t[k], w))
KERNEL(u64_add_param_val_lane, atomicAdd(&t[v], w))
KERNEL(u64_add_two, atomicAdd(&t[k], 2ull))
KERNEL(u64_add_minus, atomicAdd(&t[k], (Long)-1ll))
KERNEL(u64_and_uni, atomicAnd(&t[k], w))
KERNEL(sub_one, atomicSub(&s[v & 7], 1))
KERNEL(sub_one_uni, atomicSub(&s[k], 1))
KERNEL(generic_uni, int* g = n > 5 ? p : s; atomicAdd(g + k, v))
KERNEL(generic_uni_max, int* g = n > 5 ? p : s; atomicMax(g + k, v))
KERNEL(generic_uni_one_used, int* g = n > 5 ? p : s; v += atomicAdd(g + k, 1))
KERNEL(used_partly, int r = atomicAdd(&s[k], v); if (v < 3) v += r)
KERNEL(float_uni_one, atomicAdd((float*)&s[k], 1.f))
KERNEL(const_via_reg, asm volatile("{.reg .u32 a; mov.u32 a, 1; atom.shared.add.u32 _, [%0], a;}" :: "r"(shared_address(&s[v & 7]))))
KERNEL(of_red, asm volatile("red.shared.add.u32 [%0], 1;" :: "r"(shared_address(&s[v & 7]))))
KERNEL(red_s32, asm volatile("red.shared.add.s32 [%0], 1;" :: "r"(shared_address(&s[v & 7]))))
KERNEL(volatile_b64addr, asm volatile("{.reg .u64 a; cvta.to.shared.u64 a, %0; red.shared.add.u32 [a], 1;}" :: "l"(&s[v & 7])))
KERNEL(sem_relaxed_cta, asm volatile("atom.relaxed.cta.shared.add.u32 _, [%0], 1;" :: "r"(shared_address(&s[v & 7]))))
KERNEL(sem_acqrel, asm volatile("atom.acq_rel.cta.shared.add.u32 _, [%0], 1;" :: "r"(shared_address(&s[v & 7]))))
KERNEL(block_scope_uni, atomicAdd_block(&s[k], v))
KERNEL(system_scope_uni, atomicAdd_system(&s[k], v))
KERNEL(sem_acqrel_uni, asm volatile("atom.acq_rel.cta.shared.add.u32 _, [%0], %1;" :: "r"(shared_address(&s[k])), "r"(v)))
KERNEL(shared_cluster, add_one_in_cluster(&s[v & 7]))
KERNEL(of_guarded, if (v > 3) atomicAdd(&s[v & 7], 1))
KERNEL(used_select, int r = atomicAdd(&s[v & 7], 1); v = r)
KERNEL(int_used_loop, for (int i = 0; i < 3; ++i) v = atomicAdd(&s[v & 7], 1))
KERNEL(max_uni_uniform_val, atomicMax(&s[k], n))
KERNEL(or_uni_uniform_val, atomicOr(&s[k], 1 << n))
KERNEL(add_used_uniform_val, v = atomicAdd(&s[k], n))
