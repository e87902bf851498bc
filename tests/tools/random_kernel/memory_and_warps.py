"""Statements that touch memory, other lanes and other threads."""

from math import gcd

from random_kernel.expressions import MASK


class MemoryAndWarps:
    # For a function that exchanges values, all lanes of the mask must arrive, so it is never part of an expression.
    def st_masked_call(self, s):
        names = [f[0] for f in self.functions if f[1] == "masked"]
        if not names or self.in_function:
            return
        v = self.fresh("v")
        self.emit(f"u32 {v} = {self.rng.choice(names)}({s.mask}, {self.e('u', s)}, {self.e('s', s)}, in, gid);")
        s.add("u", v)

    def st_guarded(self, s):
        self.guards = True
        c, v = self.fresh("c"), self.fresh("v")
        self.emit(f"const u32 {c} = {self.e('p', s)};")
        kind = self.pick("load", "store", "atomic", *(("shuffle", "ballot", "shuffle") if s.mask else ()))
        own = f"own + ({self.e('u', s, 2)} & 3u)"
        if kind == "store":
            return self.emit(f"guarded_store({c}, {own}, {self.e('u', s)});")
        if kind == "load":
            text = f"guarded_load({c}, in + ({self.e('u', s, 2)} & {MASK}u), {self.e('u', s, 1)})"
        elif kind == "atomic":
            text = f"guarded_atomic({c}, {own}, {self.e('u', s)})"
        else:
            m = self.fresh("m")
            self.emit(f"const u32 {m} = __ballot_sync({s.mask}, {c});")
            last = f"member({m}, {self.e('u', s, 1)})" if kind == "shuffle" else f"(u32)({self.e('p', s)})"
            value = "" if kind == "ballot" else f"{self.e('u', s)}, "
            text = f"guarded_{kind}({c}, {m}, {value}{last})"
        self.emit(f"u32 {v} = {text};")
        s.add("u", v)

    def st_store(self, s):
        i = self.e("u", s, 2)
        v = self.e("u", s)
        self.emit(self.rng.choice((
            f"own[{i} & 3u] = {v};", f"own[{i} & 3u] = {v};", f"own16[{i} & 7u] = (u16){v};", f"own8[{i} & 7u] = (u8){v};",
            f"*own64 = {self.e('w', s)};", f"*own128 = make_uint4({v}, {self.e('u', s, 1)}, {self.e('u', s, 1)}, {i});",
            f"*(volatile u64*)own64 = {self.e('w', s)};", f"((volatile u32*)own)[{i} & 3u] = {v};", f"__stcg(own + ({i} & 3u), {v});",
            f"own8[{i} & 7u] ^= (u8){v};", f"((ushort4*)own16)[{i} & 1u] = make_ushort4((u16){v}, (u16){i}, 3, 4);",
            f"((uchar4*)own8)[{i} & 1u] = make_uchar4((u8){v}, (u8){i}, 3, 4);",
            *((f"{self.name}_kept[gid * 2u + ({i} & 1u)] {self.pick('=', '+=', '^=')} {v};",) if self.keeps else ()),
            f"if ({self.e('p', s, 2)}) own[{i} & 3u] += {v};",
        )))

    def st_warp(self, s):
        m = s.mask
        roll = self.rng.random()
        target = self.fresh("v")
        if roll < 0.5:
            kind = self.rng.choice("uuswfd" + ("h" if self.halves else ""))
            name = self.fresh({"u": "v", "s": "i", "w": "w", "f": "f", "d": "d", "h": "q"}[kind])
            value = f"({self.CTYPES[kind]})({self.e(kind, s)})"
            how = self.pick("member", "index", "below", "above", "flipped")
            which = self.rng.choice((self.e("u", s, 2), f"{self.rng.randint(0, 31)}u", f"{self.rng.choice((1, 2, 4, 8, 16))}u"))
            width = "" if how == "member" else f"<{self.pick(32, 32, 16, 8, 4, 2)}>"
            self.emit(f"{self.CTYPES[kind]} {name} = from_{how}{width}({m}, {value}, {which});")
            return s.add(kind, name)
        if roll < 0.7:
            self.emit(f"u32 {target} = (u32)__{self.pick('ballot', 'any', 'all', 'uni', 'ballot')}_sync({m}, {self.e('p', s)});")
        elif roll < 0.82:
            kind = self.pick("u", "w")
            small = f"({self.e(kind, s)} & {self.pick(1, 3, 7)}u)"
            if self.chance(0.5):
                self.emit(f"u32 {target} = __match_any_sync({m}, {small});")
            else:
                self.emit(f"int all{target};")
                self.emit(f"u32 {target} = __match_all_sync({m}, {small}, &all{target});")
                self.emit(f"{target} += (u32)(all{target} != 0);")
        elif roll < 0.92 and self.arch >= 80:
            if self.chance(0.6):
                self.emit(f"u32 {target} = __reduce_{self.pick('add', 'min', 'max', 'and', 'or', 'xor')}_sync({m}, {self.e('u', s)});")
            else:
                self.emit(f"u32 {target} = (u32)__reduce_{self.pick('add', 'min', 'max')}_sync({m}, {self.e('s', s)});")
        else:
            self.emit(f"__syncwarp({m});")
            self.emit(f"u32 {target} = {m};")
        s.add("u", target)

    def st_atomic(self, s):
        i, v = self.e("u", s, 2), self.e("u", s)
        roll = self.rng.random()
        guard = f"if ({self.e('p', s, 2)}) " if self.chance(0.3) else ""
        if roll < 0.55:
            self.tally = self.tally or self.chance(0.6)
            place = self.pick("bins", "bins", "tally") if self.tally else "bins"
            op, first = self.pick(("Add", 0), ("Sub", 0), ("Min", 8), ("Max", 16), ("And", 24), ("Or", 32), ("Xor", 40), ("Inc", 48), ("Dec", 56))
            if op == "Inc":
                self.emit(f"{guard}atomicInc(&{place}[{first} + ({i} & 7u)], 0xffffffu);")
            elif op == "Dec":
                self.emit(f"{guard}atomicSub(&{place}[{first} + ({i} & 7u)], 1u);")
            else:
                self.emit(f"{guard}atomic{op}(&{place}[{first} + ({i} & 7u)], {v});")
        elif roll < 0.65:
            op, first = self.pick(("Min", 64), ("Max", 72))
            self.emit(f"{guard}atomic{op}((s32*)bins + {first} + ({i} & 7u), {self.e('s', s)});")
        elif roll < 0.78:
            op, first = self.pick(("Add", 0), ("Min", 4), ("Max", 8), ("And", 12), ("Or", 16), ("Xor", 20))
            self.emit(f"{guard}atomic{op}(&wide[{first} + ({i} & 3u)], {self.e('w', s)});")
        elif roll < 0.84:
            self.emit(f"{guard}atomicAdd(&{self.pick('sums', 'dsums')}[{i} & 7u], {v} & 15u);" if not self.halves else
                      f"{guard}atomicAdd(&dsums[{i} & 7u], {v} & 15u);")
        elif roll < 0.88 and self.halves:  # by ones, so it saturates at 2048 in every order
            self.emit(f"{guard}atomicAdd((__half*)sums + ({i} & 3u), __float2half_rn((float)({v} & 1u)));" if self.chance(0.5) else
                      f"{guard}atomicAdd((__half2*)sums + 4 + ({i} & 3u), __floats2half2_rn((float)({v} & 1u), 1.0f));")
        elif roll < 0.91:
            name = self.fresh("w")
            op = self.pick("Add", "Min", "Max", "And", "Or", "Xor", "Exch", "CAS")
            given = f"(u64)({self.e('u', s, 1)} & 1u), {self.e('w', s)}" if op == "CAS" else self.e("w", s)
            self.emit(f"u64 {name} = atomic{op}(own64, {given});")
            return s.add("w", name)
        elif roll < 0.94:
            name = self.fresh("v")
            self.emit(f"u32 {name} = (u32)atomicCAS(own16 + ({i} & 7u), (u16)({self.e('u', s, 1)} & 1u), (u16){v});")
            s.add("u", name)
        else:
            name = self.fresh("v")
            op = self.pick("Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exch", "Inc", "Dec")
            if self.chance(0.25):
                self.emit(f"u32 {name} = atomicCAS(&own[{i} & 3u], {self.e('u', s, 1)} & 3u, {v});")
            else:
                self.emit(f"u32 {name} = atomic{op}(&own[{i} & 3u], {v});")
            s.add("u", name)

    TILE_TYPES = {"u8": "u", "u16": "u", "u32": "u", "u64": "w", "float": "f", "double": "d", "uint2": "u", "uint4": "u"}

    def st_phase(self, s):
        if self.chance(0.12) and not self.may_return:
            name = self.fresh("v")
            self.emit(f"u32 {name} = (u32)__syncthreads_{self.pick('count', 'or', 'and')}({self.e('p', s)});")
            return s.add("u", name)
        if self.chance(0.15) and self.arch >= 80:
            return self.async_phase(s)
        kind = self.pick(*self.TILE_TYPES)
        tile = self.tiles.setdefault(kind, f"tile_{kind}")
        if self.chance(0.15):
            self.dynamic, tile, kind = True, "dynamic", "u32"
        t = self.per_block
        strides = [k for k in (1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 31) if gcd(k, t) == 1]
        slot = f"(t * {self.rng.choice(strides)}u + {self.rng.randint(0, 40)}u) % {t}u"
        parts = {"uint2": "xy", "uint4": "xyzw"}.get(kind)
        value = self.e(self.TILE_TYPES[kind], s)
        if parts:
            value = f"make_{kind}({', '.join([value] + [self.e('u', s, 1) for _ in parts[1:]])})"
        elif kind in ("u8", "u16"):
            value = f"({kind}){value}"
        guard = f"if ({self.e('p', s, 2)}) " if self.chance(0.3) else ""
        self.emit(f"{guard}{tile}[{slot}] = {value};")
        self.emit("__syncthreads();")
        index = self.rng.choice((f"({self.e('u', s, 2)} % {t}u)", f"((t + {self.rng.randint(0, 33)}u) % {t}u)", f"({t - 1}u - t)"))
        result = self.TILE_TYPES[kind]
        name = self.fresh({"u": "v", "w": "w", "f": "f", "d": "d"}[result])
        text = f"{tile}[{index}]" + (f".{self.pick(*parts)}" if parts else "")
        if kind in ("u32", "u64", "uint4") and self.chance(0.2):
            result, text = "u", f"(u32)((const u8*){tile})[{self.e('u', s, 2)} % {t * {'u32': 4, 'u64': 8, 'uint4': 16}[kind]}u]"
            name = self.fresh("v")
        self.emit(f"{self.CTYPES[result]} {name} = {text};")
        self.emit("__syncthreads();")
        s.add(result, name)

    # cp.async copies 4, 8 or 16 bytes of a uint4.
    def async_phase(self, s):
        tile = self.tiles.setdefault("uint4", "tile_uint4")
        size = self.pick(4, 8, 16)
        self.copies.add(size)
        guard = f"if ({self.e('p', s, 2)}) " if self.chance(0.3) else ""
        self.emit(f"{guard}copy_{size}(&{tile}[t], in + ({self.e('u', s, 2)} & {MASK & ~3}u));")
        self.emit("copies_done();")
        self.emit("__syncthreads();")
        name = self.fresh("v")
        self.emit(f"u32 {name} = {tile}[{self.e('u', s, 2)} % {self.per_block}u].{self.pick(*'xyzw')};")
        self.emit("__syncthreads();")
        s.add("u", name)

    # An address whose space is known only at run time.
    def st_pointer(self, s):
        name, p = self.fresh("v"), self.fresh("p")
        places = ["own + ({} & 3u)".format(self.e("u", s, 1)), "held + ({} & 3u)".format(self.e("u", s, 1))]
        if self.chance(0.5):
            places = ["in + ({} & 1023u)".format(self.e("u", s, 1)), places[1]]
        self.rng.shuffle(places)
        self.emit(f"const u32* {p} = {self.e('p', s, 2)} ? {places[0]} : {places[1]};")
        self.emit(f"u32 {name} = *{p};")
        if self.chance(0.5):
            q = self.fresh("p")
            self.emit(f"u32* {q} = {self.e('p', s, 2)} ? own + ({self.e('u', s, 1)} & 3u) : held + ({self.e('u', s, 1)} & 3u);")
            self.emit(f"*{q} {self.pick('=', '+=', '^=')} {self.e('u', s)};")
        s.add("u", name)

    def st_reference(self, s):
        name = self.writable("u", s)
        if not name:
            return
        function = f"{self.name}_through{len(self.texts)}"
        a, b = self.rng.getrandbits(16), self.rng.randint(1, 7)
        self.texts.append(f"__device__ __noinline__ void {function}(u32& x, u32* at, u32 v) {{\n"
                          f"  if (v % {b + 1}u) x = mix(x, at[v & 3u]);\n  at[x & 3u] += v * {a}u;\n}}\n")
        self.emit(f"{function}({name}, {self.pick('held', 'held', 'own')}, {self.e('u', s)});")

    # One thread, once: the order of several threads' output is undefined.
    def st_print(self, s):
        self.prints = True
        formats = {"u": ("%u", "%08x", "%-7u|", "%#o", "%c"), "s": ("%d", "%+d", "%12d", "%i"), "w": ("%llu", "%llx", "%20llu"), "l": ("%lld",),
                   "d": ("%f", "%.3e", "%g", "%10.2f"), "f": ("%g", "%.9e")}
        kinds = [self.rng.choice("uuswldf") for _ in range(self.rng.randint(0, 5))]
        chosen = [self.rng.choice(formats[k]) for k in kinds]
        given = [f"{self.e(k, s, 2)}" if f != "%c" else f"(int)('a' + {self.e(k, s, 2)} % 26u)" for k, f in zip(kinds, chosen)]
        # The printed sign of a NaN differs between machines.
        given = [f"num({g})" if k in "df" else g for k, g in zip(kinds, given)]
        text = " ".join([self.name, "%s", "100%%"] + chosen) + "\\n"
        self.emit(f'if (gid == {self.rng.randrange(self.threads)}u) printf("{text}", {", ".join([chr(34) + "prints" + chr(34)] + given)});')
