#include "document/variable_fix.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace weft::app {
namespace {

struct VariableFixes {
  Q_DECLARE_TR_FUNCTIONS(VariableFixes)
};

/// The program with strings and comments blanked, so that brackets and words in them do not count.
QString withoutTexts(const QString& program) {
  QString out = program;
  QString open;
  for (qsizetype i = 0; i < program.size();) {
    if (open.isEmpty() && program[i] == u'#') {
      while (i < program.size() && program[i] != u'\n') out[i++] = u' ';
      continue;
    }
    if (!open.isEmpty()) {
      if (QStringView(program).mid(i).startsWith(open)) {
        i += open.size();
        open.clear();
      } else if (program[i] == u'\n') {
        if (open.size() == 1) open.clear();
        ++i;
      } else {
        const bool escaped = program[i] == u'\\' && i + 1 < program.size();
        out[i++] = u' ';
        if (escaped && program[i] != u'\n') out[i++] = u' ';
      }
      continue;
    }
    for (const QString& quote : {QStringLiteral("\"\"\""), QStringLiteral("'''"), QStringLiteral("\""), QStringLiteral("'")}) {
      if (!QStringView(program).mid(i).startsWith(quote)) continue;
      open = quote;
      break;
    }
    i += open.isEmpty() ? 1 : open.size();
  }
  return out;
}

/// Position of the bracket that closes the one at `at`; -1: none.
qsizetype closing(const QString& plain, qsizetype at) {
  int depth = 0;
  for (qsizetype i = at; i < plain.size(); ++i) {
    if (plain[i] == u'(' || plain[i] == u'[' || plain[i] == u'{') ++depth;
    if ((plain[i] == u')' || plain[i] == u']' || plain[i] == u'}') && --depth == 0) return i;
  }
  return -1;
}

struct Argument {
  QString name, value;  // empty name: positional
};

QVector<Argument> argumentsOf(const QString& program, const QString& plain, qsizetype begin, qsizetype end) {
  QVector<Argument> out;
  int depth = 0;
  qsizetype from = begin;
  const auto take = [&](qsizetype to) {
    const QString text = program.mid(from, to - from).trimmed();
    if (text.isEmpty()) return;
    static const QRegularExpression named(QStringLiteral("^(\\w+)\\s*=(?!=)\\s*(.*)$"), QRegularExpression::DotMatchesEverythingOption);
    const auto match = named.match(text);
    out << (match.hasMatch() ? Argument{match.captured(1), match.captured(2).trimmed()} : Argument{{}, text});
  };
  for (qsizetype i = begin; i < end; ++i) {
    if (plain[i] == u'(' || plain[i] == u'[' || plain[i] == u'{') ++depth;
    if (plain[i] == u')' || plain[i] == u']' || plain[i] == u'}') --depth;
    if (plain[i] != u',' || depth > 0) continue;
    take(i);
    from = i + 1;
  }
  take(end);
  return out;
}

qsizetype startOfLine(const QStringList& lines, int line) {
  qsizetype at = 0;
  for (int i = 0; i + 1 < line; ++i) at += lines[i].size() + 1;
  return at;
}

qsizetype indentation(const QString& line) {
  qsizetype i = 0;
  while (i < line.size() && (line[i] == u' ' || line[i] == u'\t')) ++i;
  return i;
}

struct Around {
  int line = 0;  // of the `with` or `def`
  bool names = false, variables = false, function = false;
  QString name;  // if it is a literal; "…": it is computed
};

/// The scopes and functions around a line, outermost first.
QVector<Around> blocksAround(const QStringList& lines, int line) {
  static const QRegularExpression scope(QStringLiteral("^\\s*with\\s+(?:\\w+\\.)*(name_scope|variable_scope)\\s*\\(\\s*(?:(['\"])([^'\"]*)\\2)?"));
  static const QRegularExpression function(QStringLiteral("^\\s*def\\s+(\\w+)"));
  QVector<Around> out;
  qsizetype depth = indentation(lines[line - 1]);
  for (int i = line - 1; i >= 1 && depth > 0; --i) {
    const QString& text = lines[i - 1];
    if (text.trimmed().isEmpty() || indentation(text) >= depth) continue;
    depth = indentation(text);
    if (const auto match = scope.match(text); match.hasMatch()) {
      const bool names = match.captured(1) == QLatin1String("name_scope");
      out.prepend({i, names, !names, false, match.capturedLength(2) > 0 ? match.captured(3) : QStringLiteral("…")});
    } else if (const auto def = function.match(text); def.hasMatch()) {
      out.prepend({i, false, false, true, def.captured(1)});
    }
  }
  return out;
}

}  // namespace

QVector<VariableCall> variableCallsIn(const QString& program) {
  static const QRegularExpression call(QStringLiteral("(?<![\\w.])(?:tf|tensorflow)\\.Variable\\s*(?=\\()"));
  const QString plain = withoutTexts(program);
  QVector<VariableCall> out;
  int line = 1;
  qsizetype begin = 0, seen = 0;
  for (auto it = call.globalMatch(plain); it.hasNext();) {
    const auto match = it.next();
    for (; seen < match.capturedStart(); ++seen) {
      if (plain[seen] != u'\n') continue;
      ++line;
      begin = seen + 1;
    }
    const qsizetype open = plain.indexOf(u'(', match.capturedEnd() - 1), end = closing(plain, open);
    const int more = end < 0 ? 0 : int(QStringView(plain).mid(match.capturedStart(), end - match.capturedStart()).count(u'\n'));
    out << VariableCall{line, int(match.capturedStart() - begin), int(match.captured().trimmed().size()), end < 0 ? 0 : line + more};
  }
  return out;
}

