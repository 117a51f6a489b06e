// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Printable text of unknown origin as a part of Markdown: it shows as it is,
// also in a cell of a table, and opens or closes nothing.
namespace pyrometer::tui {

// As running text: whatever Markdown or HTML might read as markup becomes a
// character reference.
std::string MarkdownText(std::string_view printable);
// As code within a line: in backticks where that is safe.
std::string MarkdownCode(std::string_view printable);
// Lines of code as a block, behind a fence that is not in them.
std::string MarkdownBlock(std::string_view lines);

}  // namespace pyrometer::tui
