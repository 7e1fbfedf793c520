#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "weft/provenance.h"

namespace weft::cli {

// Origins, shares of rows and differences as text and as JSON.
std::string originText(const Origin& origin);
nlohmann::json originJson(const Origin& origin);
std::string rowsText(const RowShares& rows);
nlohmann::json rowsJson(const RowShares& rows);
std::string differenceText(const StepDifference& difference);
nlohmann::json differenceJson(const StepDifference& difference);

/// Trains with and without a record, in turn, and asks that many questions about random steps. Times in seconds.
Result<std::string> measureWhy(const MetaGraph& document, const TrainOptions& options, int64_t steps, int64_t questions, bool json);

}  // namespace weft::cli
