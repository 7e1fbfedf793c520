#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// What the doctor does for a document.
void registerDoctorActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
