#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/api.h"
#include "weft/builder.h"

namespace weft::app {

/// A way to give a parameter a value, and how a program says it.
struct ExampleValue {
  std::function<Argument(GraphBuilder&, const std::string& name)> make;
  std::string text;  ///< Empty: the name of a placeholder.
};

/// A call that is written down, for a function whose arguments must fit one another.
struct WrittenCall {
  struct Part {
    std::string parameter;
    ExampleValue value;
  };
  std::vector<Part> arguments;
  std::function<void(GraphBuilder&)> before;  ///< What must be in the graph already; may be null.
};

/// The call that is written down for that function; nothing if there is none.
std::optional<WrittenCall> writtenCall(const ApiRecord& record);
/// Names of all functions that one is written down for.
std::vector<std::string> writtenCalls();

}  // namespace weft::app
