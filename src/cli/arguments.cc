// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/spelling.h"

namespace pyrometer::cli {
namespace {

class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

// The option that `word` names, with its value attached or not.
const CLI::Option* FindOption(const CLI::App& app, const std::string& word, bool* attached) {
  *attached = false;
  std::string name = word;
  if (word.starts_with("--")) {
    if (const size_t equals = word.find('='); equals != std::string::npos) {
      name = word.substr(0, equals);
      *attached = true;
    }
  } else if (word.size() > 2) {
    name = word.substr(0, 2);
    *attached = true;
  }
  return app.get_option_no_throw(name);
}

std::string Hint(const CLI::App& app, const std::vector<std::string>& args) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  bool attached;
  for (const std::string& word : args)
    if (word.starts_with("-") && FindOption(app, word, &attached) == nullptr)
      if (const std::string near = NearestWord(word, names); !near.empty())
        return "; did you mean '" + near + "'?";
  return "; see 'pyrometer help " + app.get_name() + "'";
}

}  // namespace

void SetUsage(CLI::App& app, const std::string& usage) {
  app.formatter(std::make_shared<UsageFormatter>(usage));
}

std::optional<int> Parse(CLI::App& app, std::vector<std::string> args) {
  const std::vector<std::string> given = args;
  std::reverse(args.begin(), args.end());
  try {
    app.parse(args);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    for (char& c : what)
      if (c == '\n') c = ' ';
    return Fail(app.get_name() + ": " + what + Hint(app, given));
  }
}

std::vector<std::string> SplitAtProgram(const CLI::App& app, const std::vector<std::string>& args,
                                        std::vector<std::string>* program) {
  size_t i = 0;
  while (i < args.size()) {
    const std::string& word = args[i];
    if (word == "--") {
      program->assign(args.begin() + static_cast<ptrdiff_t>(i) + 1, args.end());
      return {args.begin(), args.begin() + static_cast<ptrdiff_t>(i)};
    }
    if (!word.starts_with("-") || word == "-" || word == "-m" || word == "-c") break;
    bool attached;
    const CLI::Option* option = FindOption(app, word, &attached);
    const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    i += takes_value && !attached ? 2 : 1;
  }
  i = std::min(i, args.size());
  program->assign(args.begin() + static_cast<ptrdiff_t>(i), args.end());
  return {args.begin(), args.begin() + static_cast<ptrdiff_t>(i)};
}

base::Result<metric::Metric> FindMetric(std::string_view option, std::string_view name,
                                        const metric::Table& table, metric::Use use) {
  if (const auto metric = table.Find(name, use)) return *metric;
  std::string text =
      std::string(option) + ": there is no metric '" + std::string(name) + "'; there are ";
  for (std::string_view separator; const metric::Info& info : table.Listed(use)) {
    text += std::string(separator) + std::string(info.name);
    separator = ", ";
  }
  return base::Error{text};
}

}  // namespace pyrometer::cli
