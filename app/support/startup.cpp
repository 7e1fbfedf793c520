#include "support/startup.h"

#include <unistd.h>

#include <cstdlib>

namespace weft::app {

void settleThreadPool(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  if (setenv("GOMP_SPINCOUNT", "1000", 0) == 0) execv("/proc/self/exe", argv);
}

}  // namespace weft::app
