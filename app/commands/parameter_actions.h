#pragma once

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Named values of a document, and fields that follow expressions.
void registerParameterActions(ActionRegistry& registry, Workspace& workspace);

}  // namespace weft::app