VariableFix fixVariable(const QString& program, const VariableCall& call, const QMap<int, LineNote>& notes) {
  VariableFix fix;
  const auto fail = [&](const QString& why) {
    fix.error = why;
    return fix;
  };
  if (call.lastLine == 0) return fail(VariableFixes::tr("The brackets of this call are not closed."));
  const QString plain = withoutTexts(program);
  const QStringList lines = program.split(u'\n');
  const qsizetype start = startOfLine(lines, call.line) + call.column, open = plain.indexOf(u'(', start), end = closing(plain, open);
  // Parameters of tf.Variable in their order; get_variable has them as well.
  static const QStringList order = {QStringLiteral("initial_value"),  QStringLiteral("trainable"),      QStringLiteral("collections"),
                                    QStringLiteral("validate_shape"), QStringLiteral("caching_device"), QStringLiteral("name"),
                                    QStringLiteral("variable_def"),   QStringLiteral("dtype"),          QStringLiteral("expected_shape"),
                                    QStringLiteral("import_scope"),   QStringLiteral("constraint"),     QStringLiteral("use_resource")};
  static const QStringList kept = {QStringLiteral("trainable"),      QStringLiteral("collections"), QStringLiteral("validate_shape"),
                                   QStringLiteral("caching_device"), QStringLiteral("dtype"),       QStringLiteral("constraint"),
                                   QStringLiteral("use_resource")};
  QString initial, name;
  QStringList others;
  int place = 0;
  for (const Argument& a : argumentsOf(program, plain, open + 1, end)) {
    const QString which = a.name.isEmpty() ? order.value(place++) : a.name;
    if (a.value.startsWith(u'*')) return fail(VariableFixes::tr("The arguments are passed as %1, so they are not known here.").arg(a.value));
    if (which == QLatin1String("initial_value")) initial = a.value;
    else if (which == QLatin1String("name")) name = a.value;
    else if (kept.contains(which)) others << which + u'=' + a.value;
    else return fail(VariableFixes::tr("tf.get_variable has no parameter %1.").arg(which));
  }
  if (initial.isEmpty()) return fail(VariableFixes::tr("The call passes no initial value."));
  // A name is required: the given one, or that of the assigned variable.
  static const QRegularExpression assigned(QStringLiteral("^\\s*(?:self\\.)?([A-Za-z_]\\w*)\\s*=\\s*$"));
  if (name.isEmpty()) {
    const auto match = assigned.match(lines[call.line - 1].left(call.column));
    name = u'"' + (match.hasMatch() ? match.captured(1) : QStringLiteral("variable")) + u'"';
  }
  static const QRegularExpression literal(QStringLiteral("^(['\"])([^'\"]*)\\1$"));
  const auto text = literal.match(name);
  const QString last = text.hasMatch() ? text.captured(2) : QStringLiteral("…");
  // tf.Variable takes a function without parameters; so does get_variable, with a shape.
  if (initial.startsWith(QLatin1String("lambda")))
    return fail(VariableFixes::tr("The initial value is a function: tf.get_variable also needs a shape. Write shape=… and initializer=… by hand."));

  for (const LineNote::Made& m : notes.value(call.line).made)
    if (m.variable) fix.now << m.tensor.section(u':', 0, 0);
  const QVector<Around> around = blocksAround(lines, call.line);
  const Around* scope = nullptr;
  QStringList path, before;
  bool inFunction = false;
  for (const Around& a : around) {
    if (a.function) {
      inFunction = true;
      path = before = {QStringLiteral("…")};  // it depends on the caller
      scope = nullptr;
      continue;
    }
    scope = &a;
    before << a.name;
    if (a.variables || &a == &around.last()) path << a.name;
  }
  if (fix.now.isEmpty()) fix.now << (before + QStringList{last}).join(u'/');
  fix.shares = fix.now.size() > 1;
  fix.then = (path + QStringList{last}).join(u'/');

  QString replaced = QStringLiteral("tf.get_variable(") + name + QStringLiteral(", initializer=") + initial;
  for (const QString& o : std::as_const(others)) replaced += QStringLiteral(", ") + o;
  replaced += u')';
  const bool changesScope = scope && scope->names;
  const bool wraps = !scope && fix.shares;
  fix.opensScope = changesScope || wraps;
  fix.firstLine = changesScope ? scope->line : call.line;
  fix.lastLine = call.lastLine;
  QString body = program.mid(startOfLine(lines, fix.firstLine), start - startOfLine(lines, fix.firstLine)) + replaced;
  const qsizetype rest = end + 1;
  qsizetype lineEnd = program.indexOf(u'\n', rest);
  body += program.mid(rest, (lineEnd < 0 ? program.size() : lineEnd) - rest);
  if (changesScope) {
    const qsizetype at = body.indexOf(QLatin1String("name_scope"));
    body.replace(at, 10, QStringLiteral("variable_scope"));
    if (fix.shares || inFunction) {
      const qsizetype bracket = closing(withoutTexts(body), withoutTexts(body).indexOf(u'(', at));
      if (bracket > 0) body.insert(bracket, QStringLiteral(", reuse=tf.AUTO_REUSE"));
    }
  } else if (wraps) {
    const QString indent = lines[call.line - 1].left(indentation(lines[call.line - 1]));
    QStringList wrapped{indent + QStringLiteral("with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE):")};
    for (const QString& l : body.split(u'\n')) wrapped << QStringLiteral("    ") + l;
    body = wrapped.join(u'\n');
  }
  fix.text = body;
  return fix;
}

}  // namespace weft::app
