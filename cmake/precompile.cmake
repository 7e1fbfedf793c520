# Precompiled headers for nearly all sources of a target. Off with a compiler cache, which would miss whenever one of the headers changes.
set(weft_precompiled ON)
if(WEFT_CCACHE OR WEFT_FUZZ)
  set(weft_precompiled OFF)
endif()
option(WEFT_PRECOMPILED_HEADERS "Compile common headers once" ${weft_precompiled})

set(weft_std_headers <algorithm> <array> <atomic> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory> <mutex> <optional> <set> <string> <string_view>
    <unordered_map> <utility> <vector>)
set(weft_qt_headers <QApplication> <QDir> <QFileInfo> <QHash> <QJsonArray> <QJsonDocument> <QJsonObject> <QLabel> <QLineEdit> <QMenu> <QPainter> <QPointer>
    <QPushButton> <QRegularExpression> <QTimer> <QToolButton> <QTreeWidget> <QVBoxLayout> <QWidget>)

# weft_precompile(target [STD] [QT] [HEADERS <header>…] [REUSE other]): REUSE shares those of a target with the same compile options.
function(weft_precompile target)
  if(NOT WEFT_PRECOMPILED_HEADERS)
    return()
  endif()
  cmake_parse_arguments(P "STD;QT" "REUSE" "HEADERS" ${ARGN})
  if(P_REUSE)
    target_precompile_headers(${target} REUSE_FROM ${P_REUSE})
    return()
  endif()
  set(headers ${P_HEADERS})
  if(P_STD)
    list(APPEND headers ${weft_std_headers})
  endif()
  if(P_QT)
    list(APPEND headers ${weft_qt_headers})
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
