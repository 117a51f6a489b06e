// SPDX-License-Identifier: Apache-2.0
#include "serve/page_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "serve/testing/http_client.h"

namespace pyrometer::serve {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::HttpClient;
using Part = PageServer::Part;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kPage =
    "<html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "connect-src 'self'\"></head></html>";

class PageServerTest : public ::testing::Test {
 protected:
  ~PageServerTest() override {
    if (!thread_.joinable()) return;
    server_->Stop();
    thread_.join();
  }

  void Start(PageServer::Options options = {}) {
    options.stop_by_signals = false;
    auto server = PageServer::Start(kPage, options);
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = std::move(server).value();
    thread_ = std::thread([this] { server_->Run(); });
  }
  void SetData(std::string bytes) { server_->Add(Part::kData, std::move(bytes), true); }
  void SetBase(std::string bytes) { server_->Add(Part::kBase, std::move(bytes), true); }
  // Returns when the server has ended by itself.
  void Join() { thread_.join(); }

  HttpClient Client() const { return HttpClient(server_->address()); }
  std::string Head(const std::string& method, const std::string& name) const {
    HttpClient client = Client();
    client.Ask(method, name);
    return client.ReadHead();
  }
  std::string StatusOf(const std::string& request) const {
    HttpClient client = Client();
    client.Send(request);
    return client.ReadHead().substr(0, 12);
  }
  // A page that is open: holds `alive`, and has seen the first of it.
  std::unique_ptr<HttpClient> OpenPage() const {
    auto client = std::make_unique<HttpClient>(server_->address());
    client->Ask("GET", "alive");
    EXPECT_THAT(client->ReadHead(), StartsWith("HTTP/1.1 200"));
    EXPECT_EQ(client->ReadBody(6), "1\r\n\n\r\n");
    return client;
  }

  std::unique_ptr<PageServer> server_;
  std::thread thread_;
};

TEST_F(PageServerTest, ServesThePage) {
  Start();
  HttpClient client = Client();
  client.Ask("GET", "");
  const std::string head = client.ReadHead();
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Security-Policy: default-src 'none'; connect-src 'self'; "
                              "frame-ancestors 'none'\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Type: text/html; charset=utf-8\r\n"));
  for (const char* header :
       {"Cache-Control: no-store", "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin"})
    EXPECT_THAT(head, HasSubstr(std::string(header) + "\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Access-Control")));
  EXPECT_EQ(client.ReadBody(kPage.size()), kPage);
}

TEST_F(PageServerTest, AQueryIsNoOtherPage) {
  Start();
  EXPECT_THAT(Head("GET", "?compare"), StartsWith("HTTP/1.1 200"));
}

TEST_F(PageServerTest, AnswersOnlyWhoKnowsTheAddress) {
  Start();
  HttpClient client = Client();
  const std::string& path = client.path();
  const std::string host = "Host: " + client.host() + "\r\n\r\n";
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\n" + host), "HTTP/1.1 404");
  EXPECT_EQ(StatusOf("GET /data HTTP/1.1\r\n" + host), "HTTP/1.1 404");
  EXPECT_EQ(StatusOf("GET " + path + "x HTTP/1.1\r\n" + host), "HTTP/1.1 404");
  std::string wrong = path;
  wrong[5] = wrong[5] == 'a' ? 'b' : 'a';
  EXPECT_EQ(StatusOf("GET " + wrong + " HTTP/1.1\r\n" + host), "HTTP/1.1 404");
  EXPECT_EQ(StatusOf("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "HTTP/1.1 403");
  EXPECT_EQ(StatusOf("GET " + path + " HTTP/1.1\r\n\r\n"), "HTTP/1.1 403");
  EXPECT_EQ(StatusOf("GET http://evil.example" + path + " HTTP/1.1\r\n" + host), "HTTP/1.1 403");
}

TEST_F(PageServerTest, OnlyReading) {
  Start();
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    HttpClient client = Client();
    client.Ask(method, "", "Content-Length: 0\r\n");
    EXPECT_THAT(client.ReadHead(), StartsWith("HTTP/1.1 405")) << method;
  }
}

TEST_F(PageServerTest, HeadHasNoBody) {
  Start();
  SetData("12345");
  HttpClient client = Client();
  client.Ask("HEAD", "data", "Connection: close\r\n");
  EXPECT_THAT(client.ReadHead(), HasSubstr("Content-Length: 5\r\n"));
  EXPECT_EQ(client.ReadAll(), "");
}

TEST_F(PageServerTest, DataIsWaitedFor) {
  Start();
  HttpClient first = Client(), second = Client();
  first.Ask("GET", "data");
  second.Ask("GET", "data");
  // The page is answered meanwhile.
  EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));
  SetData("here it is");
  for (HttpClient* client : {&first, &second}) {
    EXPECT_THAT(client->ReadHead(), HasSubstr("Content-Length: 10\r\n"));
    EXPECT_EQ(client->ReadBody(10), "here it is");
  }
}

