// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "cli/write_behind.h"

namespace pyrometer::cli {

// As errno says why.
base::Error CannotWrite(const std::string& path);

// Where something is exported to: a file that takes its name when it is whole, so
// that what fails replaces nothing. "-" is standard output; a pipe or a device is
// written as it is.
class OutputFile {
 public:
  // Whether `path` can be written: not a capture, which nobody means to replace.
  static base::Status Check(const std::string& path);
  // REQUIRES: Check(path) was ok
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // What goes wrong in writing to it shows at Publish.
  std::ostream& stream() { return stream_; }
  // Writes what is left, and gives the file its name.
  base::Status Publish();

 private:
  std::string path_;
  std::string partial_;  // empty: no file of ours
  base::ScopedFd file_;  // not of standard output
  int open_error_ = 0;
  std::optional<WriteBehind> writer_;
  std::ostream stream_{nullptr};
};

}  // namespace pyrometer::cli
