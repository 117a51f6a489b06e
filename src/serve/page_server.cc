// SPDX-License-Identifier: Apache-2.0
#include "serve/page_server.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/scoped_fd.h"
#include "serve/page_policy.h"
#include "serve/request_gate.h"
#include "serve/secret.h"

namespace pyrometer::serve {
namespace {

using std::chrono::milliseconds;

// A browser sends some hundred bytes.
constexpr ssize_t kMostHeaderBytes = 16 * 1024;
constexpr ssize_t kMostBodyBytes = 1024;
// How often an answer without end says that it is still there. It is how a
// connection that broke without a word is noticed.
constexpr milliseconds kBeat{1000};

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* thing) const {
    Free(thing);
  }
};
using EventBase = std::unique_ptr<event_base, Freed<event_base_free>>;
using Event = std::unique_ptr<event, Freed<event_free>>;
using Http = std::unique_ptr<evhttp, Freed<evhttp_free>>;
using Buffer = std::unique_ptr<evbuffer, Freed<evbuffer_free>>;

timeval ToTimeval(milliseconds time) {
  return {static_cast<time_t>(time.count() / 1000),
          static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

using Bytes = std::shared_ptr<const std::string>;

// Appends bytes without copying them; they live as long as they are needed.
void AddReference(evbuffer* buffer, const Bytes& bytes) {
  const auto release = [](const void*, size_t, void* kept) { delete static_cast<Bytes*>(kept); };
  auto kept = std::make_unique<Bytes>(bytes);
  if (evbuffer_add_reference(buffer, bytes->data(), bytes->size(), release, kept.get()) == 0)
    (void)kept.release();  // the buffer's now
}

void AddHeaders(evhttp_request* request, const std::string& policy) {
  const std::pair<const char*, const char*> headers[] = {
      {"Content-Security-Policy", policy.c_str()},
      {"Cache-Control", "no-store"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Embedder-Policy", "require-corp"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
  };
  evkeyvalq* to = evhttp_request_get_output_headers(request);
  for (const auto& [name, value] : headers) evhttp_add_header(to, name, value);
}

Resource ResourceOf(PageServer::Part part) {
  switch (part) {
    case PageServer::Part::kData:
      return Resource::kData;
    case PageServer::Part::kRest:
      return Resource::kRest;
    case PageServer::Part::kReport:
      return Resource::kReport;
    case PageServer::Part::kBase:
      break;
  }
  return Resource::kBase;
}

const char* Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Bad Request";
  }
}

}  // namespace

class PageServer::Impl {
 public:
  Impl(std::string_view page, const Options& options)
      : page_(std::make_shared<const std::string>(page)),
        page_policy_(ContentSecurityPolicy(page)),
        options_(options) {}

  base::Status Start() {
    auto secret = MakeSecret();
    if (!secret.ok()) return secret.error();
    // Who closes a connection early must not end the program.
    signal(SIGPIPE, SIG_IGN);
    wake_ = base::ScopedFd(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    base_.reset(event_base_new());
    if (!wake_.valid() || base_ == nullptr) return base::Error{"cannot start a server: no memory"};
    http_.reset(evhttp_new(base_.get()));
    evhttp_bound_socket* socket =
        evhttp_bind_socket_with_handle(http_.get(), "127.0.0.1", options_.port);
    if (socket == nullptr)
      return base::Error{"cannot listen on port " + std::to_string(options_.port) + ": " +
                         std::strerror(errno)};
    const uint16_t port = PortOf(evhttp_bound_socket_get_fd(socket));
    address_ = "http://127.0.0.1:" + std::to_string(port) + "/" + secret.value() + "/";
    gate_.emplace(std::move(secret).value(), port);
    evhttp_set_max_headers_size(http_.get(), kMostHeaderBytes);
    evhttp_set_max_body_size(http_.get(), kMostBodyBytes);
    const timeval idle = ToTimeval(options_.idle);
    evhttp_set_timeout_tv(http_.get(), &idle);
    // All of them, so that it is the gate that answers.
    evhttp_set_allowed_methods(http_.get(), 0xffff);
    evhttp_set_gencb(http_.get(), OnRequest, this);
    AddEvents();
    return {};
  }

  void Run() { event_base_dispatch(base_.get()); }

  void Post(Resource resource, std::string piece, bool last) {
    {
      const std::lock_guard lock(mutex_);
      posted_.push_back({resource, std::make_shared<const std::string>(std::move(piece)), last});
    }
    Wake();
  }
  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    Wake();
  }

  const std::string& address() const { return address_; }

 private:
  // What there is of a resource so far.
  struct Content {
    std::vector<Bytes> pieces{};
    bool complete = false;
  };
  struct Posted {
    Resource resource;
    Bytes piece;
    bool last;
  };
  // A request for data that is not all there yet. When the other side goes away, the
  // request has lost its connection before we hear of it, which is what it is known by.
  struct Waiting {
    evhttp_request* request;
    Resource resource;
    bool begun = false;  // it has got all pieces so far
  };

  static uint16_t PortOf(int fd) {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of sockets
    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
  }

