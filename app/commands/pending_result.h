// The result of a command that completes later.
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>

#include "shell/action_registry.h"

namespace weft::app {

/// A result delivered by a callback.
struct PendingResult {
  std::shared_ptr<std::optional<CommandResult>> result = std::make_shared<std::optional<CommandResult>>();
  std::function<void(const QString&)> done() const {
    return [result = result](const QString& error) { *result = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); };
  }
  CommandResult later() const {
    return CommandResult::when([result = result] { return *result; });
  }
};

}  // namespace weft::app
