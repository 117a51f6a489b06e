// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "import/austin/austin.h"
#include "import/austin/austin_run.h"

namespace pyrometer::import_ {
namespace {

constexpr std::string_view kMagic = "MOJ";
constexpr int64_t kNewestVersion = 4;

enum Event : uint8_t {
  kMetadata = 1,
  kStack = 2,
  kFrame = 3,
  kInvalidFrame = 4,
  kFrameReference = 5,
  kKernelFrame = 6,
  kCollector = 7,
  kIdle = 8,
  kTime = 9,
  kMemory = 10,
  kText = 11,
  kTextReference = 12,
  kSameStack = 13,
  kTaskStack = 14,
  kTaskWaiter = 15,
};

// Austin's names of things are good within a process.
struct Key {
  uint64_t pid = 0;
  int64_t number = 0;

  friend bool operator==(const Key&, const Key&) = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const {
    return (key.pid * 0x9e3779b97f4a7c15 ^ static_cast<uint64_t>(key.number)) * 0xff51afd7ed558ccd;
  }
};

class Mojo {
 public:
  Mojo(std::string_view bytes, ProfileMaker& maker) : rest_(bytes), maker_(maker), run_(maker) {}

  base::Status Read() {
    int64_t version = 0;
    if (!rest_.starts_with(kMagic)) return base::Error{"it does not begin as such a file does"};
    rest_.remove_prefix(kMagic.size());
    if (!Take(version)) return base::Error{"it is cut off"};
    if (version < 1 || version > kNewestVersion)
      return base::Error{"version " + std::to_string(version) + " of the format is not known"};
    version_ = version;
    bool sound = true;
    while (sound && !rest_.empty() && !maker_.full()) {
      const auto event = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      sound = ReadEvent(event);
    }
    EndSample();
    // Without its length, nothing behind an event that is not understood can be.
    if (!sound) maker_.AddLoss("the end of the file, which is cut off or damaged");
    run_.Note();
    if (has_tasks_) maker_.AddNote("stacks of tasks that wait are left out");
    return {};
  }

 private:
  struct Sample {
    uint64_t pid = 0, tid = 0;
    format::StackId below = format::kEmptyStack;  // its frames stand below these
    std::vector<format::FrameId> frames{};
    AustinRun::Metrics metrics{};
    bool collector = false;
  };

