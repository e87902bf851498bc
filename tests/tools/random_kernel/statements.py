"""Statements: variables and control flow."""

from random_kernel.scope import Scope


class Statements:
    def statements(self, scope, most=None):
        count = self.rng.randint(1, 4) if most is None else most
        if scope.depth == 0:
            count = self.budget
        for _ in range(count):
            if self.left <= 0 and scope.depth > 0:
                break
            self.left -= 1
            self.statement(scope)
        if scope.depth > 0 and not self.in_function and self.chance(0.4):
            self.st_mix(scope)

    CTYPES = {"u": "u32", "s": "s32", "w": "u64", "f": "float", "d": "double", "h": "__half"}

    def statement(self, s):
        f = self.flavour
        kernel = not self.in_function
        deep = s.depth >= 4
        table = [
            (self.st_declare, 3), (self.st_assign, 8),
            (self.st_mix, 6 if kernel else 0),
            (self.st_if, 0 if deep else 12 if f == "control" else 6),
            (self.st_for, 0 if deep else 8 if f == "control" else 4),
            (self.st_while, 0 if deep else 5 if f == "control" else 2),
            (self.st_switch, 0 if deep else 5 if f == "control" else 1),
            (self.st_goto, 0 if deep else 2 if f == "control" else 0),
            (self.st_array, 2), (self.st_narrow, 2), (self.st_structs, 2 if f in ("memory", "mixed") else 0),
            (self.st_jump, 3 if s.loop else 0),
            (self.st_return, 2 if s.leave and self.may_return and s.depth < 3 else 0),
            (self.st_store, 0 if not kernel else 10 if f == "memory" else 4),
            (self.st_warp, 0 if not s.mask else 16 if f == "warps" else 4),
            (self.st_masked_call, 4 if s.mask and kernel and self.functions else 0),
            (self.st_guarded, 3 if kernel else 0),
            (self.st_atomic, 0 if not kernel else 14 if f == "atomics" else 2),
            (self.st_phase, 0 if not (kernel and s.uniform and s.depth < 3) else 12 if f == "memory" else 5),
            (self.st_pointer, 0 if not kernel else 3 if f in ("memory", "mixed") else 0),
            (self.st_reference, 2 if f in ("functions", "mixed") and kernel else 0),
            (self.st_print, 2 if kernel and not self.prints and s.depth == 0 and self.chance(0.3) else 0),
        ]
        self.rng.choices([t[0] for t in table], [t[1] for t in table])[0](s)

    def block_of(self, scope, most=None):
        self.indent += 1
        self.statements(scope, most)
        self.indent -= 1

    def st_declare(self, s):
        kind = self.rng.choice("uuusswfd" + ("hh" if self.halves else ""))
        name = self.fresh({"u": "v", "s": "i", "w": "w", "f": "f", "d": "d", "h": "q"}[kind])
        self.emit(f"{self.CTYPES[kind]} {name} = {self.e(kind, s)};")
        s.add(kind, name)

    def st_assign(self, s):
        kind = self.rng.choice("uuusswfd" + ("h" if self.halves else ""))
        name = self.writable(kind, s)
        if not name or name in ("n", "y"):
            return self.st_declare(s)
        if kind in "uw" and self.chance(0.4):
            self.emit(f"{name} {self.pick('+=', '-=', '^=', '*=', '|=', '&=')} {self.e(kind, s)};")
        else:
            self.emit(f"{name} = {self.e(kind, s)};")

    def st_mix(self, s):
        self.emit(f"h = mix(h, {self.e('u', s)});")

    def st_if(self, s):
        condition = self.e("p", s)
        with_else = self.chance(0.5)
        if s.mask and self.chance(0.6):
            c, m = self.fresh("c"), self.fresh("m")
            self.emit(f"const bool {c} = {condition};")
            self.emit(f"const u32 {m} = __ballot_sync({s.mask}, {c});")
            yes, no, condition = m, f"({s.mask} & ~{m})", c
        else:
            yes = no = None
        self.emit(f"if ({condition}) {{")
        self.block_of(Scope(s, mask=yes, uniform=False, leave=self.inner_leave(s, yes)))
        if with_else:
            self.emit("} else {")
            self.block_of(Scope(s, mask=no, uniform=False, leave=self.inner_leave(s, no)))
        self.emit("}")

    # A return inside would make the masks around it wrong, so it is used only where nothing has a mask.
    def inner_leave(self, s, mask):
        return s.leave if s.mask is None and mask is None else None

    def bound(self, s):
        return self.rng.choice((f"({self.e('u', s, 2)} & {self.pick(3, 7)}u)", f"({self.e('u', s, 2)} % {self.rng.randint(2, 6)}u)",
                                f"{self.rng.randint(1, 5)}u", "(lane_id() & 3u)", "(threadIdx.x % 4u)"))

    def st_for(self, s):
        k = self.fresh("k")
        if s.uniform and self.chance(0.35):
            self.emit(f"for (u32 {k} = 0u; {k} < {self.rng.randint(1, 4)}u; ++{k}) {{")
            inner = Scope(s, loop=False, leave=None)
            inner.add("u", k)
            self.block_of(inner)
        elif s.mask and self.chance(0.6):
            n, m = self.fresh("n"), self.fresh("m")
            self.emit(f"const u32 {n} = {self.bound(s)};")
            self.emit(f"u32 {m} = {s.mask};")
            self.emit(f"for (u32 {k} = 0u;; ++{k}) {{")
            self.emit(f"  {m} = __ballot_sync({m}, {k} < {n});")
            self.emit(f"  if ({k} >= {n}) break;")
            inner = Scope(s, mask=m, uniform=False, loop=False, leave=None)
            inner.add("u", k)
            self.block_of(inner)
            if self.chance(0.4):
                c = self.fresh("c")
                self.emit(f"  const bool {c} = {self.e('p', inner)};")
                if self.chance(0.5):
                    self.emit(f"  {m} = __ballot_sync({m}, !{c});")
                    self.emit(f"  if ({c}) break;")
                    self.block_of(inner, 2)
                else:
                    left = self.fresh("m")
                    self.emit(f"  const u32 {left} = __ballot_sync({m}, !{c});")
                    self.emit(f"  if ({c}) continue;")
                    inner.mask = left
                    self.block_of(inner, 2)
        else:
            self.emit(f"for (u32 {k} = 0u, n{k} = {self.bound(s)}; {k} < n{k}; ++{k}) {{")
            inner = Scope(s, mask=None, uniform=False, loop=True, leave=self.inner_leave(s, None))
            inner.add("u", k)
            self.block_of(inner)
        self.emit("}")

    def st_while(self, s):
        n = self.fresh("n")
        inner = Scope(s, mask=None, uniform=False, loop=True, leave=self.inner_leave(s, None))
        self.emit(f"u32 {n} = {self.rng.randint(1, 6)}u;")
        if self.chance(0.5):
            self.emit(f"while ({n}-- != 0u && {self.e('p', s, 2)}) {{")
            self.block_of(inner)
            self.emit("}")
        else:
            self.emit("do {")
            self.block_of(inner)
            self.emit(f"}} while (--{n} != 0u && {self.e('p', s, 2)});")

    def st_switch(self, s):
        cases = self.rng.randint(2, 9)
        self.emit(f"switch ({self.e('u', s)} % {cases + self.rng.randint(0, 2)}u) {{")
        self.indent += 1
        for i in range(cases):
            self.emit("default: {" if i == cases - 1 and self.chance(0.6) else f"case {i}: {{")
            self.block_of(Scope(s, mask=None, uniform=False, loop=False, leave=self.inner_leave(s, None)), self.rng.randint(1, 2))
            self.emit("}" if self.chance(0.25) else "} break;")
        self.indent -= 1
        self.emit("}")

    # Two labels that are both jumped to from outside their loop: control flow that no structured statement makes.
    def st_goto(self, s):
        n, first, second = self.fresh("n"), self.fresh("again"), self.fresh("into")
        name = self.writable("u", s)
        if not name or name in ("n",):
            return
        self.emit(f"u32 {n} = {self.rng.randint(2, 6)}u;")
        self.emit(f"if ({self.e('p', s, 2)}) goto {second};")
        self.emit(f"{first}:")
        self.emit(f"{name} = mix({name}, {self.e('u', s, 2)});")
        self.emit(f"{second}:")
        self.emit(f"{name} += {self.e('u', s, 2)};")
        self.emit(f"if (--{n} != 0u && {self.e('p', s, 2)}) goto {self.pick(first, second)};")
        self.emit(f"if ({n} > 1u && {self.e('p', s, 2)}) {{ {n} -= 1u; goto {self.pick(first, second)}; }}")

    def st_array(self, s):
        size = self.rng.randint(2, 11)
        name = self.fresh("a")
        if self.chance(0.3):
            self.emit(f"Rolled<u32, {size}> r{name};")
            self.emit(f"u32 (&{name})[{size}] = r{name}.v;")
        else:
            self.emit(f"u32 {name}[{size}];")
        i = self.fresh("k")
        self.emit(f"for (u32 {i} = 0u; {i} < {size}u; ++{i}) {name}[{i}] = {self.e('u', s, 2)} + {i} * {self.constant()};")
        s.add("array", (name, size))
        self.emit(f"{name}[{self.e('u', s, 2)} % {size}u] {self.pick('=', '+=', '^=')} {self.e('u', s)};")

    def st_jump(self, s):
        self.emit(f"if ({self.e('p', s, 2)}) {self.pick('break', 'continue')};")

    def st_return(self, s):
        text = s.leave.format(self.e("u", s, 2))
        s.uniform = False  # the interpreter wants all threads at a barrier, also returned ones
        if s.mask:
            c, m = self.fresh("c"), self.fresh("m")
            self.emit(f"const bool {c} = {self.e('p', s)};")
            self.emit(f"const u32 {m} = __ballot_sync({s.mask}, !{c});")
            self.emit(f"if ({c}) {{ {text} }}")
            s.mask = m
        else:
            self.emit(f"if ({self.e('p', s)}) {{ {text} }}")

    # Types narrower than a register, and bool, kept in variables.
    def st_narrow(self, s):
        kind = self.pick("u8", "s8", "u16", "s16", "bool")
        name, v = self.fresh("x"), self.fresh("v")
        if kind == "bool":
            self.emit(f"bool {name} = {self.e('p', s)};")
            self.emit(f"for (u32 k{name} = 0u; k{name} < {self.bound(s)}; ++k{name}) {name} = {name} != ({self.e('p', s, 2)});")
        else:
            self.emit(f"{kind} {name} = ({kind}){self.e('u', s)};")
            self.emit(f"for (u32 k{name} = 0u, n{name} = {self.bound(s)}; k{name} < n{name}; ++k{name}) "
                      f"{name} = ({kind})({name} {self.pick('+', '-', '*', '^', '&', '|')} ({kind}){self.e('u', s, 2)});")
            self.emit(f"{name} = ({kind})({name} {self.pick('/', '%')} (({kind})({self.e('u', s, 2)} & 0x3ffu) | 1));" if kind[0] == "u" else
                      f"{name} = ({kind})({name} >> ({self.e('u', s, 1)} & 7u));")
        self.emit(f"u32 {v} = (u32){name};")
        s.add("u", v)

    # Structs in an array, with an index that is known only at run time.
    def st_structs(self, s):
        name, size = self.fresh("g"), self.rng.randint(2, 4)
        self.emit(f"Bundle {name}[{size}];")
        self.emit(f"for (u32 k{name} = 0u; k{name} < {size}u; ++k{name}) {name}[k{name}] = Bundle{{{self.e('u', s, 1)} + k{name}, (u8)k{name}, (u16){self.e('u', s, 1)}, {self.e('w', s, 1)}, {self.e('f', s, 1)}, 1u, {self.e('d', s, 1)}}};")
        self.emit(f"{name}[{self.e('u', s, 2)} % {size}u].{self.pick('a', 'b', 'c', 'd')} ^= (u8){self.e('u', s)};")
        self.emit(f"{name}[{self.e('u', s, 2)} % {size}u] = {name}[{self.e('u', s, 2)} % {size}u];")
        v, w, d = self.fresh("v"), self.fresh("w"), self.fresh("d")
        self.emit(f"u32 {v} = {name}[{self.e('u', s, 2)} % {size}u].{self.pick('a', 'b', 'c')};")
        self.emit(f"u64 {w} = {name}[{self.e('u', s, 2)} % {size}u].d;")
        self.emit(f"double {d} = {name}[{self.e('u', s, 2)} % {size}u].f;")
        for kind, made in (("u", v), ("w", w), ("d", d)):
            s.add(kind, made)
