// SPDX-License-Identifier: Apache-2.0
#include "cli/capture_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/last_run.h"
#include "cli/output_file.h"
#include "format/layout.h"

namespace pyrometer::cli {
namespace {

// Empty files count: somebody has made room for us.
bool MayReplace(const std::string& path) {
  const base::ScopedFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return false;
  uint8_t magic[sizeof format::kFileMagic];
  const ssize_t n = read(fd.get(), magic, sizeof magic);
  return n == 0 || (n > 0 && format::HasFileMagic(std::span(magic).first(static_cast<size_t>(n))));
}

}  // namespace

base::Result<CaptureFile> CaptureFile::Create(const std::string& path, const std::string& ending) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status)) {
    if (!fs::is_regular_file(status))
      return base::Error{"cannot write " + path + ": it is not a regular file"};
    if (access(path.c_str(), W_OK) != 0) return CannotWrite(path);
    if (!MayReplace(path))
      return base::Error{path + " exists and is not a capture of pyrometer; it is left as it is"};
  }
  const std::string partial = path + "." + std::to_string(getpid()) + "." + ending;
  base::ScopedFd fd(open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid()) return CannotWrite(path);
  base::ScopedFd kept(open(partial.c_str(), O_RDONLY | O_CLOEXEC));
  return CaptureFile(path, partial, std::move(fd), std::move(kept));
}

base::Result<CaptureFile> CaptureFile::CreateLastRun() {
  std::string trouble;
  for (const LastRunFolder& folder : LastRunFolders()) {
    const base::Status prepared = folder.Prepare();
    auto file = prepared.ok() ? Create(folder.file()) : prepared.error();
    if (file.ok()) {
      file->trouble_ = trouble;
      return file;
    }
    if (trouble.empty()) trouble = file.error().message;
  }
  base::ScopedFd fd(memfd_create("pyrometer-recording", MFD_CLOEXEC));
  if (!fd.valid()) return base::Error{trouble};
  base::ScopedFd kept(
      open(("/proc/self/fd/" + std::to_string(fd.get())).c_str(), O_RDONLY | O_CLOEXEC));
  CaptureFile file("", "", std::move(fd), std::move(kept));
  file.trouble_ = trouble;
  return file;
}

base::Status CaptureFile::Publish() {
  if (!on_disk()) return base::Error{trouble_ + "; the recording was not kept"};
  if (std::rename(partial_path_.c_str(), path_.c_str()) == 0) {
    if (trouble_.empty()) return {};
    return base::Error{trouble_ + "; the recording is in " + path_};
  }
  const base::Error error = CannotWrite(path_);
  std::string place = partial_path_;
  if (access(place.c_str(), F_OK) != 0) {
    // The folder went away during the run, but not what was recorded.
    std::error_code copied;
    place = std::filesystem::temp_directory_path(copied) /
            ("pyrometer-" + std::to_string(getpid()) + ".pyro");
    if (copied || !std::filesystem::copy_file(readable_path(), place, copied)) return error;
  }
  return base::Error{error.message + "; the capture is in " + place};
}

void CaptureFile::Discard() {
  if (on_disk()) unlink(partial_path_.c_str());
}

}  // namespace pyrometer::cli
