#pragma once

#include <QByteArray>

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Sweeps: begin, pause, stop, go on, use the parameters of a run, read runs of event files.
void registerSweepActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// `print experiments`: {"state", "name", "total", "running", "finished", "stoppedEarly", "failed", "best", "error", "runs": of the shown page [{"run", "status",
/// "parameters", "metrics", "error"}], "order", "groups", "selected", "importance"}.
QByteArray experimentsJson(Workspace& workspace);

}  // namespace weft::app
