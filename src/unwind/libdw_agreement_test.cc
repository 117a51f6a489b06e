// SPDX-License-Identifier: Apache-2.0
// Compares our rows with libdw's reading of the same tables, at both ends of
// every row of every function of the modules in this process.
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/scoped_fd.h"
#include "unwind/loaded_modules.h"
#include "unwind/registers.h"
#include "unwind/row_compiler.h"

namespace pyrometer::unwind {
namespace {

// Reads directly: only tables of mapped modules are asked for.
struct OwnMemory {
  bool Read(uint64_t address, void* out, size_t size) const {
    std::memcpy(out, reinterpret_cast<const void*>(address), size);
    return true;
  }
};

// Memory whose content is a function of the address, so that two descriptions
// of a place agree if and only if they give the same value.
uint64_t LoadFake(uint64_t address) { return address * 0x9E3779B97F4A7C15u ^ 0x5851F42D4C957F2Du; }

constexpr uint64_t kSpValue = 0x7f0000001000;
constexpr uint64_t kBpValue = 0x7f0000022000;
constexpr uint64_t kAuxValue = 0x7f0000333000;

// What one source says at one pc.
struct Verdict {
  bool root = false;
  uint64_t cfa = 0;
  uint64_t ra = 0;
  uint64_t bp = 0;
  uint64_t aux = 0;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

std::ostream& operator<<(std::ostream& out, const Verdict& v) {
  return out << std::hex << "{root " << v.root << " cfa " << v.cfa << " ra " << v.ra << " bp "
             << v.bp << " aux " << v.aux << "}";
}

// Concrete evaluation of the operations that libdw hands out.
class OpMachine {
 public:
  explicit OpMachine(uint64_t pc) : pc_(pc) {}

  void Push(uint64_t value) { stack_.push_back(value); }

  // The result, or nothing for what only other registers can tell.
  std::optional<uint64_t> Run(const Dwarf_Op* ops, size_t count, uint64_t cfa) {
    for (size_t i = 0; i < count; ++i) {
      if (!Execute(ops[i], cfa)) return std::nullopt;
    }
    return stack_.empty() ? std::nullopt : std::optional(stack_.back());
  }

 private:
  uint64_t Pop() {
    const uint64_t value = stack_.back();
    stack_.pop_back();
    return value;
  }
  bool PushRegister(uint64_t reg, uint64_t offset) {
    const std::map<uint64_t, uint64_t> values{
        {Arch::kSp, kSpValue}, {Arch::kBp, kBpValue}, {Arch::kAux, kAuxValue}, {Arch::kIp, pc_}};
    const auto it = values.find(reg);
    if (it == values.end()) return false;
    Push(it->second + offset);
    return true;
  }
  bool Execute(const Dwarf_Op& op, uint64_t cfa) {
    if (op.atom >= DW_OP_lit0 && op.atom <= DW_OP_lit31) return Push(op.atom - DW_OP_lit0), true;
    if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31) {
      return PushRegister(op.atom - DW_OP_breg0, op.number);
    }
    switch (op.atom) {
      case DW_OP_bregx:
        return PushRegister(op.number, op.number2);
      case DW_OP_call_frame_cfa:
        return Push(cfa), true;
      case DW_OP_plus_uconst:
        return Push(Pop() + op.number), true;
      case DW_OP_deref:
        return Push(LoadFake(Pop())), true;
      default:
        return Binary(op.atom);
    }
  }
  bool Binary(uint8_t atom) {
    if (stack_.size() < 2) {
      ADD_FAILURE() << "operation " << int{atom} << " on a stack of " << stack_.size();
      return false;
    }
    const uint64_t b = Pop();
    const uint64_t a = Pop();
    switch (atom) {
      case DW_OP_plus:
        return Push(a + b), true;
      case DW_OP_and:
        return Push(a & b), true;
      case DW_OP_shl:
        return Push(a << b), true;
      case DW_OP_ge:
        return Push(static_cast<int64_t>(a) >= static_cast<int64_t>(b)), true;
      default:
        ADD_FAILURE() << "operation " << int{atom} << " is not known to this test";
        return false;
    }
  }

