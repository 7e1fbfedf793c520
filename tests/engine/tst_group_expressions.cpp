// Expressions inside of groups: fields of the body follow the group's parameters and the document's names, in each instance with its own values.
#include "expression_document.h"

using namespace expression_tests;

namespace {

/// An edit of groups, whose notes count.
template <typename F>
Status edit(Document& d, F&& f) {
  std::vector<std::string> notes;
  const Status status = d.change([&](LayerEditor& l) -> Status {
    GroupEditor groups(l);
    const Status done = f(groups, l);
    notes = groups.notes();
    return done;
  });
  d.notes.insert(d.notes.end(), notes.begin(), notes.end());
  return status;
}

Status declare(Document& d, const std::string& name, const std::string& value) {
  return edit(d, [&](GroupEditor& g, LayerEditor&) { return g.declareParameter("block", name, value); });
}
Status setValue(Document& d, const std::string& scope, const std::string& name, const std::string& value) {
  return edit(d, [&](GroupEditor& g, LayerEditor&) { return g.setParameter(scope, name, value); });
}
Status update(Document& d, const std::string& scope) {
  return edit(d, [&](GroupEditor& g, LayerEditor&) { return g.updateFrom(scope); });
}
Status insert(Document& d, const std::string& name, const TextAttrs& values = {}) {
  return edit(d, [&](GroupEditor& g, LayerEditor&) { return g.insert("block", name, {{"", "x:0"}}, values).status(); });
}
bool differs(Document& d, const std::string& scope) {
  GraphEditor editor(d.meta, d.problems);
  LayerEditor layers(editor);
  const auto result = GroupEditor(layers).differs(scope);
  return result.ok() && *result;
}
/// x → block (dense_1 → dense_2) with the parameter `units` = 4, and again (units = 6), own (units = 8).
Document block() {
  Document d = twoLayers();
  const auto must = [](const Status& s) {
    if (!s.ok()) qFatal("%s", s.toString().c_str());
  };
  must(edit(d, [&](GroupEditor& g, LayerEditor& l) { return g.make(idsIn(l.editor().meta(), {"dense_1", "dense_2"}), "block").status(); }));
  must(declare(d, "units", "4"));
  must(insert(d, "again", {{"units", "6"}}));
  must(insert(d, "own", {{"units", "8"}}));
  return d;
}

/// The same with dense_1.units = 2*units in the group.
Document following() {
  Document d = block();
  const Status followed = d.follow("block/dense_1.units", "2*units"), updated = followed.ok() ? update(d, "block") : followed;
  if (!updated.ok()) qFatal("%s", updated.toString().c_str());
  return d;
}

Document reopened(const Document& d) {
  const auto bytes = serializeGraph(d.meta, GraphFormat::MetaBinary);
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(bytes.ok() ? *bytes : std::string()), "test");
  return loaded.ok() ? Document{loaded->meta, loaded->problems, {}} : Document();
}

}  // namespace

class TestGroupExpressions : public QObject {
  Q_OBJECT

 private slots:
  void inAnInstanceAnExpressionSeesItsParameters() {
    Document d = block();
    VERIFY_OK(d.follow("again/dense_1.units", "2*units"));
    QCOMPARE(q(d.shape("again/dense_1/kernel")), QStringLiteral("[16,12]"));
    QCOMPARE(q(d.shape("block/dense_1/kernel")), QStringLiteral("[16,8]"));
    QVERIFY(differs(d, "again"));
    VERIFY_OK(setValue(d, "own", "units", "5"));
    QCOMPARE(q(d.shape("again/dense_1/kernel")), QStringLiteral("[16,12]"));
    // Outside of a group, there is no such name.
    FAILS("width = units: there is no name units", d.name("width", "units"));
  }

