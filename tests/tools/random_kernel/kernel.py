"""A kernel: its choices, its text, and its launch on the host."""

from random_kernel.expressions import INPUT, Expressions
from random_kernel.functions import Functions
from random_kernel.memory_and_warps import MemoryAndWarps
from random_kernel.scope import Scope
from random_kernel.statements import Statements

FLAVOURS = ("control", "integers", "floats", "doubles", "halves", "memory", "warps", "atomics", "functions", "mixed", "mixed")


class Kernel(Expressions, Functions, Statements, MemoryAndWarps):
    def __init__(self, rng, name, arch, size=90):
        self.rng, self.name, self.arch = rng, name, arch
        self.flavour = rng.choice(FLAVOURS)
        self.halves = self.flavour == "halves" or (self.flavour == "mixed" and rng.random() < 0.3)
        self.count = 0
        self.ptx = set()
        self.copies = set()     # sizes of cp.async
        self.guards = False     # whether it has guarded instructions
        self.functions = []     # (name, kind): the texts are in self.texts
        self.texts = []
        self.lines = []
        self.indent = 1
        self.budget = rng.randint(6, 16) if size >= 90 else rng.randint(4, 9)  # statements at the top level
        self.left = size                                                       # and about how many in all
        self.calls_left = 6
        self.prints = False
        self.may_return = rng.random() < 0.35
        self.in_function = False
        shape = rng.random()
        if shape < 0.35:
            self.block = (rng.choice((32, 64, 96, 128, 33, 45, 70, 100, 7)), 1, 1)
        elif shape < 0.75:
            self.block = (rng.randint(1, 20), rng.randint(1, 7), 1)
        else:
            self.block = (rng.randint(1, 9), rng.randint(1, 5), rng.randint(1, 4))
        self.grid = rng.choice(((1, 1, 1), (2, 1, 1), (3, 1, 1), (5, 1, 1), (2, 2, 1), (1, 3, 2)))
        self.per_block = self.block[0] * self.block[1] * self.block[2]
        self.threads = self.per_block * self.grid[0] * self.grid[1] * self.grid[2]
        self.tiles = {}         # type -> name
        self.tally = False
        self.keeps = rng.random() < 0.3  # it has its own variable in global memory
        self.dynamic = False

    # Small choices.
    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *choices):
        return self.rng.choice(choices)

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def name_of(self, kind, scope):
        names = scope.names.get(kind, [])
        return self.rng.choice(names) if names else None

    def writable(self, kind, scope):
        names = [n for n in scope.names.get(kind, []) if n[0] not in "kLt"]
        return self.rng.choice(names) if names else None
    # The whole.
    def text(self):
        self.make_functions()
        body = Scope()
        body.uniform = True
        body.mask = "m"
        body.leave = "out[gid] = mix(h, {}); return;"
        body.names = {"u": ["L", "t", "u0"], "s": ["i0"], "w": ["w0"], "f": ["f0"], "d": ["d0"]}
        self.lines = []
        self.statements(body)
        for kind in ("u", "s", "w", "f", "d", "h"):
            for name in body.names.get(kind, [])[-8:]:
                value = {"u": name, "s": f"(u32){name}", "w": f"fold({name})", "f": f"bits({name})", "d": f"bits({name})", "h": f"bits({name})"}[kind]
                self.emit(f"h = mix(h, {value});")
        self.emit("h = mix(h, held[h & 3u]);")
        self.emit("out[gid] = h;")
        if self.tally:
            self.emit("__syncthreads();") if not self.may_return else None
        lines, self.lines = self.lines, []
        bx, by, _ = self.block
        self.emit(f"const u32 t = threadIdx.x + {bx}u * (threadIdx.y + {by}u * threadIdx.z);")
        self.emit("const u32 gid = t + " + f"{self.per_block}u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));")
        self.emit("const u32 L = lane_id();")
        last = self.per_block % 32
        full = "0xffffffffu"
        self.emit(f"const u32 m = t / 32u == {self.per_block // 32}u ? {hex((1 << last) - 1)}u : {full};" if last else f"const u32 m = {full};")
        self.emit("u32* const own = scratch + gid * 16u;")
        self.emit("u16* const own16 = (u16*)(own + 4);")
        self.emit("u8* const own8 = (u8*)(own + 8);")
        self.emit("u64* const own64 = (u64*)(own + 10);")
        self.emit("uint4* const own128 = (uint4*)(own + 12);")
        self.emit("u32 held[4] = {gid, in[gid & 1023u], 7u, t};")
        self.emit(f"u32 h = gid, u0 = in[(gid * 7u) & 1023u];")
        self.emit("s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);")
        self.emit("u64 w0 = (u64)u0 << 32 | in[t & 1023u];")
        self.emit("float f0 = odd_float(u0 * 77u);")
        self.emit("double d0 = odd_double(w0 * 12345u);")
        for kind, tile in sorted(self.tiles.items()):
            self.emit(f"__shared__ {kind} {tile}[{self.per_block}];")
        if self.dynamic:
            self.emit("DYNAMIC_SHARED(dynamic);")
            self.emit("dynamic[t] = t;")
        for kind, tile in sorted(self.tiles.items()):
            value = {"uint2": "make_uint2(t, gid)", "uint4": "make_uint4(t, gid, 1u, 2u)"}.get(kind, f"({kind})t")
            self.emit(f"{tile}[t] = {value};")
        if self.tally:
            self.emit("__shared__ u32 tally[64];")
            self.emit(f"for (u32 i = t; i < 64u; i += {self.per_block}u) tally[i] = i * 3u;")
        if self.tiles or self.dynamic or self.tally:
            self.emit("__syncthreads();")
        head, self.lines = self.lines, []
        tail = []
        if self.tally:
            if self.may_return:  # exactly one of the remaining threads combines the results
                tail = []
            else:
                tail = [f"  for (u32 i = t; i < 64u; i += {self.per_block}u) atomicXor(&bins[80u + i], tally[i] * (gid / {self.per_block}u + 1u));"]
        seed = self.rng.randint(1, 999)
        grid, block = (",".join(map(str, d)) for d in (self.grid, self.block))
        shared = f" --shared {4 * self.per_block}" if self.dynamic else ""
        run = (f"// run: --kernel {self.name} --grid {grid} --block {block}{shared} --arg u32[{INPUT}]=random:{seed} --arg u32[{self.threads}]=0 --arg u32[{16 * self.threads}]=0 "
               f"--arg u32[160]=random:{seed + 1} --arg u64[24]=random:{seed + 2} --arg f32[8]=0 --arg f64[8]=0")
        self.launch = (seed, shared)
        signature = f"__global__ void {self.name}(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {{"
        kept = f"__device__ u32 {self.name}_kept[{2 * self.threads}];\n" if self.keeps else ""
        return kept + "\n".join(self.texts) + "\n".join([run, signature] + head + lines + tail + ["}"]) + "\n"

    def host_launch(self):
        x, _ = self.launch
        dims = lambda d: "{" + ", ".join(f"{v}u" for v in d) + "}"
        buffers = [("u32", INPUT, f"random<u32>({INPUT}, {x})"), ("u32", self.threads, f"zeros<u32>({self.threads})"),
                   ("u32", 16 * self.threads, f"zeros<u32>({16 * self.threads})"), ("u32", 160, f"random<u32>(160, {x + 1})"),
                   ("u64", 24, f"random<u64>(24, {x + 2})"), ("float", 8, "zeros<float>(8)"), ("double", 8, "zeros<double>(8)")]
        lines = ["  {"]
        for i, (kind, _, made) in enumerate(buffers):
            lines.append(f"    {kind}* const a{i} = {made};")
        names = ", ".join(f"a{i}" for i in range(len(buffers)))
        lines.append(f"    launch({dims(self.grid)}, {dims(self.block)}, [=] {{ {self.name}({names}); }});")
        lines += [f'    tell(folder, "{self.name}", {i}, a{i}, {count} * sizeof({kind}));' for i, (kind, count, _) in enumerate(buffers) if i != 0]
        return "\n".join(lines + ["  }"])
