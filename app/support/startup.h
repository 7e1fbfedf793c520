#pragma once

namespace weft::app {

/// To be called first in main(): has the compute threads wait for work sleeping rather than spinning, unless the environment already says
/// how (GOMP_SPINCOUNT, OMP_WAIT_POLICY). libgomp by default spins for many milliseconds after each parallel loop; on a machine that does
/// anything else (a window to paint, another program) that makes small steps hundreds of times slower: with all cores busy a softmax step took
/// 86 ms so, and 0.2 ms with 1,000 spins (about 50 µs), which still bridges the gap from one op to the next. libgomp reads its environment
/// when it is loaded, so the program starts itself once more; where that is impossible, it goes on as it is.
void settleThreadPool(char** argv);

}  // namespace weft::app
