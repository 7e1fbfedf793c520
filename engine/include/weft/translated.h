#pragma once

/// Marks a text of the engine for translation by the window, which translates it in that context.
#define WEFT_TRANSLATED(context, text) text
