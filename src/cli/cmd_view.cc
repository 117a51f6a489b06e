// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "analyze/report/outline.h"
#include "cli/arguments.h"
#include "cli/browser.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/export_formats.h"
#include "cli/profile_argument.h"
#include "cli/report_options.h"
#include "cli/viewer_page.h"
#include "export/page/page_data.h"
#include "os/thread_priority.h"
#include "serve/page_server.h"

namespace pyrometer::cli {
namespace {

struct ViewFlags {
  ProfileArgument profile;
  std::string base;
  uint16_t port = 0;
  bool no_browser = false;
  bool no_config = false;
  ReportFlags report;
};

void AddViewOptions(CLI::App& app, ViewFlags* flags) {
  SetUsage(app, "pyrometer view [options] [FILE]");
  AddProfileArgument(app, &flags->profile);
  app.add_option("--base", flags->base, "A profile to compare with")->type_name("FILE");
  app.add_flag("--no-browser", flags->no_browser,
               "Print the address, and leave it to you to open it");
  app.add_option("--port", flags->port, "The port to serve on; by default a free one")
      ->type_name("PORT")
      ->check(CLI::Range(1, 65535));
  AddScopeOptions(app, &flags->report);
  AddScopeDefaultsOption(app, &flags->no_config);
}

using Part = serve::PageServer::Part;

// Gives a part of the data to the server piece by piece: each when the next has come, so
// that it is known which is the last.
class Sender {
 public:
  Sender(serve::PageServer& server, Part part) : server_(server), part_(part) {}

  void Take(std::string piece) {
    if (!held_.empty()) server_.Add(part_, std::move(held_), false);
    held_ = std::move(piece);
  }
  export_::TakePiece take() {
    return [this](std::string piece) { Take(std::move(piece)); };
  }
  void Finish() { server_.Add(part_, std::move(held_), true); }

 private:
  serve::PageServer& server_;
  const Part part_;
  std::string held_;
};

// Makes what the page shows of one or two profiles while the browser starts.
class PageLoader {
 public:
  explicit PageLoader(const ViewFlags& flags)
      : reading_(flags.profile),
        path_(ProfilePath(flags.profile.path)),
        base_(flags.base.empty() ? "" : ProfilePath(flags.base)),
        options_(flags.report.options({})) {}

  // Says what can be said before anything is opened.
  base::Status Check() const {
    for (const std::string& path : {path_, base_}) {
      if (path.empty()) continue;
      if (const auto status = CheckProfile(path, reading_); !status.ok()) return status;
    }
    return {};
  }

  void Start(serve::PageServer& server) {
    thread_ = std::thread([this, &server] {
      const base::Status status = Load(server);
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
  // The page can show most of it before the report has been added up.
  base::Status Load(serve::PageServer& server) const {
    const auto profile = LoadAnyProfile(path_, reading_);
    if (!profile.ok()) return profile.error();
    SendColumns(profile.value(), server);
    if (!base_.empty()) {
      const auto base = LoadAnyProfile(base_, reading_);
      if (!base.ok()) return base.error();
      Sender sender(server, Part::kBase);
      export_::WritePageColumns(base.value(), analyze::BuildOutline(base.value()), options_.scope,
                                sender.take(), &profile.value());
      sender.Finish();
    }
    std::ostringstream out;
    export_::WritePageReport(profile.value(), BuildPageReport(profile.value(), options_), out);
    server.Add(Part::kReport, std::move(out).str(), true);
    return {};
  }

  void SendColumns(const profile::Profile& profile, serve::PageServer& server) const {
    Sender first(server, Part::kData), rest(server, Part::kRest);
    const auto first_is_complete = [&] {
      first.Finish();
      // The browser has a lot to do now, and it is what somebody waits for.
      os::YieldToOthers();
    };
    export_::WritePageParts(profile, analyze::BuildOutline(profile), options_.scope,
                            {first.take(), first_is_complete, rest.take()});
    rest.Finish();
  }

  const ProfileArgument reading_;
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

  PageLoader loader(flags);
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
