#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/checkpoint.h"

namespace weft {

/// The key under which an object-based checkpoint (tf.train.Checkpoint, Keras weights, SavedModels of TensorFlow 2) describes its objects.
constexpr const char* kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

/// One object of an object-based checkpoint.
struct CheckpointObject {
  struct Value {
    std::string name;      ///< Attribute of the object: VARIABLE_VALUE, or the object's own word.
    std::string fullName;  ///< Name of the variable in the program that saved it; may be empty, and not unique.
    std::string key;       ///< In the checkpoint.
  };
  struct Child {
    std::string name;
    int object = 0;
  };
  struct Slot {  ///< An optimizer's value for a variable.
    std::string name;
    int variable = 0, object = 0;
  };
  std::string
      path;  ///< The shortest chain of names from the root: "model/layers/0". Of a slot VARIABLE/.OPTIMIZER_SLOT/OPTIMIZER/NAME. Empty: the root, or unreachable.
  std::vector<Child> children;
  std::vector<Value> values;
  std::vector<Slot> slotVariables;
};

/// The objects of a serialised TrackableObjectGraph; the first is the root. DATA_LOSS of kind "malformed" or "truncated", also for references to objects that
/// do not exist.
WEFT_API Result<std::vector<CheckpointObject>> parseObjectGraph(std::string_view bytes);
/// The objects of a checkpoint. NOT_FOUND if it is not object-based.
WEFT_API Result<std::vector<CheckpointObject>> readObjectGraph(const CheckpointReader& checkpoint);

/// Full names of a checkpoint's objects and the keys that have their values. TensorFlow 2 does not make names unique, so one can have several keys.
using KeysByName = std::map<std::string, std::vector<std::string>, std::less<>>;
WEFT_API KeysByName keysByFullName(const std::vector<CheckpointObject>& objects);

}  // namespace weft
