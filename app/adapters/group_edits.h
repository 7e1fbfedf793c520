// Groups in edits of other kinds. Only sources of this folder include it.
#pragma once

#include <string>

#include "adapters/edit_words.h"

namespace weft::app {

/// Whether a type of `graph.add` is a group: `group:NAME`, or `group:NAME@LIBRARY`.
bool isGroupType(const QString& type);
GraphEdit addGroupEdit(const EditWords& words);
/// `graph.insert` of such a type.
GraphEdit insertGroupEdit(const EditWords& words);
/// Connects "INSTANCE:PORT" (an empty tensor disconnects). False: it is no instance.
bool connectGroup(LayerEditor& layers, const QString& to, const std::string& tensor, Status* status);
/// Sets a parameter, or the name, of an instance. False: it is no instance.
bool setInGroup(LayerEditor& layers, const QString& scope, const QString& name, const QString& value, Status* status);
/// The tensor of an instance's output, by name or number; empty: it is no instance.
std::string groupOutput(LayerEditor& layers, const std::string& scope, const std::string& port);

}  // namespace weft::app
