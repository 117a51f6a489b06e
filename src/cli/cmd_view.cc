// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/arguments.h"
#include "cli/browser.h"
#include "cli/capture_argument.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/export_formats.h"
#include "cli/report_options.h"
#include "cli/viewer_page.h"
#include "format/layout.h"
#include "profile/profile_loader.h"
#include "serve/page_server.h"

namespace pyrometer::cli {
namespace {

struct ViewFlags {
  std::string path;
  std::string base;
  uint16_t port = 0;
  bool no_browser = false;
  bool no_config = false;
  ReportFlags report;
};

void AddViewOptions(CLI::App& app, ViewFlags* flags) {
  SetUsage(app, "pyrometer view [options] [FILE]");
  AddCaptureArgument(app, &flags->path);
  app.add_option("--base", flags->base, "A capture to compare with")->type_name("FILE");
  app.add_flag("--no-browser", flags->no_browser,
               "Print the address, and leave it to you to open it");
  app.add_option("--port", flags->port, "The port to serve on; by default a free one")
      ->type_name("PORT")
      ->check(CLI::Range(1, 65535));
  AddScopeOptions(app, &flags->report);
  AddScopeDefaultsOption(app, &flags->no_config);
}

// Makes what the page shows of one or two captures while the browser starts.
class PageLoader {
 public:
  PageLoader(std::string path, std::string base, analyze::ReportOptions options)
      : path_(std::move(path)), base_(std::move(base)), options_(std::move(options)) {}

  // A file that does not even begin as a capture is read at once: most likely it is
  // none, and nothing has been opened yet.
  base::Status Check() const {
    for (const std::string& path : {path_, base_}) {
      if (path.empty() || BeginsAsCapture(path)) continue;
      if (const auto profile = profile::LoadProfileFile(path); !profile.ok())
        return profile.error();
    }
    return {};
  }

  void Start(serve::PageServer& server) {
    thread_ = std::thread([this, &server] {
      base::Status status =
          Load(path_, [&](std::string bytes) { server.SetData(std::move(bytes)); });
      if (status.ok() && !base_.empty())
        status = Load(base_, [&](std::string bytes) { server.SetBase(std::move(bytes)); });
      if (!status.ok()) error_ = status.error().message;
      done_ = true;
      if (!status.ok()) server.Stop();
    });
  }
  // The exit code. Who does not want to see the page any more does not want to wait
  // for it, either.
  int Finish() {
    if (!done_) std::_Exit(0);
    thread_.join();
    return error_.empty() ? 0 : Fail(error_);
  }

 private:
  static bool BeginsAsCapture(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string magic(sizeof format::kFileMagic, '\0');
    return file.read(magic.data(), static_cast<std::streamsize>(magic.size())) &&
           std::equal(magic.begin(), magic.end(), format::kFileMagic.begin(),
                      [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
  }

  template <class Take>
  base::Status Load(const std::string& path, Take take) const {
    const auto profile = profile::LoadProfileFile(path);
    if (!profile.ok()) return profile.error();
    std::ostringstream out;
    WritePage(profile.value(), options_, out);
    take(std::move(out).str());
    return {};
  }

  const std::string path_;
  const std::string base_;  // empty: none
  const analyze::ReportOptions options_;
  std::thread thread_;
  std::string error_;  // of the thread, until done_
  std::atomic<bool> done_ = false;
};

// Tells where the page is: the browser, or else the user.
void Show(const std::string& address, bool no_browser) {
  if (no_browser) {
    std::printf("%s\n", address.c_str());
    std::fflush(stdout);
    return;
  }
  const bool opened = OpenBrowser(address);
  std::fprintf(stderr, "pyrometer: %s%s\n",
               opened ? "showing the page until it is closed, or Ctrl-C: "
                      : "no browser could be started; please open ",
               address.c_str());
}

}  // namespace

int ViewCommand(const std::vector<std::string>& args) {
  CLI::App app("Show a recorded run in the browser, until its page is closed.", "view");
  ViewFlags flags;
  AddViewOptions(app, &flags);
  if (const auto stop = Parse(app, args)) return *stop;
  if (const auto status = FillInScopeDefaults(app, "."); !status.ok())
    return Fail(status.error().message);

  PageLoader loader(CapturePath(flags.path), flags.base.empty() ? "" : CapturePath(flags.base),
                    flags.report.options());
  if (const auto status = loader.Check(); !status.ok()) return Fail(status.error().message);
  auto server =
      serve::PageServer::Start(ViewerPage(), {.port = flags.port, .has_base = !flags.base.empty()});
  if (!server.ok()) return Fail(server.error().message);
  // The browser is started before there is a second thread: it begins as a copy of us.
  Show(server.value()->address() + (flags.base.empty() ? "" : "?compare"), flags.no_browser);
  loader.Start(*server.value());
  server.value()->Run();
  return loader.Finish();
}

}  // namespace pyrometer::cli
