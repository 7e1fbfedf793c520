// Groups in edits of other kinds. Only sources of this folder include it.
#pragma once

#include "adapters/edit_words.h"

namespace weft::app {

/// Whether a type of `graph.add` is a group: `group:NAME`, or `group:NAME@LIBRARY`.
bool isGroupType(const QString& type);
GraphEdit addGroupEdit(const EditWords& words);
/// `graph.insert` of such a type.
GraphEdit insertGroupEdit(const EditWords& words);

}  // namespace weft::app
