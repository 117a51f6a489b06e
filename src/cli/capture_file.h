// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace pyrometer::cli {

// Where a run is recorded: a partial file beside the wanted one, which takes
// its name when the run is over, so that a run which is cut off replaces
// nothing and is found.
class CaptureFile {
 public:
  // `path` as given with -o; refuses to replace a file that is no capture.
  // `ending` is what the name of the partial file ends with.
  static base::Result<CaptureFile> Create(const std::string& path,
                                          const std::string& ending = "partial");
  // The user's last-run file, in the first folder that can have it; in memory where none can.
  // An Error only where there cannot even be that.
  static base::Result<CaptureFile> CreateLastRun();

  base::ScopedFd TakeFd() { return std::move(fd_); }
  // The file while it is written.
  std::string partial_path() const { return on_disk() ? partial_path_ : readable_path(); }
  // A name for the file that this process can open even when its folder is gone.
  std::string readable_path() const { return "/proc/self/fd/" + std::to_string(kept_.get()); }
  const std::string& path() const { return path_; }
  // Whether the recording can outlast this process.
  bool on_disk() const { return !partial_path_.empty(); }
  // Gives the file its name. Where that cannot be done, or the name is not the usual one, the
  // Error says where the recording is instead.
  base::Status Publish();
  // Nothing was recorded: remove it.
  void Discard();

 private:
  CaptureFile(std::string path, std::string partial, base::ScopedFd fd, base::ScopedFd kept)
      : path_(std::move(path)),
        partial_path_(std::move(partial)),
        fd_(std::move(fd)),
        kept_(std::move(kept)) {}

  std::string path_;
  std::string partial_path_;  // empty: in memory
  std::string trouble_;       // with the folder that would have been first; empty: none
  base::ScopedFd fd_;
  base::ScopedFd kept_;  // for reading; keeps the bytes when the file is removed
};

}  // namespace pyrometer::cli
