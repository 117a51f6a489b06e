// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_data.h"

#include <array>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <sstream>

#include "analyze/code/frame_table.h"
#include "analyze/memory/memory_charges.h"
#include "analyze/report/ranks.h"
#include "analyze/stacks/stack_kinds.h"
#include "analyze/views/tasks.h"
#include "export/page/page_container.h"
#include "export/page/page_match.h"
#include "export/page/page_samples.h"
#include "export/page/page_schema.h"
#include "export/page/page_sums.h"
#include "export/report/json.h"
#include "export/tables/live_moments.h"
#include "export/tables/process_list.h"
#include "export/tables/resolved_frames.h"
#include "export/tables/stack_tree.h"
#include "export/tables/text_table.h"

namespace pyrometer::export_ {
namespace {

using profile::Profile;

// Large, and only for what asks when something was, or in which task. Without them, the data
// have sums.
constexpr auto kLate = std::to_array<PageColumnName>(
    {"sample.time", "sample.thread", "sample.stack", "sample.activity", "sample.weight",
     "sample.count", "sample.task"});

struct Completeness {
  bool outline = false;  // of the report
  bool rest = false;     // some sections come later
};

void WriteMeta(const Profile& profile, const analyze::Report& report,
               const std::vector<const analyze::ThreadStats*>& threads, Completeness completeness,
               std::ostream& out) {
  std::vector<std::string> rest;
  if (completeness.rest)
    for (const PageColumnName name : kLate) rest.emplace_back(name.text);
  WritePageMeta(report,
                {.title = CommandTitle(report.run.command),
                 .end_ns = EndOf(profile, report),
                 .main_thread = MainThread(profile, threads),
                 .memory = report.merged.memory.recorded,
                 .pieces = analyze::IsSampledByPieces(profile),
                 .partial = completeness.outline,
                 .rest = std::move(rest)},
                out);
}

// Names the sections table by table; exists while the data is written.
class PageData {
 public:
  PageData(const Profile& profile, const analyze::Report& report, const analyze::Scope& scope,
           Completeness completeness, const Profile* now = nullptr)
      : profile_(profile),
        report_(report),
        completeness_(completeness),
        live_(std::async(std::launch::async, [&] { return LiveMoments(profile, report); })),
        table_(profile, scope),
        frames_(profile, table_, scope, strings_),
        stacks_(profile, frames_, analyze::StackKinds(profile, table_)),
        threads_(ThreadsOf(profile, report)),
        parents_(ParentNumbers(profile)),
        ranks_(analyze::RanksByPid(report, report.ranks.variable)) {
    frames_.AddSources(profile);
    if (now != nullptr) match_ = MatchPages(PageCode(profile, frames_, strings_), *now, scope);
  }

  // All that comes first: everything, or what there is without a rest.
  void Write(const TakePiece& take) {
    AddMeta();
    AddFrames();
    AddProcesses();
    AddTasks();
    if (completeness_.rest)
      AddSums();
    else
      AddSamples(container_);
    AddMemory();
    AddAmounts();
    AddIntervals();
    // Last, because the tables above have named their texts in it.
    container_.Strings("string", strings_.size(),
                       [this](size_t i) -> const std::string& { return strings_[i]; });
    container_.Write(take);
  }
  void WriteRest(const TakePiece& take) {
    PageContainer rest;
    AddSamples(rest);
    rest.Write(take);
  }

 private:
  void AddMeta() {
    std::ostringstream meta;
    WriteMeta(profile_, report_, threads_, completeness_, meta);
    container_.Text("meta", std::move(meta).str());
  }

  // The column of one member, or of what a function makes of a row.
  template <class Row, class Value>
  void Column(PageColumnName name, const std::vector<Row>& rows, Value value) {
    container_.Numbers(std::string(name.text), rows.size(),
                       [&rows, value](size_t i) { return std::invoke(value, rows[i]); });
  }
  template <class Number>
  void Column(PageColumnName name, const std::vector<Number>& numbers) {
    container_.Numbers(std::string(name.text), numbers.size(),
                       [&numbers](size_t i) { return numbers[i]; });
  }
  // The column of a text of each row.
  template <class Row, class ToText>
  void Texts(PageColumnName name, const std::vector<Row>& rows, ToText to_text) {
    std::vector<uint32_t> numbers;
    for (const Row& row : rows) numbers.push_back(strings_.Number(to_text(row)));
    container_.Numbers(std::string(name.text), rows.size(),
                       [numbers = std::move(numbers)](size_t i) { return numbers[i]; });
  }
  template <class Record>
  auto StackOf() const {
    return [this](const Record& record) { return stacks_.Of(record.stack); };
  }
  template <class Record>
  static uint32_t ThreadOf(const Record& record) {
    return record.thread.value;
  }

