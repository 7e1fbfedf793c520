// Graph transforms where TensorFlow's results compute other values or are no valid graphs: the outputs stay the same here, or the transform is refused.
#include <QTemporaryDir>
#include <QTest>

#include "transform_graphs.h"
#include "weft/file_system.h"

using namespace weft;
using namespace weft::transform_graphs;

class TestTransformsKeepValues : public QObject {
  Q_OBJECT
 private slots:
  void outputsStayTheSame_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("outputs");
    QTest::addColumn<QString>("transforms");
    QTest::addColumn<QString>("warning");
    const QString old = "fold_old_batch_norms";
    QTest::newRow("a batch norm is folded") << kNorm << "x"
                                            << "out" << old << "";
    QTest::newRow("the convolution is read elsewhere") << kNorm + node("out2", "Relu", "c") << "x"
                                                       << "out,out2" << old << "'n' is not folded: 'c' is used elsewhere";
    QTest::newRow("the weights are read elsewhere") << kNorm + node("out2", "Relu", "w") << "x"
                                                    << "out,out2" << old << "'n' is not folded: 'w' is used elsewhere";
    QTest::newRow("the convolution is an output") << kNorm << "x"
                                                  << "out,c" << old << "'n' is not folded: 'c' is used elsewhere";
    QTest::newRow("the convolution is an output, with its number") << kNorm << "x"
                                                                   << "out,c" << old + " obfuscate_names"
                                                                   << "'n' is not folded";
    QTest::newRow("two batch norms of one convolution") << kNorm + norm("n2", "c") << "x"
                                                        << "out,n2" << old << "is not folded: 'c' is used elsewhere";
    QTest::newRow("another output of the batch norm is read") << kNorm + node("out2", "Relu", "n:1") << "x"
                                                              << "out,out2" << old << "its other outputs are used";
    const QString joined = kParts + conv("c", "x,w") + constant("axis", "", "3", "DT_INT32") +
                           node("cc", "ConcatV2", "c,c,axis", "T type: DT_FLOAT; Tidx type: DT_INT32; N i: 2") + constant("four", "4", "1,2,3,4") +
                           node("n", "FusedBatchNorm", "cc,four,four,four,four", kNormAttrs) + node("out", "Relu", "n");
    QTest::newRow("a convolution joined with itself") << joined << "x"
                                                      << "out" << old << "'n' stays as it is: nodes before it are shared";
    const QString product =
        placeholder("x", "2,2") + constant("w", "2,2", "1,2,3,4") + constant("f", "2", "5,7") + node("s", "Mul", "mm,f") + node("out", "Relu", "s");
    QTest::newRow("a product scaled") << product + node("mm", "MatMul", "x,w") << "x"
                                      << "out"
                                      << "fold_batch_norms"
                                      << "";
    QTest::newRow("a transposed product scaled") << product + node("mm", "MatMul", "x,w", "T type: DT_FLOAT; transpose_b b: true") << "x"
                                                 << "out"
                                                 << "fold_batch_norms"
                                                 << "'s' is not folded into 'mm': it has transpose_b";
    QTest::newRow("the product is an output") << product + node("mm", "MatMul", "x,w") << "x"
                                              << "out,mm"
                                              << "fold_batch_norms"
                                              << "";
    const QString padded = placeholder("x", "1,5,5,1") + constant("pads", "4,2", "0,0,2,2,2,2,0,0", "DT_INT32") + constant("w", "2,2,1,1", "1,2,3,4") +
                           node("pad", "MirrorPad", "x,pads", "T type: DT_FLOAT; Tpaddings type: DT_INT32; mode s: 'REFLECT'") + node("out", "Relu", "c");
    QTest::newRow("a padded convolution") << padded + conv("c", "pad,w") << "x"
                                          << "out"
                                          << "fuse_pad_and_conv"
                                          << "";
    QTest::newRow("a padded convolution with dilations") << padded + conv("c", "pad,w", "; dilations list { i: [1, 2, 2, 1] }") << "x"
                                                         << "out"
                                                         << "fuse_pad_and_conv"
                                                         << "'c' is not fused with 'pad': it has dilations";
    const QString resized = placeholder("x", "1,3,3,1") + constant("size", "2", "6,6", "DT_INT32") + constant("w", "2,2,1,1", "1,2,3,4") + conv("c", "r,w") +
                            node("out", "Relu", "c");
    QTest::newRow("resizing") << resized + node("r", "ResizeBilinear", "x,size", "T type: DT_FLOAT; align_corners b: true") << "x"
                              << "out"
                              << "fuse_resize_and_conv"
                              << "";
    QTest::newRow("resizing from pixel centers") << resized + node("r", "ResizeBilinear", "x,size",
                                                                   "T type: DT_FLOAT; align_corners b: false; half_pixel_centers b: true")
                                                 << "x"
                                                 << "out"
                                                 << "fuse_resize_and_conv"
                                                 << "'r' has half_pixel_centers";
    const QString spread = placeholder("x", "1,4,4,1") + constant("block", "2", "2,2", "DT_INT32") + constant("none", "2,2", "0,0,0,0", "DT_INT32") +
                           constant("w", "1,1,1,1", "3") +
                           node("s", "SpaceToBatchND", "x,block,none", "T type: DT_FLOAT; Tblock_shape type: DT_INT32; Tpaddings type: DT_INT32") +
                           conv("c", "s,w", "; data_format s: 'NHWC'; use_cudnn_on_gpu b: true") +
                           node("out", "BatchToSpaceND", "c,block,none", "T type: DT_FLOAT; Tblock_shape type: DT_INT32; Tcrops type: DT_INT32");
    QTest::newRow("a filter spread") << spread + node("b", "Relu", "block,none", "") << "x"
                                     << ""
                                     << "flatten_atrous_conv"
                                     << "";
    QTest::newRow("a filter that is read elsewhere") << spread + node("out2", "Relu", "w") << "x"
                                                     << "out,out2"
                                                     << "flatten_atrous_conv"
                                                     << "its filter 'w' is used elsewhere";
    QTest::newRow("attributes of one value but other names")
        << placeholder("x", "2,2") + constant("k", "2,2", "1,2,3,4") + node("a", "MatMul", "x,k", "T type: DT_FLOAT; transpose_a b: true") +
               node("b", "MatMul", "x,k", "T type: DT_FLOAT; transpose_b b: true") + node("out", "Sub", "a,b")
        << "x"
        << "out"
        << "merge_duplicate_nodes"
        << "";
    const QString gathers = placeholder("ids", "3", "DT_INT64") + constant("w", "4,1", "0,1.5,0,2.5") + node("read", "Identity", "w") +
                            node("g1", "Gather", "read,ids", "Tparams type: DT_FLOAT; Tindices type: DT_INT64") +
                            node("g2", "Gather", "read,ids", "Tparams type: DT_FLOAT; Tindices type: DT_INT64") + node("out", "Add", "g1,g2");
    QTest::newRow("two lookups of one table") << gathers << "ids"
                                              << "out"
                                              << "sparsify_gather"
                                              << "";
    QTest::newRow("a table whose weights are an output") << gathers << "ids"
                                                         << "out,read"
                                                         << "sparsify_gather"
                                                         << "";
    QTest::newRow("names kept by tensor names") << kNorm << "x"
                                                << "out"
                                                << "obfuscate_names merge_duplicate_nodes"
                                                << "";
    QTest::newRow("logging twice") << kNorm << "x"
                                   << "out"
                                   << "insert_logging insert_logging(op=Relu) insert_logging"
                                   << "";
    const QString split = placeholder("x", "2") + constant("k", "4", "1,2,3,4") + constant("axis", "", "0", "DT_INT32") + constant("two", "2", "2,2") +
                          node("parts", "Split", "axis,k", "T type: DT_FLOAT; num_split i: 2") + node("m", "Mul", "parts,two") +
                          node("m2", "Mul", "parts:1,m") + node("a", "Add", "x,m2") + node("b", "Add", "a,parts:1") + node("out", "Add", "b,m");
    QTest::newRow("folding twice") << split << "x"
                                   << "out"
                                   << "fold_constants(exclude_op=Mul) fold_constants(exclude_node=m2) fold_constants"
                                   << "";
  }
  void outputsStayTheSame() {
    QFETCH(QString, graph);
    QFETCH(QString, inputs);
    QFETCH(QString, outputs);
    QFETCH(QString, transforms);
    QFETCH(QString, warning);
    std::vector<std::string> warnings;
    // Tensor names and node names mean the same.
    const auto made = transformed(graph, inputs + ":0", outputs, transforms, &warnings);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    const auto binary = convertGraphBytes(graph.toStdString(), "graph.pb");
    QVERIFY(binary.ok());
    QCOMPARE(differenceOf(*binary, *made, namesIn(inputs), namesIn(outputs)), QString());
    QCOMPARE(warnings.empty(), warning.isEmpty());
    if (!warnings.empty()) QVERIFY2(warnings[0].find(warning.toStdString()) != std::string::npos, warnings[0].c_str());
    QVERIFY2(!warning.isEmpty() || textOf(*made) != textOf(*binary) || transforms == "merge_duplicate_nodes" || outputs.contains(','), "nothing changed");
  }

  void optimizedGraphsComputeTheSame_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("outputs");
    QTest::addColumn<QString>("warning");
    QTest::newRow("folded") << kNorm << "out"
                            << "";
    QTest::newRow("epsilon's default") << placeholder("x", "1,2,2,1") + constant("w", "1,1,1,1", "2") + constant("one", "1", "1") +
                                              constant("small", "1", "0.0001") + conv("c", "x,w") +
                                              node("out", "FusedBatchNorm", "c,one,one,one,small", "T type: DT_FLOAT; is_training b: false")
                                       << "out"
                                       << "";
    QTest::newRow("the convolution is read elsewhere") << kNorm + node("out2", "Relu", "c") << "out,out2"
                                                       << "The batch norm 'n' is not folded: 'c' is used elsewhere";
    QTest::newRow("the weights are read elsewhere") << kNorm + node("out2", "Relu", "w") << "out,out2"
                                                    << "The batch norm 'n' is not folded: 'w' is used elsewhere";
    QTest::newRow("the convolution is an output") << kNorm << "out,c"
                                                  << "The batch norm 'n' is not folded: 'c' is used elsewhere";
    QTest::newRow("a parameter is read elsewhere") << kNorm + node("out2", "Relu", "beta") << "out,out2"
                                                   << "";
    QTest::newRow("another output is read") << kNorm + node("out2", "Relu", "n:1") << "out,out2"
                                            << "its other outputs are used";
    QTest::newRow("identities read as tensors") << placeholder("x", "1,2,2,1") + node("i", "Identity", "x:0") + node("j", "Identity", "i:0") +
                                                       node("out", "Relu", "j:0")
                                                << "out"
                                                << "";
    QTest::newRow("dilations") << placeholder("x", "1,5,5,1") + constant("pads", "4,2", "0,0,2,2,2,2,0,0", "DT_INT32") + constant("w", "2,2,1,1", "1,2,3,4") +
                                      node("pad", "MirrorPad", "x,pads", "T type: DT_FLOAT; Tpaddings type: DT_INT32; mode s: 'REFLECT'") +
                                      conv("out", "pad,w", "; dilations list { i: [1, 2, 2, 1] }")
                               << "out"
                               << "The convolution 'out' is not fused with 'pad': it has dilations";
  }
  void optimizedGraphsComputeTheSame() {
    QFETCH(QString, graph);
    QFETCH(QString, outputs);
    QFETCH(QString, warning);
    std::vector<std::string> warnings;
    const auto made = optimizeForInference(graph.toStdString(), {"x"}, namesIn(outputs), {1}, false, &warnings);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    const auto binary = convertGraphBytes(graph.toStdString(), "graph.pb");
    QCOMPARE(differenceOf(*binary, *made, {"x"}, namesIn(outputs)), QString());
    QCOMPARE(warnings.size(), size_t(warning.isEmpty() ? 0 : 1));
    if (!warnings.empty()) QVERIFY2(warnings[0].find(warning.toStdString()) != std::string::npos, warnings[0].c_str());
    if (warning.isEmpty()) QVERIFY(textOf(*made).find("FusedBatchNorm") == std::string::npos && textOf(*made).find("Identity") == std::string::npos);
  }

  void otherOutputsThatAreFetchedStay() {
    std::vector<std::string> warnings;
    const auto made = transformed(kNorm, "x", "out,n:1", "fold_old_batch_norms", &warnings);
    QVERIFY(made.ok() && textOf(*made).find("\"FusedBatchNorm\"") != std::string::npos);
    QCOMPARE(warnings, std::vector<std::string>{"the batch norm 'n' is not folded: its other outputs are used"});
  }

  void graphsForTocoKeepPaddingAndResizing() {
    const QString graph = placeholder("x", "1,3,3,1") + constant("size", "2", "6,6", "DT_INT32") + constant("w", "2,2,1,1", "1,2,3,4") +
                          node("r", "ResizeBilinear", "x,size") + conv("out", "r,w");
    std::vector<std::string> warnings;
    for (const bool toco : {false, true}) {
      const auto made = optimizeForInference(graph.toStdString(), {"x"}, {"out"}, {1}, toco, &warnings);
      QVERIFY(made.ok());
      QCOMPARE(textOf(*made).find("\"ResizeBilinear\"") != std::string::npos, toco);
      QCOMPARE(textOf(*made).find("\"FusedResizeAndPadConv2D\"") != std::string::npos, !toco);
    }
  }

  void convolutionsOfOtherFormatsStay() {
    const QString format = "; data_format s: 'NCHW'";
    const QString scaled =
        placeholder("x", "1,1,2,2") + constant("w", "1,1,1,2", "2,-3") + constant("f", "2", "5,7") + conv("c", "x,w", format) + node("out", "Mul", "c,f");
    std::vector<std::string> warnings;
    const auto made = transformed(scaled, "x", "out", "fold_batch_norms", &warnings);
    QVERIFY(made.ok() && textOf(*made).find("\"Mul\"") != std::string::npos);
    QCOMPARE(warnings, std::vector<std::string>{"the multiplication 'out' is not folded into 'c': its data_format is NCHW"});
    warnings.clear();
    const auto kept = transformed(kParts + conv("c", "x,w", format) + norm("out", "c"), "x", "out", "fold_old_batch_norms", &warnings);
    QVERIFY(kept.ok() && textOf(*kept).find("\"FusedBatchNorm\"") != std::string::npos);
    QCOMPARE(warnings, std::vector<std::string>{"the batch norm 'out' is not folded: the data_format of 'c' is NCHW"});
  }

  void nodesOfOneNameAreRefused() {
    const QString twice = placeholder("x", "2") + node("y", "Relu", "x") + node("y", "Tanh", "x");
    const std::string message = "Duplicate node names detected: 'y'";
    for (const char* transform : {"remove_device", "merge_duplicate_nodes", "strip_unused_nodes"})
      QCOMPARE(transformed(twice, "x", "y", transform).error().message, message);
    QCOMPARE(stripUnused(twice.toStdString(), {"x"}, {"y"}, {1}).error().message, message);
    std::vector<std::string> warnings;
    QCOMPARE(optimizeForInference(twice.toStdString(), {"x"}, {"y"}, {1}, false, &warnings).error().message, message);
    // A transform that makes a name which the graph has.
    const auto made = transformed(kNorm + constant("c_bn_offset", "", "1"), "x", "out", "fold_old_batch_norms");
    QCOMPARE(made.error().message, std::string("Duplicate node names detected after fold_old_batch_norms: 'c_bn_offset'"));
  }

  void colocationFollowsNames() {
    const QString graph = placeholder("x", "2") + node("y", "Relu", "x", "T type: DT_FLOAT; _class list { s: ['loc:@x', 'other'] }") + node("z", "Relu", "y");
    const auto renamed = transformed(graph, "w", "z", "rename_node(old_node_name=x, new_node_name=w)");
    QVERIFY(renamed.ok());
    for (const char* part : {"name: \"w\"", "input: \"w\"", "\"loc:@w\"", "\"other\""}) QVERIFY2(textOf(*renamed).find(part) != std::string::npos, part);
    QVERIFY(textOf(*renamed).find("\"x\"") == std::string::npos);
    const auto obfuscated = transformed(graph, "", "z:0", "obfuscate_names");
    QVERIFY(obfuscated.ok());
    for (const char* part : {"\"loc:@0\"", "name: \"z\"", "name: \"1\""}) QVERIFY2(textOf(*obfuscated).find(part) != std::string::npos, part);
  }

  void renamedNodesAreReadByTheirNewName() {
    const QString graph = placeholder("x", "2") + node("s", "Relu", "x") + node("y", "Add", "s:0,s,^s") + node("ss", "Relu", "y");
    const auto made = transformed(graph, "x", "ss", "rename_node(old_node_name=s, new_node_name=deep/s)");
    QVERIFY(made.ok());
    for (const char* part : {"name: \"deep/s\"", "input: \"deep/s:0\"", "input: \"deep/s\"", "input: \"^deep/s\"", "name: \"ss\""})
      QVERIFY2(textOf(*made).find(part) != std::string::npos, part);
  }

  void rangesAreReadFromALog() {
    QTemporaryDir folder;
    const std::string log = folder.filePath("log").toStdString();
    const QString graph = placeholder("x", "2", "DT_QINT32") + placeholder("low", "") + placeholder("high", "") +
                          node("r", "RequantizationRange", "x,low,high", "Tinput type: DT_QINT32") + node("a", "Identity", "r") + node("b", "Identity", "r:1") +
                          node("out", "Add", "a,b");
    std::string lines = "some other line\n";
    for (int i = 0; i < 20; ++i) lines += concat("I0000 ;r__print__;__requant_min_max:[", -i, "][", i, ".5]\n");
    lines += ";r__print__;__requant_min_max:[broken][1]\n";
    QVERIFY(posixFileSystem().writeAtomically(log, lines).ok());
    const QString call = "freeze_requantization_ranges(min_max_log_file=\"" + QString::fromStdString(log) + "\"";
    const auto valueIn = [&](const QString& transform) {
      const auto made = transformed(graph, "x", "out", transform);
      const auto value = made.ok() ? valuesOf(*made, {}, {"a", "b"}) : Result<std::vector<Tensor>>(made.error());
      return value.ok() ? std::pair((*value)[0].at<float>(0), (*value)[1].at<float>(0)) : std::pair(-1.0F, -1.0F);
    };
    // Of 20 sorted values the second, number round(20 * 5%), and number round(20 * 95%).
    QCOMPARE(valueIn(call + ")"), std::pair(-18.0F, 19.5F));
    QCOMPARE(valueIn(call + ", min_percentile=0, max_percentile=50)"), std::pair(-19.0F, 10.5F));
    const auto absent = transformed(placeholder("x", "2"), "x", "x", call + ")");
    QVERIFY(absent.error().toString().find("aren't present in the graph: r") != std::string::npos);
    QVERIFY(transformed(placeholder("r", "2"), "r", "r", call + ")").error().message.find("expected to be a RequantizationRange op: r, but is: Placeholder") !=
            std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestTransformsKeepValues)
#include "tst_transforms_keep_values.moc"
