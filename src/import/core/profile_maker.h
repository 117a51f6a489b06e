// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/pair_index.h"
#include "profile/profile_builder.h"

namespace pyrometer::import_ {

// What a frame of another tool is known by. Whatever is not known stays empty.
struct FrameText {
  std::string_view name{};
  std::string_view file{};    // of the source
  uint32_t line = 0;          // that runs
  uint32_t first_line = 0;    // of the function
  std::string_view module{};  // library or executable, of native code
  enum class Language : uint8_t {
    kGuess,  // Python where the file looks like it, else native
    kPython,
    kNative,
    kKernel,
  } language = Language::kGuess;
};

// One observation, or many that are known only as a sum.
struct TimeValue {
  uint64_t weight_ns = 0;
  uint64_t count = 1;
  std::optional<format::Activity> activity{};  // empty: by the innermost frame
  std::optional<uint64_t> time_ns{};           // empty: not known
};

// Amounts of memory of one stack; what is not known stays empty.
struct MemoryValue {
  struct Amount {
    uint64_t bytes = 0;
    uint64_t blocks = 0;
  };
  std::optional<Amount> allocated{};
  std::optional<Amount> at_peak{};
  std::optional<Amount> left{};  // at the end
  std::optional<Amount> copied{};
};

// Builds a Profile of what a reader finds in the file of another tool. Equal things are
// one, however often they are named. Keeps within a budget of memory: once full, it takes
// nothing any more, and the reader should stop.
//
// Thread-safety: none; one owner.
class ProfileMaker {
 public:
  // Frames of a stack. Of deeper ones the middle is left out.
  static constexpr size_t kMaxDepth = 2000;
  static constexpr size_t kDefaultBudget = size_t{3} << 30;

  explicit ProfileMaker(size_t budget_bytes = kDefaultBudget) : budget_(budget_bytes) {}

  // The process or thread with that number; made when it is named first. Names may come later.
  format::ProcessId Process(uint64_t pid);
  format::ThreadId Thread(format::ProcessId process, uint64_t tid);
  void NameProcess(format::ProcessId process, std::string_view name);
  void NameThread(format::ThreadId thread, std::string_view name);
  // For formats that know of none: all is one.
  format::ThreadId OnlyThread() { return Thread(Process(0), 0); }

  format::FrameId Frame(const FrameText& text);
  // What `caller` calls; kEmptyStack: nobody.
  format::StackId Stack(format::StackId caller, format::FrameId frame);
  // The stack of these frames, outermost first.
  format::StackId Stack(std::span<const format::FrameId> frames);

  void AddTime(format::ThreadId thread, format::StackId stack, const TimeValue& value);
  void AddMemory(format::ThreadId thread, format::StackId stack, const MemoryValue& value);
  // So much of something that only its own file knows by name: `name` in `unit`, which for
  // nanoseconds and bytes are these words.
  void AddAmount(format::ThreadId thread, format::StackId stack, std::string_view name,
                 std::string_view unit, uint64_t value, std::optional<uint64_t> time_ns = {});
  // A region: time that has a name, whatever ran meanwhile.
  void AddRegion(format::ThreadId thread, std::string_view name, uint64_t begin_ns,
                 uint64_t length_ns);
  void AddSource(std::string_view path, std::string_view text);

  // The tool that wrote the file and how it was called, as far as known.
  void SetTool(std::string_view tool) { tool_ = tool; }
  void SetCommand(std::vector<std::string> command) { command_ = std::move(command); }
  // When the recording began, and how long it took.
  void SetStart(uint64_t unix_ns) { start_unix_ns_ = unix_ns; }
  void SetDuration(uint64_t ns) { duration_ns_ = ns; }
  void SetPeriod(uint64_t ns) { period_ns_ = ns; }
  // Something that had to be assumed or left out, in a few words; shown in every report.
  void AddNote(std::string_view note);
  // Counts a loss: "lines that make no sense".
  void AddLoss(std::string_view name, uint64_t count = 1);

  // Memory that the reader itself takes counts as well.
  void Charge(size_t bytes) { Spend(bytes); }
  bool full() const { return used_ > budget_; }
  // Nothing was measured so far.
  bool empty() const { return !has_values_; }

  // `format`: where it came from, as a note says it. Call once, at the end.
  profile::Profile Take(std::string_view format);

 private:
  struct ProcessState {
    std::string name;
    uint64_t end_ns = 0;  // of the last sample
  };
  struct ThreadState {
    format::ProcessId process{};
    std::string name;
    uint64_t end_ns = 0;  // of the last sample
  };
  struct MemoryState {
    format::ThreadId thread{};
    format::StackId stack{};
    format::MemoryAmount allocated{}, at_peak{}, left{}, copied{};
  };
  using FrameKey = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint8_t>;

  format::StringId Text(std::string_view text);
  format::FrameInfo PythonFrame(const FrameText& text);
  format::FrameInfo NativeFrame(const FrameText& text);
  // Writes what is known only when everything has been read.
  void WriteMemory();
  void WriteFacts(std::string_view format);
  void Spend(size_t bytes) { used_ += bytes; }

  profile::ProfileBuilder builder_;
  std::unordered_map<std::string, uint32_t, base::TextHash, std::equal_to<>> texts_;
  std::unordered_map<FrameKey, uint32_t, base::KeyHash> frames_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> codes_;
  std::map<uint32_t, uint32_t> modules_;
  // Empty: the profile has no room for it.
  std::map<std::string, std::optional<format::MetricId>, std::less<>> metrics_;
  std::map<uint64_t, uint32_t> process_of_;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> thread_of_;
  std::vector<ProcessState> processes_;
  std::vector<ThreadState> threads_;
  std::vector<format::Activity> activities_;  // by frame: of samples in which it is innermost
  base::PairIndex stacks_;                    // caller and frame; the number + 1 is the id
  std::vector<uint32_t> depths_{0};           // by stack
  std::vector<uint32_t> leaves_{0};           // by stack: its frame
  base::PairIndex memory_places_;             // thread and stack
  std::vector<MemoryState> memory_;
  std::map<std::string, uint64_t, std::less<>> losses_;
  std::vector<std::string> notes_;
  std::string tool_;
  std::vector<std::string> command_;
  uint64_t start_unix_ns_ = 0;
  uint64_t duration_ns_ = 0;
  uint64_t period_ns_ = 0;
  bool has_values_ = false;
  bool without_times_ = false;
  size_t budget_;
  size_t used_ = 0;
};

}  // namespace pyrometer::import_
