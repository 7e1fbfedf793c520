#pragma once

#include <functional>

// Functions that the window needs from the commands. Declared here and defined in commands/, so that the window need not know the commands.
namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Adds every command of the program; all arguments outlive the registry's use.
void registerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// Offers recovery of documents of a session that was killed, if there are any.
void offerRecovery(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// Asks what to do with unsaved work and a running training, saves if wanted, then calls `go`; not called if the user cancels.
void confirmQuit(Workspace& workspace, Shell& shell, std::function<void()> go);

}  // namespace weft::app
