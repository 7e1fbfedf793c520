// Commands of the Edit menu while a text is in front.
#pragma once

#include <optional>

#include "document/file_tab.h"
#include "document/text_buffer.h"
#include "document/workspace.h"
#include "shell/action_registry.h"

namespace weft::app {

/// The text page in front; null: none.
inline TextEditing* textInFront(const Workspace& workspace) {
  const FileTab* file = workspace.currentFile();
  return file && file->text() ? file->text()->editing() : nullptr;
}

/// A command that acts on the text page in front, else does what it did otherwise.
inline std::function<CommandResult(const QStringList&)> inTextOr(Workspace& workspace, const char* command,
                                                                 std::function<CommandResult(const QStringList&)> otherwise) {
  return [&workspace, command, otherwise](const QStringList& arguments) {
    TextEditing* text = textInFront(workspace);
    if (!text) return otherwise(arguments);
    text->perform(QLatin1String(command));
    return CommandResult::done();
  };
}

inline std::function<QString()> whyNotInTextOr(Workspace& workspace, const char* command, std::function<QString()> otherwise) {
  return [&workspace, command, otherwise] {
    const TextEditing* text = textInFront(workspace);
    return text ? text->whyNot(QLatin1String(command)) : otherwise();
  };
}

}  // namespace weft::app
