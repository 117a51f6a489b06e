// SPDX-License-Identifier: Apache-2.0
#include "cli/defaults.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "base/record_options.h"
#include "cli/command.h"
#include "cli/pyproject.h"
#include "cli/recording/environment.h"
#include "cli/spelling.h"

namespace pyrometer::cli {
namespace {

constexpr char kPrefix[] = "PYROMETER_";
constexpr char kNoConfig[] = "no-config";
// Variables that are near to an option's but are something else.
constexpr std::string_view kOtherVariables[] = {base::kRecordVariable, base::kPreloadVariable,
                                                kCallerVariable, "PYROMETER_PYTHONS"};

constexpr std::string_view kScopeOptions[] = {"all", "exclude", "only"};

std::string VariableOf(const std::string& option) {
  std::string name = kPrefix;
  for (const char c : option)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::vector<std::string> AllNames() {
  std::vector<std::string> names;
  for (const Command& command : Commands())
    if (command.defaultable != nullptr)
      for (const std::string& name : command.defaultable())
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

bool IsFlag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }
bool IsList(const CLI::Option& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}
bool IsNumber(const CLI::Option& option) {
  // Behind a colon follow the checks on it.
  const std::string name = option.get_type_name();
  const std::string type = name.substr(0, name.find(':'));
  return type == "BYTES" || type == "COUNT" || type == "HZ" || type == "PERCENT" || type == "PID" ||
         type == "SECONDS";
}

// Which options of a command take defaults.
enum class Taken { kAll, kScope };

// The option of that name if `app` has it, takes defaults for it, and nothing has
// set it yet.
CLI::Option* Unset(CLI::App& app, Taken taken, const std::string& name) {
  if (taken == Taken::kScope && name != kNoConfig &&
      std::ranges::find(kScopeOptions, name) == std::end(kScopeOptions))
    return nullptr;
  CLI::Option* option = app.get_option_no_throw("--" + name);
  return option != nullptr && option->count() == 0 ? option : nullptr;
}

// What is wrong with the values in one line, without the option's name before it.
std::optional<std::string> Set(CLI::Option& option, const std::string& name,
                               const std::vector<std::string>& values) {
  try {
    for (const std::string& value : values) option.add_result(value);
    if (option.count() != 0) option.run_callback();
    return std::nullopt;
  } catch (const CLI::Error& error) {
    std::string what = error.what();
    if (const std::string prefix = "--" + name + ": "; what.starts_with(prefix))
      what = what.substr(prefix.size());
    std::replace(what.begin(), what.end(), '\n', ' ');
    return what;
  }
}

std::vector<std::string> SplitList(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

base::Status CheckVariables(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const std::string& name : names) known.push_back(VariableOf(name));
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string variable(text.substr(0, text.find('=')));
    if (!variable.starts_with(kPrefix) ||
        std::find(known.begin(), known.end(), variable) != known.end() ||
        std::ranges::find(kOtherVariables, variable) != std::end(kOtherVariables))
      continue;
    if (const std::string near = NearestWord(variable, known); !near.empty())
      return base::Error{"environment: no option has the variable " + variable + "; did you mean " +
                         near + "?"};
  }
  return {};
}

base::Status FromEnvironment(CLI::App& app, Taken taken, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    CLI::Option* option = Unset(app, taken, name);
    const std::string variable = VariableOf(name);
    const char* text = getenv(variable.c_str());
    if (option == nullptr || text == nullptr || *text == '\0') continue;
    const std::vector<std::string> values =
        IsList(*option) ? SplitList(text) : std::vector<std::string>{text};
    if (const auto wrong = Set(*option, name, values)) return base::Error{variable + ": " + *wrong};
  }
  return {};
}

// What a key must be for `option`, or nullptr when it is that.
const char* WrongKind(const CLI::Option& option, const PyprojectKey& key) {
  using Kind = PyprojectKey::Kind;
  if (IsFlag(option)) return key.kind == Kind::kFlag ? nullptr : "true or false";
  if (IsNumber(option)) return key.kind == Kind::kNumber ? nullptr : "a number";
  if (key.kind == Kind::kText) return nullptr;
  if (IsList(option)) return key.kind == Kind::kTexts ? nullptr : "a string or a list of strings";
  return "a string";
}

base::Status FromPyproject(CLI::App& app, Taken taken, const std::vector<std::string>& names,
                           const Pyproject& project) {
  const std::string place = project.path + ": [tool.pyrometer] ";
  for (const PyprojectKey& key : project.keys) {
    if (std::find(names.begin(), names.end(), key.name) == names.end()) {
      const std::string near = NearestWord(key.name, names);
      return base::Error{
          place + "has no key '" + key.name + "'; " +
          (near.empty() ? "see 'pyrometer help run'" : "did you mean '" + near + "'?")};
    }
    CLI::Option* option = Unset(app, taken, key.name);
    if (option == nullptr) continue;
    if (const char* expected = WrongKind(*option, key))
      return base::Error{place + key.name + ": must be " + expected};
    if (const auto wrong = Set(*option, key.name, key.values))
      return base::Error{place + key.name + ": " + *wrong};
  }
  return {};
}

base::Status FillIn(CLI::App& app, Taken taken, const std::string& folder) {
  const std::vector<std::string> names = AllNames();
  std::vector<std::string> variables = names;
  variables.emplace_back(kNoConfig);
  if (const auto status = CheckVariables(variables); !status.ok()) return status;
  if (const auto status = FromEnvironment(app, taken, variables); !status.ok()) return status;
  if (app.get_option(std::string("--") + kNoConfig)->as<bool>()) return {};
  const auto project = ReadNearestPyproject(folder);
  if (!project.ok()) return project.error();
  if (!project.value().has_value()) return {};
  return FromPyproject(app, taken, names, *project.value());
}

}  // namespace

void AddDefaultsOption(CLI::App& app, bool* no_config) {
  app.add_flag("--no-config", *no_config, "Do not read pyproject.toml");
  app.footer(
      "Each option can also be set by an environment variable (PYROMETER_RATE for --rate)\n"
      "or in the table [tool.pyrometer] of pyproject.toml.");
}

void AddScopeDefaultsOption(CLI::App& app, bool* no_config) {
  AddDefaultsOption(app, no_config);
  app.footer(
      "--only, --exclude and --all can also be set by environment variables (PYROMETER_ONLY)\n"
      "or in the table [tool.pyrometer] of pyproject.toml.");
}

std::vector<std::string> DefaultableNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      if (option != app.get_help_ptr() && name != kNoConfig) names.push_back(name);
  return names;
}

base::Status FillInDefaults(CLI::App& app, const std::string& folder) {
  return FillIn(app, Taken::kAll, folder);
}

base::Status FillInScopeDefaults(CLI::App& app, const std::string& folder) {
  return FillIn(app, Taken::kScope, folder);
}

}  // namespace pyrometer::cli
