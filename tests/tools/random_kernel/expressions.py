"""Expressions of each type, as text."""

from random_kernel.prelude import NEW_PTX, PTX

INPUT = 1024       # words of the input
MASK = INPUT - 1
ROUNDINGS = ("rn", "rz", "ru", "rd")


class Expressions:
    # Expressions of kind u (u32), s (s32), w (u64), l (s64), f, d, h (half), b (bfloat16), p (a condition).
    def e(self, kind, scope, depth=None):
        if depth is None:
            depth = self.rng.randint(1, 4)
        return getattr(self, "e_" + kind)(scope, depth)

    def constant(self, width=32):
        top = (1 << width) - 1
        value = self.rng.choice((0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 255, 256, 65535, top, top >> 1, (top >> 1) + 1, top - 1,
                                 self.rng.getrandbits(width), self.rng.getrandbits(8), self.rng.getrandbits(width)))
        return f"0x{value & top:x}" + ("u" if width == 32 else "ull")

    def e_u(self, s, depth):
        if depth <= 0 or self.chance(0.12):
            roll = self.rng.random()
            if roll < 0.55:
                return self.name_of("u", s) or "gid"
            if roll < 0.75:
                return self.constant()
            return self.pick("gid", "threadIdx.x", "threadIdx.y", "blockIdx.x", "lane_id()", "(threadIdx.z + blockIdx.y)", "blockDim.x", "gridDim.x")
        d = depth - 1
        e = lambda kind="u": self.e(kind, s, d)
        options = [
            lambda: f"({e()} {self.pick('+', '-', '*', '&', '|', '^')} {e()})",
            lambda: f"({e()} {self.pick('<<', '>>')} ({e()} & 31u))",
            lambda: f"(~{e()})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"({e()} {self.pick('/', '%')} ({e()} | 1u))",
            lambda: f"(u32){e('s')}",
            lambda: f"(u32)({e('s')} >> ({e()} & 31u))",
            lambda: f"(u32)({e('p')})",
            lambda: f"(u32){e('w')}",
            lambda: f"fold({e('w')})",
            lambda: f"bits({e('f')})",
            lambda: f"(u32)({self.pick('u8', 's8', 'u16', 's16')}){e()}",
        ]
        weights = [10, 3, 1, 3, 2, 2, 1, 1, 1, 2, 2, 2]
        intrinsics = lambda: self.intrinsic(s, d)
        options += [intrinsics, lambda: self.load(s, d)]
        weights += [24 if self.flavour == "integers" else 4, 16 if self.flavour == "memory" else 4]
        if self.flavour in ("doubles", "mixed"):
            options += [lambda: f"bits({e('d')})"]
            weights += [8]
        if self.flavour in ("floats", "mixed"):
            options += [lambda: f"bits({e('f')})", lambda: self.float_to_integer(s, d)]
            weights += [6, 4]
        if self.halves:
            options += [lambda: f"bits({e('h')})", lambda: f"bits({e('b')})", lambda: f"(u32)__half2{self.pick('int', 'uint', 'ushort')}_{self.pick(*ROUNDINGS)}({e('h')})"]
            weights += [10, 6 if self.arch >= 80 else 0, 2]
        if self.functions and not self.in_function and self.calls_left > 0 and s.depth < 3:
            options += [lambda: self.call(s, d)]
            weights += [10 if self.flavour == "functions" else 2]
        return self.rng.choices(options, weights)[0]()

    def intrinsic(self, s, d):
        e = lambda kind="u": self.e(kind, s, d)
        if self.chance(0.6):
            names = [n for n in PTX if self.arch >= 80 or n not in NEW_PTX]
            if not hasattr(self, "some_ptx"):  # only a few per kernel, to keep its text short
                self.some_ptx = self.rng.sample(names, 9)
            name = self.rng.choice(self.some_ptx)
            result, parameters, _ = PTX[name]
            self.ptx.add(name)
            small = lambda: self.rng.choice((e(), f"({e()} & 63u)", self.constant()))
            given = [small() if p == "u" and i > 0 else e(p) for i, p in enumerate(parameters)]
            if name.startswith("bf") and len(given) > 1:  # PTX limits position and length to 0 … 255
                given[-2:] = [f"({value} & 255u)" for value in given[-2:]]
            given = ", ".join(given)
            text = f"ptx_{name}({given})"
            return text if result == "u" else f"fold({text})" if result == "w" else f"bits({text})"
        return self.rng.choice((
            lambda: f"(u32){self.pick('__popc', '__clz', '__brev', '__ffs')}({e()})",
            lambda: f"(u32){self.pick('__popcll', '__clzll', '__ffsll')}({e('w')})",
            lambda: f"__umulhi({e()}, {e()})",
            lambda: f"(u32)__mulhi({e('s')}, {e('s')})",
            lambda: f"__byte_perm({e()}, {e()}, {e()})",
            lambda: f"__funnelshift_{self.pick('l', 'r', 'lc', 'rc')}({e()}, {e()}, {e()})",
            lambda: f"__usad({e()}, {e()}, {e()})",
            lambda: f"{self.pick('__uhadd', '__umul24', '__vadd4', '__vsub2', '__vaddus4', '__vsubss2', '__vavgu4', '__vabsdiffu4')}({e()}, {e()})",
            lambda: f"{self.pick('__vmaxs2', '__vminu4', '__vcmpgts4', '__vseteq2', '__vsads4')}({e()}, {e()})",
            lambda: f"{self.pick('__vneg4', '__vabsss2')}({e()})",
            lambda: f"(u32)__dp4a({e('s')}, {e('s')}, {e('s')})",
            lambda: f"__dp4a({e()}, {e()}, {e()})",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
        ))()

    def float_to_integer(self, s, d):
        kind = self.pick("f", "d")
        source = "float" if kind == "f" else "double"
        target = self.pick("int", "uint", "ll", "ull")
        text = f"__{source}2{target}_{self.pick(*ROUNDINGS)}({self.e(kind, s, d)})"
        return f"(u32){text}" if "ll" not in target else f"fold((u64){text})"

    def load(self, s, d):
        i = f"{self.e('u', s, d)}"
        where = self.rng.random()
        if where < 0.5 or self.in_function and where < 0.7:
            return self.rng.choice((
                f"in[{i} & {MASK}u]", f"in[{i} & {MASK}u]", f"in[(gid * {self.pick(1, 2, 3, 4, 8, 33)}u + {self.rng.randint(0, 40)}u) & {MASK}u]",
                f"(u32)((const u8*)in)[{i} & {4 * MASK}u]", f"(u32)((const s8*)in)[{i} & {4 * MASK}u]",
                f"(u32)((const u16*)in)[{i} & {2 * MASK}u]", f"(u32)((const s16*)in)[{i} & {2 * MASK}u]",
                f"((const uint4*)in)[{i} & {MASK // 4}u].{self.pick(*'xyzw')}", f"((const uint2*)in)[{i} & {MASK // 2}u].{self.pick(*'xy')}",
                f"fold(((const u64*)in)[{i} & {MASK // 2}u])", f"__ldg(in + ({i} & {MASK}u))", f"((const volatile u32*)in)[{i} & {MASK}u]",
                f"__ldcs(in + ({i} & {MASK}u))", f"fixed[{i} & 63u]", f"fixed[{self.rng.randint(0, 63)}]",
                f"(u32)((const uchar4*)in)[{i} & {MASK}u].{self.pick(*'xyzw')}", f"(u32)((const ushort4*)in)[{i} & {MASK // 2}u].{self.pick(*'xyzw')}",
                f"fold(((const ulonglong2*)in)[{i} & {MASK // 4}u].{self.pick('x', 'y')})",
            ))
        if not self.in_function and where < 0.85:
            return self.rng.choice((
                f"own[{i} & 3u]", f"(u32)((const uchar4*)own8)[{i} & 1u].{self.pick(*'xyzw')}", f"(u32)((const ushort4*)own16)[{i} & 1u].{self.pick(*'xyzw')}",
                *((f"{self.name}_kept[gid * 2u + ({i} & 1u)]",) if self.keeps else ()), f"(u32)((const u8*)own)[{i} & 63u]", f"(u32)own16[{i} & 7u]", f"(u32)own8[{i} & 7u]",
                f"(u32)((volatile u16*)own16)[{i} & 7u]", f"fold(*own64)", f"own128->{self.pick(*'xyzw')}",
            ))
        array = self.name_of("array", s)
        if array:
            name, size = array
            return f"{name}[{i} % {size}u]"
        return f"in[{i} & {MASK}u]"

    def e_s(self, s, depth):
        if depth <= 0 or self.chance(0.12):
            return self.name_of("s", s) if s.names.get("s") and self.chance(0.6) else f"(s32){self.e_u(s, 0)}"
        d = depth - 1
        e = lambda kind="s": self.e(kind, s, d)
        return self.rng.choices((
            lambda: f"(s32)({e('u')} {self.pick('+', '-', '*')} {e('u')})",
            lambda: f"{self.pick('quotient', 'rest')}({e()}, {e()})",
            lambda: f"({e()} >> ({e('u')} & 31u))",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"(s32)({self.pick('s8', 's16', 'u8', 'u16')}){e('u')}",
            lambda: f"(~{e()})",
            lambda: f"{self.pick('__mulhi', '__rhadd')}({e()}, {e()})",
            lambda: f"(s32){e('l')}",
            lambda: f"__float2int_{self.pick(*ROUNDINGS)}({e('f')})",
        ), (4, 3, 2, 2, 2, 2, 1, 1, 1, 1))[0]()

    def e_w(self, s, depth):
        if depth <= 0 or self.chance(0.15):
            return self.name_of("w", s) if s.names.get("w") and self.chance(0.6) else self.constant(64) if self.chance(0.3) else f"(u64){self.e_u(s, 0)}"
        d = depth - 1
        e = lambda kind="w": self.e(kind, s, d)
        return self.rng.choices((
            lambda: f"({e()} {self.pick('+', '-', '*', '&', '|', '^')} {e()})",
            lambda: f"({e()} {self.pick('<<', '>>')} ({e('u')} & 63u))",
            lambda: f"((u64){e('u')} << 32 | {e('u')})",
            lambda: f"((u64){e('u')} * {e('u')})",
            lambda: f"({e()} {self.pick('/', '%')} ({e()} | 1ull))",
            lambda: f"__umul64hi({e()}, {e()})",
            lambda: f"__brevll({e()})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"(u64){e('l')}",
            lambda: f"(u64){e('s')}",
            lambda: f"(u64)__double2{self.pick('ll', 'ull')}_{self.pick(*ROUNDINGS)}({e('d')})",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
        ), (6, 3, 3, 3, 1, 1, 1, 2, 2, 2, 1, 1))[0]()

    def e_l(self, s, depth):
        if depth <= 0:
            return f"(s64){self.e_w(s, 0)}"
        d = depth - 1
        e = lambda kind="l": self.e(kind, s, d)
        return self.rng.choices((
            lambda: f"(s64){e('w')}",
            lambda: f"{self.pick('quotient', 'rest')}({e()}, {e()})",
            lambda: f"({e()} >> ({e('u')} & 63u))",
            lambda: f"(s64){e('s')}",
            lambda: f"((s64){e('s')} * {e('s')})",
            lambda: f"__mul64hi({e()}, {e()})",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
        ), (3, 1, 2, 2, 2, 1, 1))[0]()

    FLOATS = ("0.0f", "-0.0f", "1.0f", "-1.0f", "0.5f", "1.5f", "3.0f", "1e-40f", "1e-45f", "3.4e38f", "1.17549435e-38f", "1e10f", "-2147483648.0f", "4294967296.0f", "0.1f")
    DOUBLES = ("0.0", "-0.0", "1.0", "-1.0", "0.5", "2.5", "1e-310", "5e-324", "1.7e308", "1e18", "-9223372036854775808.0", "0.1")

    def e_f(self, s, depth):
        if depth <= 0 or self.chance(0.1):
            roll = self.rng.random()
            if roll < 0.5 and s.names.get("f"):
                return self.name_of("f", s)
            return self.pick(*self.FLOATS) if roll < 0.75 else f"odd_float({self.e_u(s, 0)})"
        d = depth - 1
        e = lambda kind="f": self.e(kind, s, d)
        r = self.pick(*ROUNDINGS)
        return self.rng.choices((
            lambda: f"__f{self.pick('add', 'sub', 'mul', 'div')}_{r}({e()}, {e()})",
            lambda: f"__fmaf_{r}({e()}, {e()}, {e()})",
            lambda: f"__f{self.pick('sqrt', 'rcp')}_{r}({e()})",
            lambda: f"{self.pick('fminf', 'fmaxf')}({e()}, {e()})",
            lambda: f"{self.pick('truncf', 'floorf', 'ceilf', 'rintf', 'roundf', 'fabsf', '-', '__saturatef')}({e()})",
            lambda: f"__{self.pick('int', 'uint')}2float_{r}({e('u')})".replace("__int2float_" + r + "(", "__int2float_" + r + "((s32)"),
            lambda: f"__{self.pick('ll2float', 'ull2float')}_{r}({e('w')})".replace("__ll2float_" + r + "(", "__ll2float_" + r + "((s64)"),
            lambda: f"odd_float({e('u')})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"copysignf({e()}, num({e()}))",
            lambda: f"__double2float_{r}({e('d')})",
            lambda: f"{self.pick('fmodf', 'remainderf', 'fdimf', 'nextafterf')}({e()}, {e()})",
            lambda: f"ldexpf({e()}, (s32)({e('u')} % 300u) - 150)",
            lambda: f"({e()} / {e()})",
            lambda: f"({e()} {self.pick('<', '==', '>=', '!=')} {e()} ? {e()} : {e()})",
            lambda: self.float_ptx(s, d),
            lambda: f"__half2float({e('h')})" if self.halves else e(),
        ), (10, 4, 2, 4, 4, 2, 1, 3, 2, 1, 2, 2 if self.flavour == "floats" else 0, 1, 1, 2, 2, 4))[0]()

    def float_ptx(self, s, d):
        name = self.pick("add_ftz", "mul_sat", "fma_sat", *(("min_nan",) if self.arch >= 80 else ()))
        self.ptx.add(name)
        return f"ptx_{name}({', '.join(self.e('f', s, d) for _ in PTX[name][1])})"

    def e_d(self, s, depth):
        if depth <= 0 or self.chance(0.1):
            roll = self.rng.random()
            if roll < 0.5 and s.names.get("d"):
                return self.name_of("d", s)
            return self.pick(*self.DOUBLES) if roll < 0.75 else f"odd_double({self.e_w(s, 0)})"
        d = depth - 1
        e = lambda kind="d": self.e(kind, s, d)
        r = self.pick(*ROUNDINGS)
        return self.rng.choices((
            lambda: f"__d{self.pick('add', 'sub', 'mul')}_{r}({e()}, {e()})",
            lambda: f"__ddiv_{r}({e()}, {e()})",
            lambda: f"__fma_{r}({e()}, {e()}, {e()})",
            lambda: f"__d{self.pick('sqrt', 'rcp')}_{r}({e()})",
            lambda: f"{self.pick('fmin', 'fmax')}({e()}, {e()})",
            lambda: f"{self.pick('trunc', 'floor', 'ceil', 'rint', 'round', 'fabs', '-')}({e()})",
            lambda: f"(double){e('f')}",
            lambda: f"{self.pick('__int2double_rn', '__uint2double_rn')}({e('u')})".replace("__int2double_rn(", "__int2double_rn((s32)").replace("__u(s32)", "__u"),
            lambda: f"__ll2double_{r}({e('l')})",
            lambda: f"__ull2double_{r}({e('w')})",
            lambda: f"odd_double({e('w')})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"__hiloint2double((s32){e('u')}, (s32){e('u')})",
            lambda: f"{self.pick('fmod', 'fdim', 'nextafter')}({e()}, {e()})",
            lambda: f"({e()} {self.pick('<', '==', '>=', '!=')} {e()} ? {e()} : {e()})",
        ), (8, 2 if self.flavour == "doubles" else 1, 4, 1, 3, 3, 3, 2, 1, 1, 3, 2, 1, 1 if self.flavour == "doubles" else 0, 2))[0]()

    def e_h(self, s, depth):
        if depth <= 0 or self.chance(0.15):
            return self.name_of("h", s) if s.names.get("h") and self.chance(0.6) else f"__ushort_as_half((u16){self.e_u(s, 0)})"
        d = depth - 1
        e = lambda kind="h": self.e(kind, s, d)
        r = self.pick(*ROUNDINGS)
        choices = [
            lambda: f"{self.pick('__hadd_rn', '__hsub_rn', '__hmul_rn', '__hadd_sat', '__hmax', '__hmin')}({e()}, {e()})",
            lambda: f"{self.pick('__hfma', '__hfma_sat')}({e()}, {e()}, {e()})",
            lambda: f"{self.pick('__hneg', '__habs', 'htrunc', 'hfloor', 'hceil', 'hrint')}({e()})",
            lambda: f"__float2half_{r}({e('f')})",
            lambda: f"__{self.pick('int', 'uint')}2half_{r}({e('u')})".replace("__int2half_" + r + "(", "__int2half_" + r + "((s32)"),
            lambda: f"__ushort_as_half((u16){e('u')})",
            lambda: f"__double2half({e('d')})",
            lambda: f"({self.pick('__hlt', '__heq', '__hgeu')}({e()}, {e()}) ? {e()} : {e()})",
            lambda: f"{self.pick('__low2half', '__high2half')}({self.half2(s, d)})",
        ]
        if self.arch >= 80:
            choices.append(lambda: f"{self.pick('__hmin_nan({}, {})', '__hfma_relu({}, {}, {})')}".format(e(), e(), e()))
        return self.rng.choice(choices)()

    def half2(self, s, d):
        e = lambda: self.e("h", s, d - 1)
        pair = lambda: f"__halves2half2({e()}, {e()})"
        return self.rng.choice((
            lambda: f"{self.pick('__hadd2_rn', '__hmul2_rn', '__hmax2' if self.arch >= 80 else '__hadd2_rn')}({pair()}, {pair()})",
            lambda: f"__hfma2({pair()}, {pair()}, {pair()})",
            lambda: f"__lowhigh2highlow({pair()})",
            lambda: f"__floats2half2_rn({self.e('f', s, d - 1)}, {self.e('f', s, d - 1)})",
        ))()

    def e_b(self, s, depth):
        if depth <= 0 or self.arch < 80 or self.chance(0.15):
            return f"__ushort_as_bfloat16((u16){self.e_u(s, 0)})"
        d = depth - 1
        e = lambda kind="b": self.e(kind, s, d)
        return self.rng.choice((
            lambda: f"{self.pick('__hadd_rn', '__hsub_rn', '__hmul_rn', '__hmax', '__hmin')}({e()}, {e()})",
            lambda: f"__hfma({e()}, {e()}, {e()})",
            lambda: f"__float2bfloat16_{self.pick(*ROUNDINGS)}({e('f')})",
            lambda: f"__ushort_as_bfloat16((u16){e('u')})",
            lambda: f"(__hlt({e()}, {e()}) ? {e()} : {e()})",
        ))()

    def e_p(self, s, depth):
        d = max(depth - 1, 0)
        e = lambda kind="u": self.e(kind, s, d)
        compare = self.pick("<", "<=", ">", ">=", "==", "!=")
        if depth > 1 and self.chance(0.3):
            return f"({e('p')} {self.pick('&&', '||')} {e('p')})"
        return self.rng.choices((
            lambda: f"({e()} {compare} {e()})",
            lambda: f"({e()} & {1 << self.rng.randint(0, 6)}u)" + " != 0u",
            lambda: f"({e('s')} {compare} {e('s')})",
            lambda: f"({e('w')} {compare} {e('w')})",
            lambda: f"({e('f')} {compare} {e('f')})",
            lambda: f"({e('d')} {compare} {e('d')})",
            lambda: f"(lane_id() {compare} {self.rng.randint(0, 32)}u)",
            lambda: f"!({e('p')})",
            lambda: f"isnan({e('f')})",
            lambda: f"({e()} % {self.rng.randint(2, 5)}u == {self.rng.randint(0, 1)}u)",
        ), (6, 4, 2, 1, 2, 1, 4, 1, 1, 4))[0]().join("()")

    def call(self, s, d):
        self.calls_left -= 1
        usable = [f for f in self.functions if f[1] != "masked"]
        if not usable:
            return self.name_of("u", s) or "gid"
        name, kind = self.rng.choice(usable)
        e = lambda k="u": self.e(k, s, d)
        if kind == "recursive":
            return f"{name}({e()} & {self.rng.choice((3, 7))}u, {e()}, in)"
        if kind == "bundle":
            return f"(u32){name}({{{e()}, (u8){e()}, (u16){e()}, {e('w')}, {e('f')}, 0u, {e('d')}}}, {e()}, in).{self.pick('a', 'b', 'c')}"
        pointers = [f[0] for f in self.functions if f[1] == "plain"]
        if len(pointers) > 1 and self.chance(0.4):
            chosen = self.rng.sample(pointers, 2)
            return f"({e('p')} ? {chosen[0]} : {chosen[1]})({e()}, {e('s')}, in, gid)"
        return f"{name}({e()}, {e('s')}, in, gid)"
