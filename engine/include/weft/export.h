#pragma once

/// Marks what libweft-engine exports; everything else in it has hidden visibility.
#define WEFT_API [[gnu::visibility("default")]]
