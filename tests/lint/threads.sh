#!/usr/bin/env bash
# Background work uses widgets::inBackground or standard threads. The locks of Qt's thread pools are in libraries that are not
# instrumented, so ThreadSanitizer reports false races in data passed through them, which hide real ones.
set -euo pipefail
found=$(grep -rnE 'QThreadPool|QtConcurrent|QRunnable|QFutureWatcher' --include=*.cpp --include=*.h app widgets | grep -v '^widgets/common/background.cpp:' || true)
[ -z "$found" ] || { echo "$found"; echo "use widgets::inBackground (widgets/common/background.h)"; exit 1; }