TEST_F(PageServerTest, PiecesComeWhenTheyAreThere) {
  Start();
  HttpClient early = Client(), late = Client(), head = Client();
  early.Ask("GET", "data");
  head.Ask("HEAD", "data");
  EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));  // both were read by now
  server_->Add(Part::kData, "one", false);
  EXPECT_THAT(early.ReadHead(), HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_EQ(early.ReadBody(8), "3\r\none\r\n");
  late.Ask("GET", "data");
  EXPECT_THAT(late.ReadHead(), Not(HasSubstr("Content-Length")));
  EXPECT_EQ(late.ReadBody(8), "3\r\none\r\n");
  server_->Add(Part::kData, "two", false);
  server_->Add(Part::kData, "three", true);
  for (HttpClient* client : {&early, &late})
    EXPECT_EQ(client->ReadBody(23), "3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n");
  EXPECT_THAT(head.ReadHead(), HasSubstr("Content-Length: 11\r\n"));
  HttpClient after = Client();
  after.Ask("GET", "data");
  EXPECT_THAT(after.ReadHead(), HasSubstr("Content-Length: 11\r\n"));
  EXPECT_EQ(after.ReadBody(11), "onetwothree");
}

TEST_F(PageServerTest, WhoGoesAwayBetweenPiecesIsForgotten) {
  Start();
  {
    HttpClient client = Client();
    client.Ask("GET", "data");
    server_->Add(Part::kData, "one", false);
    client.ReadHead();
  }
  EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));
  server_->Add(Part::kData, "two", true);
  HttpClient after = Client();
  after.Ask("GET", "data");
  after.ReadHead();
  EXPECT_EQ(after.ReadBody(6), "onetwo");
}

TEST_F(PageServerTest, WhoDoesNotWaitForDataIsForgotten) {
  Start();
  {
    HttpClient client = Client();
    client.Ask("GET", "data");
    EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));  // it has been read by now
  }
  EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));
  SetData("x");
  EXPECT_THAT(Head("GET", "data"), StartsWith("HTTP/1.1 200"));
}

TEST_F(PageServerTest, BaseIsThereForComparisons) {
  Start();
  EXPECT_THAT(Head("GET", "base"), StartsWith("HTTP/1.1 404"));
}

TEST_F(PageServerTest, BaseIsWaitedForAsData) {
  Start({.has_base = true});
  HttpClient client = Client();
  client.Ask("GET", "base");
  SetData("new");
  SetBase("older");
  client.ReadHead();
  EXPECT_EQ(client.ReadBody(5), "older");
}

TEST_F(PageServerTest, LargeDataComesWhole) {
  Start();
  std::string large(64 << 20, '\0');
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 31 >> 3);
  SetData(large);
  HttpClient client = Client();
  client.Ask("GET", "data");
  client.ReadHead();
  EXPECT_TRUE(client.ReadBody(large.size()) == large);
}

TEST_F(PageServerTest, ASlowReaderHoldsNobodyUp) {
  Start();
  // More than the kernel keeps for a connection.
  const std::string large(64 << 20, 'x');
  SetData(large);
  HttpClient slow = Client();
  slow.Ask("GET", "data");
  slow.ReadHead();
  size_t got = 0;
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));
    got += slow.ReadBody(100'000).size();
  }
  got += slow.ReadBody(large.size() - got).size();
  EXPECT_EQ(got, large.size());
}