  uint64_t pc_;
  std::vector<uint64_t> stack_;
};

// One ELF file with libdw's view of its .eh_frame.
class Reference {
 public:
  explicit Reference(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY)), elf_(elf_begin(fd_.get(), ELF_C_READ_MMAP, nullptr)) {
    cfi_ = dwarf_getcfi_elf(elf_);
  }
  ~Reference() {
    std::free(frame_);
    dwarf_cfi_end(cfi_);
    elf_end(elf_);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  bool ok() const { return cfi_ != nullptr; }
  // Selects the row that covers `address`. [*start, *end) is its extent.
  bool Select(uint64_t address, uint64_t* start, uint64_t* end) {
    std::free(frame_);
    frame_ = nullptr;
    if (dwarf_cfi_addrframe(cfi_, address, &frame_) != 0) return false;
    dwarf_frame_info(frame_, start, end, &is_signal_);
    return true;
  }
  // Nothing when the CFA depends on a register that walks do not follow.
  std::optional<Verdict> Judge(uint64_t pc) const {
    Verdict verdict;
    if (IsUndefined(Arch::kReturnAddress)) return Verdict{.root = true};
    Dwarf_Op* ops;
    size_t count;
    if (dwarf_frame_cfa(frame_, &ops, &count) != 0) return std::nullopt;
    const std::optional<uint64_t> cfa = OpMachine(pc).Run(ops, count, 0);
    if (!cfa) return std::nullopt;
    verdict.cfa = *cfa;
    if (IsInRegister(Arch::kReturnAddress)) return std::nullopt;  // vfork
    verdict.ra = Value(Arch::kReturnAddress, 0, pc, *cfa);
    verdict.bp = Value(Arch::kBp, kBpValue, pc, *cfa);
    verdict.aux = Value(Arch::kAux, kAuxValue, pc, *cfa);
    return verdict;
  }
  bool is_signal() const { return is_signal_; }

 private:
  bool IsUndefined(int reg) const {
    Dwarf_Op memory[3];
    Dwarf_Op* ops;
    size_t count;
    return dwarf_frame_register(frame_, reg, memory, &ops, &count) == 0 && count == 0 &&
           ops == memory;
  }
  bool IsInRegister(int reg) const {
    Dwarf_Op memory[3];
    Dwarf_Op* ops;
    size_t count;
    return dwarf_frame_register(frame_, reg, memory, &ops, &count) == 0 && count == 1 &&
           ops[0].atom == DW_OP_regx;
  }
  uint64_t Value(int reg, uint64_t same, uint64_t pc, uint64_t cfa) const {
    Dwarf_Op memory[3];
    Dwarf_Op* ops;
    size_t count;
    if (dwarf_frame_register(frame_, reg, memory, &ops, &count) != 0) return ~uint64_t{0};
    if (IsInRegister(reg)) return 0;
    // The psABI's default for rbx is "same value"; libdw says undefined.
    if (count == 0) return ops == nullptr || reg == Arch::kAux ? same : 0;
    return LoadFake(OpMachine(pc).Run(ops, count, cfa).value_or(0));
  }

  base::ScopedFd fd_;
  Elf* elf_;
  Dwarf_CFI* cfi_ = nullptr;
  Dwarf_Frame* frame_ = nullptr;
  bool is_signal_ = false;
};

uint64_t OurValue(UnwindRow::Where where, int16_t offset, uint64_t same, uint64_t cfa) {
  const auto delta = static_cast<uint64_t>(int64_t{offset});
  switch (where) {
    case UnwindRow::Where::kSame:
      return same;
    case UnwindRow::Where::kAtCfa:
      return LoadFake(cfa + delta);
    case UnwindRow::Where::kAtSp:
      return LoadFake(kSpValue + delta);
    case UnwindRow::Where::kAtBp:
      return LoadFake(kBpValue + delta);
    case UnwindRow::Where::kUnknown:
      return 0;
  }
  return 0;
}

std::optional<Verdict> Judge(const UnwindRow& row) {
  if (row.kind == UnwindRow::Kind::kNone) return std::nullopt;
  if (row.kind == UnwindRow::Kind::kRoot) return Verdict{.root = true};
  const uint64_t bases[] = {kSpValue, kBpValue, kAuxValue};
  uint64_t cfa =
      bases[static_cast<size_t>(row.base)] + static_cast<uint64_t>(int64_t{row.cfa_offset});
  if (row.kind == UnwindRow::Kind::kDeref) {
    cfa = LoadFake(cfa) + static_cast<uint64_t>(int64_t{row.cfa_addend});
  }
  return Verdict{.root = false,
                 .cfa = cfa,
                 .ra = OurValue(row.ra_where, row.ra_offset, 0, cfa),
                 .bp = OurValue(row.bp_where, row.bp_offset, kBpValue, cfa),
                 .aux = OurValue(row.aux_where, row.aux_offset, kAuxValue, cfa)};
}

struct Tally {
  size_t functions = 0;
  size_t rows = 0;
  size_t beyond_rows = 0;  // both agree that a row cannot say it
  size_t different = 0;
};

class LibdwAgreementTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { elf_version(EV_CURRENT); }

  // Compares all rows of the module that has `address`.
  void CompareModuleOf(const void* address) {
    Dl_info info;
    link_map* map = nullptr;
    ASSERT_NE(dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP), 0);
    bias_ = map->l_addr;
    ASSERT_TRUE(LoadedModules().Find(reinterpret_cast<uint64_t>(address), &module_));
    const std::string path = map->l_name[0] != 0 ? map->l_name : "/proc/self/exe";
    Reference reference(path);
    ASSERT_TRUE(reference.ok()) << path;
    for (const uint64_t start : FunctionStarts()) CompareFunction(reference, start);
    Report(path);
  }

