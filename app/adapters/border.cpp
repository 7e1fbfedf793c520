#include "adapters/border.h"

#include <QCoreApplication>

#include "adapters/graph_contents.h"

namespace weft::app {
namespace {

struct Border {
  Q_DECLARE_TR_FUNCTIONS(AnalysisBorder)
};

}  // namespace

QString wordsOfFailure() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return Border::tr("there is not enough memory");
  } catch (const std::exception& e) {
    const QString what = QString::fromUtf8(e.what());
    return what.isEmpty() ? Border::tr("for an unknown reason") : what;
  } catch (...) {
    return Border::tr("for an unknown reason");
  }
}

bool notedProblem(GraphContents& contents, const QString& node, const QString& analysis, const QString& failure) {
  Problem p;
  p.severity = Problem::Severity::Error;
  p.node = node;
  p.code = QStringLiteral("analysis");
  p.message = Border::tr("This could not be analysed (%1): %2. The graph itself was read without changes.").arg(analysis, failure);
  contents.problems << p;
  return false;
}

}  // namespace weft::app
