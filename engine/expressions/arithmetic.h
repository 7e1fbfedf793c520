// What operators and functions of expressions do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/expressions.h"

namespace weft::expressions {

enum class Op { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power, Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };
enum class Unary { Minus, Plus, Not };

std::string_view symbolOf(Op op);
/// "a whole number", "a number", "a list", … of that value.
std::string_view kindOf(const ExpressionValue& value);

Result<ExpressionValue> combine(Op op, const ExpressionValue& a, const ExpressionValue& b);
Result<ExpressionValue> applyUnary(Unary op, const ExpressionValue& a);
/// The element of a list; negative numbers count from its end.
Result<ExpressionValue> elementAt(const ExpressionValue& list, const ExpressionValue& index);
/// REQUIRES: `function` is a number in expressionFunctions().
Result<ExpressionValue> callFunction(int function, const std::vector<ExpressionValue>& arguments);
/// True or false. INVALID_ARGUMENT for any other value: `where` says for what.
Result<bool> truthOf(const ExpressionValue& value, std::string_view where);

constexpr int kDeepestList = 32;  // of lists in lists

/// Elements of a list and of the lists in it; 0: no list.
size_t elementsOf(const ExpressionValue& value);
/// OUT_OF_RANGE: a list with more elements or deeper than expressions may make.
Status checkList(const ExpressionValue& value);

/// Shortest text that reads as the same number.
std::string realText(double value);

}  // namespace weft::expressions
