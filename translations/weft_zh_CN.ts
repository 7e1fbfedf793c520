<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutText</name>
    <message>
        <source>About Weft</source>
        <translation>关于 Weft</translation>
    </message>
    <message>
        <source>Engine %1, Qt %2.
Free software under the GNU General Public License, version 3 or later; without any warranty.</source>
        <translation>引擎 %1，Qt %2。
自由软件，遵循 GNU 通用公共许可证第 3 版或更新版本；不提供任何担保。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;New from template…</source>
        <translation>从模板新建(&amp;N)…</translation>
    </message>
    <message>
        <source>Starts from one of the graphs that come with Weft</source>
        <translation>从 Weft 自带的图开始</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Opens .weft, .meta, .pb and .pbtxt files</source>
        <translation>打开 .weft、.meta、.pb 和 .pbtxt 文件</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Writes the graph; the ending of the name decides on the form</source>
        <translation>写入图；文件名后缀决定格式</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Writes the graph under another name or in another form</source>
        <translation>以其他名称或格式写入图</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Closes this graph</source>
        <translation>关闭此图</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Ends Weft</source>
        <translation>退出 Weft</translation>
    </message>
    <message>
        <source>&amp;Fit all</source>
        <translation>显示全图(&amp;F)</translation>
    </message>
    <message>
        <source>Shows the whole graph</source>
        <translation>显示整个图</translation>
    </message>
    <message>
        <source>Fit &amp;selection</source>
        <translation>显示选中内容(&amp;S)</translation>
    </message>
    <message>
        <source>Zooms to what is selected</source>
        <translation>缩放到选中内容</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Draws the graph larger</source>
        <translation>放大显示图</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Draws the graph smaller</source>
        <translation>缩小显示图</translation>
    </message>
    <message>
        <source>&amp;100 %</source>
        <translation>&amp;100 %</translation>
    </message>
    <message>
        <source>Draws the graph in its natural size</source>
        <translation>以原始大小显示图</translation>
    </message>
    <message>
        <source>Open all scopes</source>
        <translation>展开所有作用域</translation>
    </message>
    <message>
        <source>Opens every scope in place</source>
        <translation>就地展开每个作用域</translation>
    </message>
    <message>
        <source>Close all scopes</source>
        <translation>收起所有作用域</translation>
    </message>
    <message>
        <source>Closes every scope</source>
        <translation>收起每个作用域</translation>
    </message>
    <message>
        <source>&amp;Open scope</source>
        <translation>展开作用域(&amp;O)</translation>
    </message>
    <message>
        <source>Opens the selected scope in place</source>
        <translation>就地展开选中的作用域</translation>
    </message>
    <message>
        <source>&amp;Close scope</source>
        <translation>收起作用域(&amp;C)</translation>
    </message>
    <message>
        <source>Closes the scope around the selection</source>
        <translation>收起选中内容所在的作用域</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Selects nodes and scopes by name</source>
        <translation>按名称选择节点和作用域</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色方式</translation>
    </message>
    <message>
        <source>Chooses what the colours of nodes say: category, device or structure</source>
        <translation>选择节点颜色的含义：类别、设备或结构</translation>
    </message>
    <message>
        <source>Colour by op category</source>
        <translation>按 op 类别着色</translation>
    </message>
    <message>
        <source>Colours say what kind of op a node is</source>
        <translation>颜色表示节点的 op 类别</translation>
    </message>
    <message>
        <source>Colour by device</source>
        <translation>按设备着色</translation>
    </message>
    <message>
        <source>Colours say where a node wants to run</source>
        <translation>颜色表示节点要求的运行设备</translation>
    </message>
    <message>
        <source>Colour by structure</source>
        <translation>按结构着色</translation>
    </message>
    <message>
        <source>Scopes of the same build have the same colour</source>
        <translation>结构相同的作用域颜色相同</translation>
    </message>
    <message>
        <source>&amp;Minimap</source>
        <translation>缩略图(&amp;M)</translation>
    </message>
    <message>
        <source>Shows the whole graph in a corner</source>
        <translation>在角落显示整个图</translation>
    </message>
    <message>
        <source>&amp;Copy names</source>
        <translation>复制名称(&amp;C)</translation>
    </message>
    <message>
        <source>Copies the names of what is selected, one in a line</source>
        <translation>复制选中内容的名称，每行一个</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>Selects everything that is seen</source>
        <translation>选择所有可见内容</translation>
    </message>
    <message>
        <source>&amp;Find a node…</source>
        <translation>查找节点(&amp;F)…</translation>
    </message>
    <message>
        <source>Finds nodes and scopes by name or op</source>
        <translation>按名称或 op 查找节点和作用域</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>Trains this graph, or goes on after a pause</source>
        <translation>训练此图，或在暂停后继续</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Pauses after the present step</source>
        <translation>当前步结束后暂停</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>单步(&amp;S)</translation>
    </message>
    <message>
        <source>Trains one step, then pauses</source>
        <translation>训练一步后暂停</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>停止(&amp;O)</translation>
    </message>
    <message>
        <source>Ends the training, with a checkpoint</source>
        <translation>结束训练并写入检查点</translation>
    </message>
    <message>
        <source>Open the run&apos;s &amp;folder</source>
        <translation>打开运行文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Shows checkpoints and event files of the newest run</source>
        <translation>显示最近一次运行的检查点和事件文件</translation>
    </message>
    <message>
        <source>&amp;Compose</source>
        <translation>构建(&amp;C)</translation>
    </message>
    <message>
        <source>The graph in the middle, the inspector beside it</source>
        <translation>图在中间，检查器在旁边</translation>
    </message>
    <message>
        <source>T&amp;rain</source>
        <translation>训练(&amp;R)</translation>
    </message>
    <message>
        <source>Curves large, the graph as a strip above them</source>
        <translation>大幅曲线，图在上方成一条</translation>
    </message>
    <message>
        <source>Use layout</source>
        <translation>使用布局</translation>
    </message>
    <message>
        <source>Arranges the docks: compose or train</source>
        <translation>排列面板：compose 或 train</translation>
    </message>
    <message>
        <source>Reset &amp;layout</source>
        <translation>重置布局(&amp;L)</translation>
    </message>
    <message>
        <source>Puts all docks where they were at first</source>
        <translation>将所有面板恢复到初始位置</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light colours</source>
        <translation>浅色配色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark colours</source>
        <translation>深色配色</translation>
    </message>
    <message>
        <source>Colours of the desktop</source>
        <translation>跟随桌面配色</translation>
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation>随桌面使用浅色或深色</translation>
    </message>
    <message>
        <source>The program speaks English</source>
        <translation>界面使用英文</translation>
    </message>
    <message>
        <source>The program speaks Chinese</source>
        <translation>界面使用中文</translation>
    </message>
    <message>
        <source>Language of the desktop</source>
        <translation>跟随桌面语言</translation>
    </message>
    <message>
        <source>The language that the desktop uses</source>
        <translation>使用桌面的语言</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Brings a dock to the front</source>
        <translation>将面板置于前面</translation>
    </message>
    <message>
        <source>&amp;Start page</source>
        <translation>起始页(&amp;S)</translation>
    </message>
    <message>
        <source>Recent files and templates</source>
        <translation>最近的文件和模板</translation>
    </message>
    <message>
        <source>&amp;Next document</source>
        <translation>下一个文档(&amp;N)</translation>
    </message>
    <message>
        <source>Shows the next open graph</source>
        <translation>显示下一个打开的图</translation>
    </message>
    <message>
        <source>&amp;Previous document</source>
        <translation>上一个文档(&amp;P)</translation>
    </message>
    <message>
        <source>Shows the previous open graph</source>
        <translation>显示上一个打开的图</translation>
    </message>
    <message>
        <source>&amp;First steps</source>
        <translation>入门(&amp;F)</translation>
    </message>
    <message>
        <source>From a template to a trained net</source>
        <translation>从模板到训练好的网络</translation>
    </message>
    <message>
        <source>&amp;Commands and keys</source>
        <translation>命令与快捷键(&amp;C)</translation>
    </message>
    <message>
        <source>Every command with its key and its name in scripts</source>
        <translation>每个命令及其快捷键和脚本名称</translation>
    </message>
    <message>
        <source>&amp;About Weft</source>
        <translation>关于 Weft(&amp;A)</translation>
    </message>
    <message>
        <source>Versions and licence</source>
        <translation>版本与许可证</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个窗格</translation>
    </message>
    <message>
        <source>Gives the keyboard to the next pane</source>
        <translation>把键盘焦点移到下一个窗格</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个窗格</translation>
    </message>
    <message>
        <source>Gives the keyboard to the previous pane</source>
        <translation>把键盘焦点移到上一个窗格</translation>
    </message>
