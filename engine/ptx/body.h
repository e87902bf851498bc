#pragma once
// Parses the body of a function: declarations, labels, scopes, instructions. Forward references (labels, lists of
// branch and call targets, call prototypes) are resolved at the closing brace.

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/locations.h"
#include "ptx/opcode_table.h"
#include "ptx/reader.h"
#include "ptx/scopes.h"

namespace lanescope::ptx {

class BodyParser {
 public:
  // `function` already has its parameters and results; the parser fills in the rest.
  BodyParser(Reader& reader, Locations& locations, const Names& module_names, Module& module, Function& function);

  // Before the call the current token is the body's `{`; after it, the one after its `}`. Errors are in the reader.
  void parse();

 private:
  // After a failure the reader is somewhere inside the statement.
  bool statement();
  void skip_statement(const char* begin);
  void add_return();
  bool directive();
  bool labelled(const Token& name);
  bool registers();
  bool vector_register(const Token& name, std::string_view vector, Type type, int elements);
  bool vector_range(const Token& prefix, Type type, int elements);
  void declare_parameters(std::vector<Parameter>& list, Operand::SymbolTable table);
  std::optional<std::size_t> range_count(const Token& prefix);
  bool register_range(const Token& prefix, Type type);
  bool variables(Space space);
  bool branch_targets(const Token& name);
  bool call_prototype(const Token& name);
  bool call_targets(const Token& name);
  bool declare_list(const Token& name, Operand::SymbolTable table, std::size_t index);
  void resolve_labels();
  void resolve_lists();
  std::int32_t label_index(std::int32_t scope, const Token& name);

  // instruction.cpp
  bool guard(Guard& guard);
  bool instruction(const Token& mnemonic, Guard guard);
  bool opcode(Instruction& instruction, const Token& mnemonic);
  bool exists(const Instruction& instruction, const Token& mnemonic, std::string_view written);
  bool operands(Instruction& instruction, const Token& mnemonic);
  bool operand(Operand& operand, char role);
  bool count_operands(const Instruction& instruction, const Token& mnemonic);
  bool constant(Operand& operand);
  bool name(Operand& operand, char role);
  bool special(Operand& operand, std::string_view name);
  bool register_part(Operand& operand, std::string_view name);
  bool of_vector_register(Operand& operand, std::string_view name);
  bool later(Operand& operand, char role);
  bool address(Operand& operand);
  bool vector(Operand& operand, char role);
  bool offset(Operand& operand);
  bool sum(Operand& operand);
  void insert_sums();
  bool index(Operand& operand);
  bool call(Instruction& instruction, const Token& mnemonic);
  bool call_list(std::vector<Operand>& list);

  static constexpr std::size_t max_registers = 1u << 20;

  Reader& reader_;
  Locations& locations_;
  Module& module_;  // gets the body's .global and .const variables
  Function& function_;
  Scopes scopes_;
  std::deque<std::string> made_names_;  // of vector registers and their elements, for scopes_

  // Operands are stored by position, because the instructions still move in memory.
  struct PendingOperand {
    std::size_t instruction, operand;
    std::int32_t scope;
    Token name;
  };
  std::vector<PendingOperand> pending_operands_;  // of kind label, or symbol for call_prototype
  struct PendingList {
    std::size_t list;
    std::int32_t scope;
    std::vector<Token> names;
  };
  std::vector<PendingList> pending_lists_;
  // `%r1+5` outside of an address, which ptxas takes: it becomes a register that an instruction before computes.
  std::vector<Instruction> sums_;      // of the current instruction
  std::vector<Token> operand_tokens_;  // the first token of each operand of the current instruction
  // A cache of parsed mnemonics with their modifiers, by their text, because instructions repeat.
  std::unordered_map<std::string_view, Instruction> known_;
};

}  // namespace lanescope::ptx
