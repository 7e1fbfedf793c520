// Checks of the engine's results.
#pragma once

#include <QTest>

#include "weft/error.h"

/// The test ends here if a Status is an error, with the error's text.
#define VERIFY_OK(...)                                  \
  do {                                                  \
    const ::weft::Status status_ = (__VA_ARGS__);       \
    QVERIFY2(status_.ok(), status_.toString().c_str()); \
  } while (0)
