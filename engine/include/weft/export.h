#pragma once

/// Marks what libweft-engine exports; everything else in it has hidden visibility.
#define WEFT_API __attribute__((visibility("default")))
