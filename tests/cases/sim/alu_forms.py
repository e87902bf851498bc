#!/usr/bin/env python3
"""Writes tests/cases/sim/alu_forms.txt: every arithmetic, logic, comparison, selection, move and conversion instruction
that ptxas accepts for sm_90, from all combinations of modifiers."""
import itertools, re, subprocess, sys, tempfile
PTXAS = sys.argv[1] if len(sys.argv) > 1 else "ptxas"
INT = ["u16","s16","u32","s32","u64","s64"]
BITS = ["b16","b32","b64"]
HALF = ["f16","f16x2","bf16","bf16x2"]
FLOAT = ["f32","f64"]
ROUND = ["","rn","rz","rm","rp"]
def width(t):
    if t == "pred": return 1
    if t in ("tf32",): return 32
    if t.endswith("x2"): return 16 if t[0]=="e" else 64 if t=="f32x2" else 32
    return int(re.search(r"\d+", t).group())
def reg(t, n):
    w = width(t)
    return ("%p" if w==1 else "%h" if w<=16 else "%r" if w==32 else "%d")+str(n)
def regs(*ts): return ", ".join(reg(t,i) for i,t in enumerate(ts))
def opt(*words): return [""]+list(words)
forms = []
def add(parts, operands): forms.append(".".join(p for p in parts if p)+" "+operands+";")
P = itertools.product
ANY = INT+HALF+FLOAT+["u16x2","s16x2","f32x2"]
for op in ["add","sub"]:
    for r,f,s,t in P(ROUND,opt("ftz"),opt("sat"),ANY): add([op,r,f,s,t], regs(t,t,t))
    for t in INT: add([op,"cc",t],regs(t,t,t)); 
for op in ["addc","subc"]:
    for c,t in P(opt("cc"),INT): add([op,c,t],regs(t,t,t))
for m,t in P(["hi","lo","wide"],INT):
    w = t if m!="wide" else t[0]+str(2*width(t))
    if m=="wide" and width(t)==64: continue
    add(["mul",m,t],regs(w,t,t))
    for s in opt("sat"): add(["mad",m,s,t],regs(w,t,t,w))
    if m!="wide":
        add(["mad",m,"cc",t],regs(t,t,t,t))
        for c in opt("cc"): add(["madc",m,c,t],regs(t,t,t,t))
        add(["mul24",m,t],regs(t,t,t))
        for s in opt("sat"): add(["mad24",m,s,t],regs(t,t,t,t))
for r,f,s,t in P(ROUND,opt("ftz"),opt("sat"),HALF+FLOAT+["f32x2"]):
    add(["mul",r,f,s,t],regs(t,t,t)); add(["mad",r,f,s,t],regs(t,t,t,t))
    for x in ["","relu"]: add(["fma",r,f,s,x,t],regs(t,t,t,t))
for t in INT+["u16x2","s16x2"]:
    add(["sad",t],regs(t,t,t,t)); add(["div",t],regs(t,t,t)); add(["rem",t],regs(t,t,t))
    for op in ["abs","neg"]: add([op,t],regs(t,t))
    for op,x in P(["min","max"],opt("relu")): add([op,x,t],regs(t,t,t))
for r,f,t in P(["rn","rz","rm","rp","approx","full"],opt("ftz"),FLOAT):
    add(["div",r,f,t],regs(t,t,t)); add(["rcp",r,f,t],regs(t,t)); add(["sqrt",r,f,t],regs(t,t))
for f,t in P(opt("ftz"),HALF+FLOAT):
    for op in ["abs","neg"]: add([op,f,t],regs(t,t))
    for op,n,x in P(["min","max"],opt("NaN"),opt("xorsign.abs")): add([op,f,n,x,t],regs(t,t,t))
    for op,n,x in P(["min","max"],opt("NaN"),opt("abs")): add([op,f,n,x,t],regs(t,t,t,t))
    for op in ["rsqrt","sin","cos","lg2","ex2","tanh"]: add([op,"approx",f,t],regs(t,t))
for t in FLOAT:
    add(["copysign",t],regs(t,t,t))
    for k in "finite infinite number notanumber normal subnormal".split(): add(["testp",k,t],regs("pred",t))
for a,b in P(["u32","s32"],["u32","s32"]):
    add(["dp4a",a,b],regs("u32",a,b,"u32"))
    for m in ["lo","hi"]: add(["dp2a",m,a,b],regs("u32",a,b,"u32"))
for t in BITS:
    add(["popc",t],regs("u32",t)); add(["clz",t],regs("u32",t)); add(["brev",t],regs(t,t))
    add(["bfi",t],regs(t,t,t)+", %r5, %r6")
    for op in ["and","or","xor"]: add([op,t],regs(t,t,t))
    for op in ["not","cnot"]: add([op,t],regs(t,t))