  Tally tally_;

 private:
  // Read from the search table of the mapped module.
  std::vector<uint64_t> FunctionStarts() const {
    const auto* header = reinterpret_cast<const int32_t*>(module_.eh_frame_hdr);
    constexpr size_t kCountWord = 2;
    std::vector<uint64_t> starts;
    for (int32_t i = 0; i < header[kCountWord]; ++i) {
      const int64_t start = header[kCountWord + 1 + 2 * i];
      starts.push_back(module_.eh_frame_hdr + static_cast<uint64_t>(start));
    }
    return starts;
  }

  void CompareFunction(Reference& reference, uint64_t function) {
    ++tally_.functions;
    uint64_t start = 0;
    uint64_t end = 0;
    for (uint64_t pc = function; reference.Select(pc - bias_, &start, &end); pc = end + bias_) {
      if (end <= pc - bias_) break;
      ComparePc(reference, pc);
      ComparePc(reference, end - 1 + bias_);
      if (!module_.Contains(end + bias_) || IsFunctionStart(end + bias_)) break;
    }
  }

  bool IsFunctionStart(uint64_t pc) const {
    static thread_local std::map<uint64_t, std::vector<uint64_t>> cache;
    std::vector<uint64_t>& starts = cache[module_.eh_frame_hdr];
    if (starts.empty()) starts = FunctionStarts();
    return std::binary_search(starts.begin(), starts.end(), pc);
  }

  void ComparePc(const Reference& reference, uint64_t pc) {
    const RangedRow ranged = CompileRow(OwnMemory{}, module_, pc);
    const UnwindRow& row = ranged.row;
    EXPECT_TRUE(ranged.begin <= pc && pc < ranged.end);
    EXPECT_EQ(CompileRow(OwnMemory{}, module_, ranged.begin).row, row);
    EXPECT_EQ(CompileRow(OwnMemory{}, module_, ranged.end - 1).row, row);
    const std::optional<Verdict> ours = Judge(row);
    const std::optional<Verdict> theirs = reference.Judge(pc);
    ++tally_.rows;
    if (!theirs && !ours) {
      ++tally_.beyond_rows;
    } else if (ours != theirs || (ours && row.is_signal_frame != reference.is_signal())) {
      if (++tally_.different > 5) return;
      ADD_FAILURE() << std::hex << "at " << pc - bias_ << " ours "
                    << (ours ? testing::PrintToString(*ours) : "none") << " libdw's "
                    << (theirs ? testing::PrintToString(*theirs) : "none");
    }
  }

  void Report(const std::string& path) const {
    std::ostringstream text;
    text << tally_.functions << " functions, " << tally_.rows << " pcs, " << tally_.beyond_rows
         << " beyond rows";
    RecordProperty(path.substr(path.rfind('/') + 1), text.str());
    std::printf("%s: %s\n", path.c_str(), text.str().c_str());
    EXPECT_EQ(tally_.different, 0u);
    // Prologues that address the frame by a scratch register are rare.
    EXPECT_LT(tally_.beyond_rows * 100, tally_.rows);
  }

  Module module_;
  uint64_t bias_ = 0;
};

TEST_F(LibdwAgreementTest, CLibrary) {
  CompareModuleOf(reinterpret_cast<const void*>(&gnu_get_libc_version));
  EXPECT_GT(tally_.rows, 10000u);
}

TEST_F(LibdwAgreementTest, CxxLibrary) {
  CompareModuleOf(dlsym(RTLD_DEFAULT, "_ZSt9terminatev"));
  EXPECT_GT(tally_.rows, 1000u);
}

TEST_F(LibdwAgreementTest, DynamicLinker) {
  CompareModuleOf(dlsym(RTLD_DEFAULT, "__tls_get_addr"));
}

TEST_F(LibdwAgreementTest, ThisProgram) {
  CompareModuleOf(reinterpret_cast<const void*>(&CompileRow));
}

// PYRO_TEST_LIBRARIES: more libraries, separated by colons.
TEST_F(LibdwAgreementTest, OtherLibraries) {
  const char* list = std::getenv("PYRO_TEST_LIBRARIES");
  std::istringstream paths(list != nullptr ? list : "libpython3.11.so.1.0:libcrypto.so.3");
  size_t compared = 0;
  for (std::string path; std::getline(paths, path, ':');) {
    void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) continue;
    link_map* map = nullptr;
    dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map));
    tally_ = {};
    CompareModuleOf(map->l_ld);
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "none of the libraries is here";
}

}  // namespace
}  // namespace pyrometer::unwind