  void AddEvents() {
    const auto add = [&](int fd, short what, event_callback_fn function) {
      events_.emplace_back(event_new(base_.get(), fd, what, function, this));
      return events_.back().get();
    };
    event_add(add(wake_.get(), EV_READ | EV_PERSIST,
                  [](int, short, void* self) { static_cast<Impl*>(self)->OnWake(); }),
              nullptr);
    if (options_.stop_by_signals) {
      for (const int number : {SIGINT, SIGTERM})
        event_add(add(number, EV_SIGNAL | EV_PERSIST,
                      [](int, short, void* self) { static_cast<Impl*>(self)->End(); }),
                  nullptr);
    }
    const timeval beat = ToTimeval(kBeat);
    event_add(
        add(-1, EV_PERSIST, [](int, short, void* self) { static_cast<Impl*>(self)->OnBeat(); }),
        &beat);
    closed_ = add(-1, 0, [](int, short, void* self) { static_cast<Impl*>(self)->End(); });
  }

  void End() { event_base_loopbreak(base_.get()); }

  void Wake() const {
    const uint64_t one = 1;
    (void)!write(wake_.get(), &one, sizeof one);
  }

  void OnWake() {
    uint64_t count;
    (void)!read(wake_.get(), &count, sizeof count);
    std::vector<Posted> posted;
    {
      const std::lock_guard lock(mutex_);
      posted.swap(posted_);
      if (stopped_) return End();
    }
    for (const Posted& next : posted) {
      Content& content = contents_[next.resource];
      content.pieces.push_back(next.piece);
      content.complete = next.last;
      // Sending may close a connection, and so change the table.
      std::vector<evhttp_connection*> connections;
      for (const auto& [connection, waiting] : waiting_)
        if (waiting.resource == next.resource) connections.push_back(connection);
      for (evhttp_connection* connection : connections) GoOn(connection, content);
    }
  }

  // Gives the request that waits on a connection, if one does, what has come since.
  void GoOn(evhttp_connection* connection, const Content& content) {
    const auto it = waiting_.find(connection);
    if (it == waiting_.end()) return;
    Waiting& waiting = it->second;
    evhttp_request* request = waiting.request;
    if (!waiting.begun && content.complete) {
      waiting_.erase(it);
      return SendData(request, content);
    }
    if (evhttp_request_get_command(request) == EVHTTP_REQ_HEAD) return;  // wants the whole length
    const Buffer body(evbuffer_new());
    if (waiting.begun) {
      AddReference(body.get(), content.pieces.back());
    } else {
      for (const Bytes& piece : content.pieces) AddReference(body.get(), piece);
      AddDataHeaders(request);
      OnlyWrites(request);
      evhttp_send_reply_start(request, 200, Reason(200));
      waiting.begun = true;
    }
    evhttp_send_reply_chunk(request, body.get());
    // It is gone if sending has closed the connection.
    if (content.complete && waiting_.erase(connection) != 0) evhttp_send_reply_end(request);
  }

  static void OnRequest(evhttp_request* request, void* self) {
    static_cast<Impl*>(self)->Answer(request);
  }

  void Answer(evhttp_request* request) {
    const evhttp_cmd_type method = evhttp_request_get_command(request);
    const bool reads = method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD;
    const evhttp_uri* uri = evhttp_request_get_evhttp_uri(request);
    const char* path = uri == nullptr ? nullptr : evhttp_uri_get_path(uri);
    // Who names a server in the first line, too, speaks to a proxy.
    const bool plain = path != nullptr && evhttp_uri_get_host(uri) == nullptr;
    const char* host = evhttp_find_header(evhttp_request_get_input_headers(request), "Host");
    const auto answer = gate_->Ask(reads, plain ? host : nullptr, plain ? path : "");
    const bool no_base = answer.resource == Resource::kBase && !options_.has_base;
    if (answer.status != 200 || no_base) return Refuse(request, no_base ? 404 : answer.status);
    // Somebody is there: the page is being loaded again.
    if (event_pending(closed_, EV_TIMEOUT, nullptr)) WaitForPage();
    switch (*answer.resource) {
      case Resource::kPage:
        return SendPage(request);
      case Resource::kData:
      case Resource::kRest:
      case Resource::kReport:
      case Resource::kBase:
        return AnswerData(request, *answer.resource);
      case Resource::kAlive:
        return StayAlive(request);
    }
  }

  void AnswerData(evhttp_request* request, Resource resource) {
    const Content& content = contents_[resource];
    if (content.complete) return SendData(request, content);
    evhttp_connection* connection = evhttp_request_get_connection(request);
    waiting_.insert_or_assign(connection, Waiting{request, resource});
    WatchClose(request);
    if (!content.pieces.empty()) GoOn(connection, content);
  }

  void Refuse(evhttp_request* request, int status) const {
    AddHeaders(request, "default-src 'none'");
    evkeyvalq* headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Content-Type", "text/plain; charset=utf-8");
    if (status == 405) evhttp_add_header(headers, "Allow", "GET, HEAD");
    // What else it sends is not wanted.
    evhttp_add_header(headers, "Connection", "close");
    const Buffer body(evbuffer_new());
    evbuffer_add_printf(body.get(), "%s\n", Reason(status));
    evhttp_send_reply(request, status, Reason(status), body.get());
  }