  void theGroupTakesTheExpressionAndAllInstancesFollow() {
    Document d = following();
    QCOMPARE(q(d.shape("block/dense_1/kernel")), QStringLiteral("[16,8]"));
    QCOMPARE(q(d.shape("again/dense_1/kernel")), QStringLiteral("[16,12]"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,16]"));
    for (const char* scope : {"block", "again", "own"}) {
      QCOMPARE(q(expressionOf(d, std::string(scope) + "/dense_1.units")), QStringLiteral("2*units"));
      QVERIFY(!differs(d, scope));
    }
    const auto fields = groupExpressions(groupsOf(d.meta)[0]);
    QCOMPARE(fields.size(), size_t(1));
    QCOMPARE(q(fields[0].field + " = " + fields[0].expression), QStringLiteral("dense_1.units = 2*units"));
  }

  void oneInstanceChangesAlone() {
    Document d = following();
    VERIFY_OK(setValue(d, "again", "units", "10"));
    QCOMPARE(q(d.shape("again/dense_1/kernel")), QStringLiteral("[16,20]"));
    QCOMPARE(q(d.shape("block/dense_1/kernel")), QStringLiteral("[16,8]"));
    QVERIFY(d.notes.empty());
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.reset("again", "units"); }));
    QCOMPARE(q(d.shape("again/dense_1/kernel")), QStringLiteral("[16,8]"));
  }

  void aDefaultChangesAllThatHaveNoValueOfTheirOwn() {
    Document d = following();
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.setDefault("block", "units", "3"); }));
    QCOMPARE(q(d.shape("block/dense_1/kernel")), QStringLiteral("[16,6]"));
    QCOMPARE(q(d.shape("again/dense_1/kernel")), QStringLiteral("[16,12]"));
    VERIFY_OK(insert(d, "late"));
    QCOMPARE(q(d.shape("late/dense_1/kernel")), QStringLiteral("[16,6]"));
    QCOMPARE(q(expressionOf(d, "late/dense_1.units")), QStringLiteral("2*units"));
  }

  void namesOfTheDocumentCountAsWell() {
    Document d = block();
    VERIFY_OK(d.name("width", "3"));
    VERIFY_OK(d.follow("block/dense_1.units", "width*units"));
    VERIFY_OK(update(d, "block"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,24]"));
    VERIFY_OK(d.name("width", "5"));
    QCOMPARE(q(d.shape("block/dense_1/kernel")), QStringLiteral("[16,20]"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,40]"));
    QVERIFY(!differs(d, "own"));
    VERIFY_OK(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "size"); }));
    QCOMPARE(q(expressionOf(d, "own/dense_1.units")), QStringLiteral("size*units"));
    QCOMPARE(q(groupExpressions(groupsOf(d.meta)[0])[0].expression), QStringLiteral("size*units"));
    VERIFY_OK(insert(d, "late"));
    QCOMPARE(q(d.shape("late/dense_1/kernel")), QStringLiteral("[16,20]"));
    const std::string used = errorOf(d.change([&](LayerEditor&) { return removeNamedValue(d.meta, "size"); }));
    QVERIFY2(used.starts_with("size is used by ") && used.find("dense_1.units of the group block") != used.npos, used.c_str());
  }

  void aParameterHidesANameOfTheDocument() {
    Document d = following();
    VERIFY_OK(d.name("units", "100"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,16]"));
    VERIFY_OK(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "units", "all"); }));
    QCOMPARE(q(expressionOf(d, "own/dense_1.units")), QStringLiteral("2*units"));
    VERIFY_OK(d.change([&](LayerEditor&) { return removeNamedValue(d.meta, "all"); }));
  }

  void anInstanceMayFollowTheDocument() {
    Document d = following();
    VERIFY_OK(d.name("width", "7"));
    VERIFY_OK(d.follow("own.units", "width"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,14]"));
    VERIFY_OK(d.name("width", "9"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,18]"));
    QVERIFY(!differs(d, "own"));
    FAILS("own/dense_1.units = 2*units: a circle: own.units → own/dense_1.units → own.units", d.follow("own.units", "{own/dense_1.units}"));
  }

  void fieldsInsideFollowEachOther() {
    Document d = block();
    VERIFY_OK(d.follow("block/dense_1.units", "2*units"));
    VERIFY_OK(d.follow("block/dense_2.units", "{block/dense_1.units} + block.units"));
    VERIFY_OK(update(d, "block"));
    QCOMPARE(q(expressionOf(d, "own/dense_2.units")), QStringLiteral("{own/dense_1.units} + units"));
    QCOMPARE(q(d.shape("own/dense_2/kernel")), QStringLiteral("[16,24]"));
    VERIFY_OK(setValue(d, "own", "units", "2"));
    QCOMPARE(q(d.shape("own/dense_2/kernel")), QStringLiteral("[4,6]"));
  }

  void errorsNameInstanceFieldValueAndExpectation() {
    Document d = block();
    VERIFY_OK(d.follow("block/dense_1.units", "units/2"));
    VERIFY_OK(update(d, "block"));
    const Status odd = setValue(d, "own", "units", "5");
    QVERIFY(!odd.ok());
    QCOMPARE(q(odd.error().node), QStringLiteral("own"));
    QCOMPARE(q(odd.error().message), QStringLiteral("dense_1.units = units/2 is 2.5, expected a whole number"));
    FAILS("parameter 'units' is wide, expected a whole number", setValue(d, "own", "units", "wide"));
    FAILS("The parameter units of the group block is used by dense_1.units: change those first",
          edit(d, [](GroupEditor& g, LayerEditor&) { return g.removeParameter("block", "units"); }));
    FAILS("dense_1.units follows units/2 in the group block; release it first",
          edit(d, [](GroupEditor& g, LayerEditor&) { return g.addParameter("block", "more", "dense_1.units"); }));
    FAILS("own/dense_2.units = 2*unts: there is no name unts; did you mean units?", d.follow("own/dense_2.units", "2*unts"));
    FAILS("The group block has a parameter units already", declare(d, "units", "3"));
    FAILS("'2x' cannot name a parameter that expressions use: expected a letter or _, then letters, digits and _", declare(d, "2x", "3"));
    FAILS("'max' cannot name a parameter that expressions use: it is a word of expressions", declare(d, "max", "3"));
  }

  void parametersAreTyped() {
    Document d = block();
    for (const auto& [name, value, type] : {std::tuple("rate", "0.5", "float"), std::tuple("deep", "true", "bool"), std::tuple("kind", "relu", "string"),
                                            std::tuple("sizes", "[1,2]", "list(int)"), std::tuple("input", "[?,2]", "shape")}) {
      VERIFY_OK(declare(d, name, value));
      QCOMPARE(q(groupsOf(d.meta)[0].find(name)->type), QString::fromLatin1(type));
    }
    VERIFY_OK(d.follow("block/dense_1.activation", "kind if deep else 'tanh'"));
    VERIFY_OK(d.follow("block/dense_2.units", "sizes[1]"));
    VERIFY_OK(update(d, "block"));
    QVERIFY(d.meta.graph.find("own/dense_1/Relu"));
    VERIFY_OK(setValue(d, "own", "deep", "false"));
    QVERIFY(d.meta.graph.find("own/dense_1/Tanh") && d.meta.graph.find("block/dense_1/Relu"));
    FAILS("parameter 'deep' is 1, expected true or false", setValue(d, "own", "deep", "1"));
  }

  void aPlaceThatFollowsIsNoTargetAnyMore() {
    Document d = block();
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.addParameter("block", "width", "dense_1.units"); }));
    VERIFY_OK(d.follow("block/dense_1.units", "3*width"));
    VERIFY_OK(update(d, "block"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,24]"));
    QVERIFY(groupsOf(d.meta)[0].find("width") && groupsOf(d.meta)[0].find("width")->targets.empty());
    VERIFY_OK(setValue(d, "own", "width", "2"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,6]"));
  }

  void whatAnExpressionReadsOutsideStaysOutside() {
    Document d = twoLayers();
    VERIFY_OK(d.follow("dense_2.units", "dense_1.units//2"));
    VERIFY_OK(edit(d, [&](GroupEditor& g, LayerEditor& l) { return g.make(idsIn(l.editor().meta(), {"dense_2"}), "block").status(); }));
    QVERIFY(
        std::any_of(d.notes.begin(), d.notes.end(), [](const std::string& n) { return n.find("keeps its value 4 in the group: dense_1.units") != n.npos; }));
    QVERIFY(groupExpressions(groupsOf(d.meta)[0]).empty());
    VERIFY_OK(d.set("dense_1", "units", "6"));
    QCOMPARE(q(d.shape(groupInstancesOf(d.meta)[0].scope + "/dense_2/kernel")), QStringLiteral("[6,3]"));
  }

  void aValueTypedInsideEndsTheExpressionThere() {
    Document d = following();
    VERIFY_OK(d.set("own/dense_1", "units", "7"));
    QCOMPARE(q(expressionOf(d, "own/dense_1.units")), QStringLiteral("(none)"));
    QVERIFY(differs(d, "own") && !differs(d, "again"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.restore("own"); }));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,16]"));
    QCOMPARE(q(expressionOf(d, "own/dense_1.units")), QStringLiteral("2*units"));
    // A detached instance keeps its values.
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.detach("own"); }));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,16]"));
    QCOMPARE(q(expressionOf(d, "own/dense_1.units")), QStringLiteral("(none)"));
  }

  void groupsWithinGroups() {
    Document d = following();
    VERIFY_OK(edit(d, [&](GroupEditor& g, LayerEditor& l) { return g.make(idsIn(l.editor().meta(), {"own"}), "outer").status(); }));
    const std::string outer = [&] {
      for (const GroupInstance& i : groupInstancesOf(d.meta))
        if (i.group == "outer") return i.scope;
      return std::string();
    }();
    const std::string inner = outer + "/own";
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.declareParameter("outer", "k", "5"); }));
    VERIFY_OK(d.follow(inner + ".units", "k + 1"));
    QCOMPARE(q(d.shape(inner + "/dense_1/kernel")), QStringLiteral("[16,12]"));
    VERIFY_OK(update(d, outer));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.insert("outer", "second", {{"", "x:0"}}, {{"k", "1"}}).status(); }));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,4]"));
    QCOMPARE(q(expressionOf(d, "second/own/dense_1.units")), QStringLiteral("2*units"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.setDefault("outer", "k", "9"); }));
    QCOMPARE(q(d.shape(inner + "/dense_1/kernel")), QStringLiteral("[16,20]"));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,4]"));
    // The inner group changes within the outer one, too.
    VERIFY_OK(d.follow("again/dense_1.units", "3*units"));
    VERIFY_OK(update(d, "again"));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,6]"));
    QCOMPARE(q(d.shape("block/dense_1/kernel")), QStringLiteral("[16,12]"));
    QVERIFY(!differs(d, "second"));
  }

  void aNameOfTheDocumentMayBeCalledLikeTheParameterOfAnInnerGroup() {
    Document d = following();
    VERIFY_OK(edit(d, [&](GroupEditor& g, LayerEditor& l) { return g.make(idsIn(l.editor().meta(), {"own"}), "outer").status(); }));
    VERIFY_OK(d.name("units", "50"));
    VERIFY_OK(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "units", "zz"); }));
    for (const GroupDefinition& g : groupsOf(d.meta))
      for (const FollowedField& f : groupExpressions(g)) QCOMPARE(q(f.expression), QStringLiteral("2*units"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.insert("outer", "second", {{"", "x:0"}}).status(); }));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,16]"));
    VERIFY_OK(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "zz", "units"); }));
    VERIFY_OK(d.change([&](LayerEditor&) { return removeNamedValue(d.meta, "units"); }));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,16]"));
  }

  void aDetachedInstanceKeepsItsValuesWhateverTheDocumentCallsItsNames() {
    Document d = following();
    VERIFY_OK(d.name("units", "100"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.detach("own"); }));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,16]"));
    QCOMPARE(q(expressionOf(d, "own/dense_1.units")), QStringLiteral("(none)"));
    QVERIFY(std::count(d.notes.begin(), d.notes.end(), "own/dense_1.units keeps its value 16: units, which it followed, is gone."));
    QCOMPARE(q(expressionOf(d, "again/dense_1.units")), QStringLiteral("2*units"));
  }

  void noNameBecomesAParameterUnseen() {
    Document d = block();
    VERIFY_OK(d.name("width", "3"));
    VERIFY_OK(d.follow("block/dense_1.units", "width*units"));
    FAILS("block/dense_1.units uses width, and the group block has a parameter units, which would come first there: choose another name",
          d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "units"); }));
    VERIFY_OK(update(d, "block"));
    FAILS(
        "dense_1.units = width*units in the group block uses the name width of the document, which a parameter would hide: choose another name, or change "
        "that first",
        declare(d, "width", "7"));
    QVERIFY(!edit(d, [](GroupEditor& g, LayerEditor&) { return g.addParameter("block", "width", "dense_2.units"); }).ok());
    // Without an instance, the group still says so.
    for (const char* scope : {"block", "again", "own"}) VERIFY_OK(edit(d, [&](GroupEditor& g, LayerEditor&) { return g.detach(scope); }));
    FAILS("dense_1.units of the group block uses width, and the group block has a parameter units, which would come first there: choose another name",
          d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "units"); }));
  }

  void instancesInsideSeeNoParametersOfTheGroupAroundThem() {
    Document d = block();
    VERIFY_OK(d.name("k", "3"));
    VERIFY_OK(d.follow("own/dense_1.units", "k*units"));
    VERIFY_OK(update(d, "own"));
    VERIFY_OK(edit(d, [&](GroupEditor& g, LayerEditor& l) { return g.make(idsIn(l.editor().meta(), {"own"}), "outer").status(); }));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.declareParameter("outer", "k", "50"); }));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.insert("outer", "second", {{"", "x:0"}}).status(); }));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,24]"));
    QVERIFY(!differs(d, "second"));
    VERIFY_OK(d.name("k", "2"));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,16]"));
    QVERIFY(!differs(d, "second"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.setParameter("second", "k", "4"); }));
    QCOMPARE(q(d.shape("second/own/dense_1/kernel")), QStringLiteral("[16,16]"));
    for (const std::string& note : d.notes) QVERIFY2(note.find("were replaced") == note.npos, note.c_str());
    VERIFY_OK(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "k", "j"); }));
    for (const GroupDefinition& g : groupsOf(d.meta)) QCOMPARE(q(groupExpressions(g)[0].expression), QStringLiteral("j*units"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.removeParameter("outer", "k"); }));
  }

  void theInstanceThatChangedTheGroupHasItsTexts() {
    Document d = block();
    VERIFY_OK(d.follow("again/dense_1.units", "2*again.units"));
    VERIFY_OK(update(d, "again"));
    QCOMPARE(q(expressionOf(d, "again/dense_1.units")), QStringLiteral("2*units"));
    QCOMPARE(q(d.shape("again/dense_1/kernel")), QStringLiteral("[16,12]"));
    QVERIFY(!differs(d, "again"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.setDefault("block", "units", "5"); }));
    QVERIFY2(d.notes.empty(), d.notes.empty() ? "" : d.notes[0].c_str());
  }

  void aValueOfTheDocumentIsNoEditOfABody() {
    Document d = block();
    VERIFY_OK(d.name("k", "3"));
    VERIFY_OK(d.follow("own/dense_1.units", "k*units"));
    VERIFY_OK(update(d, "own"));
    VERIFY_OK(edit(d, [&](GroupEditor& g, LayerEditor& l) { return g.make(idsIn(l.editor().meta(), {"own"}), "outer").status(); }));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.declareParameter("outer", "n", "8"); }));
    const std::string scope = "outer";
    VERIFY_OK(d.follow(scope + "/own.units", "n"));
    VERIFY_OK(update(d, scope));
    VERIFY_OK(d.name("k", "2"));
    const auto unedited = [&] { return std::none_of(d.notes.begin(), d.notes.end(), [](const auto& n) { return n.find("were replaced") != n.npos; }); };
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.setDefault("outer", "n", "6"); }));
    QVERIFY2(unedited(), d.notes.empty() ? "" : d.notes[0].c_str());
    QCOMPARE(q(d.shape(scope + "/own/dense_1/kernel")), QStringLiteral("[16,12]"));
    VERIFY_OK(d.name("k", "5"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.setDefault("block", "units", "1"); }));
    QVERIFY2(unedited(), d.notes.empty() ? "" : d.notes[0].c_str());
    QCOMPARE(q(d.shape(scope + "/own/dense_1/kernel")), QStringLiteral("[16,30]"));
  }

  void filesKeepThem() {
    Document d = reopened(following());
    QCOMPARE(q(expressionOf(d, "own/dense_1.units")), QStringLiteral("2*units"));
    VERIFY_OK(setValue(d, "own", "units", "3"));
    QCOMPARE(q(d.shape("own/dense_1/kernel")), QStringLiteral("[16,6]"));
    VERIFY_OK(edit(d, [](GroupEditor& g, LayerEditor&) { return g.setDefault("block", "units", "10"); }));
    QCOMPARE(q(d.shape("block/dense_1/kernel")), QStringLiteral("[16,20]"));
  }

  void librariesKeepThemWithTheNamesTheyUse() {
    Document d = block();
    VERIFY_OK(d.name("width", "3"));
    VERIFY_OK(d.follow("block/dense_1.units", "width*units"));
    VERIFY_OK(update(d, "block"));
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("own.weftgroups")).toStdString();
    VERIFY_OK(writeGroupLibrary(path, groupsOf(d.meta), {}));
    const auto library = readGroupLibrary(path);
    QVERIFY(library.ok());
    Document other = twoLayers();
    VERIFY_OK(edit(other, [&](GroupEditor& g, LayerEditor&) -> Status {
      WEFT_TRY(g.take((*library)[0], *library));
      return g.insert("block", "taken", {{"", "x:0"}}, {{"units", "5"}}).status();
    }));
    QCOMPARE(q(other.shape("taken/dense_1/kernel")), QStringLiteral("[16,15]"));
    QCOMPARE(q(namedValuesOf(other.meta)[0].name + " = " + namedValuesOf(other.meta)[0].expression), QStringLiteral("width = 3"));
    QVERIFY(std::count(other.notes.begin(), other.notes.end(), "The name width = 3 came with the group block."));
    // The library takes the values of today.
    const std::vector<GroupDefinition> before = groupsOf(d.meta);
    const auto copied = copyNodes(d.meta, idsIn(d.meta, {"own"}), "");
    VERIFY_OK(d.name("width", "5"));
    VERIFY_OK(edit(d, [&](GroupEditor& g, LayerEditor&) { return g.take(before[0], before); }));
    const std::string later = folder.filePath(QStringLiteral("later.weftgroups")).toStdString();
    VERIFY_OK(writeGroupLibrary(later, groupsOf(d.meta), {}));
    const auto today = readGroupLibrary(later);
    Document fresh = twoLayers();
    VERIFY_OK(edit(fresh, [&](GroupEditor& g, LayerEditor&) { return g.take((*today)[0], *today); }));
    QVERIFY(std::count(fresh.notes.begin(), fresh.notes.end(), "The name width = 5 came with the group block."));
    // It is the same group nevertheless, so that a copied instance is pasted as one.
    VERIFY_OK(d.change([&](LayerEditor& l) { return l.editor().paste(*copied, {}).status(); }));
    QVERIFY(groupInstanceAt(d.meta, "own_1"));
    // A name that the document has counts.
    Document third = twoLayers();
    VERIFY_OK(third.name("width", "10"));
    VERIFY_OK(edit(third, [&](GroupEditor& g, LayerEditor&) -> Status {
      WEFT_TRY(g.take((*library)[0], *library));
      return g.insert("block", "taken", {{"", "x:0"}}).status();
    }));
    QCOMPARE(q(third.shape("taken/dense_1/kernel")), QStringLiteral("[16,40]"));
  }

  void theClipboardTakesThemToOtherDocuments() {
    Document d = block();
    VERIFY_OK(d.name("width", "3"));
    VERIFY_OK(d.name("unused", "1"));
    VERIFY_OK(d.follow("block/dense_1.units", "width*units"));
    VERIFY_OK(update(d, "block"));
    const auto text = copyNodes(d.meta, idsIn(d.meta, {"own"}), "");
    QVERIFY(text.ok());
    Document other;
    GraphBuilder(other.meta).placeholder(DType::Float, Shape{-1, 16}, "x");
    VERIFY_OK(other.change([&](LayerEditor& l) -> Status {
      WEFT_TRY(l.editor().paste(*text, {}).status());
      l.refresh();
      return {};
    }));
    QCOMPARE(namedValuesOf(other.meta).size(), size_t(1));
    QCOMPARE(q(expressionOf(other, "own/dense_1.units")), QStringLiteral("width*units"));
    VERIFY_OK(setValue(other, "own", "units", "2"));
    QCOMPARE(q(other.shape("own/dense_1/kernel")), QStringLiteral("[16,6]"));
    // In the same document, names stay single.
    VERIFY_OK(d.change([&](LayerEditor& l) -> Status {
      WEFT_TRY(l.editor().paste(*text, {}).status());
      l.refresh();
      return {};
    }));
    QCOMPARE(namedValuesOf(d.meta).size(), size_t(2));
    QCOMPARE(q(expressionOf(d, "own_1/dense_1.units")), QStringLiteral("width*units"));
    VERIFY_OK(d.name("width", "1"));
    QCOMPARE(q(d.shape("own_1/dense_1/kernel")), QStringLiteral("[16,8]"));
  }
};

QTEST_GUILESS_MAIN(TestGroupExpressions)
#include "tst_group_expressions.moc"
