#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// The spreadsheet: its sheets, filters, orders, columns, edits and copies.
void registerSheetActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