  void AddFrames() {
    Column("file.path", frames_.files(), &ResolvedFrames::File::path);
    Column("file.kind", frames_.files(), &ResolvedFrames::File::kind);
    Column("file.source", frames_.files(), &ResolvedFrames::File::source);
    Column("function.file", frames_.functions(), &ResolvedFrames::Function::file);
    Column("function.name", frames_.functions(), &ResolvedFrames::Function::name);
    Column("function.line", frames_.functions(), &ResolvedFrames::Function::line);
    Column("frame.function", frames_.frames(), &ResolvedFrames::Frame::function);
    Column("frame.line", frames_.frames(), &ResolvedFrames::Frame::line);
    Column("frame.native_file", frames_.frames(), &ResolvedFrames::Frame::native_file);
    Column("frame.native_line", frames_.frames(), &ResolvedFrames::Frame::native_line);
    if (match_) {
      Column("function.match", match_->functions);
      Column("frame.match", match_->frames);
    }
    Column("stack.parent", stacks_.parents());
    Column("stack.frame", stacks_.frames());
    Column("stack.flags", stacks_.flags());
  }

  void AddProcesses() {
    using analyze::ProcessReport;
    using analyze::ThreadStats;
    const std::vector<ProcessReport>& processes = report_.processes;
    Column("process.pid", processes, &ProcessReport::pid);
    Column("process.parent", parents_);
    Column("process.start", processes, &ProcessReport::start_ns);
    Column("process.end", processes, [](const ProcessReport& process) { return EndOf(process); });
    Texts("process.name", processes,
          [](const ProcessReport& process) { return CommandTitle(process.argv); });
    Column("process.rank", processes, [this](const ProcessReport& process) {
      const auto rank = ranks_.find(process.pid);
      return rank == ranks_.end() ? 0 : rank->second + 1;
    });
    Column("thread.process", profile_.threads,
           [](const profile::Thread& thread) { return thread.info.process.value; });
    Column("thread.tid", threads_, [](const ThreadStats* thread) { return thread->tid; });
    Texts("thread.name", threads_, [](const ThreadStats* thread) { return thread->name; });
    Column("thread.start", threads_, [](const ThreadStats* thread) { return thread->start_ns; });
    Column("thread.end", threads_, [](const ThreadStats* thread) { return thread->end_ns; });
    Column("thread.main", threads_, [](const ThreadStats* thread) { return thread->main; });
  }

  void AddTasks() {
    using profile::Task;
    const std::vector<Task>& tasks = profile_.tasks;
    Column("task.process", tasks, [](const Task& task) { return task.info.process.value; });
    Texts("task.name", tasks,
          [this](const Task& task) { return analyze::TaskName(profile_, task); });
    Column("task.function", frames_.coroutines());
    Column("task.origin", tasks, [this](const Task& task) { return stacks_.Of(task.origin); });
    Column("task.start", tasks, [](const Task& task) { return task.info.start_ns; });
    Column("task.end", tasks, [this](const Task& task) {
      return task.end ? task.end->end_ns : EndOf(report_.processes[task.info.process.value]);
    });
    using format::Await;
    const std::vector<Await>& awaits = profile_.awaits;
    Column("await.time", awaits, &Await::time_ns);
    Column("await.task", awaits, [](const Await& await) { return await.task.value; });
    Column("await.stack", awaits, StackOf<Await>());
    Column("await.ready", awaits,
           [](const Await& await) { return await.state == format::AwaitState::kReady; });
    Column("await.weight", awaits, &Await::wait_ns);
    Column("await.count", awaits, &Await::count);
  }

  void AddSamples(PageContainer& to) {
    using Rows = PageSamples::Rows;
    samples_.emplace(profile_, stacks_);
    const auto add = [&](PageColumnName name, auto column) {
      to.Numbers(std::string(name.text), samples_->size(), samples_->Column(column));
    };
    add("sample.time", &Rows::time_ns);
    add("sample.thread", &Rows::thread);
    add("sample.stack", &Rows::stack);
    add("sample.activity", &Rows::activity);
    add("sample.weight", &Rows::weight_ns);
    add("sample.count", &Rows::count);
    add("sample.task", &Rows::task);
  }

  void AddSums() {
    sums_.emplace(profile_, stacks_);
    Column("sum.thread", sums_->thread);
    Column("sum.stack", sums_->stack);
    Column("sum.activity", sums_->activity);
    Column("sum.weight", sums_->weight_ns);
    Column("sum.count", sums_->count);
  }

