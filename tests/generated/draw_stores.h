#pragma once

#include "drawing.h"

namespace weft::generated {

// Ops that keep tensors by a handle, one store each; false if nothing could be added.
bool drawList(Drawing& d);        ///< A TensorList, changed as a value.
bool drawArrayParts(Drawing& d);  ///< A TensorArray that is split, joined and closed, with the array of its gradients.
bool drawTable(Drawing& d);       ///< A hash table of either kind, filled and read.
bool drawScatter(Drawing& d);     ///< Rows and elements of a variable.
bool drawTemporary(Drawing& d);   ///< A temporary variable; references that are selected and passed on.
bool drawDataset(Drawing& d);     ///< A chain of datasets and its first elements.
bool drawSingle(Drawing& d);      ///< An op that no golden record covers.
bool drawUnrecorded(Drawing& d);  ///< Another one.
bool drawReader(Drawing& d);      ///< A reader of the first version with files and the queue of their names.
bool drawSaved(Drawing& d);       ///< Tensors saved by the first version's ops and read again.
bool drawAnonymous(Drawing& d);   ///< Anonymous iterators, caches, seeds and pools, known only by a handle.

}  // namespace weft::generated
