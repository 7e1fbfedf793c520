<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>CheckpointActions</name>
    <message numerus="yes">
        <source>%n name(s) mapped</source>
        <translation>
            <numerusform>%n name mapped</numerusform>
            <numerusform>%n names mapped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No other names were found in %1 for the %n missing variable(s) of %2.</source>
        <translation>
            <numerusform>No other name was found in %1 for the missing variable of %2.</numerusform>
            <numerusform>No other names were found in %1 for the %n missing variables of %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CheckpointEdits</name>
    <message numerus="yes">
        <source>%n name(s) begin with “%1” instead of “%2”</source>
        <translation>
            <numerusform>%n name begins with “%1” instead of “%2”</numerusform>
            <numerusform>%n names begin with “%1” instead of “%2”</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClusterWords</name>
    <message numerus="yes">
        <source>%n more tensor(s)</source>
        <translation>
            <numerusform>%n more tensor</numerusform>
            <numerusform>%n more tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s), all well.</source>
        <translation>
            <numerusform>%n task, all well.</numerusform>
            <numerusform>%n tasks, all well.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DebugWords</name>
    <message numerus="yes">
        <source>%n infinite value(s)</source>
        <translation>
            <numerusform>%n infinite value</numerusform>
            <numerusform>%n infinite values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EditActions</name>
    <message numerus="yes">
        <source>%1 has %n fix(es).</source>
        <translation>
            <numerusform>%1 has %n fix.</numerusform>
            <numerusform>%1 has %n fixes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileActions</name>
    <message numerus="yes">
        <source>Shows the first of %n recorded session run(s), %1, in the timeline, beside its graph. A double click on a tag below shows that one.</source>
        <translation>
            <numerusform>Shows the recorded session run %1 in the timeline, beside its graph.</numerusform>
            <numerusform>Shows the first of %n recorded session runs, %1, in the timeline, beside its graph. A double click on a tag below shows that one.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileContents</name>
    <message numerus="yes">
        <source>%n data file(s) missing (%1): names, types and shapes can be read, values cannot.</source>
        <translation>
            <numerusform>%n data file is missing (%1): names, types and shapes can be read, values cannot.</numerusform>
            <numerusform>%n data files are missing (%1): names, types and shapes can be read, values cannot.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileMatch</name>
    <message numerus="yes">
        <source>%n variable(s) of the graph have no value in the checkpoint yet: %1.</source>
        <translation>
            <numerusform>%n variable of the graph have no value in the checkpoint yet: %1.</numerusform>
            <numerusform>%n variables of the graph have no value in the checkpoint yet: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileRecords</name>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileWords</name>
    <message numerus="yes">
        <source>%n layer(s).</source>
        <translation>
            <numerusform>%n layer.</numerusform>
            <numerusform>%n layers.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GraphArrays</name>
    <message numerus="yes">
        <source>%n op(s)</source>
        <translation>
            <numerusform>%n op</numerusform>
            <numerusform>%n ops</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GraphDefects</name>
    <message numerus="yes">
        <source>Set all %n missing attribute(s) inferred from wires</source>
        <translation>
            <numerusform>Set the missing attribute inferred from wires</numerusform>
            <numerusform>Set all %n missing attributes inferred from wires</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This graph cannot run. %1 (%n more in Problems)</source>
        <translation>
            <numerusform>This graph cannot run. %1 (%n more in Problems)</numerusform>
            <numerusform>This graph cannot run. %1 (%n more in Problems)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GraphEdits</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n item</numerusform>
            <numerusform>%n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Paste %n value(s)</source>
        <translation>
            <numerusform>Paste %n value</numerusform>
            <numerusform>Paste %n values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GraphFileFacts</name>
    <message numerus="yes">
        <source>%n summary op(s)</source>
        <translation>
            <numerusform>%n summary op</numerusform>
            <numerusform>%n summary ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n variable(s)</source>
        <translation>
            <numerusform>%1 of %n variable</numerusform>
            <numerusform>%1 of %n variables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InputAdvice</name>
    <message numerus="yes">
        <source>Write %n TFRecord file(s) of about 100 MB</source>
        <translation>
            <numerusform>Write %n TFRecord file of about 100 MB</numerusform>
            <numerusform>Write %n TFRecord files of about 100 MB</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InspectActions</name>
    <message numerus="yes">
        <source>This model has %n graph(s), numbered from 0; there is no %1.</source>
        <translation>
            <numerusform>This model has %n graph, numbered from 0; there is no %1.</numerusform>
            <numerusform>This model has %n graphs, numbered from 0; there is no %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MeshSeries</name>
    <message numerus="yes">
        <source>The batch has %n mesh(es): there is none with the index %1.</source>
        <translation>
            <numerusform>The batch has %n mesh: there is none with the index %1.</numerusform>
            <numerusform>The batch has %n meshes: there is none with the index %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NodeDetails</name>
    <message numerus="yes">
        <source>%n reader(s)</source>
        <translation>
            <numerusform>%n reader</numerusform>
            <numerusform>%n readers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NotedValue</name>
    <message numerus="yes">
        <source>%n NaN or infinite</source>
        <translation>
            <numerusform>%n NaN or infinite</numerusform>
            <numerusform>%n NaN or infinite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PanelActions</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n series</source>
        <translation>
            <numerusform>%n series</numerusform>
            <numerusform>%n series</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PictureRecords</name>
    <message numerus="yes">
        <source>%1: %n record(s)</source>
        <translation>
            <numerusform>%1: %n record</numerusform>
            <numerusform>%1: %n records</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProfileTexts</name>
    <message numerus="yes">
        <source>%1 contains %n session run(s), from %2 to %3: choose one.</source>
        <translation>
            <numerusform>%1 contains %n session run, %2: choose it.</numerusform>
            <numerusform>%1 contains %n session runs, from %2 to %3: choose one.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProgramGhosts</name>
    <message numerus="yes">
        <source>→ gradients and updates, %n node(s)</source>
        <translation>
            <numerusform>→ gradients and updates, %n node</numerusform>
            <numerusform>→ gradients and updates, %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueryActions</name>
    <message numerus="yes">
        <source>%n breakpoint(s) set</source>
        <translation>
            <numerusform>%n breakpoint set</numerusform>
            <numerusform>%n breakpoints set</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunWords</name>
    <message numerus="yes">
        <source>%1 of %n step(s)</source>
        <translation>
            <numerusform>%1 of %n step</numerusform>
            <numerusform>%1 of %n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ShapeHints</name>
    <message numerus="yes">
        <source>VALID: (%1 − %2) / %3, rounded down, plus 1. The last %n are ignored.</source>
        <translation>
            <numerusform>VALID: (%1 − %2) / %3, rounded down, plus 1. The last %n is ignored.</numerusform>
            <numerusform>VALID: (%1 − %2) / %3, rounded down, plus 1. The last %n are ignored.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SheetWords</name>
    <message numerus="yes">
        <source>Only the first %n computed tensor(s) are listed.</source>
        <translation>
            <numerusform>Only the first computed tensor is listed.</numerusform>
            <numerusform>Only the first %n computed tensors are listed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StartRecent</name>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation>
            <numerusform>%n min ago</numerusform>
            <numerusform>%n min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation>
            <numerusform>%n h ago</numerusform>
            <numerusform>%n h ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TensorSlice</name>
    <message numerus="yes">
        <source>Expected %n position(s), one for each axis.</source>
        <translation>
            <numerusform>Expected %n position, one for each axis.</numerusform>
            <numerusform>Expected %n positions, one for each axis.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhyActions</name>
    <message numerus="yes">
        <source>The path has %n link(s), not %1.</source>
        <translation>
            <numerusform>The path has %n link, not %1.</numerusform>
            <numerusform>The path has %n links, not %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This link has %n part(s), not %1.</source>
        <translation>
            <numerusform>This link has %n part, not %1.</numerusform>
            <numerusform>This link has %n parts, not %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhyView</name>
    <message numerus="yes">
        <source>It is the sum of %n contribution(s).</source>
        <translation>
            <numerusform>It is %n contribution.</numerusform>
            <numerusform>It is the sum of %n contributions.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It is a sum of products; %n factor(s) take part.</source>
        <translation>
            <numerusform>It is a product with %n factor.</numerusform>
            <numerusform>It is a sum of products; %n factors take part.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It follows from %n element(s). A slope says how much it changes with one of them.</source>
        <translation>
            <numerusform>It follows from %n element. The slope says how much it changes with it.</numerusform>
            <numerusform>It follows from %n elements. A slope says how much it changes with one of them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::AdvisorView</name>
    <message numerus="yes">
        <source>Show %n nodes</source>
        <translation>
            <numerusform>Show %n node</numerusform>
            <numerusform>Show %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::CheckpointCopyDialog</name>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n variable</numerusform>
            <numerusform>%n variables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n renamed</source>
        <translation>
            <numerusform>%n renamed</numerusform>
            <numerusform>%n renamed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n converted</source>
        <translation>
            <numerusform>%n converted</numerusform>
            <numerusform>%n converted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::CheckpointsView</name>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n removed</numerusform>
            <numerusform>%n removed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ClusterDialog</name>
    <message numerus="yes">
        <source>%n task(s)</source>
        <translation>
            <numerusform>%n task</numerusform>
            <numerusform>%n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ComparePage</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n node(s) are in both.</source>
        <translation>
            <numerusform>The only node is in both.</numerusform>
            <numerusform>All %n nodes are in both.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::DevicesPage</name>
    <message numerus="yes">
        <source>median of %n step(s) on each device</source>
        <translation>
            <numerusform>median of %n step on each device</numerusform>
            <numerusform>median of %n steps on each device</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::DoctorView</name>
    <message numerus="yes">
        <source>%n finding(s) before the first step</source>
        <translation>
            <numerusform>%n finding before the first step</numerusform>
            <numerusform>%n findings before the first step</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) while it trained</source>
        <translation>
            <numerusform>%n finding while it trained</numerusform>
            <numerusform>%n findings while it trained</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) while the program ran</source>
        <translation>
            <numerusform>%n finding while the program ran</numerusform>
            <numerusform>%n findings while the program ran</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ExperimentsView</name>
    <message numerus="yes">
        <source>%n more metric(s) not shown</source>
        <translation>
            <numerusform>%n more metric not shown</numerusform>
            <numerusform>%n more metrics not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::FileWatch</name>
    <message numerus="yes">
        <source>%n node(s) only in the file: %1</source>
        <translation>
            <numerusform>%n node only in the file: %1</numerusform>
            <numerusform>%n nodes only in the file: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) only here: %1</source>
        <translation>
            <numerusform>%n node only here: %1</numerusform>
            <numerusform>%n nodes only here: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) differ: %1</source>
        <translation>
            <numerusform>%n node differs: %1</numerusform>
            <numerusform>%n nodes differ: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) only have other names: %1</source>
        <translation>
            <numerusform>%n node only has another name: %1</numerusform>
            <numerusform>%n nodes only have other names: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::FilesView</name>
    <message numerus="yes">
        <source>All %n variable(s) match in name, shape and type: it can be restored.</source>
        <translation>
            <numerusform>The variable matches in name, shape and type: it can be restored.</numerusform>
            <numerusform>All %n variables match in name, shape and type: it can be restored.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n variable(s) match; restoring would fail.</source>
        <translation>
            <numerusform>%1 of %n variable matches; restoring would fail.</numerusform>
            <numerusform>%1 of %n variables match; restoring would fail.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n variable(s) have a value, some under other names: write a checkpoint for this graph, or copy a Saver.</source>
        <translation>
            <numerusform>All %n variable have a value, some under other names: write a checkpoint for this graph, or copy a Saver.</numerusform>
            <numerusform>All %n variables have a value, some under other names: write a checkpoint for this graph, or copy a Saver.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::FindPopup</name>
    <message numerus="yes">
        <source>%n found · Enter goes there, Esc closes</source>
        <translation>
            <numerusform>%n found · Enter goes there, Esc closes</numerusform>
            <numerusform>%n found · Enter goes there, Esc closes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::Finder</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::FoldDialog</name>
    <message numerus="yes">
        <source>group of %n instance(s)</source>
        <translation>
            <numerusform>group of %n instance</numerusform>
            <numerusform>group of %n instances</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s) move into the scope</source>
        <translation>
            <numerusform>%n op moves into the scope</numerusform>
            <numerusform>%n ops move into the scope</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n checked</source>
        <translation>
            <numerusform>%1 of %n checked</numerusform>
            <numerusform>%1 of %n checked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::GraphTextView</name>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n changed</numerusform>
            <numerusform>%n changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n new</numerusform>
            <numerusform>%n new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n removed</numerusform>
            <numerusform>%n removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>whole graph, %n node(s)</source>
        <translation>
            <numerusform>whole graph, %n node</numerusform>
            <numerusform>whole graph, %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n node(s)</source>
        <translation>
            <numerusform>%1, %n node</numerusform>
            <numerusform>%1, %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::GroupsView</name>
    <message numerus="yes">
        <source>Select %n instance(s)</source>
        <translation>
            <numerusform>Select %n instance</numerusform>
            <numerusform>Select %n instances</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::HParamsView</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more metric(s) not shown</source>
        <translation>
            <numerusform>%n more metric not shown</numerusform>
            <numerusform>%n more metrics not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column(s) without an axis</source>
        <translation>
            <numerusform>%n column without an axis</numerusform>
            <numerusform>%n columns without an axis</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::IdlePage</name>
    <message numerus="yes">
        <source>%1 idle per step on %n thread(s) and streams, %2 % of their time; most of it: %3, %4</source>
        <translation>
            <numerusform>%1 idle per step on one thread, %2 % of its time; most of it: %3, %4</numerusform>
            <numerusform>%1 idle per step on %n threads and streams, %2 % of their time; most of it: %3, %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::InspectorView</name>
    <message numerus="yes">
        <source>%n items are selected</source>
        <translation>
            <numerusform>%n item is selected</numerusform>
            <numerusform>%n items are selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Set %1 of %n nodes</source>
        <translation>
            <numerusform>Set %1 of %n node</numerusform>
            <numerusform>Set %1 of %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n instances</source>
        <translation>
            <numerusform>%n instance</numerusform>
            <numerusform>%n instances</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::MigrationDialog</name>
    <message numerus="yes">
        <source>For Python 3 and TensorFlow 1.15, %n line(s) of this program change.</source>
        <translation>
            <numerusform>For Python 3 and TensorFlow 1.15, %n line of this program changes.</numerusform>
            <numerusform>For Python 3 and TensorFlow 1.15, %n lines of this program change.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::NameProposalsDialog</name>
    <message numerus="yes">
        <source>%n variable(s) of %1 are not in %2 under their names. These keys of the checkpoint are probably their values.</source>
        <translation>
            <numerusform>%n variable of %1 is not in %2 under its name. This key of the checkpoint is probably its value.</numerusform>
            <numerusform>%n variables of %1 are not in %2 under their names. These keys of the checkpoint are probably their values.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n proposal(s) checked</source>
        <translation>
            <numerusform>%1 of %n proposal checked</numerusform>
            <numerusform>%1 of %n proposals checked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::OverviewView</name>
    <message numerus="yes">
        <source>%n card(s), pinned by you</source>
        <translation>
            <numerusform>%n card, pinned by you</numerusform>
            <numerusform>%n cards, pinned by you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) hidden</source>
        <translation>
            <numerusform>%n run hidden</numerusform>
            <numerusform>%n runs hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::PartTable</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ProfileStore</name>
    <message numerus="yes">
        <source>%n slow step(s) kept</source>
        <translation>
            <numerusform>%n slow step kept</numerusform>
            <numerusform>%n slow steps kept</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ProfileView</name>
    <message numerus="yes">
        <source>%1 measured: %2 of self time in %n node(s)</source>
        <translation>
            <numerusform>%1 measured: %2 of self time in %n node</numerusform>
            <numerusform>%1 measured: %2 of self time in %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) · %1 per step · %2</source>
        <translation>
            <numerusform>%n node · %1 per step · %2</numerusform>
            <numerusform>%n nodes · %1 per step · %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) have no known FLOPs.</source>
        <translation>
            <numerusform>%n node has no known FLOPs.</numerusform>
            <numerusform>%n nodes have no known FLOPs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ProgramPage</name>
    <message numerus="yes">
        <source>and %n other call(s)</source>
        <translation>
            <numerusform>and %n other call</numerusform>
            <numerusform>and %n other calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ProjectorChoices</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ProjectorPage</name>
    <message numerus="yes">
        <source>%1 in %n column(s)</source>
        <translation>
            <numerusform>%1 in %n column</numerusform>
            <numerusform>%1 in %n columns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ProjectorSelection</name>
    <message numerus="yes">
        <source>%n point(s) selected</source>
        <translation>
            <numerusform>%n point selected</numerusform>
            <numerusform>%n points selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::QueryStore</name>
    <message numerus="yes">
        <source>the curves of %n run(s)</source>
        <translation>
            <numerusform>the curves of %n run</numerusform>
            <numerusform>the curves of %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::QueryView</name>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n row(s); there are more</source>
        <translation>
            <numerusform>The first row; there are more</numerusform>
            <numerusform>The first %n rows; there are more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::Recovery</name>
    <message numerus="yes">
        <source>Recovering %n document(s)</source>
        <translation>
            <numerusform>Recovering %n document</numerusform>
            <numerusform>Recovering %n documents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 was recovered with %n step(s) of its history.</source>
        <translation>
            <numerusform>%1 was recovered with %n step of its history.</numerusform>
            <numerusform>%1 was recovered with %n steps of its history.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of the history of %1 were restored.</source>
        <translation>
            <numerusform>%n step of the history of %1 was restored.</numerusform>
            <numerusform>%n steps of the history of %1 were restored.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::RemoteFolderDialog</name>
    <message numerus="yes">
        <source>%n event file(s) in %1</source>
        <translation>
            <numerusform>%n event file in %1</numerusform>
            <numerusform>%n event files in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::RemoteFolders</name>
    <message numerus="yes">
        <source>%n event file(s)</source>
        <translation>
            <numerusform>%n event file</numerusform>
            <numerusform>%n event files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ReportPage</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n more</source>
        <translation>
            <numerusform>… %n more</numerusform>
            <numerusform>… %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::RunFields</name>
    <message numerus="yes">
        <source>CPU · %n thread(s)</source>
        <translation>
            <numerusform>CPU · %n thread</numerusform>
            <numerusform>CPU · %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>CPU · all %n thread(s)</source>
        <translation>
            <numerusform>CPU · all %n thread</numerusform>
            <numerusform>CPU · all %n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::RunTable</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::RunsView</name>
    <message numerus="yes">
        <source>%1 against %2: %n differ</source>
        <translation>
            <numerusform>%1 against %2: %n differs</numerusform>
            <numerusform>%1 against %2: %n differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n curve</numerusform>
            <numerusform>%n curves</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ScalarsView</name>
    <message numerus="yes">
        <source>%n run(s) hidden</source>
        <translation>
            <numerusform>%n run hidden</numerusform>
            <numerusform>%n runs hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ServerDialog</name>
    <message numerus="yes">
        <source>%1 answered: %n device(s)</source>
        <translation>
            <numerusform>%1 answered: %n device</numerusform>
            <numerusform>%1 answered: %n devices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::SheetEditBar</name>
    <message numerus="yes">
        <source>Set for %n row(s)</source>
        <translation>
            <numerusform>Set for %n row</numerusform>
            <numerusform>Set for %n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::SheetView</name>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s)</source>
        <translation>
            <numerusform>%n cell</numerusform>
            <numerusform>%n cells</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The clipboard has %n line(s), which is more than there are rows from here on.</source>
        <translation>
            <numerusform>The clipboard has %n line, which is more than there are rows from here on.</numerusform>
            <numerusform>The clipboard has %n lines, which is more than there are rows from here on.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ShuffleWindow</name>
    <message numerus="yes">
        <source>The first batch waits for %n element(s).</source>
        <translation>
            <numerusform>The first batch waits for %n element.</numerusform>
            <numerusform>The first batch waits for %n elements.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::StatusBar</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scope(s)</source>
        <translation>
            <numerusform>%n scope</numerusform>
            <numerusform>%n scopes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s) are not counted: their shapes are unknown until the graph runs</source>
        <translation>
            <numerusform>%n op is not counted: its shapes are unknown until the graph runs</numerusform>
            <numerusform>%n ops are not counted: their shapes are unknown until the graph runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n variable</numerusform>
            <numerusform>%n variables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cost unknown for %n op(s): their sizes are unknown until the graph runs</source>
        <translation>
            <numerusform>Cost unknown for %n op: its sizes are unknown until the graph runs</numerusform>
            <numerusform>Cost unknown for %n ops: their sizes are unknown until the graph runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n array(s)</source>
        <translation>
            <numerusform>%n array</numerusform>
            <numerusform>%n arrays</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::SweepForm</name>
    <message numerus="yes">
        <source>The grid has %n point(s).</source>
        <translation>
            <numerusform>The grid has %n point.</numerusform>
            <numerusform>The grid has %n points.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::TensorMedia</name>
    <message numerus="yes">
        <source>%n channel(s)</source>
        <translation>
            <numerusform>%n channel</numerusform>
            <numerusform>%n channels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::TensorTable</name>
    <message numerus="yes">
        <source>saved in %n part(s)</source>
        <translation>
            <numerusform>saved in %n part</numerusform>
            <numerusform>saved in %n parts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::TensorTogether</name>
    <message numerus="yes">
        <source>%1 reads it, and %n more.</source>
        <translation>
            <numerusform>%1 reads it, and %n more op.</numerusform>
            <numerusform>%1 reads it, and %n more ops.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::TensorsPage</name>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n variable</numerusform>
            <numerusform>%n variables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n variable(s)</source>
        <translation>
            <numerusform>%1 of %n variable</numerusform>
            <numerusform>%1 of %n variables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differ(s)</source>
        <translation>
            <numerusform>%n differs</numerusform>
            <numerusform>%n differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n array(s)</source>
        <translation>
            <numerusform>%n array</numerusform>
            <numerusform>%n arrays</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n array(s)</source>
        <translation>
            <numerusform>%1 of %n array</numerusform>
            <numerusform>%1 of %n arrays</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::TimelineDock</name>
    <message numerus="yes">
        <source>%n arrow(s)</source>
        <translation>
            <numerusform>%n arrow</numerusform>
            <numerusform>%n arrows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slice(s)</source>
        <translation>
            <numerusform>%n slice</numerusform>
            <numerusform>%n slices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s), slowest: %1</source>
        <translation>
            <numerusform>%n op, slowest: %1</numerusform>
            <numerusform>%n ops, slowest: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>median of %n step(s)</source>
        <translation>
            <numerusform>the only step</numerusform>
            <numerusform>median of %n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::TrainStrip</name>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n variable</numerusform>
            <numerusform>%n variables</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::UnsavedDialog</name>
    <message numerus="yes">
        <source>%n documents have unsaved changes. Ticked ones are saved, the others are discarded.</source>
        <translation>
            <numerusform>%n document has unsaved changes. If ticked it is saved, otherwise discarded.</numerusform>
            <numerusform>%n documents have unsaved changes. Ticked ones are saved, the others are discarded.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ViewNote</name>
    <message numerus="yes">
        <source>%n layer(s), one box each</source>
        <translation>
            <numerusform>%n layer in one box</numerusform>
            <numerusform>%n layers, one box each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op type(s), one box each</source>
        <translation>
            <numerusform>%n op type in one box</numerusform>
            <numerusform>%n op types, one box each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s), one box each</source>
        <translation>
            <numerusform>%n device in one box</numerusform>
            <numerusform>%n devices, one box each</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::WhatIfPage</name>
    <message numerus="yes">
        <source>%n execution(s) per step change, which take %1.</source>
        <translation>
            <numerusform>%n execution per step changes, which takes %1.</numerusform>
            <numerusform>%n executions per step change, which take %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::WhyView</name>
    <message numerus="yes">
        <source>Steps %1 to %2 are recorded, with %n copies of the variables (%3)</source>
        <translation>
            <numerusform>Steps %1 to %2 are recorded, with %n copy of the variables (%3)</numerusform>
            <numerusform>Steps %1 to %2 are recorded, with %n copies of the variables (%3)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::Workspace</name>
    <message numerus="yes">
        <source>%1: %n node(s), read in %2 ms</source>
        <translation>
            <numerusform>%1: %n node, read in %2 ms</numerusform>
            <numerusform>%1: %n nodes, read in %2 ms</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::FilterMosaic</name>
    <message numerus="yes">
        <source>%n filter(s) of %1</source>
        <translation>
            <numerusform>%n filter of %1</numerusform>
            <numerusform>%n filters of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n filter(s) of %1 over %2 channels</source>
        <translation>
            <numerusform>%n filter of %1 over %2 channels</numerusform>
            <numerusform>%n filters of %1 over %2 channels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::FindBar</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::GraphView</name>
    <message numerus="yes">
        <source>%1 · %n alike</source>
        <translation>
            <numerusform>%1 · %n alike</numerusform>
            <numerusform>%1 · %n alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n item</numerusform>
            <numerusform>%n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alike</source>
        <translation>
            <numerusform>%n alike</numerusform>
            <numerusform>%n alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wire(s) drawn on demand</source>
        <translation>
            <numerusform>%n wire drawn on demand</numerusform>
            <numerusform>%n wires drawn on demand</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors run along it: expand the scopes to see each.</source>
        <translation>
            <numerusform>%n tensor runs along it.</numerusform>
            <numerusform>%n tensors run along it: expand the scopes to see each.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::HistogramPlot</name>
    <message numerus="yes">
        <source>%n step(s), none dropped</source>
        <translation>
            <numerusform>%n step, none dropped</numerusform>
            <numerusform>%n steps, none dropped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) with NaN or infinite numbers</source>
        <translation>
            <numerusform>%n step with NaN or infinite numbers</numerusform>
            <numerusform>%n steps with NaN or infinite numbers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::ImageCard</name>
    <message numerus="yes">
        <source>%n step(s), none dropped</source>
        <translation>
            <numerusform>%n step, none dropped</numerusform>
            <numerusform>%n steps, none dropped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::MediaList</name>
    <message numerus="yes">
        <source>%n step(s), none dropped</source>
        <translation>
            <numerusform>%n step, none dropped</numerusform>
            <numerusform>%n steps, none dropped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 Hz, %n channel(s), %2</source>
        <translation>
            <numerusform>%1 Hz, %n channel, %2</numerusform>
            <numerusform>%1 Hz, %n channels, %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::MeshGrid</name>
    <message numerus="yes">
        <source>%n vertex(es)</source>
        <translation>
            <numerusform>%n vertex</numerusform>
            <numerusform>%n vertices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n face(s)</source>
        <translation>
            <numerusform>%n face</numerusform>
            <numerusform>%n faces</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::PrGrid</name>
    <message numerus="yes">
        <source>%n threshold(s)</source>
        <translation>
            <numerusform>%n threshold</numerusform>
            <numerusform>%n thresholds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::ScalarPlot</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::TensorView</name>
    <message numerus="yes">
        <source>%n cell(s)</source>
        <translation>
            <numerusform>%n cell</numerusform>
            <numerusform>%n cells</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::TimelineView</name>
    <message numerus="yes">
        <source>%n transfer(s) in view: zoom in to see their arrows</source>
        <translation>
            <numerusform>%n transfer in view: zoom in to see its arrow</numerusform>
            <numerusform>%n transfers in view: zoom in to see their arrows</numerusform>
        </translation>
    </message>
</context>
</TS>
