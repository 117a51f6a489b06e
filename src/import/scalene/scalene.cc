// SPDX-License-Identifier: Apache-2.0
#include "import/scalene/scalene.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "import/json/json_sketch.h"
#include "import/json/json_value.h"

namespace pyrometer::import_ {
namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kBytesPerMb = 1 << 20;

// A line that was measured. Shares are percents of the time that the program took.
struct Line {
  uint32_t number = 0;
  uint32_t function_line = 0;  // where its function begins; 0: outside of functions
  double python = 0, native = 0, system = 0;
  double allocated_mb = 0, peak_mb = 0, copied_mb_per_s = 0;

  bool measured() const {
    return python + native + system + allocated_mb + peak_mb + copied_mb_per_s > 0;
  }
};

struct File {
  std::string path;
  std::vector<Line> lines;
  std::map<uint32_t, std::string> functions;  // by the line where they begin
};

class Scalene {
 public:
  Scalene(JsonReader& json, ProfileMaker& maker) : json_(json), maker_(maker) {}

  void Read() {
    json_.ForMembers([&](std::string_view key) {
      if (key == "elapsed_time_sec") {
        elapsed_s_ = ReadReal(json_).value_or(0);
      } else if (key == "start_time_absolute") {
        if (const auto ns = Amount(ReadReal(json_).value_or(-1), kNsPerSecond))
          maker_.SetStart(*ns);
      } else if (key == "args") {
        ReadCommand();
      } else if (key == "files") {
        json_.ForMembers([&](std::string_view path) { ReadFile(path); });
      } else if (key == "stacks" || key == "combined_stacks" || key == "memory_stacks") {
        has_stacks_ |= json_.BeginArray() && PassElements();
      }
    });
  }

  void Write() {
    if (const auto ns = Amount(elapsed_s_, kNsPerSecond)) maker_.SetDuration(*ns);
    for (const File& file : files_)
      for (const Line& line : file.lines) WriteLine(file, line);
    maker_.SetTool("Scalene");
    maker_.AddNote("times are derived: shares of each line times the time that the program took");
    if (has_memory_)
      maker_.AddNote("memory at the peak is what each line had at most, whenever that was");
    if (has_stacks_) maker_.AddNote("stacks are left out: their times are not those of the lines");
    if (has_gpu_) maker_.AddNote("shares of the GPU are left out");
  }

 private:
  // Whether there are any.
  bool PassElements() {
    bool any = false;
    while (json_.NextElement()) any = true;
    return any;
  }

  void ReadCommand() {
    std::vector<std::string> command;
    json_.ForElements([&] {
      if (maker_.full()) return;
      command.push_back(ReadText(json_));
      maker_.Charge(sizeof command[0] + command.back().size());
    });
    maker_.SetCommand(std::move(command));
  }

  void ReadFile(std::string_view path) {
    if (maker_.full()) return;
    File& file = files_.emplace_back(File{.path = std::string(path), .lines = {}, .functions = {}});
    maker_.Charge(sizeof file + path.size());
    json_.ForMembers([&](std::string_view key) {
      if (key == "lines")
        json_.ForElements([&] { ReadLine(file); });
      else if (key == "functions")
        json_.ForElements([&] { ReadFunction(file); });
    });
  }

  void ReadFunction(File& file) {
    std::string name;
    uint32_t line = 0;
    json_.ForMembers([&](std::string_view key) {
      if (key == "line")
        name = ReadText(json_);
      else if (key == "lineno")
        line = ReadSmall(json_);
    });
    if (maker_.full()) return;
    constexpr size_t kEntryBytes = 96;
    maker_.Charge(kEntryBytes + name.size());
    file.functions[line] = std::move(name);
  }

  void ReadLine(File& file) {
    Line line;
    json_.ForMembers([&](std::string_view key) {
      if (key == "lineno")
        line.number = ReadSmall(json_);
      else if (key == "start_function_line")
        line.function_line = ReadSmall(json_);
      else if (key == "n_cpu_percent_python")
        line.python = ReadShare();
      else if (key == "n_cpu_percent_c")
        line.native = ReadShare();
      else if (key == "n_sys_percent")
        line.system = ReadShare();
      else if (key == "n_malloc_mb")
        line.allocated_mb = ReadShare();
      else if (key == "n_peak_mb")
        line.peak_mb = ReadShare();
      else if (key == "n_copy_mb_s")
        line.copied_mb_per_s = ReadShare();
      else if (key == "n_gpu_percent")
        has_gpu_ |= ReadReal(json_).value_or(0) > 0;
    });
    if (maker_.full() || !line.measured()) return;
    file.lines.push_back(line);
    maker_.Charge(2 * sizeof line);
  }

  double ReadShare() {
    const double value = ReadReal(json_).value_or(-1);
    if (value >= 0) return value;
    maker_.AddLoss("values that cannot be");
    return 0;
  }

  void WriteLine(const File& file, const Line& line) {
    const auto function = file.functions.find(line.function_line);
    const bool inside = line.function_line != 0;
    const format::FrameId frame =
        maker_.Frame({.name = function != file.functions.end() ? std::string_view(function->second)
                              : inside                         ? std::string_view()
                                                               : std::string_view("<module>"),
                      .file = file.path,
                      .line = line.number,
                      .first_line = line.function_line,
                      .language = FrameText::Language::kPython});
    const format::StackId stack = maker_.Stack(format::kEmptyStack, frame);
    AddTime(stack, line.python, format::Activity::kPython);
    AddTime(stack, line.native, format::Activity::kNative);
    AddTime(stack, line.system, format::Activity::kOtherWait);
    MemoryValue memory;
    SetMemory(memory.allocated, line.allocated_mb);
    SetMemory(memory.at_peak, line.peak_mb);
    SetMemory(memory.copied, line.copied_mb_per_s * elapsed_s_);
    if (!memory.allocated && !memory.at_peak && !memory.copied) return;
    has_memory_ = true;
    maker_.AddMemory(maker_.OnlyThread(), stack, memory);
  }

  void AddTime(format::StackId stack, double percent, format::Activity activity) {
    const auto ns = Amount(percent / 100 * elapsed_s_, kNsPerSecond);
    if (!ns) maker_.AddLoss("values that cannot be");
    if (ns.value_or(0) > 0)
      maker_.AddTime(maker_.OnlyThread(), stack, {.weight_ns = *ns, .activity = activity});
  }

  void SetMemory(std::optional<MemoryValue::Amount>& amount, double mb) {
    const auto bytes = Amount(mb, kBytesPerMb);
    if (!bytes) maker_.AddLoss("values that cannot be");
    if (bytes.value_or(0) > 0) amount = MemoryValue::Amount{*bytes, 0};
  }

  JsonReader& json_;
  ProfileMaker& maker_;
  std::vector<File> files_;
  double elapsed_s_ = 0;
  bool has_memory_ = false, has_stacks_ = false, has_gpu_ = false;
};

}  // namespace

bool RecognisesScalene(std::string_view head, bool) {
  const JsonSketch sketch = SketchJson(head);
  return sketch.Has("alloc_samples") && (sketch.Has("args") || sketch.Has("elapsed_time_sec"));
}

base::Status ReadScalene(ByteInput& input, const ReadOptions&, ProfileMaker& maker) {
  JsonReader json(input);
  Scalene scalene(json, maker);
  scalene.Read();
  if (!maker.full()) scalene.Write();
  return FinishJson(json, maker);
}

}  // namespace pyrometer::import_
