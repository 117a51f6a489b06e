// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Code that was made of text, and so has a name in place of a path: "<string>",
// "<ipython-input-3-0f1e>", "<sqlalchemy generated ...>". Whose it is can be told from its
// name only in part; see FrameTable.
namespace pyrometer::analyze {

// Has such a name, and did not come with the interpreter ("<frozen ...>").
bool IsMadeOfText(std::string_view path);

// Somebody has typed it: at a prompt, into a notebook, as an example in a docstring.
bool IsTyped(std::string_view path);

// Its lines say nothing to whoever reads a report, whoever has made it: dataclasses and
// named tuples, attrs, wrappers of decorators. The code of `python -c` has such a name, too.
bool IsUnreadable(std::string_view path);

// Whether `name` has `package` in it as a word: "<class 'networkx.utils.argmap'> 22".
bool Mentions(std::string_view name, std::string_view package);

}  // namespace pyrometer::analyze
