#include "job/run/buffer_use.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "ptx/opcode_table.h"

namespace lanescope::job {
namespace {

using ptx::Category;
using ptx::Instruction;
using ptx::Operand;

// Follows the parameters' values through a kernel's registers for all paths at once: each register has a set of
// parameters.
class Follower {
 public:
  using Set = std::uint64_t;  // one bit per parameter
  static constexpr std::size_t most_parameters = 64;

  explicit Follower(const ptx::Function& kernel)
      : kernel_(kernel), from_(kernel.registers.size(), 0), use_(kernel.parameters.size()) {}

  std::vector<BufferUse> run() {
    if (kernel_.parameters.size() > most_parameters) lost_ = true;
    do {
      changed_ = false;
      for (const Instruction& instruction : kernel_.instructions) visit(instruction);
    } while (changed_ && !lost_);
    if (lost_) std::fill(use_.begin(), use_.end(), BufferUse{true, true});
    return use_;
  }

 private:
  // A parameter of 32 bits or less cannot be an address.
  Set parameter(std::int32_t index) const {
    const ptx::Parameter& one = kernel_.parameters[static_cast<std::size_t>(index)];
    return one.bytes() >= 8 ? Set{1} << index : 0;
  }

  Set of(const Operand& operand) const {
    Set set = operand.reg == ptx::no_register ? 0 : from_[operand.reg];
    if (operand.symbol_table == Operand::SymbolTable::parameter) set |= parameter(operand.symbol);
    for (const Operand& element : operand.elements) set |= of(element);
    return set;
  }

  void give(const Operand& destination, Set set) {
    if (destination.reg != ptx::no_register && (set & ~from_[destination.reg]) != 0) {
      from_[destination.reg] |= set;
      changed_ = true;
    }
    for (const Operand& element : destination.elements) give(element, set);
  }

  void access(Set set, bool read, bool written) {
    for (std::size_t i = 0; i < use_.size(); ++i) {
      if (!(set >> i & 1)) continue;
      use_[i].read = use_[i].read || read;
      use_[i].written = use_[i].written || written;
    }
  }

  void visit(const Instruction& instruction) {
    const Category category = ptx::info(instruction.opcode).category;
    switch (category) {
      case Category::call:
      case Category::tensor:
      case Category::texture:
      case Category::misc:
        lost_ = true;
        return;
      case Category::async_copy:
        if (std::string_view(ptx::info(instruction.opcode).operands).find('*') == std::string_view::npos) break;
        lost_ = true;
        return;
      case Category::prefetch:
      case Category::branch:
      case Category::barrier:
      case Category::fence:
      case Category::return_:
        return;
      default:
        break;
    }
    const bool loads = category == Category::load, stores = category == Category::store;
    const bool both = category == Category::atomic || category == Category::reduction ||
                      category == Category::async_copy || category == Category::mbarrier;
    const auto destinations = static_cast<std::size_t>(ptx::destination_count(instruction));
    Set sources = 0, addresses = 0;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const Operand& operand = instruction.operands[i];
      if (operand.kind == Operand::Kind::address)
        addresses |= of(operand);
      else if (i >= destinations)
        sources |= of(operand);
    }
    if (loads || stores || both) {
      const bool parameter_space = instruction.space == ptx::Space::param;
      if (!parameter_space) access(addresses, loads || both, stores || both);
      if (!loads && sources != 0) lost_ = true;  // an address is stored to memory: any load may read it
      // Buffers contain no addresses: their contents come from the host.
      sources = loads && parameter_space ? addresses : 0;
    } else {
      sources |= addresses;
    }
    for (std::size_t i = 0; i < destinations && i < instruction.operands.size(); ++i)
      give(instruction.operands[i], sources);
  }

  const ptx::Function& kernel_;
  std::vector<Set> from_;
  std::vector<BufferUse> use_;
  bool changed_ = false, lost_ = false;
};

void add(BufferUse& to, BufferUse more) {
  to.read = to.read || more.read;
  to.written = to.written || more.written;
}

std::vector<BufferUse> use_in(const std::string& ptx, const std::string& kernel) {
  const Result<ptx::Module> module = ptx::parse(ptx, "PTX");
  return module ? use_of_parameters(*module, kernel) : std::vector<BufferUse>{};
}

}  // namespace

std::vector<BufferUse> use_of_parameters(const ptx::Module& module, const std::string& mangled_kernel) {
  const ptx::Function* kernel = module.find_function(mangled_kernel);
  return kernel ? Follower(*kernel).run() : std::vector<BufferUse>{};
}

std::vector<BufferUse> use_of_buffers(const Outcome& interpreted) {
  constexpr BufferUse anything{true, true};
  const Request& request = interpreted.request;
  std::vector<BufferUse> whole(request.arguments.size() + request.buffers.size());
  for (const RequestedLaunch& launch : request.launches) {
    std::vector<BufferUse> use;
    if (const LaunchOutcome* ran = interpreted.launch(launch.number)) use = use_in(ran->ptx, ran->mangled_kernel);
    const std::vector<RequestedLaunch::Parameter> parameters = request.parameters_of(launch);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const int buffer = parameters[i].buffer;
      if (buffer >= 0) add(whole.at(static_cast<std::size_t>(buffer)), i < use.size() ? use[i] : anything);
    }
  }
  return whole;
}

}  // namespace lanescope::job