</context>
<context>
    <name>Docks</name>
    <message>
        <source>Tear off, or put back</source>
        <translation>脱离窗口或放回</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>FileActions</name>
    <message>
        <source>Graphs (*.weft *.weft.pbtxt *.meta *.pb *.pbtxt)</source>
        <translation>图 (*.weft *.weft.pbtxt *.meta *.pb *.pbtxt)</translation>
    </message>
    <message>
        <source>Weft documents (*.weft *.weft.pbtxt)</source>
        <translation>Weft 文档 (*.weft *.weft.pbtxt)</translation>
    </message>
    <message>
        <source>MetaGraphDef (*.meta)</source>
        <translation>MetaGraphDef (*.meta)</translation>
    </message>
    <message>
        <source>GraphDef (*.pb *.pbtxt)</source>
        <translation>GraphDef (*.pb *.pbtxt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a graph</source>
        <translation>打开图</translation>
    </message>
    <message>
        <source>Save the graph</source>
        <translation>保存图</translation>
    </message>
    <message>
        <source>Close %1 without saving?</source>
        <translation>不保存就关闭 %1 吗？</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>A training is running. Stop it, with a checkpoint, and quit?</source>
        <translation>训练正在进行。是否写入检查点、停止训练并退出？</translation>
    </message>
    <message>
        <source>Stop and quit</source>
        <translation>停止并退出</translation>
    </message>
    <message>
        <source>Go on training</source>
        <translation>继续训练</translation>
    </message>
</context>
<context>
    <name>GraphActions</name>
    <message>
        <source>%1 is no colour mode; there are category, device, structure.</source>
        <translation>没有名为 %1 的着色方式；可用的有 category、device、structure。</translation>
    </message>
    <message>
        <source>Select a scope first.</source>
        <translation>请先选择一个作用域。</translation>
    </message>
    <message>
        <source>There is no scope %1 in this graph.</source>
        <translation>此图中没有作用域 %1。</translation>
    </message>
    <message>
        <source>There is no node or scope %1 in this graph.</source>
        <translation>此图中没有节点或作用域 %1。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示图。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
</context>
<context>
    <name>GraphArrays</name>
    <message numerus="yes">
        <source>%n op(s)</source>
        <translation>
            <numerusform>%n 个 op</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>The engine does not have this op.</source>
        <translation>引擎没有这个 op。</translation>
    </message>
</context>
<context>
    <name>GraphFiles</name>
    <message>
        <source>%1: the name must end in .weft, .weft.pbtxt, .meta, .pb or .pbtxt.</source>
        <translation>%1：文件名须以 .weft、.weft.pbtxt、.meta、.pb 或 .pbtxt 结尾。</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>en</source>
        <comment>folder of the help pages in this language</comment>
        <translation>zh_CN</translation>
    </message>
</context>
<context>
    <name>MachineText</name>
    <message>
        <source>none found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 线程</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%2 中 %1 可用</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Graph</source>
        <translation>图(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>NodeDetails</name>
    <message>
        <source>not used</source>
        <translation>未使用</translation>
    </message>
    <message numerus="yes">
        <source>%n reader(s)</source>
        <translation>
            <numerusform>%n 个读取者</numerusform>
        </translation>
    </message>
    <message>
        <source>has a gradient</source>
        <translation>有梯度</translation>
    </message>
    <message>
        <source>no gradient: %1</source>
        <translation>无梯度：%1</translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message>
        <source>run.train takes --steps N or --epochs N with N above 0, not %1.</source>
        <translation>run.train 接受 --steps N 或 --epochs N（N 大于 0），而不是 %1。</translation>
    </message>
    <message>
        <source>No training is running.</source>
        <translation>没有正在进行的训练。</translation>
    </message>
    <message>
        <source>The training is being stopped.</source>
        <translation>训练正在停止。</translation>
    </message>
    <message>
        <source>Nothing was trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
</context>
<context>
    <name>Script</name>
    <message>
        <source>The quote %1 is not closed.</source>
        <translation>引号 %1 没有闭合。</translation>
    </message>
</context>
<context>
    <name>ScriptQueries</name>
    <message>
        <source>Nothing was trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>There is no series %1; there are %2.</source>
        <translation>没有序列 %1；可用的有 %2。</translation>
    </message>
    <message>
        <source>Nobody measures the event handlers.</source>
        <translation>没有测量事件处理时间。</translation>
    </message>
    <message>
        <source>There is no query %1.</source>
        <translation>没有查询 %1。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示图。</translation>
    </message>
</context>
<context>
    <name>Templates</name>
    <message>
        <source>Softmax regression</source>
        <translation>Softmax 回归</translation>
    </message>
    <message>
        <source>One dense layer that tells the digits apart by a weighted sum of their pixels.</source>
        <translation>一个全连接层，通过像素的加权和区分数字。</translation>
    </message>
    <message>
        <source>Multi-layer perceptron</source>
        <translation>多层感知机</translation>
    </message>
    <message>
        <source>Two hidden layers of 64 and 32 units, trained by Adam.</source>
        <translation>两个隐藏层（64 和 32 个单元），用 Adam 训练。</translation>
    </message>
    <message>
        <source>Convolutional network</source>
        <translation>卷积网络</translation>
    </message>
    <message>
        <source>Three convolutions with pooling and dropout: the classic way to read digits.</source>
        <translation>三层卷积，配合池化和 dropout：识别数字的经典做法。</translation>
    </message>
    <message>
        <source>Autoencoder</source>
        <translation>自编码器</translation>
    </message>
    <message>
        <source>Squeezes each digit into eight numbers and draws it again.</source>
        <translation>把每个数字压缩成八个数，再重新画出来。</translation>
    </message>
</context>
<context>
    <name>TrainingText</name>
    <message>
        <source>This file does not say how it is trained.</source>
        <translation>此文件没有训练设置。</translation>
    </message>
    <message>
        <source>The training needs the op %1, which is not in the graph.</source>
        <translation>训练需要 op %1，但图中没有它。</translation>
    </message>
</context>
<context>
    <name>ViewActions</name>
    <message>
        <source>Open a graph first.</source>
        <translation>请先打开一个图。</translation>
    </message>
    <message>
        <source>%1 is no layout; there are %2.</source>
        <translation>没有布局 %1；可用的有 %2。</translation>
    </message>
    <message>
        <source>There is no dock %1; there are %2.</source>
        <translation>没有面板 %1；可用的有 %2。</translation>
    </message>
    <message>
        <source>There is no other document.</source>
        <translation>没有其他文档。</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Op, shapes, attributes and gradient of what is selected</source>
        <translation>选中内容的 op、形状、属性和梯度</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>What the program did, with times</source>
        <translation>程序做过的事及其时间</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What is not in order in this graph</source>
        <translation>此图中的问题</translation>
    </message>
    <message>
        <source>Scalars</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Loss, accuracy and other numbers over the steps of a training</source>
        <translation>训练各步的损失、准确率和其他数值</translation>
    </message>
</context>
<context>
    <name>weft::app::ActionRegistry</name>
    <message>
        <source>There is no command %1.</source>
        <translation>没有命令 %1。</translation>
    </message>
</context>
<context>
    <name>weft::app::DocumentPage</name>
    <message>
        <source>main</source>
        <translation>主图</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>着色</translation>
    </message>
    <message>
        <source>op category</source>
        <translation>op 类别</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>structure</source>
        <translation>结构</translation>
    </message>
</context>
<context>
    <name>weft::app::FindPopup</name>
    <message>
        <source>Part of a name, or an op: conv2 MatMul</source>
        <translation>名称片段或 op：conv2 MatMul</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>%1 found, the first %2 are listed</source>
        <translation>找到 %1 个，列出前 %2 个</translation>
    </message>
    <message numerus="yes">
        <source>%n found · Enter goes there, Esc closes</source>
        <translation>
            <numerusform>找到 %n 个 · Enter 前往，Esc 关闭</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::HelpWindow</name>
    <message>
        <source>Commands and keys</source>
        <translation>命令与快捷键</translation>
    </message>
    <message>
        <source>Every command has a name. A script (`weft-studio --script FILE`) gives one command per line.</source>
        <translation>每个命令都有名称。脚本（`weft-studio --script FILE`）每行给出一个命令。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Name in scripts</source>
        <translation>脚本名称</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>weft::app::InspectorView</name>
    <message>
        <source>No graph is open</source>
        <translation>没有打开的图</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>没有选中任何内容</translation>
    </message>
    <message numerus="yes">
        <source>%n items are selected</source>
        <translation>
            <numerusform>选中了 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Open a file or start from a template.</source>
        <translation>打开文件，或从模板开始。</translation>
    </message>
    <message>
        <source>Click a node or a scope: its op, shapes, attributes and gradient are shown here.</source>
        <translation>单击节点或作用域，这里会显示其 op、形状、属性和梯度。</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>unknown op</source>
        <translation>未知 op</translation>
    </message>
    <message>
        <source>The engine does not have this op. The graph can be viewed and saved unchanged, but what needs this node cannot run.</source>
        <translation>引擎没有这个 op。图可以查看并原样保存，但依赖此节点的部分不能运行。</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>the default; the file does not give it</source>
        <translation>默认值；文件中没有给出</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>keeps state between steps</source>
        <translation>在各步之间保持状态</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>op 数</translation>
    </message>
    <message>
        <source>variables&apos; elements</source>
        <translation>变量元素数</translation>
    </message>
    <message>
        <source>Ops by type</source>
        <translation>按类型统计的 op</translation>
    </message>
</context>
<context>
    <name>weft::app::LogView</name>
    <message>
        <source>Nothing has happened yet</source>
        <translation>还没有任何记录</translation>
    </message>
    <message>
        <source>Files that were read and written, runs and errors are noted here.</source>
        <translation>读写的文件、运行和错误会记录在这里。</translation>
    </message>
</context>
<context>
    <name>weft::app::MainWindow</name>
    <message>
        <source>No files were opened yet</source>
        <translation>还没有打开过文件</translation>
    </message>
    <message>
        <source>%1 is done: %2 steps</source>
        <translation>%1 已完成：%2 步</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
</context>
<context>
    <name>weft::app::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>weft::app::ProblemsView</name>
    <message>
        <source>What is wrong</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>No graph is open</source>
        <translation>没有打开的图</translation>
    </message>
    <message>
        <source>Every op is known and all shapes fit.</source>
        <translation>所有 op 均已知，形状全部相符。</translation>
    </message>
    <message>
        <source>Unknown ops and shapes that do not fit are listed here.</source>
        <translation>未知的 op 和不相符的形状会列在这里。</translation>
    </message>
</context>
<context>
    <name>weft::app::RunBar</name>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>data %1</source>
        <translation>数据 %1</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 轮</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>epoch &lt;b&gt;%1&lt;/b&gt;/%2</source>
        <translation>第 &lt;b&gt;%1&lt;/b&gt;/%2 轮</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 样本/秒</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>weft::app::RunController</name>
    <message>
        <source>Open a graph first.</source>
        <translation>请先打开一个图。</translation>
    </message>
    <message>
        <source>A training is running.</source>
        <translation>训练正在进行。</translation>
    </message>
    <message>
        <source>Another document is being trained; stop that first.</source>
        <translation>另一个文档正在训练，请先停止它。</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>%1: training of %2 started, files go to %3</source>
        <translation>%1：开始训练 %2，文件写入 %3</translation>
    </message>
    <message>
        <source>Nothing was trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>%1: step %2, test accuracy %3 %</source>
        <translation>%1：第 %2 步，测试准确率 %3 %</translation>
    </message>
    <message>
        <source>%1: checkpoint at step %2</source>
        <translation>%1：在第 %2 步写入检查点</translation>
    </message>
    <message>
        <source>%1: ended after %2 steps</source>
        <translation>%1：共 %2 步，已结束</translation>
    </message>
    <message>
        <source>%1: ended after %2 steps; checkpoint %3</source>
        <translation>%1：共 %2 步，已结束；检查点 %3</translation>
    </message>
</context>
<context>
    <name>weft::app::ScalarsView</name>
    <message>
        <source>No scalars yet</source>
        <translation>还没有标量</translation>
    </message>
    <message>
        <source>Loss and accuracy appear here from the first step of a training.</source>
        <translation>训练开始后，损失和准确率会显示在这里。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>weft::app::ScriptDriver</name>
    <message>
        <source>wait takes `idle` or a number of seconds.</source>
        <translation>wait 接受 `idle` 或秒数。</translation>
    </message>
    <message>
        <source>screenshot takes the path of a .png file.</source>
        <translation>screenshot 需要一个 .png 文件的路径。</translation>
    </message>
    <message>
        <source>There is no widget %1.</source>
        <translation>没有控件 %1。</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>weft::app::StartPage</name>
    <message>
        <source>View, train and explore dataflow graphs</source>
        <translation>查看、训练和探索数据流图</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>入门</translation>
    </message>
    <message>
        <source>Drop files anywhere</source>
        <translation>可将文件拖到任意位置</translation>
    </message>
    <message>
        <source>Weft document</source>
        <translation>Weft 文档</translation>
    </message>
    <message>
        <source>MetaGraphDef</source>
        <translation>MetaGraphDef</translation>
    </message>
    <message>
        <source>GraphDef</source>
        <translation>GraphDef</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Files that you open are listed here.</source>
        <translation>打开过的文件会列在这里。</translation>
    </message>
    <message>
        <source>Start from a graph that trains</source>
        <translation>从可训练的图开始</translation>
    </message>
    <message>
        <source>Each opens as an ordinary document with its data: handwritten digits, 8×8. Press Train and watch.</source>
        <translation>每个模板都作为普通文档打开，并带有数据：8×8 手写数字。按“训练”即可观察。</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>Keys worth knowing</source>
        <translation>常用按键</translation>
    </message>
    <message>
        <source>on the canvas: the whole graph</source>
        <translation>在画布上：显示全图</translation>
    </message>
    <message>
        <source>double-click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>open or close a scope</source>
        <translation>展开或收起作用域</translation>
    </message>
    <message>
        <source>find a node by its name</source>
        <translation>按名称查找节点</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Drawing the templates</source>
        <translation>正在绘制模板</translation>
    </message>
</context>
<context>
    <name>weft::app::StatusBar</name>
    <message>
        <source>Weft %1</source>
        <translation>Weft %1</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>no problems</source>
        <translation>没有问题</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n scope(s)</source>
        <translation>
            <numerusform>%n 个作用域</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>no variables</source>
        <translation>没有变量</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>CPU %1 %</source>
        <translation>CPU %1 %</translation>
    </message>
    <message>
        <source>RSS %1</source>
        <translation>内存 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::Workspace</name>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n node(s), read in %2 ms</source>
        <translation>
            <numerusform>%1：%n 个节点，读取用时 %2 毫秒</numerusform>
        </translation>
    </message>
    <message>
        <source>Opening was cancelled.</source>
        <translation>已取消打开。</translation>
    </message>
    <message>
        <source>Making %1</source>
        <translation>正在创建 %1</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Saving goes on, but nobody waits for it.</source>
        <translation>保存仍在进行，但不再等待它。</translation>
    </message>
</context>
<context>
    <name>weft::widgets</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>1 op</source>
        <translation>1 个 op</translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation>%1 个 op</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 个张量</translation>
    </message>
</context>
<context>
    <name>weft::widgets::GraphView</name>
    <message>
        <source>math</source>
        <translation>数学</translation>
    </message>
    <message>
        <source>nn</source>
        <translation>神经网络</translation>
    </message>
    <message>
        <source>array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>control flow</source>
        <translation>控制流</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>unplaced</source>
        <translation>未指定设备</translation>
    </message>
    <message>
        <source>structure %1</source>
        <translation>结构 %1</translation>
    </message>
    <message>
        <source>no repetition</source>
        <translation>无重复</translation>
    </message>
    <message>
        <source>Zoom to 100 % (Home)</source>
        <translation>缩放到 100 %（Home）</translation>
    </message>
    <message>
        <source>Fit all (A)</source>
        <translation>显示全图（A）</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>显示全图</translation>
    </message>
    <message>
        <source>%1, operation %2</source>
        <translation>%1，操作 %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Graph canvas</source>
        <translation>图画布</translation>
    </message>
    <message>
        <source>in %1: %2 %3</source>
        <translation>输入 %1：%2 %3</translation>
    </message>
    <message>
        <source>control edge</source>
        <translation>控制边</translation>
    </message>
    <message>
        <source>unknown shape</source>
        <translation>形状未知</translation>
    </message>
    <message>
        <source>%1 items shown</source>
        <translation>显示 %1 项</translation>
    </message>
    <message>
        <source>%1, scope, %2</source>
        <translation>%1，作用域，%2</translation>
    </message>
    <message>
        <source>%1 items selected</source>
        <translation>选中 %1 项</translation>
    </message>
</context>
<context>
    <name>weft::widgets::ScalarGrid</name>
    <message>
        <source>Tags (regular expression)</source>
        <translation>标签（正则表达式）</translation>
    </message>
    <message>
        <source>Tag filter</source>
        <translation>标签过滤</translation>
    </message>
    <message>
        <source>smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>x axis: step</source>
        <translation>横轴：步</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>x axis: time since the first value</source>
        <translation>横轴：自第一个值起的时间</translation>
    </message>
    <message>
        <source>wall</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>x axis: time of day</source>
        <translation>横轴：时刻</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Logarithmic y axis for all cards</source>
        <translation>所有卡片使用对数纵轴</translation>
    </message>
    <message>
        <source>5–95 %</source>
        <translation>5–95 %</translation>
    </message>
    <message>
        <source>Leave outliers out of the y range</source>
        <translation>纵轴范围不含离群值</translation>
    </message>
    <message>
        <source>linked cursor</source>
        <translation>联动光标</translation>
    </message>
    <message>
        <source>One cursor for all cards</source>
        <translation>所有卡片共用一个光标</translation>
    </message>
    <message>
        <source>No scalars yet</source>
        <translation>还没有标量</translation>
    </message>
    <message>
        <source>Loss and learning rate appear here from the first step.</source>
        <translation>训练开始后，损失和学习率会显示在这里。</translation>
    </message>
    <message>
        <source>scalars</source>
        <translation>标量</translation>
    </message>
</context>
<context>
    <name>weft::widgets::ScalarPlot</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>平滑值</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Maximize</source>
        <translation>最大化</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>5 % to 95 % only</source>
        <translation>仅 5 % 到 95 %</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>保存为 PNG…</translation>
    </message>
    <message>
        <source>Save as PNG</source>
        <translation>保存为 PNG</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>保存为 CSV…</translation>
    </message>
    <message>
        <source>Save as CSV</source>
        <translation>保存为 CSV</translation>
    </message>
    <message>
        <source>%1 points, none dropped</source>
        <translation>%1 个点，无丢弃</translation>
    </message>
    <message>
        <source>%1 NaN or infinite</source>
        <translation>%1 个 NaN 或无穷</translation>
    </message>
    <message>
        <source>min %1 · %2</source>
        <translation>最小 %1 · %2</translation>
    </message>
    <message>
        <source>%1 series</source>
        <translation>%1 条曲线</translation>
    </message>
</context>
</TS>