for op in ["and","or","xor"]: add([op,"pred"],"%p0, %p1, %p2")
add(["not","pred"],"%p0, %p1"); add(["mov","pred"],"%p0, %p1")
for t in INT:
    for s in opt("shiftamt"): add(["bfind",s,t],regs("u32",t))
    add(["bfe",t],regs(t,t)+", %r5, %r6")
add(["fns","b32"],"%r0, %r1, %r2, %r3")
for m in ["clamp","wrap"]:
    add(["bmsk",m,"b32"],"%r0, %r1, %r2")
    for t in ["u32","s32"]: add(["szext",m,t],"%r0, %r1, %r2")
    for d in "lr": add(["shf",d,m,"b32"],"%r0, %r1, %r2, %r3")
for m in opt("f4e","b4e","rc8","ecl","ecr","rc16"): add(["prmt","b32",m],"%r0, %r1, %r2, %r3")
add(["lop3","b32"],"%r0, %r1, %r2, %r3, 150")
for b in ["or","and"]: add(["lop3",b,"b32"],"%r0|%p1, %r1, %r2, %r3, 150, %p2")
for t in BITS+INT: add(["shl",t],regs(t,t)+", %r5"); add(["shr",t],regs(t,t)+", %r5")
CMP="eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan".split()
ALL=BITS+INT+HALF+FLOAT
for c,b,f,t in P(CMP,opt("and","or","xor"),opt("ftz"),ALL):
    tail=", !%p3" if b else ""
    for p in ["%p0","%p0|%p1"]: add(["setp",c,b,f,t],p+", "+reg(t,1)+", "+reg(t,2)+tail)
    if b in ("","and"):
        for d in ["u16","s16","u32","s32","f32","f16","bf16","f16x2","bf16x2"]:
            add(["set",c,b,f,d,t],reg(d,0)+", "+reg(t,1)+", "+reg(t,2)+tail)
for t in BITS+INT+FLOAT+HALF:
    add(["selp",t],regs(t,t,t,"pred")); add(["mov",t],regs(t,t))
    for s,f in P(["s32","f32"],opt("ftz")): add(["slct",f,t,s],regs(t,t,t,s))
CT=["u8","s8"]+INT+["f16","bf16","f32","f64"]
for r,f,s,d,a in P(["","rn","rz","rm","rp","rni","rzi","rmi","rpi"],opt("ftz"),opt("sat"),CT,CT):
    add(["cvt",r,f,s,d,a],reg(d,0)+", "+reg(a,1))
# Between bf16 and bytes ptxas takes 8-bit registers only.
for r,s,t in P(["","rn","rz","rm","rp","rni","rzi","rmi","rpi"],opt("sat"),["u8","s8"]):
    add(["cvt",r,s,t,"bf16"],"%b0, %h1"); add(["cvt",r,s,"bf16",t],"%h0, %b1")
for r,x,y,d in P(["rn","rz","rna"],opt("relu"),opt("satfinite"),["f16","bf16","tf32"]): add(["cvt",r,x,y,d,"f32"],reg(d,0)+", %r1")
for r,x,y,d in P(["rn","rz","rna"],opt("relu"),opt("satfinite"),["f16x2","bf16x2","e4m3x2","e5m2x2"]): add(["cvt",r,x,y,d,"f32"],reg(d,0)+", %r1, %r2")
for y,x,d,a in P(opt("satfinite"),opt("relu"),["e4m3x2","e5m2x2"],["f16x2","bf16x2"]):
    add(["cvt","rn",y,x,d,a],reg(d,0)+", "+reg(a,1)); add(["cvt","rn",y,x,a,d],reg(a,0)+", "+reg(d,1))
for t in ["u16","s16"]: add(["cvt.pack.sat",t,"s32"],"%r0, %r1, %r2")
for t in "u8 s8 u4 s4 u2 s2".split(): add(["cvt.pack.sat",t,"s32","b32"],"%r0, %r1, %r2, %r3")
for n in "24":
    for op,d,a,b,s in P(["vadd","vsub","vavrg","vabsdiff","vmin","vmax"],["u32","s32"],["u32","s32"],["u32","s32"],opt("sat","add")): add([op+n,d,a,b,s],"%r0, %r1, %r2, %r3")
    for a,b,c,s in P(["u32","s32"],["u32","s32"],CMP[:6],opt("add")): add(["vset"+n,a,b,c,s],"%r0, %r1, %r2, %r3")
SELECTED = {"2": ["%r0.h1, %r1.h30, %r2.h12, %r3", "%r0, %r1, %r2.h01, %r3"], "4": ["%r0.b31, %r1.b7610, %r2.b0000, %r3", "%r0, %r1.b0246, %r2.b7531, %r3"]}
for n,k in P("24",range(2)):
    for op,s in P(["vadd","vsub","vavrg","vabsdiff","vmin","vmax"],opt("sat","add")): add([op+n,"s32","u32","s32",s],SELECTED[n][k])
    for c,s in P(CMP[:6],opt("add")): add(["vset"+n,"u32","s32",c,s],SELECTED[n][k])
