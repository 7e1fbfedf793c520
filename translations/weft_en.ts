<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
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
</context>
<context>
    <name>weft::app::RunBar</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
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
    <name>weft::app::StartPage</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
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
</TS>