  void AddMemory() {
    using format::MemoryChange;
    const std::vector<MemoryChange>& changes = profile_.memory_changes;
    Column("change.time", changes, &MemoryChange::time_ns);
    Column("change.thread", changes, ThreadOf<MemoryChange>);
    Column("change.stack", changes, StackOf<MemoryChange>());
    Column("change.kind", changes, &MemoryChange::kind);
    Column("change.bytes", changes, [](const MemoryChange& c) { return c.allocated.bytes; });
    Column("change.blocks", changes, [](const MemoryChange& c) { return c.allocated.blocks; });
    Column("change.samples", changes, [](const MemoryChange& c) { return c.allocated.samples; });
    Column("change.variance", changes,
           [](const MemoryChange& c) { return c.allocated.variance_kib2; });
    Column("change.freed", changes, [](const MemoryChange& c) { return c.freed.bytes; });
    memory_.emplace(live_.get());
    AddLive({"peak.thread", "peak.stack", "peak.kind", "peak.bytes", "peak.blocks", "peak.samples",
             "peak.variance"},
            memory_->peak);
    AddLive({"left.thread", "left.stack", "left.kind", "left.bytes", "left.blocks", "left.samples",
             "left.variance"},
            memory_->left);
    Texts("left.type", memory_->left, [this](const format::LiveMemory& live) -> const std::string& {
      return profile_.Text(live.type);
    });
    using format::MemoryLevel;
    const std::vector<MemoryLevel>& levels = profile_.memory_levels;
    Column("level.process", levels, [](const MemoryLevel& level) { return level.process.value; });
    Column("level.time", levels, &MemoryLevel::time_ns);
    Column("level.rss", levels, &MemoryLevel::rss_bytes);
    Column("level.pss", levels, &MemoryLevel::pss_bytes);
    Column("level.python", levels, &MemoryLevel::python_bytes);
    Column("level.native", levels, &MemoryLevel::native_bytes);
    Column("level.mapped", levels, &MemoryLevel::mapped_bytes);
  }

  struct LiveColumns {
    PageColumnName thread, stack, kind, bytes, blocks, samples, variance;
  };
  void AddLive(const LiveColumns& columns, const std::vector<format::LiveMemory>& rows) {
    using format::LiveMemory;
    Column(columns.thread, rows, ThreadOf<LiveMemory>);
    Column(columns.stack, rows, StackOf<LiveMemory>());
    Column(columns.kind, rows, &LiveMemory::kind);
    Column(columns.bytes, rows, [](const LiveMemory& live) { return live.amount.bytes; });
    Column(columns.blocks, rows, [](const LiveMemory& live) { return live.amount.blocks; });
    Column(columns.samples, rows, [](const LiveMemory& live) { return live.amount.samples; });
    Column(columns.variance, rows,
           [](const LiveMemory& live) { return live.amount.variance_kib2; });
  }

  void AddAmounts() {
    using profile::Amount;
    const std::vector<Amount>& amounts = profile_.amounts;
    Column("amount.metric", amounts, [](const Amount& amount) {
      return static_cast<size_t>(amount.metric) - metric::kCount;
    });
    Column("amount.thread", amounts, ThreadOf<Amount>);
    Column("amount.stack", amounts, StackOf<Amount>());
    Column("amount.value", amounts, &Amount::value);
    Column("amount.count", amounts, &Amount::count);
    Column("amount.time", amounts,
           [](const Amount& amount) { return amount.time_ns ? *amount.time_ns + 1 : 0; });
  }

  void AddIntervals() {
    using format::LoopBlock;
    using format::RegionInfo;
    const std::vector<RegionInfo>& regions = profile_.regions;
    Column("region.thread", regions, ThreadOf<RegionInfo>);
    Texts("region.name", regions, [this](const RegionInfo& region) -> const std::string& {
      return profile_.Text(region.name);
    });
    Column("region.begin", regions, &RegionInfo::begin_ns);
    Column("region.length", regions, &RegionInfo::length_ns);
    Column("region.cpu", regions, &RegionInfo::cpu_ns);
    const std::vector<LoopBlock>& blocks = profile_.loop_blocks;
    Column("block.thread", blocks, ThreadOf<LoopBlock>);
    Column("block.stack", blocks, StackOf<LoopBlock>());
    Column("block.begin", blocks, &LoopBlock::begin_ns);
    Column("block.length", blocks, &LoopBlock::length_ns);
  }

  const Profile& profile_;
  const analyze::Report& report_;
  const Completeness completeness_;
  std::future<LiveMoments> live_;  // takes as long as the tables below together
  TextTable strings_;
  const analyze::FrameTable table_;
  ResolvedFrames frames_;
  const StackTree stacks_;
  std::optional<PageMatch> match_;  // of a base
  std::optional<PageSamples> samples_;
  std::optional<PageSums> sums_;
  std::optional<LiveMoments> memory_;
  const std::vector<const analyze::ThreadStats*> threads_;
  const std::vector<uint32_t> parents_;
  const std::map<uint64_t, uint64_t> ranks_;
  PageContainer container_;
};

}  // namespace

void WritePageData(const Profile& profile, const analyze::Report& report,
                   const analyze::Scope& scope, std::ostream& out, const Profile* now) {
  PageData(profile, report, scope, {}, now).Write([&out](const std::string& piece) {
    out << piece;
  });
}

void WritePageColumns(const Profile& profile, const analyze::Report& outline,
                      const analyze::Scope& scope, const TakePiece& take, const Profile* now) {
  PageData(profile, outline, scope, {.outline = true}, now).Write(take);
}

void WritePageParts(const Profile& profile, const analyze::Report& outline,
                    const analyze::Scope& scope, const PageParts& parts) {
  PageData data(profile, outline, scope, {.outline = true, .rest = true});
  data.Write(parts.first);
  parts.first_is_complete();
  data.WriteRest(parts.rest);
}

void WritePageReport(const Profile& profile, const analyze::Report& report, std::ostream& out) {
  WriteMeta(profile, report, ThreadsOf(profile, report), {}, out);
}

}  // namespace pyrometer::export_
