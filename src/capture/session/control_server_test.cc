// SPDX-License-Identifier: Apache-2.0
#include "capture/session/control_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <thread>

namespace pyrometer::capture {
namespace {

class ControlServerTest : public testing::Test {
 protected:
  ControlServerTest() : folder_(testing::TempDir() + "control_" + std::to_string(getpid())) {
    std::filesystem::create_directory(folder_);
    server_ = std::make_unique<ControlServer>(folder_);
    thread_ = std::thread([this] {
      while (!done_) {
        server_->Serve([](const std::string& request) { return "got " + request; });
        usleep(1000);
      }
    });
  }
  ~ControlServerTest() override {
    done_ = true;
    thread_.join();
    std::filesystem::remove_all(folder_);
  }

  base::ScopedFd Connect() const {
    base::ScopedFd fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, (folder_ + "/control").c_str());
    EXPECT_EQ(connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return fd;
  }

  std::string folder_;
  std::unique_ptr<ControlServer> server_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

TEST_F(ControlServerTest, AnswersEachRequest) {
  for (const char* text : {"pause 1", "start 1"}) {
    const auto answer = ControlServer::Ask(folder_, text);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), std::string("got ") + text);
  }
}

TEST_F(ControlServerTest, SilentAndVanishingClientsDisturbNobody) {
  std::vector<base::ScopedFd> silent;
  for (int i = 0; i < 6; ++i) silent.push_back(Connect());
  Connect().Reset();
  const auto answer = ControlServer::Ask(folder_, "x");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer.value(), "got x");
}

TEST_F(ControlServerTest, HugeRequestsAreCut) {
  const auto answer = ControlServer::Ask(folder_, std::string(100'000, 'x'));
  ASSERT_TRUE(answer.ok());
  EXPECT_LE(answer.value().size(), 8192u);
}

TEST(ControlServerAskTest, NobodyThere) { EXPECT_FALSE(ControlServer::Ask("/nowhere", "x").ok()); }

}  // namespace
}  // namespace pyrometer::capture
