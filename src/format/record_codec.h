// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/byte_reader.h"
#include "format/byte_writer.h"
#include "format/records.h"

// One record to bytes and back; samples and changes of memory, which are
// columns, have their own codecs. Decode never fails by itself: ask in.ok() afterwards.
namespace pyrometer::format {

void Encode(const RunInfo& run, ByteWriter& out);
void Encode(const ProcessInfo& process, ByteWriter& out);
void Encode(const ThreadInfo& thread, ByteWriter& out);
void Encode(const CodeInfo& code, ByteWriter& out);
void Encode(const ModuleInfo& module, ByteWriter& out);
void Encode(const FrameInfo& frame, ByteWriter& out);
void Encode(const SymbolInfo& symbol, ByteWriter& out);
void Encode(const SourceInfo& source, ByteWriter& out);
void Encode(const CounterInfo& counter, ByteWriter& out);
void Encode(const ThreadEnd& end, ByteWriter& out);
void Encode(const ProcessEnd& end, ByteWriter& out);
void Encode(const RunEnd& end, ByteWriter& out);
void Encode(const GilWait& wait, ByteWriter& out);
void Encode(const RegionInfo& region, ByteWriter& out);
void Encode(const ProfiledFunction& function, ByteWriter& out);
void Encode(const TaskInfo& task, ByteWriter& out);
void Encode(const TaskEnd& end, ByteWriter& out);
void Encode(const TaskOrigin& origin, ByteWriter& out);
void Encode(const Await& await, ByteWriter& out);
void Encode(const LoopBlock& block, ByteWriter& out);
// REQUIRES: the parts are bounded (live_parts.h)
void Encode(const MemoryPeak& peak, ByteWriter& out);
void Encode(const MemorySurvivors& survivors, ByteWriter& out);
void Encode(const MemoryLevel& level, ByteWriter& out);
void Encode(const MetricInfo& metric, ByteWriter& out);
void Encode(const MetricAmount& amount, ByteWriter& out);
// A caller mostly has an id close to its callee's, so the distance is stored.
// REQUIRES: stack.parent < id
void Encode(const StackInfo& stack, StackId id, ByteWriter& out);

void Decode(ByteReader& in, RunInfo& run);
void Decode(ByteReader& in, ProcessInfo& process);
void Decode(ByteReader& in, ThreadInfo& thread);
void Decode(ByteReader& in, CodeInfo& code);
void Decode(ByteReader& in, ModuleInfo& module);
void Decode(ByteReader& in, FrameInfo& frame);
void Decode(ByteReader& in, SymbolInfo& symbol);
void Decode(ByteReader& in, SourceInfo& source);
void Decode(ByteReader& in, CounterInfo& counter);
void Decode(ByteReader& in, ThreadEnd& end);
void Decode(ByteReader& in, ProcessEnd& end);
void Decode(ByteReader& in, RunEnd& end);
void Decode(ByteReader& in, GilWait& wait);
void Decode(ByteReader& in, RegionInfo& region);
void Decode(ByteReader& in, ProfiledFunction& function);
void Decode(ByteReader& in, TaskInfo& task);
void Decode(ByteReader& in, TaskEnd& end);
void Decode(ByteReader& in, TaskOrigin& origin);
void Decode(ByteReader& in, Await& await);
void Decode(ByteReader& in, LoopBlock& block);
void Decode(ByteReader& in, MemoryPeak& peak);
void Decode(ByteReader& in, MemorySurvivors& survivors);
void Decode(ByteReader& in, MemoryLevel& level);
void Decode(ByteReader& in, MetricInfo& metric);
void Decode(ByteReader& in, MetricAmount& amount);
// On success stack.parent < id.
void Decode(ByteReader& in, StackId id, StackInfo& stack);

}  // namespace pyrometer::format
