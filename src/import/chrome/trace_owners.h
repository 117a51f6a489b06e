// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "import/core/call_track.h"
#include "import/core/profile_maker.h"
#include "import/json/json_reader.h"

namespace pyrometer::import_ {

// The processes and threads of a trace. Numbers of them may be texts, and their names may come
// before or after what they did, or for some who did nothing.
//
// Thread-safety: none; one owner.
class TraceOwners {
 public:
  explicit TraceOwners(ProfileMaker& maker) : maker_(maker) {}

  // The number of a process or thread that the next value is or names.
  uint64_t Number(JsonReader& json);

  // The track of that thread; valid until the next one is made.
  CallTrack& Track(uint64_t pid, uint64_t tid) { return tracks_[TrackNumber(pid, tid)].calls; }
  uint32_t TrackNumber(uint64_t pid, uint64_t tid);
  format::ThreadId ThreadOf(uint32_t track);

  void NameProcess(uint64_t pid, std::string_view name) { Keep(process_names_[pid], name); }
  // What else there is to say about it: "GPU 0".
  void LabelProcess(uint64_t pid, std::string_view label) { Keep(process_labels_[pid], label); }
  void NameThread(uint64_t pid, uint64_t tid, std::string_view name) {
    Keep(thread_names_[{pid, tid}], name);
  }

  // Gives the maker all tracks, and names to whom they belong.
  void Write(int64_t zero_ns);

 private:
  struct Owned {
    uint64_t pid;
    uint64_t tid;
    CallTrack calls;
  };

  void Keep(std::string& place, std::string_view text);

  ProfileMaker& maker_;
  std::vector<Owned> tracks_;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> index_;
  uint32_t last_ = 0;  // track that was asked for last: mostly it is the same again
  std::map<std::string, uint64_t, std::less<>> numbers_;  // of texts
  std::map<uint64_t, std::string> process_names_, process_labels_;
  std::map<std::pair<uint64_t, uint64_t>, std::string> thread_names_;
};

}  // namespace pyrometer::import_
