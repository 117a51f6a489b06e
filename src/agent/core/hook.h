// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before a function that the program finds in this library: one that stands before
// another of the same name, or one of our own for the Python package. exports.map
// lists them all.
#define PYRO_HOOK extern "C" __attribute__((visibility("default")))
