#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/api.h"
#include "weft/builder.h"

namespace weft::app {

/// A value for a parameter, and its text in a program.
struct ExampleValue {
  std::function<Argument(GraphBuilder&, const std::string& name)> make;
  std::string text;  ///< Empty: the name of a placeholder.
};

/// A written call of a function whose arguments must fit one another.
struct WrittenCall {
  struct Part {
    std::string parameter;
    ExampleValue value;
  };
  std::vector<Part> arguments;
  std::function<void(GraphBuilder&)> before;  ///< Builds what the graph must already contain; may be null.
};

/// The written call for that function; empty if there is none.
std::optional<WrittenCall> writtenCall(const ApiRecord& record);
/// Names of all functions that have a written call.
std::vector<std::string> writtenCalls();

}  // namespace weft::app
