// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>

#include "capture/session/control_server.h"
#include "capture/session/session_directory.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/recording/run_control.h"

namespace pyrometer::cli {

int ControlCommand(const std::vector<std::string>& args) {
  CLI::App app("Switch the recording of a running program on and off, or look at it meanwhile.",
               "control");
  SetUsage(app, "pyrometer control PID start|pause|stop|snapshot [-o FILE]");
  uint32_t pid = 0;
  std::string verb, output = "snapshot.pyro";
  app.add_option("pid", pid, "The program, one of its processes, or the pyrometer that runs it")
      ->type_name("PID")
      ->required();
  app.add_option("request", verb,
                 "start, pause: switch recording on and off; stop: end it, the program goes on;\n"
                 "snapshot: write what was recorded so far")
      ->check(CLI::IsMember({"start", "pause", "stop", "snapshot"}))
      ->required();
  app.add_option("-o,--output", output, "Where a snapshot goes")
      ->type_name("FILE")
      ->capture_default_str();
  if (const auto stop = Parse(app, args)) return *stop;

  std::error_code ignored;
  std::string request = verb + " " + std::to_string(pid);
  if (verb == "snapshot") request += " " + std::filesystem::absolute(output, ignored).string();
  for (const std::string& session : capture::SessionDirectory::FindActive()) {
    const auto answer = capture::ControlServer::Ask(session, request);
    if (!answer.ok() || answer.value() == kNotMine) continue;
    if (!answer.value().starts_with("ok")) return Fail(answer.value());
    if (verb == "snapshot") std::printf("%s\n", answer.value().substr(3).c_str());
    return 0;
  }
  return Fail("no recording of process " + std::to_string(pid) + " goes on");
}

}  // namespace pyrometer::cli