TEST_F(PageServerTest, AReaderWhoGoesAwayInTheMiddleIsForgotten) {
  Start();
  SetData(std::string(64 << 20, 'x'));
  for (int i = 0; i < 5; ++i) {
    HttpClient client = Client();
    client.Ask("GET", "data");
    client.ReadBody(1'000'000);
  }
  EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));
}

TEST_F(PageServerTest, EndsWhenThePageIsClosed) {
  Start({.grace = 1ms});
  OpenPage()->Close();
  Join();
}

TEST_F(PageServerTest, EndsWhenTheLastOfTwoPagesIsClosed) {
  Start({.grace = 1ms});
  const auto first = OpenPage(), second = OpenPage();
  first->Close();
  // Two beats later it is still there.
  EXPECT_EQ(second->ReadBody(12), "1\r\n\n\r\n1\r\n\n\r\n");
  EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));
  second->Close();
  Join();
}

TEST_F(PageServerTest, APageThatIsLoadedAgainGoesOn) {
  Start({.grace = 3600s});
  OpenPage()->Close();
  const auto again = OpenPage();
  EXPECT_EQ(again->ReadBody(6), "1\r\n\n\r\n");
}

TEST_F(PageServerTest, AnOpenPageStaysLongerThanAnIdleConnection) {
  Start({.grace = 1ms, .idle = 100ms});
  const auto page = OpenPage();
  EXPECT_EQ(page->ReadBody(12), "1\r\n\n\r\n1\r\n\n\r\n");
}

TEST_F(PageServerTest, AnIdleConnectionIsClosed) {
  Start({.idle = 50ms});
  HttpClient client = Client();
  client.Send("GET ");
  client.ReadAll();  // ends because the server closes
}

TEST_F(PageServerTest, JunkIsTurnedAway) {
  Start();
  for (const std::string& junk :
       {std::string("\0\1\2\3\r\n\r\n", 8), std::string("GET\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string(100'000, 'A') + "\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(100'000, 'a') + "\r\n\r\n",
        std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        std::string("GET /%00%ff/../.. HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
        std::string("\r\n\r\n\r\n")}) {
    HttpClient client = Client();
    client.Send(junk);
    client.Close();
  }
  EXPECT_THAT(Head("GET", ""), StartsWith("HTTP/1.1 200"));
}

TEST_F(PageServerTest, AHundredConnectionsAtOnce) {
  Start();
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 100; ++i) {
    clients.push_back(std::make_unique<HttpClient>(server_->address()));
    clients.back()->Ask("GET", "data");
  }
  SetData("all");
  for (const auto& client : clients) {
    client->ReadHead();
    EXPECT_EQ(client->ReadBody(3), "all");
  }
}

TEST_F(PageServerTest, SeveralRequestsOnOneConnection) {
  Start();
  SetData("d");
  HttpClient client = Client();
  for (int i = 0; i < 3; ++i) {
    client.Ask("GET", "data");
    client.ReadHead();
    EXPECT_EQ(client.ReadBody(1), "d");
  }
}

TEST_F(PageServerTest, ASecondServerHasAnotherAddress) {
  Start();
  const auto other = PageServer::Start(kPage, {.stop_by_signals = false});
  EXPECT_NE(other.value()->address(), server_->address());
}

TEST_F(PageServerTest, APortThatIsTakenIsAnError) {
  Start();
  const std::string host = Client().host();
  const auto port = static_cast<uint16_t>(std::stoi(host.substr(host.find(':') + 1)));
  const auto other = PageServer::Start(kPage, {.port = port});
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message, HasSubstr("cannot listen on port " + std::to_string(port)));
}

TEST(PageServerSignalTest, ASignalEndsIt) {
  for (const int number : {SIGINT, SIGTERM}) {
    const auto server = PageServer::Start(kPage, {});
    std::thread thread([number] { kill(getpid(), number); });
    server.value()->Run();
    thread.join();
  }
}

}  // namespace
}  // namespace pyrometer::serve
