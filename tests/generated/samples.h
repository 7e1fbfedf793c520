#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/op.h"

namespace weft::generated {

/// One way to call an op that is known to be in order (or, rarely, known to be refused): attributes and inputs of a golden record.
struct Sample {
  const OpRecord* record = nullptr;
  AttrMap attrs;
  std::vector<Tensor> inputs;
  std::vector<Shape> outputs;  ///< If stated by the record.
  bool refused = false;
};

/// The samples of one op from its golden records.
struct OpSamples {
  const OpRecord* record = nullptr;
  std::vector<Sample> samples;
  bool broadcasts = false;  ///< In every sample the outputs have the shape to which all inputs broadcast: any tensors that fit will do.
};

/// The samples of all ops, by name. Reads `folder`/<Op>.tfrecord; NOT_FOUND if there is none.
Result<std::map<std::string, OpSamples>> readSamples(const std::string& folder);

}  // namespace weft::generated