VIDEO = ["%r0, %r1, %r2", "%r0, %r1.b0, %r2.h1", "%r0.b2, %r1.h0, %r2.b3, %r3", "%r0.h1, %r1, %r2, %r3"]
SIGN = ["u32","s32"]
for k,d,a,b,s in P(range(4),SIGN,SIGN,SIGN,opt("sat")):
    for op in ["vadd","vsub","vabsdiff","vmin","vmax"]: add([op,d,a,b,s],VIDEO[k])
    for op,m in P(["vshl","vshr"],["clamp","wrap"]): add([op,d,a,b,s,m],VIDEO[k])
for d,a,b,s,x in P(SIGN,SIGN,SIGN,opt("sat"),["add","min","max"]):
    for op in ["vadd","vsub","vabsdiff","vmin","vmax"]: add([op,d,a,b,s,x],"%r0, %r1.b1, %r2.h0, %r3")
    for op,m in P(["vshl","vshr"],["clamp","wrap"]): add([op,d,a,b,s,m,x],"%r0, %r1.b1, %r2.h0, %r3")
for a,b,c,k in P(SIGN,SIGN,CMP[:6],range(4)): add(["vset",a,b,c],VIDEO[k])
for a,b,c,x in P(SIGN,SIGN,CMP[:6],["add","min","max"]): add(["vset",a,b,c,x],"%r0, %r1.b1, %r2.h0, %r3")
for d,a,b,o,s,x in P(SIGN,SIGN,SIGN,opt("po"),opt("sat"),opt("shr7","shr15")):
    for n in ["%r1, %r2, %r3","-%r1, %r2.h0, %r3","%r1.b1, -%r2, %r3","%r1.h0, %r2.h0, -%r3"]: add(["vmad",d,a,b,o,s,x],"%r0, "+n)
for r,s,t in P(ROUND,opt("sat"),["f16","bf16"]):
    for op in ["add","sub"]: add([op,r,s,"f32",t],"%r0, %h1, %r2")
    add(["fma",r,s,"f32",t],"%r0, %h1, %h2, %r3")
forms = list(dict.fromkeys(forms))
forms += ["mov.b16 {%b0, %b1}, %h1;","mov.b16 %h0, {%b1, %b2};","mov.b32 {%b0, %b1, %b2, %b3}, %r1;","mov.b32 %r0, {%b1, %b2, %b3, %b4};","mov.b32 {%h0, %h1}, %r1;","mov.b32 %r0, {%h1, %h2};",
 "mov.b64 {%h0, %h1, %h2, %h3}, %d1;","mov.b64 %d0, {%h1, %h2, %h3, %h4};","mov.b64 {%r0, %r1}, %d1;","mov.b64 {%r0, _}, %d1;","mov.b64 {_, %r0}, %d1;","mov.b64 %d0, {%r1, %r2};","mov.b128 %q0, {%d1, %d2};","mov.b128 {%d0, %d1}, %q1;","mov.b128 %q0, {%r1, %r2, %r3, %r4};","mov.b128 {%r0, %r1, %r2, %r3}, %q1;","mov.b128 %q0, %q1;"]
HEAD = ".version 9.0\n.target %s\n.address_size 64\n.visible .entry k()\n{\n.reg .b8 %%b<8>;\n.reg .b16 %%h<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%d<8>;\n.reg .b128 %%q<8>;\n.reg .pred %%p<8>;\n"
def accepted(lines, arch):
    head = HEAD % arch
    base = head.count("\n")
    with tempfile.TemporaryDirectory() as folder:
        text = folder + "/t.ptx"
        while True:
            open(text, "w").write(head + "\n".join(lines) + "\nret;\n}\n")
            run = subprocess.run([PTXAS, "-arch", arch, "-o", "/dev/null", text], capture_output=True, text=True)
            bad = {int(n) - base - 1 for n in re.findall(r"t\.ptx, line (\d+); error", run.stderr)}
            if not bad:
                if run.returncode: sys.exit(run.stderr)
                return lines
            lines = [line for i, line in enumerate(lines) if i not in bad]

# Forms that ptxas accepts although the manual does not have them, so their meaning is unknown.
UNDOCUMENTED = re.compile(r"(addc|subc|madc)\.(.*\.)?[us]16 |fma\.r[zmp]\.(relu\.)?bf16|rcp\.r.\.ftz\.f64 |cvt\.(f16\.bf16|bf16\.f16) ")
forms = [form for form in forms if not UNDOCUMENTED.match(form)]

print("# Every arithmetic, logic, comparison, selection, move and conversion instruction that ptxas accepts, found by offering it")
print(f"# all combinations of modifiers ({len(forms):,}) with registers of the operands' widths: alu_forms.py, ptxas 13.0.")
older = accepted(forms, "sm_90")
print("# sm_90:")
print("\n".join(older))
known = set(older)
print("# sm_100a and later only:")
print("\n".join(line for line in accepted(forms, "sm_100a") if line not in known))
