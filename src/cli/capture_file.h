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
  // `path` as given with -o, or "" for the user's last-run file. Refuses to
  // replace a file that is no capture.
  // `ending` is what the name of the partial file ends with.
  static base::Result<CaptureFile> Create(const std::string& path,
                                          const std::string& ending = "partial");

  base::ScopedFd TakeFd() { return std::move(fd_); }
  const std::string& partial_path() const { return partial_path_; }
  // A name for the file that this process can open even when its folder is gone.
  std::string readable_path() const { return "/proc/self/fd/" + std::to_string(kept_.get()); }
  const std::string& path() const { return path_; }
  // Gives the file its name. Where that cannot be done, the Error says where the
  // capture is instead.
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
  std::string partial_path_;
  base::ScopedFd fd_;
  base::ScopedFd kept_;  // for reading; keeps the bytes when the file is removed
};

// The file of the last run without -o.
std::string LastRunPath();

}  // namespace pyrometer::cli
