#pragma once

#include "document/workspace.h"

namespace weft::app {

/// The graph in front; null while a file that is no graph is there.
inline Document* documentInFront(const Workspace& workspace) { return workspace.currentFile() ? nullptr : workspace.current(); }

/// Opens the graph that an event file holds as a new document.
void openEventGraphIn(Workspace& workspace, const QString& path, Workspace::Done done = {});

}  // namespace weft::app
