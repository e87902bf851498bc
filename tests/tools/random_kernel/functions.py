"""Functions that a kernel calls: plain, recursive, with a struct by value, and functions that exchange values."""

from random_kernel.scope import Scope


class Functions:
    def make_functions(self):
        wanted = self.rng.randint(1, 4) if self.flavour == "functions" else self.rng.choice((0, 0, 1, 2)) if self.flavour in ("mixed", "control") else 0
        for _ in range(wanted):
            self.make_function(self.pick("plain", "plain", "recursive", "masked", "bundle"))

    def make_function(self, kind):
        name = f"{self.name}_{kind}{len(self.functions)}"
        kept = self.lines, self.budget, self.indent, self.in_function
        self.lines, self.budget, self.indent, self.in_function = [], self.rng.randint(2, 7), 1, True
        inline = self.pick("__noinline__ ", "__noinline__ ", "__noinline__ ", "")
        if kind == "recursive":
            scope = Scope()
            scope.names = {"u": ["n", "x"]}
            e = lambda k="u": self.e(k, scope, 2)
            self.emit(f"if (n == 0u || {e('p')}) return {e()};")
            self.emit(f"u32 r = {name}(n - 1u, {e()}, in);")
            scope.add("u", "r")
            self.statements(scope)
            if self.chance(0.5):
                self.emit(f"if ({e('p')}) r ^= {name}(n / 2u, {e()}, in);")
            self.emit(f"return {e()};")
            head = f"__device__ __noinline__ u32 {name}(u32 n, u32 x, const u32* in)"
            text = "\n".join(self.lines).replace("gid", "n")
        elif kind == "bundle":
            scope = Scope()
            scope.names = {"u": ["x", "g.a"], "w": ["g.d"], "f": ["g.e"], "d": ["g.f"]}
            self.statements(scope)
            self.emit(f"g.{self.pick('a', 'b', 'c')} ^= {self.e('u', scope)};")
            self.emit(f"g.a = mix(g.a, mix(fold(g.d), mix(bits(g.e), mix(bits(g.f), g.b ^ g.c))));")
            self.emit("return g;")
            head = f"__device__ {inline}Bundle {name}(Bundle g, u32 x, const u32* in)"
            text = "\n".join(self.lines).replace("gid", "x")
        else:
            scope = Scope()
            scope.names = {"u": ["x"], "s": ["y"]}
            if kind == "masked":
                scope.mask = "m"
                scope.names["u"].append("L")
                self.emit("const u32 L = lane_id();")
            scope.leave = "return {};"
            self.statements(scope)
            self.emit(f"return mix({self.e('u', scope)}, {self.e('u', scope)});")
            head = f"__device__ {inline}u32 {name}({'u32 m, ' if kind == 'masked' else ''}u32 x, s32 y, const u32* in, u32 gid)"
            text = "\n".join(self.lines)
        self.texts.append(head + " {\n" + text + "\n}\n")
        self.functions.append((name, kind))
        self.lines, self.budget, self.indent, self.in_function = kept
