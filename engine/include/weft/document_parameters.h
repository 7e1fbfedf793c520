// The parameters of a document that a sweep varies, by name.
#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"
#include "weft/sweep.h"

namespace weft {

/// A parameter that a document has.
struct DocumentParameter {
  enum class Group { Training, Live, Layer, Name };
  enum class Type { Number, Integer, Word };
  std::string name;  ///< As setDocumentParameters() takes it.
  Group group = Group::Training;
  Type type = Type::Number;
  std::string value;        ///< In the document; empty: the default.
  SweepParameter proposal;  ///< A range or a choice to begin with.
};

/// The training settings, the live scalars, the named values that follow nothing, and the parameters of layers, in this order. Fields that follow an expression
/// (weft/expressions.h) are left out: what they follow is varied. Attributes of single nodes can be set but are not listed.
WEFT_API std::vector<DocumentParameter> documentParameters(const MetaGraph& meta);

/// Sets parameters in a document, as an edit that can be saved. By name, the first that fits:
/// - a named value ("width"): a number, a word, or an expression over others. Everything that follows it is set, too
/// - "optimizer": "Adam", "Momentum" …
/// - a setting of `weft train --set` ("batch_size", "seed", "epochs", …)
/// - "learning_rate" or "lr", another parameter of the optimizer ("momentum"), or a live scalar
/// - "LAYER.PARAMETER" ("dense_1.units"); "PARAMETER" alone if only one layer has it
/// - "NODE.ATTRIBUTE" ("conv/Conv2D.strides"), a value as in weft/edit.h
/// - a tensor to feed while training ("keep_prob:0")
/// Errors name the parameter, its value and what was expected; `meta` is then half changed. `problems`: those of the document, replaced by those after the
/// change; a parameter that adds one is refused.
WEFT_API Status setDocumentParameters(MetaGraph& meta, std::vector<Error>& problems, const SweepPoint& parameters);

}  // namespace weft
