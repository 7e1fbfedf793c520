#pragma once

#include "document/workspace.h"

namespace weft::app {

/// The graph in front; null while another file is in front.
inline Document* documentInFront(const Workspace& workspace) { return workspace.currentFile() ? nullptr : workspace.current(); }

/// Shows the document with the graph of those event files: the one opened from them before, else a new one.
void showEventGraphIn(Workspace& workspace, const QString& path, Workspace::Done done = {});
/// Opens the graph of an event file, or of a folder that directly contains some, as a new document.
void openEventGraphIn(Workspace& workspace, const QString& path, Workspace::Done done = {});

}  // namespace weft::app
