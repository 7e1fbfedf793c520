#pragma once

#include "api/convert.h"

// tf.Assert, tf.assert_equal and similar checks, which return the node to wait for.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api::checks {

struct Options {
  std::string name;
  Argument data = {};  ///< Tensors shown in the message; None: the operands.
  std::optional<int64_t> summarize;
  std::string message;
};

/// tf.Assert; returns the node to wait for.
int require(GraphBuilder& b, const Argument& condition, const ArgumentList& data, std::optional<int64_t> summarize = {}, std::string_view name = {});
/// tf.assert_equal (`sign` "=="), assert_less ("<"), "<=", ">", ">=", "!=". INVALID_ARGUMENT (in the builder) if the check is known to fail.
int binary(GraphBuilder& b, std::string_view sign, const Argument& x, const Argument& y, const Options& options);
/// tf.assert_negative ("<"), assert_positive (">"), "<=", ">=" against zero.
int sign(GraphBuilder& b, std::string_view sign, const Argument& x, const Options& options);
/// tf.assert_rank ("=="), assert_rank_at_least (">=").
int rank(GraphBuilder& b, std::string_view sign, const Argument& x, const Argument& rank, const Options& options);
int isInteger(GraphBuilder& b, const Argument& x, const Options& options);
int isType(GraphBuilder& b, const Argument& x, DType type, const Options& options);

}  // namespace weft::api::checks
#pragma GCC visibility pop
