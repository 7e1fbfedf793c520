#pragma once

// Between bfloat16_products.cpp, which splits products into blocks, and hot_amx.cpp, which computes them on the processor's matrix unit. Included by both: nothing
// of the standard library.
namespace weft::cpu {

/// Rows of a packed left panel and columns of a packed right one.
constexpr long kAmxSide = 32;
/// Sums run over this many products at a time; panels are filled up with zeros to a multiple of it.
constexpr long kAmxDepth = 32;
/// Bytes of a packed panel.
constexpr long amxPanelBytes(long k) { return (k + kAmxDepth - 1) / kAmxDepth * kAmxDepth * kAmxSide * 2; }

/// A float32 operand: element (i, j) is at data[i * rowStride + j * columnStride]. One stride is 1.
struct AmxOperand {
  const float* data;
  long rowStride, columnStride;
};

/// Rounds `rows` <= 32 rows of a left operand, or `columns` <= 32 columns of a right one, to bfloat16, in the order in which amxMultiply() reads them.
void amxPackLeft(const AmxOperand& a, long rows, long k, void* panel);
void amxPackRight(const AmxOperand& b, long k, long columns, void* panel);

/// The matrix unit of this thread is used between these two.
void amxBegin();
void amxEnd();
/// C = A B for two packed panels, or C += A B. The rows of C are `ldc` elements apart.
void amxMultiply(const void* left, const void* right, long k, float* c, long ldc, long rows, long columns, bool add);

/// Asks the kernel for the unit's registers; false if this process does not get them.
bool amxPermitted();

}  // namespace weft::cpu
