// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/record_options.h"
#include "base/result.h"
#include "capture/session/collector.h"
#include "cli/capture_file.h"
#include "cli/recording/child.h"
#include "cli/recording/run_control.h"
#include "format/file_sink.h"

namespace pyrometer::cli {

// What is to be recorded, and how.
struct RecordingOrder {
  std::vector<std::string> command;  // the program
  std::string agent;                 // the library that it is to have
  base::RecordOptions options;       // without a session
  uint64_t every_ns = 0;             // how often the file is brought up to date; 0: at the end
  int toggle_signal = 0;             // switches the recording on and off; 0: none
};

// What has become of it when the program has ended.
struct RecordingEnd {
  ChildEnd program;
  std::string why_none;      // no process was profiled; empty: some were
  base::Status written;      // whether all of it is in the file
  uint64_t safe_ns = 0;      // since the start: what is in it in any case
  bool has_running = false;  // processes of the program outlive it
  // So many of them are recorded on by a process of ours, whose spool directory it is by then:
  // this process then ends without destructors (ExitLike).
  size_t followed = 0;
};

// A program that is started, recorded until it ends, and written to a file: all that is done
// between the options of a command and what it shows. Prints nothing.
//
// Thread-safety: one per process; changes this process's signal mask and its limit of open files.
// Lifetime: the file outlives it.
class Recording {
 public:
  // An Error where nothing can be recorded. The program was not started then.
  static base::Result<std::unique_ptr<Recording>> Create(const RecordingOrder& order,
                                                         CaptureFile* file);

  // An Error when the program cannot be executed. The file has nothing then.
  base::Status StartProgram();
  // Records until the program has ended, passing signals on, and what was started by it if that
  // ends soon after. Returns once, in this process.
  // REQUIRES: StartProgram().
  RecordingEnd AwaitProgram();

 private:
  Recording(const RecordingOrder& order, CaptureFile* file, capture::SessionDirectory session);

  std::string WhyNone() const;
  // Goes on with those processes that are left, in a process of its own. False: there is none.
  bool FollowOthers();

  RecordingOrder order_;
  CaptureFile* file_;
  capture::SessionDirectory session_;
  format::FileSink sink_;
  format::CaptureWriter writer_;
  capture::Collector collector_;
  std::optional<Child> child_;
};

}  // namespace pyrometer::cli