  static void AddDataHeaders(evhttp_request* request) {
    AddHeaders(request, "default-src 'none'");
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
                      "application/octet-stream");
  }

  void SendData(evhttp_request* request, const Content& content) {
    AddDataHeaders(request);
    SendWhole(request, content.pieces);
  }

  void SendPage(evhttp_request* request) {
    AddHeaders(request, page_policy_);
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
                      "text/html; charset=utf-8");
    SendWhole(request, {page_});
  }

  void SendWhole(evhttp_request* request, const std::vector<Bytes>& pieces) {
    size_t length = 0;
    for (const Bytes& piece : pieces) length += piece->size();
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Length",
                      std::to_string(length).c_str());
    const Buffer body(evbuffer_new());
    if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
      for (const Bytes& piece : pieces) AddReference(body.get(), piece);
    OnlyWrites(request);
    evhttp_send_reply(request, 200, Reason(200), body.get());
  }

  // While an answer is on its way, what counts as idle is that nothing is taken.
  void OnlyWrites(evhttp_request* request) const {
    const timeval idle = ToTimeval(options_.idle);
    bufferevent_set_timeouts(StreamOf(request), nullptr, &idle);
  }

  static bufferevent* StreamOf(evhttp_request* request) {
    return evhttp_connection_get_bufferevent(evhttp_request_get_connection(request));
  }

  void StayAlive(evhttp_request* request) {
    AddDataHeaders(request);
    evhttp_send_reply_start(request, 200, Reason(200));
    if (evhttp_request_get_command(request) == EVHTTP_REQ_HEAD)
      return evhttp_send_reply_end(request);
    alive_.emplace(evhttp_request_get_connection(request), request);
    event_del(closed_);
    WatchClose(request);
    Beat(request);
  }

  static void Beat(evhttp_request* request) {
    const Buffer beat(evbuffer_new());
    evbuffer_add(beat.get(), "\n", 1);
    evhttp_send_reply_chunk(request, beat.get());
  }
  void OnBeat() {
    // Sending may close a connection, and so change the table.
    for (const auto& [connection, request] : std::vector(alive_.begin(), alive_.end()))
      if (alive_.contains(connection)) Beat(request);
  }

  // The connection stays open as long as the other side wants, and its end is told.
  void WatchClose(evhttp_request* request) {
    evhttp_connection* connection = evhttp_request_get_connection(request);
    bufferevent* stream = evhttp_connection_get_bufferevent(connection);
    bufferevent_set_timeouts(stream, nullptr, nullptr);
    bufferevent_enable(stream, EV_READ);
    evhttp_connection_set_closecb(connection, OnClose, this);
  }
  static void OnClose(evhttp_connection* connection, void* self) {
    static_cast<Impl*>(self)->Forget(connection);
  }
  void Forget(evhttp_connection* connection) {
    if (const auto waiting = waiting_.extract(connection)) Release(waiting.mapped().request);
    const auto alive = alive_.extract(connection);
    if (!alive) return;
    Release(alive.mapped());
    if (alive_.empty()) WaitForPage();
  }
  // libevent frees a request with its connection, but not one whose other side has gone away
  // before all was sent: it has no connection any more.
  static void Release(evhttp_request* request) {
    if (evhttp_request_get_connection(request) == nullptr) evhttp_request_free(request);
  }

  // Ends when no page comes (back) in time.
  void WaitForPage() {
    const timeval grace = ToTimeval(options_.grace);
    event_add(closed_, &grace);
  }

  const Bytes page_;
  const std::string page_policy_;
  const Options options_;
  std::string address_;
  std::optional<RequestGate> gate_;
  std::map<Resource, Content> contents_;
  std::map<evhttp_connection*, Waiting> waiting_;
  std::map<evhttp_connection*, evhttp_request*> alive_;

  std::mutex mutex_;
  std::vector<Posted> posted_;  // under mutex_
  bool stopped_ = false;        // under mutex_
  base::ScopedFd wake_;

  // In this order: what stands below is freed first.
  EventBase base_;
  std::vector<Event> events_;
  event* closed_ = nullptr;  // of events_: the page has been gone for a while
  Http http_;
};

PageServer::PageServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PageServer::~PageServer() = default;

base::Result<std::unique_ptr<PageServer>> PageServer::Start(std::string_view page,
                                                            const Options& options) {
  auto impl = std::make_unique<Impl>(page, options);
  if (const base::Status status = impl->Start(); !status.ok()) return status.error();
  return std::unique_ptr<PageServer>(new PageServer(std::move(impl)));
}

const std::string& PageServer::address() const { return impl_->address(); }
void PageServer::Add(Part part, std::string piece, bool last) {
  impl_->Post(ResourceOf(part), std::move(piece), last);
}
void PageServer::Run() { impl_->Run(); }
void PageServer::Stop() { impl_->Stop(); }

}  // namespace pyrometer::serve
