// liblanescope-inside.so: lets programs run that contain NVIDIA's runtime (nvcc's default, `-cudart static`). LD_AUDIT
// names it, so that the loader shows it each file of code before any of that code runs. In a file that contains the
// runtime, it writes a jump to Lanescope's function of the same name over the beginning of each of the runtime's
// functions, which the file's symbol table names. A stripped file keeps NVIDIA's. x86-64 only.
//
// A file may name a folder in which the loader looks for CUDA's libraries first (DT_RPATH), and a program may open them
// by their path. They get those of this library's folder all the same.
//
// NVRTC keeps the PTX of a program that it compiles for a real architecture. So its functions that return the machine
// code jump to those that return the PTX.
//
// The loader gives such a library its own copy of the C library, so this code calls little of it, and nothing of C++'s.

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

constexpr const char* names[] = {
#define REDIRECTED(name) #name,
#include "redirected.inc"
};
constexpr int name_count = sizeof names / sizeof *names;
constexpr const char* libraries[] = {"libcudart.so.12", "libcudart.so.13"};

// `inside_stubs` has a stub for each library and name. It jumps to the address in `inside_slots`: at first to its own
// second half, which looks the function up and stores its address there.
constexpr int stub_count = 4096, stub_bytes = 32, bytes_of_first_jump = 6;
static_assert(2 * name_count <= stub_count);

}  // namespace

extern "C" {
extern const char inside_stubs[];
__attribute__((visibility("hidden"))) const void* inside_slots[stub_count];
__attribute__((visibility("hidden"), used)) const void* inside_find(unsigned slot);
}

// None of the functions takes a floating-point number, so the vector registers hold no arguments.
__asm__(R"(
.text
.p2align 5
.globl inside_stubs
.hidden inside_stubs
inside_stubs:
.set inside_i, 0
.rept 4096
  .p2align 5
  jmp *inside_slots+8*inside_i(%rip)
  movl $inside_i, %r11d
  jmp inside_first_call
  .set inside_i, inside_i+1
.endr
inside_first_call:
  push %rbp
  mov %rsp, %rbp
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  and $-16, %rsp
  mov %r11d, %edi
  call inside_find
  mov %rax, %r11
  lea -48(%rbp), %rsp
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  pop %rbp
  jmp *%r11
)");

