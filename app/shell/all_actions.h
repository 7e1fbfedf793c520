#pragma once

#include <functional>

// What the window asks of the commands. Defined in commands/, which may know the window; declared here, so that the window need not know the commands.
namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Adds every command of the program; all arguments outlive the registry's use.
void registerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// Says that documents of a session that was ended from outside can be recovered, if there are any.
void offerRecovery(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// Asks what becomes of unsaved work and of a training, saves what is to be saved, then calls `go`; never, if the answer was to stay.
void confirmQuit(Workspace& workspace, Shell& shell, std::function<void()> go);

}  // namespace weft::app