  // Six bits and a sign in the first byte, seven in each that follows.
  bool Take(int64_t& number) {
    uint64_t bits = 0;
    bool negative = false;
    for (size_t i = 0, shift = 0; i < rest_.size() && i < 11; ++i) {
      const auto byte = static_cast<uint8_t>(rest_[i]);
      const uint64_t part = byte & (i == 0 ? 0x3f : 0x7f);
      if (shift < 64) bits |= part << shift;
      if (i == 0) negative = (byte & 0x40) != 0;
      shift += i == 0 ? 6 : 7;
      if ((byte & 0x80) != 0) continue;
      rest_.remove_prefix(i + 1);
      constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
      const auto size = static_cast<int64_t>(bits > kMax ? kMax : bits);
      number = negative ? -size : size;
      return true;
    }
    return false;
  }
  bool Take(std::string_view& text) {
    const size_t end = rest_.find('\0');
    if (end == std::string_view::npos) return false;
    text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool ReadEvent(uint8_t event) {
    int64_t number = 0, other = 0;
    std::string_view text, value;
    switch (event) {
      case kMetadata:
        if (!Take(text) || !Take(value)) return false;
        run_.Take(text, value);
        return true;
      case kStack:
        return ReadStack();
      case kFrame:
        return ReadFrame();
      case kInvalidFrame:
        AddFrame(maker_.Frame(AustinRun::kInvalid));
        return true;
      case kFrameReference:
        if (!Take(number)) return false;
        AddFrame(number);
        return true;
      case kKernelFrame:
        if (!Take(text)) return false;
        AddFrame(maker_.Frame({.name = text, .language = FrameText::Language::kKernel}));
        return true;
      case kCollector:
        if (sample_) sample_->collector = true;
        return true;
      case kIdle:
        if (sample_) sample_->metrics.idle = true;
        return true;
      case kTime:
      case kMemory:
        if (!Take(number)) return false;
        if (sample_)
          (event == kTime ? sample_->metrics.time_us : sample_->metrics.memory_bytes) = number;
        return true;
      case kText:
        if (!Take(number) || !Take(text)) return false;
        if (texts_.insert_or_assign(KeyOf(number), text).second) maker_.Charge(96);
        return true;
      case kTextReference:
        return Take(number);
      case kSameStack:
        if (sample_) sample_->below = last_stacks_[{sample_->pid, sample_->tid}];
        return true;
      case kTaskStack:
        in_task_ = has_tasks_ = true;
        return Take(number) && Take(other);
      case kTaskWaiter:
        return Take(number) && Take(other);
      default:
        return false;
    }
  }

  Key KeyOf(int64_t number) const { return {sample_ ? sample_->pid : 0, number}; }

  bool ReadStack() {
    EndSample();
    int64_t pid = 0, interpreter = 0;
    std::string_view thread;
    if (!Take(pid) || (version_ >= 3 && !Take(interpreter)) || !Take(thread)) return false;
    uint64_t tid = 0;
    std::from_chars(thread.data(), thread.data() + thread.size(), tid, 16);
    sample_ = {.pid = static_cast<uint64_t>(pid), .tid = tid};
    sample_->frames.swap(spare_);
    return true;
  }

  bool ReadFrame() {
    int64_t key = 0, file = 0, name = 0, line = 0, unused = 0;
    if (!Take(key) || !Take(file) || !Take(name) || !Take(line)) return false;
    // The end of the line, and columns.
    for (int i = 0; version_ >= 2 && i < 3; ++i)
      if (!Take(unused)) return false;
    FrameText text{.name = Text(name), .file = Text(file)};
    if (line > 0 && line <= std::numeric_limits<uint32_t>::max())
      text.line = static_cast<uint32_t>(line);
    if (frames_.insert_or_assign(KeyOf(key), maker_.Frame(text)).second) maker_.Charge(96);
    return true;
  }
  std::string_view Text(int64_t number) {
    // What austin calls a name that it could not read.
    constexpr int64_t kUnknownName = 1;
    if (number == 0 || number == kUnknownName) return {};
    const auto it = texts_.find(KeyOf(number));
    if (it != texts_.end()) return it->second;
    maker_.AddLoss("texts that are missing");
    return {};
  }

  void AddFrame(int64_t number) {
    const auto it = frames_.find(KeyOf(number));
    if (it == frames_.end())
      maker_.AddLoss("frames that are missing");
    else
      AddFrame(it->second);
  }
  void AddFrame(format::FrameId frame) {
    if (sample_ && !in_task_) sample_->frames.push_back(frame);
  }

  format::StackId StackOf(const Sample& sample) {
    format::StackId stack = sample.below;
    if (stack == format::kEmptyStack) return maker_.Stack(sample.frames);
    for (const format::FrameId frame : sample.frames) stack = maker_.Stack(stack, frame);
    return stack;
  }

  void EndSample() {
    in_task_ = false;
    if (!sample_) return;
    format::StackId stack = StackOf(*sample_);
    if (version_ >= 4) last_stacks_[{sample_->pid, sample_->tid}] = stack;
    if (sample_->collector) stack = maker_.Stack(stack, maker_.Frame(AustinRun::kCollector));
    if (!sample_->metrics.time_us && !sample_->metrics.memory_bytes)
      maker_.AddLoss("stacks without a metric");
    else
      run_.Add(maker_.Thread(maker_.Process(sample_->pid), sample_->tid), stack, sample_->metrics);
    spare_ = std::move(sample_->frames);
    spare_.clear();
    sample_.reset();
  }

  std::string_view rest_;
  ProfileMaker& maker_;
  AustinRun run_;
  int64_t version_ = 0;
  std::unordered_map<Key, std::string_view, KeyHash> texts_;
  std::unordered_map<Key, format::FrameId, KeyHash> frames_;
  std::optional<Sample> sample_;
  std::vector<format::FrameId> spare_;  // the memory of the sample before
  std::map<std::pair<uint64_t, uint64_t>, format::StackId> last_stacks_;  // by thread
  bool in_task_ = false, has_tasks_ = false;
};

}  // namespace

bool RecognisesMojo(std::string_view head, bool /*whole*/) {
  return head.starts_with(kMagic) && head.size() > kMagic.size() && head[kMagic.size()] > 0 &&
         head[kMagic.size()] <= kNewestVersion;
}

base::Status ReadMojo(ByteInput& input, const ReadOptions& /*options*/, ProfileMaker& maker) {
  const base::Result<std::string> bytes = input.ReadAll();
  if (!bytes.ok()) return bytes.error();
  return Mojo(bytes.value(), maker).Read();
}

}  // namespace pyrometer::import_