namespace {

std::uint64_t hexadecimal(const char*& at) {
  std::uint64_t value = 0;
  for (;; ++at) {
    const int digit = *at >= '0' && *at <= '9' ? *at - '0' : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : -1;
    if (digit < 0) return value;
    value = value << 4 | static_cast<std::uint64_t>(digit);
  }
}

// If `place` is inside the range of this line of /proc/self/maps: the path of its file.
const char* path_in(const char* line, std::uint64_t place) {
  const std::uint64_t first = hexadecimal(line);
  if (*line != '-') return nullptr;
  const std::uint64_t end = hexadecimal(++line);
  return place >= first && place < end ? std::strchr(line, '/') : nullptr;
}

// This library's folder, with a slash at its end. Not by dladdr(): in glibc before 2.34 it crashes in a library of
// LD_AUDIT while the loader still starts the program.
const char* own_folder() {
  static char folder[PATH_MAX];
  if (folder[0] != 0) return folder;
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char piece[4096], line[PATH_MAX + 128];
  std::size_t length = 0;
  for (ssize_t got = 0; folder[0] == 0 && maps >= 0 && (got = read(maps, piece, sizeof piece)) > 0;)
    for (ssize_t i = 0; i < got && folder[0] == 0; ++i) {
      const bool ends = piece[i] == '\n';
      line[length] = ends ? '\0' : piece[i];
      length = ends ? 0 : length + (length + 1 < sizeof line);
      if (!ends) continue;
      const char* const path = path_in(line, reinterpret_cast<std::uint64_t>(names));
      if (path != nullptr && std::strlen(path) < sizeof folder) std::strcpy(folder, path);
    }
  if (maps >= 0) close(maps);
  if (char* const slash = std::strrchr(folder, '/')) slash[1] = 0;
  return folder;
}

int index_of(const char* name) {
  int first = 0, last = name_count;
  while (first < last) {
    const int middle = (first + last) / 2, order = std::strcmp(names[middle], name);
    if (order == 0) return middle;
    if (order < 0)
      first = middle + 1;
    else
      last = middle;
  }
  return -1;
}

[[noreturn]] void give_up(const char* what, const char* why) {
  for (const char* part : {what, ": ", why == nullptr ? std::strerror(ENOENT) : why, "\n"}) std::fputs(part, stderr);
  std::_Exit(127);
}

// The bytes of a file, while this object lives; none if it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about;
    if (fstat(file, &about) == 0 && about.st_size >= static_cast<off_t>(sizeof(Elf64_Ehdr))) {
      void* const mapped = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) {
        begin_ = static_cast<const char*>(mapped);
        bytes_ = static_cast<std::uint64_t>(about.st_size);
      }
    }
    close(file);
  }
  ~MappedFile() {
    if (begin_ != nullptr) munmap(const_cast<char*>(begin_), bytes_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Null where the file ends before.
  template <typename T>
  const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (begin_ == nullptr || offset > bytes_ || (bytes_ - offset) / sizeof(T) < count) return nullptr;
    return reinterpret_cast<const T*>(begin_ + offset);
  }
  // A NUL-terminated text; "" where there is none.
  const char* text(std::uint64_t offset) const {
    if (offset >= bytes_ || std::memchr(begin_ + offset, 0, bytes_ - offset) == nullptr) return "";
    return begin_ + offset;
  }

 private:
  const char* begin_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// The functions that a file's symbol table (SHT_SYMTAB) or its dynamic one (SHT_DYNSYM) defines.
class Functions {
 public:
  Functions(const MappedFile& file, unsigned table) : file_(file) {
    const auto* const head = file.at<Elf64_Ehdr>(0);
    if (head == nullptr || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_machine != EM_X86_64) return;
    const auto* const sections = file.at<Elf64_Shdr>(head->e_shoff, head->e_shnum);
    for (int i = 0; sections != nullptr && i < head->e_shnum; ++i)
      if (sections[i].sh_type == table && sections[i].sh_link < head->e_shnum) {
        count_ = sections[i].sh_size / sizeof(Elf64_Sym);
        symbols_ = file.at<Elf64_Sym>(sections[i].sh_offset, count_);
        texts_ = sections[sections[i].sh_link].sh_offset;
      }
  }

  // what(name, symbol) for each function.
  template <typename F>
  void for_each(F what) const {
    for (std::uint64_t i = 0; symbols_ != nullptr && i < count_; ++i) {
      const Elf64_Sym& one = symbols_[i];
      if (ELF64_ST_TYPE(one.st_info) != STT_FUNC || one.st_shndx == SHN_UNDEF || one.st_value == 0) continue;
      what(file_.text(texts_ + one.st_name), one);
    }
  }
  // what(index of the name, symbol) for each function that the runtime has too.
  template <typename F>
  void for_each_named(F what) const {
    for_each([&](const char* name, const Elf64_Sym& one) {
      if (std::strncmp(name, "cuda", 4) != 0 && std::strncmp(name, "__cuda", 6) != 0) return;
      if (const int index = index_of(name); index >= 0) what(index, one);
    });
  }
  // 0 if there is none.
  std::uint64_t place_of(const char* wanted) const {
    std::uint64_t place = 0;
    for_each([&](const char* name, const Elf64_Sym& one) {
      if (std::strcmp(name, wanted) == 0) place = one.st_value;
    });
    return place;
  }

 private:
  const MappedFile& file_;
  const Elf64_Sym* symbols_ = nullptr;
  std::uint64_t count_ = 0, texts_ = 0;
};

// 0 for CUDA 12's runtime, 1 for 13's; -1 for none or an older one, whose structures are others.
int version_inside(const Functions& functions) {
  bool registers = false, exports = false, of_12 = false, since_12 = false;
  functions.for_each_named([&](int index, const Elf64_Sym&) {
    const char* const name = names[index];
    registers |= std::strcmp(name, "__cudaRegisterFatBinary") == 0;
    exports |= std::strcmp(name, "cudaGetExportTable") == 0;
    of_12 |= std::strcmp(name, "cudaGetDeviceProperties_v2") == 0;
    since_12 |= std::strcmp(name, "cudaGetDriverEntryPointByVersion") == 0;
  });
  if (!registers || !exports) return -1;
  return of_12 ? 0 : since_12 ? 1 : -1;
}

// Writes `jmp *0(%rip)` and the address behind it. The functions begin at multiples of 16 bytes and are padded to them.
void write_jump(std::uint64_t at, const void* to) {
  constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), first = at / page * page;
  void* const pages = reinterpret_cast<void*>(first);
  const std::size_t bytes = at + sizeof jump + sizeof to - first;
  if (at % 16 != 0 || mprotect(pages, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  std::memcpy(reinterpret_cast<void*>(at), jump, sizeof jump);
  std::memcpy(reinterpret_cast<void*>(at + sizeof jump), &to, sizeof to);
  mprotect(pages, bytes, PROT_READ | PROT_EXEC);
}

void let_nvrtc_return_ptx(const link_map& map, const MappedFile& file) {
  const Functions functions(file, SHT_DYNSYM);
  constexpr const char* pairs[][2] = {{"nvrtcGetCUBIN", "nvrtcGetPTX"}, {"nvrtcGetCUBINSize", "nvrtcGetPTXSize"}};
  for (const auto& [machine_code, ptx] : pairs) {
    const std::uint64_t from = functions.place_of(machine_code), to = functions.place_of(ptx);
    if (from != 0 && to != 0) write_jump(map.l_addr + from, reinterpret_cast<const void*>(map.l_addr + to));
  }
}

void redirect(const link_map& map) {
  const char* const path = map.l_name[0] == 0 ? "/proc/self/exe" : map.l_name;
  if (std::strncmp(path, own_folder(), std::strlen(own_folder())) == 0) return;
  const MappedFile file(path);
  if (const char* const slash = std::strrchr(path, '/'); std::strstr(slash == nullptr ? path : slash, "libnvrtc.so"))
    return let_nvrtc_return_ptx(map, file);
  const Functions functions(file, SHT_SYMTAB);
  const int version = version_inside(functions);
  if (version < 0) return;
  functions.for_each_named([&](int index, const Elf64_Sym& symbol) {
    const int slot = version * name_count + index;
    const char* const stub = inside_stubs + slot * stub_bytes;
    if (inside_slots[slot] == nullptr) inside_slots[slot] = stub + bytes_of_first_jump;
    write_jump(map.l_addr + symbol.st_value, stub);
  });
}

// The file in this library's folder that stands in for one of this name; null if none does.
const char* stand_in(const char* name) {
  constexpr const char* replaced[][2] = {{"libcuda.so", "libcuda.so.1"},
                                         {"libcudart.so.12", "libcudart.so.12"},
                                         {"libcudart.so.13", "libcudart.so.13"},
                                         {"libnvJitLink.so.12", "libnvJitLink.so.12"},
                                         {"libnvJitLink.so.13", "libnvJitLink.so.13"}};
  for (const auto& [begin, file] : replaced) {
    const std::size_t length = std::strlen(begin);
    if (std::strncmp(name, begin, length) == 0 && (name[length] == 0 || name[length] == '.')) return file;
  }
  return nullptr;
}

}  // namespace

extern "C" {

const void* inside_find(unsigned slot) {
  static void* handles[2];
  const int version = static_cast<int>(slot) / name_count;
  const char* const name = names[static_cast<int>(slot) % name_count];
  if (handles[version] == nullptr) {
    char path[PATH_MAX + 32];
    std::snprintf(path, sizeof path, "%s%s", own_folder(), libraries[version]);
    handles[version] = dlmopen(LM_ID_BASE, path, RTLD_NOW);
    if (handles[version] == nullptr) give_up(path, dlerror());
  }
  const void* const function = dlsym(handles[version], name);
  if (function == nullptr) give_up(name, nullptr);
  __atomic_store_n(&inside_slots[slot], function, __ATOMIC_RELEASE);
  return function;
}

__attribute__((visibility("default"))) unsigned la_version(unsigned version) {
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

// Called with a name as a file or dlopen() has it, before the loader looks for it, and with each path that it tries.
// The loader copies what this returns before it calls again.
__attribute__((visibility("default"))) char* la_objsearch(const char* name, std::uintptr_t*, unsigned which) {
  static char path[PATH_MAX + 32];
  char* const unchanged = const_cast<char*>(name);
  if (which != LA_SER_ORIG) return unchanged;
  const char* const slash = std::strrchr(name, '/');
  const char* const file = stand_in(slash == nullptr ? name : slash + 1);
  if (file == nullptr) return unchanged;
  std::snprintf(path, sizeof path, "%s%s", own_folder(), file);
  return access(path, R_OK) == 0 ? path : unchanged;
}

// Called when the file is in memory, and before its code runs.
__attribute__((visibility("default"))) unsigned la_objopen(link_map* map, Lmid_t where, std::uintptr_t*) {
  if (where == LM_ID_BASE) redirect(*map);
  return 0;
}
}
