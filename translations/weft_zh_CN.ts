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
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later, without any warranty.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本；不提供任何担保。</translation>
    </message>
    <message>
        <source>Versions and licence</source>
        <translation>版本与许可证</translation>
    </message>
    <message>
        <source>Versions of the libraries</source>
        <translation>各库版本</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>复制版本信息</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;New from template…</source>
        <translation>从模板新建(&amp;N)…</translation>
    </message>
    <message>
        <source>Starts from one of the built-in graphs</source>
        <translation>从 Weft 自带的图开始</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Saves the graph; the file extension selects the format</source>
        <translation>写入图；文件名后缀决定格式</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Saves the graph under another name or in another format</source>
        <translation>以其他名称或格式写入图</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Quits Weft</source>
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
        <source>Zooms to the selection</source>
        <translation>缩放到选中内容</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Enlarges the graph</source>
        <translation>放大显示图</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Shrinks the graph</source>
        <translation>缩小显示图</translation>
    </message>
    <message>
        <source>&amp;100 %</source>
        <translation>&amp;100 %</translation>
    </message>
    <message>
        <source>Draws the graph at its natural size</source>
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
        <source>Colour by op category</source>
        <translation>按 op 类别着色</translation>
    </message>
    <message>
        <source>Colours nodes by the kind of op</source>
        <translation>颜色表示节点的 op 类别</translation>
    </message>
    <message>
        <source>Colour by device</source>
        <translation>按设备着色</translation>
    </message>
    <message>
        <source>Colour by structure</source>
        <translation>按结构着色</translation>
    </message>
    <message>
        <source>Colours scopes of the same structure alike</source>
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
        <source>Copies the names of the selected nodes, one per line</source>
        <translation>复制选中内容的名称，每行一个</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>Selects everything that is visible</source>
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
        <source>Trains this graph, or resumes after a pause</source>
        <translation>训练此图，或在暂停后继续</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Pauses after the current step</source>
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
        <source>Stops training and saves a checkpoint</source>
        <translation>结束训练并写入检查点</translation>
    </message>
    <message>
        <source>Open the run&apos;s &amp;folder</source>
        <translation>打开运行文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Compose</source>
        <translation>构建(&amp;C)</translation>
    </message>
    <message>
        <source>Graph in the middle, inspector beside it</source>
        <translation>图在中间，检查器在旁边</translation>
    </message>
    <message>
        <source>T&amp;rain</source>
        <translation>训练(&amp;R)</translation>
    </message>
    <message>
        <source>Large curves, with the graph as a strip above them</source>
        <translation>大幅曲线，图在上方成一条</translation>
    </message>
    <message>
        <source>Use layout</source>
        <translation>使用布局</translation>
    </message>
    <message>
        <source>Reset &amp;layout</source>
        <translation>重置布局(&amp;L)</translation>
    </message>
    <message>
        <source>Restores the default arrangement of docks</source>
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
        <source>Follow the desktop</source>
        <translation>跟随桌面配色</translation>
    </message>
    <message>
        <source>Follows the desktop&apos;s light or dark theme</source>
        <translation>随桌面使用浅色或深色</translation>
    </message>
    <message>
        <source>Shows the program in English</source>
        <translation>界面使用英文</translation>
    </message>
    <message>
        <source>Shows the program in Chinese</source>
        <translation>界面使用中文</translation>
    </message>
    <message>
        <source>Desktop language</source>
        <translation>跟随桌面语言</translation>
    </message>
    <message>
        <source>Uses the language of the desktop</source>
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
        <source>From a template to a trained network</source>
        <translation>从模板到训练好的网络</translation>
    </message>
    <message>
        <source>&amp;Commands and keys</source>
        <translation>命令与快捷键(&amp;C)</translation>
    </message>
    <message>
        <source>Lists every command with its shortcut and script name</source>
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
        <source>Moves the focus to the next pane</source>
        <translation>把键盘焦点移到下一个窗格</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个窗格</translation>
    </message>
    <message>
        <source>Moves the focus to the previous pane</source>
        <translation>把键盘焦点移到上一个窗格</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>添加(&amp;A)…</translation>
    </message>
    <message>
        <source>Opens a searchable menu of everything that can be added</source>
        <translation>打开可添加内容的菜单，输入即可查找</translation>
    </message>
    <message>
        <source>Add here</source>
        <translation>在此添加</translation>
    </message>
    <message>
        <source>Adds an op or a layer next to the selection and connects it</source>
        <translation>在所选节点旁添加 op 或层，并由其供给数据</translation>
    </message>
    <message>
        <source>&amp;Rename in place</source>
        <translation>就地重命名(&amp;R)</translation>
    </message>
    <message>
        <source>Edits the name of the selected node in place</source>
        <translation>在画布上编辑所选节点的名称</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>复制一份(&amp;U)</translation>
    </message>
    <message>
        <source>Duplicates the selection</source>
        <translation>添加所选内容的副本</translation>
    </message>
    <message>
        <source>&amp;Tidy</source>
        <translation>整理(&amp;T)</translation>
    </message>
    <message>
        <source>Lays out the selection again, or the whole graph if nothing is selected</source>
        <translation>重新排布所选内容；未选择时排布全部</translation>
    </message>
    <message>
        <source>Align left edges</source>
        <translation>左边对齐</translation>
    </message>
    <message>
        <source>Aligns the left edges of the selection</source>
        <translation>使所选内容的左边位于同一直线</translation>
    </message>
    <message>
        <source>Align centres</source>
        <translation>水平居中对齐</translation>
    </message>
    <message>
        <source>Aligns the horizontal centres of the selection</source>
        <translation>使所选内容的中心上下对齐</translation>
    </message>
    <message>
        <source>Align right edges</source>
        <translation>右边对齐</translation>
    </message>
    <message>
        <source>Aligns the right edges of the selection</source>
        <translation>使所选内容的右边位于同一直线</translation>
    </message>
    <message>
        <source>Align top edges</source>
        <translation>顶边对齐</translation>
    </message>
    <message>
        <source>Aligns the top edges of the selection</source>
        <translation>使所选内容的顶边位于同一直线</translation>
    </message>
    <message>
        <source>Align middles</source>
        <translation>垂直居中对齐</translation>
    </message>
    <message>
        <source>Aligns the vertical centres of the selection</source>
        <translation>使所选内容的中心左右对齐</translation>
    </message>
    <message>
        <source>Align bottom edges</source>
        <translation>底边对齐</translation>
    </message>
    <message>
        <source>Aligns the bottom edges of the selection</source>
        <translation>使所选内容的底边位于同一直线</translation>
    </message>
    <message>
        <source>Distribute across</source>
        <translation>横向分布</translation>
    </message>
    <message>
        <source>Makes the horizontal gaps in the selection equal</source>
        <translation>使所选内容从左到右间距相等</translation>
    </message>
    <message>
        <source>Distribute down</source>
        <translation>纵向分布</translation>
    </message>
    <message>
        <source>Makes the vertical gaps in the selection equal</source>
        <translation>使所选内容从上到下间距相等</translation>
    </message>
    <message>
        <source>Set bookmark</source>
        <translation>设置书签</translation>
    </message>
    <message>
        <source>Saves the current view under a number; same as Alt+1 to Alt+9 on the canvas</source>
        <translation>以编号记住当前视图；画布上的 Alt+1 至 Alt+9 作用相同</translation>
    </message>
    <message>
        <source>Go to bookmark</source>
        <translation>转到书签</translation>
    </message>
    <message>
        <source>Goes to the view saved under a number; same as 1 to 9 on the canvas</source>
        <translation>显示以编号记住的视图；画布上的 1 至 9 作用相同</translation>
    </message>
    <message>
        <source>Add &amp;frame</source>
        <translation>添加框(&amp;F)</translation>
    </message>
    <message>
        <source>Draws a titled frame around the selection; dragging the title moves everything inside</source>
        <translation>在所选内容周围画一个带标题的框；拖动标题时框内的内容随之移动</translation>
    </message>
    <message>
        <source>Add &amp;comment</source>
        <translation>添加注释(&amp;C)</translation>
    </message>
    <message>
        <source>Adds a note to the canvas</source>
        <translation>在画布上放置一条注释</translation>
    </message>
    <message>
        <source>&amp;Isolate</source>
        <translation>突出显示(&amp;I)</translation>
    </message>
    <message>
        <source>Highlights the selection and dims the rest, or ends that</source>
        <translation>突出所选内容并使其余变暗，或恢复</translation>
    </message>
    <message>
        <source>Li&amp;ve preview</source>
        <translation>实时预览(&amp;V)</translation>
    </message>
    <message>
        <source>Preview sample</source>
        <translation>预览所用样本</translation>
    </message>
    <message>
        <source>Chooses which row of the data set live previews use</source>
        <translation>选择实时预览所用的数据集行</translation>
    </message>
    <message>
        <source>Hide all previews</source>
        <translation>隐藏所有预览</translation>
    </message>
    <message>
        <source>Hides the values next to all nodes</source>
        <translation>隐藏所有节点旁的值</translation>
    </message>
    <message>
        <source>Start &amp;debugging</source>
        <translation>开始调试(&amp;D)</translation>
    </message>
    <message>
        <source>Runs this graph step by step, from the first op or up to a breakpoint</source>
        <translation>逐步运行此图，从第一个 op 开始或直到断点</translation>
    </message>
    <message>
        <source>Debug &amp;training step</source>
        <translation>调试一步训练(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>Runs to the next breakpoint or to the end of the run</source>
        <translation>继续到下一个断点或运行结束</translation>
    </message>
    <message>
        <source>Step &amp;op</source>
        <translation>单步 op(&amp;O)</translation>
    </message>
    <message>
        <source>Runs one op</source>
        <translation>计算一个 op</translation>
    </message>
    <message>
        <source>Step &amp;into</source>
        <translation>步入(&amp;I)</translation>
    </message>
    <message>
        <source>Runs to the next scope or loop iteration</source>
        <translation>前进到下一个作用域或循环的下一次迭代</translation>
    </message>
    <message>
        <source>Step over &amp;scope</source>
        <translation>跳过作用域(&amp;S)</translation>
    </message>
    <message>
        <source>Runs to the first op outside this scope</source>
        <translation>前进到此作用域之外的第一个 op</translation>
    </message>
    <message>
        <source>Step o&amp;ut</source>
        <translation>步出(&amp;U)</translation>
    </message>
    <message>
        <source>Runs until the innermost loop is left, or outside loops the scope</source>
        <translation>前进到离开最内层循环；不在循环中时离开作用域</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>Goes back one op and restores variables and random numbers</source>
        <translation>后退一个 op，变量与随机数都恢复原状</translation>
    </message>
    <message>
        <source>Go to iteration</source>
        <translation>转到迭代</translation>
    </message>
    <message>
        <source>Goes back or forward to this op in another iteration of the loop</source>
        <translation>前进或后退到循环另一次迭代中的这个 op</translation>
    </message>
    <message>
        <source>&amp;Run to here</source>
        <translation>运行到此处(&amp;R)</translation>
    </message>
    <message>
        <source>Runs to the selected node</source>
        <translation>运行到所选节点</translation>
    </message>
    <message>
        <source>Pauses before the next op</source>
        <translation>在下一个 op 之前停下</translation>
    </message>
    <message>
        <source>St&amp;op debugging</source>
        <translation>停止调试(&amp;O)</translation>
    </message>
    <message>
        <source>Toggle &amp;breakpoint</source>
        <translation>切换断点(&amp;B)</translation>
    </message>
    <message>
        <source>Sets or removes a breakpoint on the selected nodes</source>
        <translation>在所选节点上设置或取消断点</translation>
    </message>
    <message>
        <source>Set breakpoint</source>
        <translation>设置断点</translation>
    </message>
    <message>
        <source>Sets a breakpoint on a node, a tensor, a scope or every op</source>
        <translation>在节点、张量、作用域或每个 op 上设置断点</translation>
    </message>
    <message>
        <source>Remove breakpoint</source>
        <translation>删除断点</translation>
    </message>
    <message>
        <source>Removes a breakpoint</source>
        <translation>取消一个断点</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>监视(&amp;W)</translation>
    </message>
    <message>
        <source>Adds a tensor to the watch list</source>
        <translation>把张量加入监视列表</translation>
    </message>
    <message>
        <source>Remove from watch list</source>
        <translation>从监视列表中删除</translation>
    </message>
    <message>
        <source>Removes a tensor from the watch list</source>
        <translation>从监视列表中去掉一个张量</translation>
    </message>
    <message>
        <source>Set value</source>
        <translation>设置值</translation>
    </message>
    <message>
        <source>Replaces the value of a tensor or variable; the run continues with the new value</source>
        <translation>替换张量或变量的值，运行随之继续</translation>
    </message>
    <message>
        <source>Show &amp;values</source>
        <translation>显示值(&amp;V)</translation>
    </message>
    <message>
        <source>Shows a tensor as a table, heat map, image or histogram</source>
        <translation>以表格、热图、图像或直方图显示张量</translation>
    </message>
    <message>
        <source>Traces a NaN or infinity back to the op, weights or data that caused it</source>
        <translation>从 NaN 或无穷大追溯到产生它的 op、权重或数据</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Undoes the last change</source>
        <translation>撤销上一步修改</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Redoes the last change that was undone</source>
        <translation>重新执行被撤销的修改</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>Cuts the selection to the clipboard</source>
        <translation>复制选中的内容并将其移除</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copies the selection as a text GraphDef</source>
        <translation>将选中的内容复制为文本 GraphDef</translation>
    </message>
    <message>
        <source>Copy &amp;names</source>
        <translation>复制名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Adds the nodes from the clipboard</source>
        <translation>添加剪贴板中的节点</translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation>再制(&amp;D)</translation>
    </message>
    <message>
        <source>Adds a copy of the selection with the same inputs</source>
        <translation>添加选中内容的副本，输入连线相同</translation>
    </message>
    <message>
        <source>&amp;Fix</source>
        <translation>修复(&amp;F)</translation>
    </message>
    <message>
        <source>Applies the suggested fix for a problem</source>
        <translation>执行针对问题给出的修复</translation>
    </message>
    <message>
        <source>Next &amp;problem</source>
        <translation>下一个问题(&amp;P)</translation>
    </message>
    <message>
        <source>Goes to the next node with a problem</source>
        <translation>跳到下一个有问题的节点</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>上一个问题</translation>
    </message>
    <message>
        <source>Goes to the previous node with a problem</source>
        <translation>跳到上一个有问题的节点</translation>
    </message>
    <message>
        <source>Discard recovery data</source>
        <translation>放弃丢失的文档</translation>
    </message>
    <message>
        <source>Deletes the recovery data of unsaved documents</source>
        <translation>删除可恢复的内容</translation>
    </message>
    <message>
        <source>Add a node</source>
        <translation>添加节点</translation>
    </message>
    <message>
        <source>Adds an op or a layer</source>
        <translation>添加 op 或层</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Adds a wire from an output to an input</source>
        <translation>从输出到输入画一条线</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>Removes a wire</source>
        <translation>移除一条连线</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Changes node attributes or layer parameters</source>
        <translation>修改节点的属性或层的参数</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Removes nodes and scopes</source>
        <translation>移除节点和作用域</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Renames a node or scope and updates all references in the document</source>
        <translation>为节点或作用域改名，文档中各处同步更新</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Moves a node or scope and pins it there</source>
        <translation>将节点或作用域放到固定的位置</translation>
    </message>
    <message>
        <source>&amp;Group</source>
        <translation>编组(&amp;G)</translation>
    </message>
    <message>
        <source>Moves the selection into a new scope</source>
        <translation>将选中的内容放入新的作用域</translation>
    </message>
    <message>
        <source>&amp;Ungroup</source>
        <translation>解散(&amp;U)</translation>
    </message>
    <message>
        <source>Dissolves the selected scope and keeps its contents</source>
        <translation>将选中作用域中的内容全部取出</translation>
    </message>
    <message>
        <source>Convert layer to ops</source>
        <translation>将层展开为 op</translation>
    </message>
    <message>
        <source>Turns the layer into a plain scope whose ops can be edited one by one</source>
        <translation>不再视为层：其中的 op 保留，可逐个修改</translation>
    </message>
    <message>
        <source>&amp;Mute</source>
        <translation>旁路(&amp;M)</translation>
    </message>
    <message>
        <source>Bypasses the selected node, or ends that</source>
        <translation>让数据绕过选中的节点，或恢复</translation>
    </message>
    <message>
        <source>Insert on a wire</source>
        <translation>插入到连线上</translation>
    </message>
    <message>
        <source>Inserts an op or layer into a wire</source>
        <translation>在连线两端之间插入 op 或层</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replaces a node with another op and keeps the wires that fit</source>
        <translation>用另一个 op 代替节点，合适的连线保留</translation>
    </message>
    <message>
        <source>&amp;Extract</source>
        <translation>提取(&amp;E)</translation>
    </message>
    <message>
        <source>Keeps only the selected nodes and what they depend on</source>
        <translation>只保留选中节点所需的部分</translation>
    </message>
    <message>
        <source>&amp;Add training</source>
        <translation>添加训练(&amp;A)</translation>
    </message>
    <message>
        <source>Adds gradients, updates and everything else needed to minimise the loss</source>
        <translation>加入使损失减小的梯度和更新，以及训练所需的一切</translation>
    </message>
    <message>
        <source>Remove &amp;training</source>
        <translation>移除训练(&amp;T)</translation>
    </message>
    <message>
        <source>Removes gradients, updates and the variables that only they use</source>
        <translation>移除梯度、更新以及只有它们需要的变量</translation>
    </message>
    <message>
        <source>Initialise a variable</source>
        <translation>初始化变量</translation>
    </message>
    <message>
        <source>Makes sure that the variable is initialised before training</source>
        <translation>确保变量在训练前被赋值</translation>
    </message>
    <message>
        <source>&amp;Bind data</source>
        <translation>绑定数据(&amp;B)</translation>
    </message>
    <message>
        <source>Sets the data that feeds the network&apos;s inputs</source>
        <translation>指定由哪些数据供给网络的输入</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>Exports the drawing as SVG, PNG or PDF, or the graph as DOT or Python code for TensorFlow 1.x</source>
        <translation>将绘图写为 SVG、PNG 或 PDF,或将图写为 DOT 或 TensorFlow 1.x 的 Python 代码</translation>
    </message>
    <message>
        <source>Opens graphs, checkpoints, SavedModels, records, event files and arrays; the format is detected from the content</source>
        <translation>打开计算图、检查点、SavedModel、记录、事件和数组文件；文件类型由内容决定</translation>
    </message>
    <message>
        <source>Closes this tab</source>
        <translation>关闭此标签页</translation>
    </message>
    <message>
        <source>Colour by op type</source>
        <translation>按 op 类型着色</translation>
    </message>
    <message>
        <source>Gives the most frequent ops their own colours</source>
        <translation>最常见的 op 各有颜色</translation>
    </message>
    <message>
        <source>Colour by compute</source>
        <translation>按计算量着色</translation>
    </message>
    <message>
        <source>Colours nodes by FLOPs per step</source>
        <translation>颜色表示节点每步的 FLOP 数</translation>
    </message>
    <message>
        <source>Colour by memory</source>
        <translation>按内存着色</translation>
    </message>
    <message>
        <source>Colours nodes by the size of their outputs</source>
        <translation>颜色表示节点输出的大小</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>与…比较(&amp;C)</translation>
    </message>
    <message>
        <source>Compares the variables of this file with another file</source>
        <translation>把此文件的变量与另一个文件的变量比较</translation>
    </message>
    <message>
        <source>&amp;Statistics</source>
        <translation>统计量(&amp;S)</translation>
    </message>
    <message>
        <source>Computes min, max and mean of all variables in this file</source>
        <translation>读取此文件的全部变量，求最小值、最大值和均值</translation>
    </message>
    <message>
        <source>Rarely needed: runs automatically except for huge files</source>
        <translation>很少用到：除特别大的文件外都会自动统计</translation>
    </message>
    <message>
        <source>&amp;Export values…</source>
        <translation>导出数值(&amp;E)…</translation>
    </message>
    <message>
        <source>Saves the selected variable as .npy or .csv</source>
        <translation>把选中的变量写成 .npy 或 .csv</translation>
    </message>
    <message>
        <source>Open the &amp;graph of this model</source>
        <translation>打开此模型的计算图(&amp;G)</translation>
    </message>
    <message>
        <source>Shows a graph of the current SavedModel on the canvas</source>
        <translation>在画布上显示当前 SavedModel 的计算图</translation>
    </message>
    <message>
        <source>Open the &amp;variables of this model</source>
        <translation>打开此模型的变量(&amp;V)</translation>
    </message>
    <message>
        <source>Shows the checkpoint inside the current SavedModel</source>
        <translation>显示当前 SavedModel 中的检查点</translation>
    </message>
    <message>
        <source>Copy a Sa&amp;ver for this checkpoint</source>
        <translation>复制此检查点的 Saver(&amp;V)</translation>
    </message>
    <message>
        <source>Copies Python code for a tf.train.Saver that maps the checkpoint&apos;s names to the graph&apos;s variables; unmatched names are guessed</source>
        <translation>Python 代码：用 tf.train.Saver 把检查点中的名称对应到计算图的变量，最接近的名称作为猜测</translation>
    </message>
    <message>
        <source>Se&amp;lect a variable</source>
        <translation>选择变量(&amp;L)</translation>
    </message>
    <message>
        <source>Shows the values of the named variable</source>
        <translation>显示该名称的变量的值</translation>
    </message>
    <message>
        <source>Open &amp;event files…</source>
        <translation>打开事件文件(&amp;E)…</translation>
    </message>
    <message>
        <source>Shows a folder of TensorFlow event files in the panels and follows new events</source>
        <translation>在面板中显示一个 TensorFlow 事件文件夹，并随其增长继续读取</translation>
    </message>
    <message>
        <source>Close event files</source>
        <translation>关闭事件文件</translation>
    </message>
    <message>
        <source>Stops following one or all event file folders and removes their runs from the panels</source>
        <translation>停止读取一个或全部事件文件夹，并把它们的运行移出面板</translation>
    </message>
    <message>
        <source>Export a card</source>
        <translation>导出卡片</translation>
    </message>
    <message>
        <source>Saves a panel card as PNG, SVG, CSV or JSON, depending on the file extension</source>
        <translation>按文件名后缀将面板中的一张卡片写成 PNG、SVG、CSV 或 JSON</translation>
    </message>
    <message>
        <source>Set a panel option</source>
        <translation>设置面板选项</translation>
    </message>
    <message>
        <source>For example: histograms heat-map, scalars log-y, images 120</source>
        <translation>例如：histograms heat-map、scalars log-y、images 120</translation>
    </message>
    <message>
        <source>&amp;Trace steps</source>
        <translation>记录步骤(&amp;T)</translation>
    </message>
    <message>
        <source>Traces ten training steps op by op and shows where the time goes</source>
        <translation>逐个 op 记录训练的十步，并显示时间花在哪里</translation>
    </message>
    <message>
        <source>&amp;Open trace…</source>
        <translation>打开 trace(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save trace…</source>
        <translation>保存 trace(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Compare with a trace…</source>
        <translation>与另一 trace 比较(&amp;C)…</translation>
    </message>
    <message>
        <source>Shows what became slower or faster compared with another trace</source>
        <translation>显示相对于另一 trace 哪些变慢、哪些变快</translation>
    </message>
    <message>
        <source>&amp;Find slice</source>
        <translation>查找片段(&amp;F)</translation>
    </message>
    <message>
        <source>Goes to the next slice whose name contains the text</source>
        <translation>转到名称包含指定文字的下一个片段</translation>
    </message>
    <message>
        <source>&amp;Measure a range</source>
        <translation>测量区间(&amp;M)</translation>
    </message>
    <message>
        <source>Selects a time range in milliseconds and lists what ran in it</source>
        <translation>标出一段时间（毫秒），并列出其间运行的内容</translation>
    </message>
    <message>
        <source>Show the &amp;whole trace</source>
        <translation>显示整个 trace(&amp;W)</translation>
    </message>
    <message>
        <source>Shows all steps in the timeline</source>
        <translation>在时间线中显示所有步骤</translation>
    </message>
    <message>
        <source>Colour nodes by &amp;time</source>
        <translation>按时间着色(&amp;T)</translation>
    </message>
    <message>
        <source>Colours each node by its self time in the trace</source>
        <translation>按各节点在 trace 中的自身时间为画布上的节点着色</translation>
    </message>
    <message>
        <source>Colour nodes by &amp;memory</source>
        <translation>按内存着色(&amp;M)</translation>
    </message>
    <message>
        <source>Colours each node by the bytes of its outputs</source>
        <translation>按各节点输出的字节数为画布上的节点着色</translation>
    </message>
    <message>
        <source>&amp;Apply to the running training</source>
        <translation>应用到正在进行的训练(&amp;A)</translation>
    </message>
    <message>
        <source>Continues training with the edited graph; variables keep their values by name</source>
        <translation>用当前的图继续训练；变量按名称保留其值</translation>
    </message>
    <message>
        <source>Several s&amp;teps</source>
        <translation>若干步(&amp;T)</translation>
    </message>
    <message>
        <source>Trains the number of steps set in the run bar, then pauses</source>
        <translation>按运行栏中的步数训练，然后暂停</translation>
    </message>
    <message>
        <source>Set a live value</source>
        <translation>设置运行中的数值</translation>
    </message>
    <message>
        <source>Changes a fed scalar, such as the learning rate, from the next step on</source>
        <translation>从下一步起修改喂入的标量，如学习率</translation>
    </message>
    <message>
        <source>Go back to a step</source>
        <translation>回到某一步</translation>
    </message>
    <message>
        <source>Set run notes</source>
        <translation>运行备注</translation>
    </message>
    <message>
        <source>Adds notes to the newest run</source>
        <translation>为最新的运行写备注</translation>
    </message>
    <message>
        <source>&amp;Evaluate</source>
        <translation>评估(&amp;E)</translation>
    </message>
    <message>
        <source>Classifies the held-out samples: confusion matrix, worst samples</source>
        <translation>对留出的样本分类：混淆矩阵与最差样本</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Classifies an image, given as a file or as numbers</source>
        <translation>询问网络一张图片是什么：文件或数值</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Language, colours, shortcuts, limits and more</source>
        <translation>语言、颜色、快捷键、限额等</translation>
    </message>
    <message>
        <source>Changes a setting by name</source>
        <translation>按名称修改设置</translation>
    </message>
    <message>
        <source>Set a shortcut</source>
        <translation>设置快捷键</translation>
    </message>
    <message>
        <source>Changes the shortcut of a command; default resets it</source>
        <translation>为命令指定其他快捷键；default 恢复默认</translation>
    </message>
    <message>
        <source>Reset all shortcuts</source>
        <translation>重置全部快捷键</translation>
    </message>
    <message>
        <source>Restores the default shortcut of every command</source>
        <translation>所有命令恢复默认快捷键</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Shows all shortcuts at a glance</source>
        <translation>快捷键一览</translation>
    </message>
    <message>
        <source>&amp;Debug</source>
        <translation>调试(&amp;D)</translation>
    </message>
    <message>
        <source>Breakpoints, frames and tensors around the graph</source>
        <translation>图的四周是断点、调用帧与张量</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>剖析(&amp;P)</translation>
    </message>
    <message>
        <source>Timeline below the graph, costs beside it</source>
        <translation>时间线在图下方，开销在旁边</translation>
    </message>
    <message>
        <source>&amp;Inspect</source>
        <translation>检视(&amp;I)</translation>
    </message>
    <message>
        <source>Contents of files: graphs, checkpoints, events</source>
        <translation>文件中的内容：图、检查点、事件</translation>
    </message>
    <message>
        <source>Arranges the docks for a mode or as saved under a name</source>
        <translation>按模式或按已命名的布局排列面板</translation>
    </message>
    <message>
        <source>&amp;Save layout…</source>
        <translation>保存布局(&amp;S)…</translation>
    </message>
    <message>
        <source>Saves the current dock arrangement under a name</source>
        <translation>以一个名称保存当前的面板排列</translation>
    </message>
    <message>
        <source>&amp;Remove layout…</source>
        <translation>删除布局(&amp;R)…</translation>
    </message>
    <message>
        <source>Deletes a saved layout</source>
        <translation>删除一个已命名的布局</translation>
    </message>
    <message>
        <source>Tear off dock</source>
        <translation>拖出面板</translation>
    </message>
    <message>
        <source>Makes a dock a separate window, or docks it again</source>
        <translation>使面板成为独立窗口，或放回原处</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Black, white and strong lines</source>
        <translation>黑白分明，线条醒目</translation>
    </message>
    <message>
        <source>Command &amp;palette…</source>
        <translation>命令面板(&amp;P)…</translation>
    </message>
    <message>
        <source>Finds and runs any command</source>
        <translation>查找并执行任意命令</translation>
    </message>
    <message>
        <source>Find &amp;anything…</source>
        <translation>查找任意内容(&amp;A)…</translation>
    </message>
    <message>
        <source>Finds commands, nodes, tensors, variables, ops, tags, files and help</source>
        <translation>查找命令、节点、张量、变量、op、标签、文件和帮助</translation>
    </message>
    <message>
        <source>&amp;Help on this</source>
        <translation>当前项的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Opens the help page for the focused pane</source>
        <translation>打开当前焦点所在部分的帮助页</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>Opens a help page; op/MatMul opens the page of an op</source>
        <translation>打开一个帮助页面；op/MatMul 为 op 的页面</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>重新读取(&amp;L)</translation>
    </message>
    <message>
        <source>Reads the graph&apos;s file again; unsaved changes are lost</source>
        <translation>重新读取该图的文件；未保存的修改将丢失</translation>
    </message>
    <message>
        <source>Co&amp;mpare with the file</source>
        <translation>与文件比较(&amp;M)</translation>
    </message>
    <message>
        <source>Reopen last documents</source>
        <translation>打开上次的文档</translation>
    </message>
    <message>
        <source>With their selection, position and zoom</source>
        <translation>恢复选择、位置与缩放</translation>
    </message>
    <message>
        <source>Remember the open documents</source>
        <translation>记住打开的文档</translation>
    </message>
    <message>
        <source>Saves the list of open documents, as closing the window does</source>
        <translation>与关闭窗口时相同：以便再次打开</translation>
    </message>
    <message>
        <source>Press a message button</source>
        <translation>按下消息的按钮</translation>
    </message>
    <message>
        <source>Answers the question in the message bar</source>
        <translation>回应图上方消息条的询问</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>导览(&amp;T)</translation>
    </message>
    <message>
        <source>Five steps around the window</source>
        <translation>五步了解窗口</translation>
    </message>
    <message>
        <source>Go to tour step</source>
        <translation>导览步骤</translation>
    </message>
    <message>
        <source>Goes to a step of the tour, 1 to 5; 6 ends the tour</source>
        <translation>转到导览的某一步（1 至 5）；6 结束</translation>
    </message>
    <message>
        <source>Save a &amp;bug report…</source>
        <translation>保存错误报告(&amp;B)…</translation>
    </message>
    <message>
        <source>Packs the log, versions, settings and recent commands into a file</source>
        <translation>将日志、版本、设置和最近的命令打包成文件</translation>
    </message>
    <message>
        <source>Name a run</source>
        <translation>为运行取标题</translation>
    </message>
    <message>
        <source>Gives a run a title, shown next to its number</source>
        <translation>为运行取一个标题，显示在编号旁边</translation>
    </message>
    <message>
        <source>Show a run&apos;s curves</source>
        <translation>显示运行的曲线</translation>
    </message>
    <message>
        <source>Loads the curves of an earlier run into the panels</source>
        <translation>把此前运行写下的内容读入面板，与其他运行并列</translation>
    </message>
    <message>
        <source>Move a run to the trash</source>
        <translation>把运行移到回收站</translation>
    </message>
    <message>
        <source>Moves a run&apos;s folder, including checkpoints and event files, to the trash</source>
        <translation>把运行的文件夹连同检查点和事件文件移到回收站</translation>
    </message>
    <message>
        <source>Shows the checkpoints and event files of the newest run or of another one</source>
        <translation>显示最新一次（或指定的）运行的检查点和事件文件</translation>
    </message>
    <message>
        <source>Debugs one step with a real batch, op by op: the next step of the current training, otherwise the first</source>
        <translation>用真实的一批数据逐个 op 地走完一步：训练正在进行或暂停时是它的下一步，否则是第一步</translation>
    </message>
    <message>
        <source>Debug with &amp;values…</source>
        <translation>用指定的值调试(&amp;V)…</translation>
    </message>
    <message>
        <source>Chooses the tensors to compute and the placeholder values, then starts debugging</source>
        <translation>选择要计算什么、给各占位符馈送什么，然后开始调试</translation>
    </message>
    <message>
        <source>Ends the debugged run, or clears the marks of a finished one; a training step runs to its end</source>
        <translation>结束调试器中的运行；运行已结束时清除它留下的标记。训练中的一步会继续做完</translation>
    </message>
    <message>
        <source>Watch for &amp;NaN</source>
        <translation>监视 NaN(&amp;N)</translation>
    </message>
    <message>
        <source>Checks every value of every step: training stops at the first NaN and shows where it comes from</source>
        <translation>在每一步的每个值中查找 NaN：训练在第一个 NaN 处结束，并显示它从何而来</translation>
    </message>
    <message>
        <source>&amp;Freeze</source>
        <translation>冻结(&amp;F)</translation>
    </message>
    <message>
        <source>Keeps only what the selected outputs need, with variables replaced by constants of the trained values</source>
        <translation>只保留所选输出需要的部分，变量换成带有训练所得值的常量</translation>
    </message>
    <message>
        <source>Colour by gradient norm</source>
        <translation>按梯度范数着色</translation>
    </message>
    <message>
        <source>Colours variables by the current size of their gradients</source>
        <translation>颜色表示各变量当前梯度的大小</translation>
    </message>
    <message>
        <source>&amp;Map a key to a variable</source>
        <translation>把键对应到变量(&amp;M)</translation>
    </message>
    <message>
        <source>Maps a key of the current checkpoint to a variable of the graph; none removes the mapping</source>
        <translation>指明当前检查点中的哪个键是图中某个变量的值；none 表示撤回</translation>
    </message>
    <message>
        <source>&amp;Write a checkpoint for this graph…</source>
        <translation>为此图写出检查点(&amp;W)…</translation>
    </message>
    <message>
        <source>Saves the values of the current checkpoint under the names that the graph restores</source>
        <translation>把当前检查点的值按图恢复时使用的名称写出</translation>
    </message>
    <message>
        <source>Rarely needed: the button is below the names in the Files dock</source>
        <translation>很少用到：“文件”面板的名称列表下方有按钮</translation>
    </message>
    <message>
        <source>&amp;Filters as images</source>
        <translation>以图像显示滤波器(&amp;F)</translation>
    </message>
    <message>
        <source>Shows the filters of the selected convolution kernel as images, or as numbers</source>
        <translation>把所选卷积核的滤波器显示为图像，或显示其数值</translation>
    </message>
    <message>
        <source>Copy a w&amp;riter for these records</source>
        <translation>为这些记录复制写入程序(&amp;R)</translation>
    </message>
    <message>
        <source>Copies Python code that writes records with the features of the current file</source>
        <translation>写出与当前文件特征相同的记录的 Python 代码</translation>
    </message>
    <message>
        <source>Rarely needed: the button is below the records</source>
        <translation>很少用到：记录下方有按钮</translation>
    </message>
    <message>
        <source>Trace s&amp;low steps</source>
        <translation>记录慢的步骤(&amp;L)</translation>
    </message>
    <message>
        <source>During training, keeps traces of steps that take more than twice the median and compares them with a typical step</source>
        <translation>训练期间，保留用时超过一般两倍的步骤的 trace，并与一个平常的步骤比较</translation>
    </message>
    <message>
        <source>Show nodes of an advice</source>
        <translation>显示建议涉及的节点</translation>
    </message>
    <message>
        <source>Selects the nodes named in an item of the advisor</source>
        <translation>选中一条建议所指的节点</translation>
    </message>
    <message>
        <source>Colour slices</source>
        <translation>片段着色</translation>
    </message>
    <message>
        <source>Watch saturated units</source>
        <translation>观察饱和单元</translation>
    </message>
    <message>
        <source>During training, shows the share of inactive units of each activation next to the histograms</source>
        <translation>训练时在直方图旁显示每个激活中已不起作用的比例</translation>
    </message>
    <message>
        <source>the switch is above the histograms</source>
        <translation>开关位于直方图上方</translation>
    </message>
    <message>
        <source>Learning rate over the steps…</source>
        <translation>学习率随步数的变化…</translation>
    </message>
    <message>
        <source>Plots the learning rate, or the selected scalar that depends on the step, without training</source>
        <translation>不经训练，画出学习率或所选的依赖步数的标量随训练步数的变化</translation>
    </message>
    <message>
        <source>To gradient and &amp;back</source>
        <translation>转到梯度或返回(&amp;B)</translation>
    </message>
    <message>
        <source>Goes from an op or scope to the ops of its gradient, and back</source>
        <translation>从 op 或作用域转到其梯度的 op；在梯度中则转回它所属的 op</translation>
    </message>
    <message>
        <source>Copy as a comm&amp;and</source>
        <translation>复制为命令(&amp;A)</translation>
    </message>
    <message>
        <source>Copies the last action as a line for weft-studio --script; a number copies that many</source>
        <translation>把最近一次操作复制为 weft-studio --script 的一行；给出数字则复制相应行数</translation>
    </message>
    <message>
        <source>Run &amp;Python program…</source>
        <translation>运行 &amp;Python 程序…</translation>
    </message>
    <message>
        <source>Runs a TensorFlow 1.x program on Weft&apos;s engine in its own process; its graphs open here as they are built</source>
        <translation>在 Weft 的引擎上以独立进程运行 TensorFlow 1.x 程序；它构建的图会在这里打开</translation>
    </message>
    <message>
        <source>Run Python program a&amp;gain</source>
        <translation>重新运行 Python 程序(&amp;G)</translation>
    </message>
    <message>
        <source>Stops the Python program if it is running and starts it again with the same arguments</source>
        <translation>如果 Python 程序仍在运行则结束它，并以相同的参数重新启动</translation>
    </message>
    <message>
        <source>Suspend Pyt&amp;hon program</source>
        <translation>暂停 Python 程序(&amp;H)</translation>
    </message>
    <message>
        <source>Suspends the process of the Python program, or resumes it</source>
        <translation>让 Python 程序的进程停在原处，或让它继续</translation>
    </message>
    <message>
        <source>the switch is in the Python program dock</source>
        <translation>开关位于“Python 程序”停靠窗口中</translation>
    </message>
    <message>
        <source>St&amp;op Python program</source>
        <translation>停止 Python 程序(&amp;O)</translation>
    </message>
    <message>
        <source>Terminates the Python program, whatever it is doing</source>
        <translation>结束 Python 程序，无论它正在做什么</translation>
    </message>
    <message>
        <source>Python &amp;console</source>
        <translation>Python 控制台(&amp;C)</translation>
    </message>
    <message>
        <source>Runs Python statements on a copy of the current graph with the values of its variables</source>
        <translation>对最前面的图的副本执行 Python 语句，变量带有当前的值</translation>
    </message>
    <message>
        <source>Run console statement</source>
        <translation>向控制台输入语句</translation>
    </message>
    <message>
        <source>Runs a Python statement on the current graph</source>
        <translation>对最前面的图执行一条 Python 语句</translation>
    </message>
    <message>
        <source>Re&amp;start console</source>
        <translation>重新启动控制台(&amp;S)</translation>
    </message>
    <message>
        <source>Restarts the Python console on the current graph; everything defined in it is lost</source>
        <translation>在最前面的图上重新启动 Python 控制台；其中构建的内容会被丢弃</translation>
    </message>
    <message>
        <source>&amp;Interrupt console</source>
        <translation>中断控制台(&amp;I)</translation>
    </message>
    <message>
        <source>Interrupts the running statement, like Ctrl+C</source>
        <translation>终止 Python 控制台正在进行的计算，与 Ctrl+C 相同</translation>
    </message>
    <message>
        <source>use Ctrl+C in the console&apos;s input line</source>
        <translation>在控制台的输入行中按 Ctrl+C 即可</translation>
    </message>
    <message>
        <source>&amp;End console</source>
        <translation>结束控制台(&amp;E)</translation>
    </message>
    <message>
        <source>Ends the Python console; the next statement restarts it</source>
        <translation>结束 Python 控制台；下一条语句会重新启动它</translation>
    </message>
    <message>
        <source>the button is in the Python console dock</source>
        <translation>按钮在 Python 控制台面板中</translation>
    </message>
    <message>
        <source>Imp&amp;ort from console</source>
        <translation>采纳控制台的内容(&amp;O)</translation>
    </message>
    <message>
        <source>Adds the nodes created in the Python console to the document as one undoable step</source>
        <translation>把在 Python 控制台中创建的节点作为可撤销的一步带入文档</translation>
    </message>
    <message>
        <source>&amp;Fed and changed values…</source>
        <translation>馈送和改过的值(&amp;F)…</translation>
    </message>
    <message>
        <source>Lists feeds and values changed by hand, and clears them</source>
        <translation>列出馈送的值和手动改过的值，并可撤回</translation>
    </message>
    <message>
        <source>Clear fed and changed values</source>
        <translation>撤回馈送和改过的值</translation>
    </message>
    <message>
        <source>Restores the computed values of all tensors and variables, or of those named</source>
        <translation>张量和变量恢复为图本身给出的值；可以是全部，也可以是指定的几个</translation>
    </message>
    <message>
        <source>&amp;Debug Python program…</source>
        <translation>调试 Python 程序(&amp;D)…</translation>
    </message>
    <message>
        <source>Runs a TensorFlow 1.x program and pauses before its first line</source>
        <translation>运行 TensorFlow 1.x 程序，并停在第一行之前</translation>
    </message>
    <message>
        <source>&amp;Break into Python program</source>
        <translation>中断 Python 程序(&amp;B)</translation>
    </message>
    <message>
        <source>Pauses the Python program before its next line, or before the next op of a step</source>
        <translation>让 Python 程序停在下一行之前，或在其一步中停在下一个 op 之前</translation>
    </message>
    <message>
        <source>Continue Python program</source>
        <translation>继续 Python 程序</translation>
    </message>
    <message>
        <source>Runs the Python program to its next breakpoint or to its end</source>
        <translation>Python 程序继续运行到下一个断点或结束</translation>
    </message>
    <message>
        <source>use the Continue key while the Python program is paused at a line</source>
        <translation>Python 程序停在某一行之前时，用“继续”的按键即可</translation>
    </message>
    <message>
        <source>Next line</source>
        <translation>下一行</translation>
    </message>
    <message>
        <source>Runs the Python program to its next line, without entering calls</source>
        <translation>Python 程序前进到下一行；调用会一次执行完</translation>
    </message>
    <message>
        <source>use the Step op key while the Python program is paused at a line</source>
        <translation>Python 程序停在某一行之前时，用“单步执行 op”的按键即可</translation>
    </message>
    <message>
        <source>Step into call</source>
        <translation>进入调用</translation>
    </message>
    <message>
        <source>Runs the Python program to its next line and enters calls of its own functions</source>
        <translation>Python 程序前进到下一行；若调用的是程序自己的函数，则进入其中</translation>
    </message>
    <message>
        <source>use the Step into key while the Python program is paused at a line</source>
        <translation>Python 程序停在某一行之前时，用“单步进入”的按键即可</translation>
    </message>
    <message>
        <source>Step out of function</source>
        <translation>跳出函数</translation>
    </message>
    <message>
        <source>Runs the Python program until the function returns</source>
        <translation>Python 程序继续运行，直到函数返回</translation>
    </message>
    <message>
        <source>use the Step out key while the Python program is paused at a line</source>
        <translation>Python 程序停在某一行之前时，用“单步跳出”的按键即可</translation>
    </message>
    <message>
        <source>Breakpoint on a line</source>
        <translation>行断点</translation>
    </message>
    <message>
        <source>Pauses the Python program before a line; --remove clears the breakpoint</source>
        <translation>让 Python 程序停在其文本的某一行之前；--remove 取消断点</translation>
    </message>
    <message>
        <source>Show sou&amp;rce line</source>
        <translation>显示源代码行(&amp;R)</translation>
    </message>
    <message>
        <source>Shows the line of the Python program that created the selected node</source>
        <translation>显示生成所选节点的那行 Python 程序</translation>
    </message>
    <message>
        <source>Show line of a file</source>
        <translation>显示文件的某一行</translation>
    </message>
    <message>
        <source>Shows a line of a Python file in the Python program dock</source>
        <translation>在 Python 程序面板中显示某个 Python 文件的一行</translation>
    </message>
    <message>
        <source>Lists the nodes that differ between this graph and its file, and marks them on the canvas</source>
        <translation>说明本图与其文件有哪些节点不同，并在画布上标出</translation>
    </message>
    <message>
        <source>Compare &amp;with another graph…</source>
        <translation>与另一个图比较(&amp;W)…</translation>
    </message>
    <message>
        <source>Lists the nodes that differ between this graph and another file, and marks them on the canvas</source>
        <translation>说明本图与另一文件中的图有哪些节点不同，并在画布上标出</translation>
    </message>
    <message>
        <source>Clear comparison marks</source>
        <translation>去掉比较标记</translation>
    </message>
    <message>
        <source>Removes the difference marks from the canvas</source>
        <translation>画布不再显示差异</translation>
    </message>
    <message>
        <source>Find the first &amp;NaN</source>
        <translation>查找首个 NaN(&amp;N)</translation>
    </message>
    <message>
        <source>Replace in names</source>
        <translation>在名称中替换</translation>
    </message>
    <message>
        <source>Replaces text in the names of all nodes and scopes in one step</source>
        <translation>把所有节点和作用域名称中的一段文字换成另一段，一步完成</translation>
    </message>
    <message>
        <source>Link layer to training mode</source>
        <translation>让训练来切换层</translation>
    </message>
    <message>
        <source>Dropout and batch normalisation behave differently in training and in testing; this lets the run switch them</source>
        <translation>Dropout 和批归一化在训练时和测试时的做法不同</translation>
    </message>
    <message>
        <source>Costs at another batch size</source>
        <translation>按其他批大小估算</translation>
    </message>
    <message>
        <source>Sets the batch size for which costs are shown; without a number, the document&apos;s</source>
        <translation>设定按多大的批显示开销；不带数字时按文档的批大小</translation>
    </message>
    <message>
        <source>Find and &amp;replace in names…</source>
        <translation>在名称中查找和替换(&amp;R)…</translation>
    </message>
    <message>
        <source>Finds text in names and replaces it</source>
        <translation>查找名称中的一部分并换成另一段文字</translation>
    </message>
    <message>
        <source>Select a&amp;like</source>
        <translation>选择同类(&amp;L)</translation>
    </message>
    <message>
        <source>Selects everything with the same structure as the selected layer, scope or node, to edit it together in the inspector</source>
        <translation>选中与所选层、作用域或节点构造相同的一切，以便在检查器中一起修改</translation>
    </message>
    <message>
        <source>Show output, source or sessions</source>
        <translation>显示 Python 程序的输出、源代码或会话</translation>
    </message>
    <message>
        <source>Shows the Python program&apos;s output, its source with the lines that created the selected nodes, or its sessions</source>
        <translation>显示 Python 程序打印的内容、带有生成所选节点的行的文本，或它的会话</translation>
    </message>
    <message>
        <source>&amp;Keep as a snippet</source>
        <translation>保存为片段(&amp;K)</translation>
    </message>
    <message>
        <source>Adds the selection to the palette for use in any document</source>
        <translation>把选中的内容放入面板，可在任何文档中再次添加</translation>
    </message>
    <message>
        <source>Remove a snippet</source>
        <translation>删除片段</translation>
    </message>
    <message>
        <source>Removes a snippet from the palette</source>
        <translation>从面板中移除一个片段</translation>
    </message>
    <message>
        <source>Compare with the last run</source>
        <translation>与上次训练比较</translation>
    </message>
    <message>
        <source>Lists the nodes that differ between this graph and the one a run trained, and marks them on the canvas</source>
        <translation>说明此图与某次训练所用的图有哪些节点不同，并在画布上标出</translation>
    </message>
    <message>
        <source>Go to op of a tag</source>
        <translation>转到标签对应的 op</translation>
    </message>
    <message>
        <source>Selects the op whose tensor is logged by a scalar, histogram, image or text</source>
        <translation>选中标量、直方图、图像或文本所记录张量的 op</translation>
    </message>
    <message>
        <source>Show &amp;running ops</source>
        <translation>点亮正在运行的 op(&amp;R)</translation>
    </message>
    <message>
        <source>Highlights on the canvas what ran at the time under the pointer, or at a given time in milliseconds</source>
        <translation>在画布上点亮时间线中指针所在时刻正在运行的 op；给出数字时，则为该毫秒时刻运行的 op</translation>
    </message>
    <message>
        <source>the switch is above the timeline</source>
        <translation>开关在时间线上方</translation>
    </message>
    <message>
        <source>Set missing attributes</source>
        <translation>补上缺少的属性</translation>
    </message>
    <message>
        <source>Sets attributes missing from the file, as inferred from wires and values</source>
        <translation>按连线和数值，补上文件省略的属性</translation>
    </message>
    <message>
        <source>Save a node as shown</source>
        <translation>按显示写出节点</translation>
    </message>
    <message>
        <source>Saves it under the name shown and with its inputs in order, if the file differs</source>
        <translation>如果文件中写法不同，就用显示的名称、按正确的输入顺序写出</translation>
    </message>
    <message>
        <source>Show &amp;model contents</source>
        <translation>显示此模型的内容(&amp;M)</translation>
    </message>
    <message>
        <source>Shows graphs, signatures, variables and assets of the SavedModel on a page of its own</source>
        <translation>用单独的页面显示 SavedModel 的计算图、签名、变量和附属文件</translation>
    </message>
    <message>
        <source>Shows or hides the value of the selected node, or of the wire under the pointer, for one sample, without training</source>
        <translation>不用训练，在一个样本上显示所选节点的输出或指针所在连线上的值；再按则隐藏</translation>
    </message>
    <message>
        <source>&amp;Shuffle quality…</source>
        <translation>打乱得如何(&amp;S)…</translation>
    </message>
    <message>
        <source>Simulates the order in which a queue or data set delivers its elements</source>
        <translation>模拟所选队列或数据集（或按您给的数字）给出元素的顺序</translation>
    </message>
    <message>
        <source>Input &amp;data pipeline…</source>
        <translation>数据应如何进入(&amp;D)…</translation>
    </message>
    <message>
        <source>Recommends a pipeline for the size and number of files (memory, records or a queue) and writes the code</source>
        <translation>询问数据大小和文件数，说明应读入内存、写成记录还是放入队列，并给出程序</translation>
    </message>
    <message>
        <source>CIFAR-10 to &amp;TFRecord…</source>
        <translation>CIFAR-10 转为 &amp;TFRecord…</translation>
    </message>
    <message>
        <source>Converts CIFAR-10 batches into a file of tf.train.Examples</source>
        <translation>把 CIFAR-10 各 batch 的图片和标签写成 tf.train.Example</translation>
    </message>
    <message>
        <source>Matc&amp;h checkpoint with graph</source>
        <translation>将检查点与计算图对照(&amp;H)</translation>
    </message>
    <message>
        <source>Sets the graph to match with the current checkpoint: an open one or a file; by default its own .meta</source>
        <translation>指定最前面的检查点的变量与哪个计算图对照：已打开的计算图或文件；不指定时为它自己的 .meta</translation>
    </message>
    <message>
        <source>Rarely needed: the list is above the variables in the Files dock</source>
        <translation>很少用到：文件停靠栏中变量上方有此列表</translation>
    </message>
    <message>
        <source>&amp;Freeze this checkpoint…</source>
        <translation>冻结此检查点(&amp;F)…</translation>
    </message>
    <message>
        <source>Opens the graph of the current checkpoint with its variables replaced by constants</source>
        <translation>打开最前面的检查点的计算图，并以其值作为常量代替变量</translation>
    </message>
    <message>
        <source>Rarely needed: the button is above the page of a checkpoint</source>
        <translation>很少用到：检查点页面上方有此按钮</translation>
    </message>
    <message>
        <source>Open the graph of these &amp;events</source>
        <translation>打开事件文件中的计算图(&amp;E)</translation>
    </message>
    <message>
        <source>Shows the graph of the current event file on the canvas</source>
        <translation>在画布上显示最前面的事件文件中的计算图</translation>
    </message>
    <message>
        <source>Rarely needed: the button is above the page of an event file</source>
        <translation>很少用到：事件文件页面上方有此按钮</translation>
    </message>
    <message>
        <source>Show event files in the panels</source>
        <translation>在面板中显示事件文件</translation>
    </message>
    <message>
        <source>Opens a folder of event files and shows its contents in the panels</source>
        <translation>打开事件文件的文件夹，转到面板并说明其中有什么</translation>
    </message>
    <message>
        <source>New Pytho&amp;n program…</source>
        <translation>新建 Python 程序(&amp;N)…</translation>
    </message>
    <message>
        <source>Creates a Python program: a minimal one, one with hooks, or one with towers on several devices</source>
        <translation>新建 Python 程序：最初的程序、带 hook 的程序，或多设备上的 tower 程序</translation>
    </message>
    <message>
        <source>&amp;Names and shapes of the program</source>
        <translation>程序中的名称与形状(&amp;N)</translation>
    </message>
    <message>
        <source>Runs the Python program up to its first step and shows names and shapes next to its lines</source>
        <translation>把 Python 程序运行到第一个 step 之前，并在各行旁显示它们产生的名称与形状</translation>
    </message>
    <message>
        <source>Starts a run from the variables of a checkpoint and pauses before its first step</source>
        <translation>以检查点中的变量开始新的运行，并在第一步之前暂停</translation>
    </message>
    <message>
        <source>Next to&amp;wer</source>
        <translation>下一个 to&amp;wer</translation>
    </message>
    <message>
        <source>Highlights the next copy of a network: scopes tower_0, tower_1 … or devices; after the last one, all</source>
        <translation>依次突出网络的各个副本：scope tower_0、tower_1 ……，或各设备上的部分；最后一个之后显示全部</translation>
    </message>
    <message>
        <source>Pin a card</source>
        <translation>固定卡片</translation>
    </message>
    <message>
        <source>Pins a curve, histogram or image to the overview</source>
        <translation>把曲线、直方图或图像放到概览上</translation>
    </message>
    <message>
        <source>Unpin a card</source>
        <translation>从概览中取下卡片</translation>
    </message>
    <message>
        <source>Removes a curve, histogram or image from the overview</source>
        <translation>把曲线、直方图或图像从概览中取下</translation>
    </message>
    <message>
        <source>Show a traced step</source>
        <translation>显示所记录的一步</translation>
    </message>
    <message>
        <source>Shows one of the traced steps in the timeline with the times of its layers, or all steps</source>
        <translation>在时间线中显示所记录的某一步及其各层的用时，或全部步</translation>
    </message>
    <message>
        <source>Pr&amp;evious step</source>
        <translation>前一步(&amp;E)</translation>
    </message>
    <message>
        <source>Shows the previous traced step</source>
        <translation>显示所记录的前一步</translation>
    </message>
    <message>
        <source>Ne&amp;xt step</source>
        <translation>后一步(&amp;F)</translation>
    </message>
    <message>
        <source>Shows the next traced step</source>
        <translation>显示所记录的后一步</translation>
    </message>
    <message>
        <source>S&amp;lowest step</source>
        <translation>最慢的一步(&amp;L)</translation>
    </message>
    <message>
        <source>Shows the slowest traced step</source>
        <translation>显示所记录的用时最长的一步</translation>
    </message>
    <message>
        <source>&amp;All traced steps</source>
        <translation>所记录的全部步(&amp;A)</translation>
    </message>
    <message>
        <source>Shows all traced steps</source>
        <translation>显示所记录的全部步</translation>
    </message>
    <message>
        <source>View of the graph</source>
        <translation>图的视图</translation>
    </message>
    <message>
        <source>Sets the view of the graph: scopes, layers, ops, devices, depth N, or text beside it</source>
        <translation>选择画面中的框是什么：scopes（作用域）、layers（层）、ops（op 类型）、devices（设备）、depth N（展开级数），或在旁边显示 text（文本）</translation>
    </message>
    <message>
        <source>Choose a &amp;view…</source>
        <translation>选择视图(&amp;V)…</translation>
    </message>
    <message>
        <source>Opens the list of views above the canvas</source>
        <translation>打开画布上方的视图列表</translation>
    </message>
    <message>
        <source>By &amp;scope</source>
        <translation>按作用域(&amp;S)</translation>
    </message>
    <message>
        <source>One box per scope of the graph: the view for editing</source>
        <translation>框就是图本身的作用域：编辑在这个视图中进行</translation>
    </message>
    <message>
        <source>By &amp;layer</source>
        <translation>按层(&amp;L)</translation>
    </message>
    <message>
        <source>One box per layer, whatever scopes surround it</source>
        <translation>每层一个框，不论外面有几层作用域</translation>
    </message>
    <message>
        <source>By &amp;op type</source>
        <translation>按 op 类型(&amp;O)</translation>
    </message>
    <message>
        <source>One box per op type</source>
        <translation>每种 op 一个框</translation>
    </message>
    <message>
        <source>By &amp;device</source>
        <translation>按设备(&amp;D)</translation>
    </message>
    <message>
        <source>One box per device or task that nodes request</source>
        <translation>节点指定的每个设备或任务一个框</translation>
    </message>
    <message>
        <source>One level &amp;deeper</source>
        <translation>再深一级(&amp;D)</translation>
    </message>
    <message>
        <source>Expands all scopes to one more level</source>
        <translation>把所有作用域再展开一级</translation>
    </message>
    <message>
        <source>One level &amp;up</source>
        <translation>退回一级(&amp;U)</translation>
    </message>
    <message>
        <source>Expands all scopes to one level less; from level 1, returns to the view by scope</source>
        <translation>把所有作用域少展开一级；从第 1 级回到按作用域的视图</translation>
    </message>
    <message>
        <source>As &amp;text, beside</source>
        <translation>文本，在旁边(&amp;T)</translation>
    </message>
    <message>
        <source>Shows or hides the graph as text beside the canvas</source>
        <translation>在画布旁边以文本显示图，或不再显示</translation>
    </message>
    <message>
        <source>Show hidden &amp;wires</source>
        <translation>显示所选部分的隐藏连线(&amp;W)</translation>
    </message>
    <message>
        <source>Keeps the hidden wires of the selection visible, not only while pointing at the node; or hides them again</source>
        <translation>让平时只在指向节点时才画出的连线一直画出，或不再画出</translation>
    </message>
    <message>
        <source>&amp;Rules for helpers…</source>
        <translation>辅助节点规则(&amp;R)…</translation>
    </message>
    <message>
        <source>Sets by name patterns which nodes belong to the helpers and which to the network</source>
        <translation>用名称的模式规定哪些属于辅助节点、哪些属于网络</translation>
    </message>
    <message>
        <source>Move to &amp;helpers</source>
        <translation>移到辅助节点(&amp;H)</translation>
    </message>
    <message>
        <source>Moves the selection to the helpers, beside the network</source>
        <translation>把所选部分放到网络旁边的辅助节点中</translation>
    </message>
    <message>
        <source>Move to &amp;network</source>
        <translation>移回网络(&amp;N)</translation>
    </message>
    <message>
        <source>Moves the selection back into the data flow</source>
        <translation>把所选部分放回数据流经之处</translation>
    </message>
    <message>
        <source>Rule for helpers</source>
        <translation>辅助节点规则</translation>
    </message>
    <message>
        <source>Sets where everything goes whose name matches a pattern such as */metrics*; none removes the rule</source>
        <translation>规定名称符合某个模式（例如 */metrics*）的一切放在哪里；none 则去掉这条规则</translation>
    </message>
    <message>
        <source>&amp;Recover unsaved work</source>
        <translation>恢复未保存的内容(&amp;R)</translation>
    </message>
    <message>
        <source>Opens documents left unsaved when Weft was killed: graphs with their history, programs with their text</source>
        <translation>打开 Weft 被强行结束时尚未保存的内容：图连同其历史，程序连同其文本</translation>
    </message>
    <message>
        <source>Choose data</source>
        <translation>选择数据</translation>
    </message>
    <message>
        <source>Feeds the placeholders from a data set or a file; asks for the columns where names do not tell them</source>
        <translation>用数据集或文件向占位符馈送数据；名称不能确定对应的列时会询问</translation>
    </message>
    <message>
        <source>&amp;Columns for placeholders…</source>
        <translation>占位符对应的列(&amp;C)…</translation>
    </message>
    <message>
        <source>Asks which column of the chosen data feeds each placeholder</source>
        <translation>询问所选数据的哪一列馈送给各占位符</translation>
    </message>
    <message>
        <source>New &amp;graph</source>
        <translation>新建图(&amp;G)</translation>
    </message>
    <message>
        <source>An empty graph</source>
        <translation>一张可供绘制的空图</translation>
    </message>
    <message>
        <source>TensorFlow ser&amp;ver…</source>
        <translation>TensorFlow 服务器(&amp;V)…</translation>
    </message>
    <message>
        <source>Chooses a TensorFlow server that computes the steps of new runs</source>
        <translation>选择由哪个 TensorFlow 服务器计算新运行的每一步</translation>
    </message>
    <message>
        <source>Cl&amp;uster…</source>
        <translation>集群(&amp;U)…</translation>
    </message>
    <message>
        <source>Edits the jobs and tasks of a cluster, and starts them on this machine or writes what starts them elsewhere</source>
        <translation>编辑集群的 job 和任务，在本机启动它们，或生成在别处启动它们的文字</translation>
    </message>
    <message>
        <source>Stop local cl&amp;uster tasks</source>
        <translation>停止本地集群任务(&amp;U)</translation>
    </message>
    <message>
        <source>Ends the tasks of a cluster that were started on this machine</source>
        <translation>结束在本机启动的集群任务</translation>
    </message>
    <message>
        <source>Add global_step</source>
        <translation>添加 global_step</translation>
    </message>
    <message>
        <source>Adds the step count that supervised sessions need, and lets the training op increment it</source>
        <translation>添加受监督会话需要的步数，并让训练操作递增它</translation>
    </message>
    <message>
        <source>Colours nodes by the device that ran them or that they request, in a cluster by its task</source>
        <translation>颜色表示运行节点的设备或节点要求的设备，在集群中表示任务</translation>
    </message>
    <message>
        <source>Open event files on another &amp;machine…</source>
        <translation>打开另一台机器上的事件文件(&amp;M)…</translation>
    </message>
    <message>
        <source>Shows a folder of event files on another machine in the panels, over SSH, and follows new events</source>
        <translation>通过 SSH 在面板中显示另一台机器上的事件文件夹，并跟踪新事件</translation>
    </message>
    <message>
        <source>Connect to the other machine</source>
        <translation>连接另一台机器</translation>
    </message>
    <message>
        <source>Connects again for event files on another machine, without waiting</source>
        <translation>为另一台机器上的事件文件立即重新连接，不再等待</translation>
    </message>
    <message>
        <source>Open a session &amp;run of these events</source>
        <translation>打开这些事件的会话运行(&amp;R)</translation>
    </message>
    <message>
        <source>Shows a recorded session run of the current event file or log folder in the timeline, beside its graph</source>
        <translation>在时间线中显示当前事件文件或日志目录中记录的一次会话运行，并打开其计算图</translation>
    </message>
    <message>
        <source>Rarely needed: the runs are on the page of an event file</source>
        <translation>很少用到：这些运行就列在事件文件的页面上</translation>
    </message>
    <message>
        <source>Opens RunMetadata, a tfprof profile, an XPlane, a Chrome trace, or a session run in event files</source>
        <translation>打开 RunMetadata、tfprof 的 profile、XPlane、Chrome 格式的 trace，或事件文件中的会话运行</translation>
    </message>
    <message>
        <source>Saves the trace as a Chrome trace (.json), as RunMetadata (.pb), or for pprof (.pb.gz) and tfprof (.profile)</source>
        <translation>将 trace 保存为 Chrome 格式 (.json) 或 RunMetadata (.pb)，或供 pprof (.pb.gz) 和 tfprof (.profile) 使用</translation>
    </message>
    <message>
        <source>Save a copy of this checkpoint…</source>
        <translation>另存此检查点的副本…</translation>
    </message>
    <message>
        <source>Writes chosen variables of the current checkpoint under other names, in another type, version or number of files</source>
        <translation>写出当前检查点中选定的变量，可改用其他名称、类型、版本或文件个数</translation>
    </message>
    <message>
        <source>Propose names…</source>
        <translation>建议名称…</translation>
    </message>
    <message>
        <source>Lists keys of the checkpoint that are probably values of missing variables, with confidence and reason</source>
        <translation>列出检查点中可能是缺少的变量之值的键，以及可信度和理由</translation>
    </message>
    <message>
        <source>Undo the mapping</source>
        <translation>撤销对应</translation>
    </message>
    <message>
        <source>Takes back the last change to the names that are mapped to variables of the graph</source>
        <translation>收回对名称与计算图变量之对应关系的最近一次改动</translation>
    </message>
    <message>
        <source>Match by structure</source>
        <translation>按结构对应</translation>
    </message>
    <message>
        <source>Comparisons of graphs pair nodes by what they compute and how they are wired, so that renamed nodes match</source>
        <translation>比较计算图时，根据运算和连线来配对节点，改了名称的节点也能对应起来</translation>
    </message>
    <message>
        <source>Rarely needed: a button in the message of a comparison switches it</source>
        <translation>很少用到：比较结果的消息条中有切换按钮</translation>
    </message>
    <message>
        <source>Set batch size, length, optimizer and precision</source>
        <translation>设置批大小、训练长度、优化器和精度</translation>
    </message>
    <message>
        <source>Sets the batch size, the length in epochs or steps, the optimizer and the precision of training, like the fields of the run bar and of the next run</source>
        <translation>设置训练的批大小、轮数或步数、优化器和精度，与运行栏和“下一次运行”中的输入框相同</translation>
    </message>
    <message>
        <source>Compare &amp;devices</source>
        <translation>比较设备(&amp;D)</translation>
    </message>
    <message>
        <source>Trains a few steps on each device of this machine and shows which is faster, layer by layer; nothing is saved</source>
        <translation>在本机的每个设备上各训练几步，逐层显示哪个更快；不保存任何内容</translation>
    </message>
    <message>
        <source>the button is on the Devices page of the Profile dock</source>
        <translation>按钮在“剖析”面板的“设备”页上</translation>
    </message>
    <message>
        <source>Rarely needed: the dock Projector has it</source>
        <translation>很少用到：“投影”面板里有</translation>
    </message>
    <message>
        <source>Open in the &amp;projector</source>
        <translation>在投影中打开(&amp;P)</translation>
    </message>
    <message>
        <source>Shows the rows of a matrix of the current file as points</source>
        <translation>把当前文件中矩阵的各行显示为点</translation>
    </message>
    <message>
        <source>Project a tensor of the &amp;training</source>
        <translation>投影训练中的张量(&amp;T)</translation>
    </message>
    <message>
        <source>Shows the rows of a variable, or the outputs of a layer for the test samples, as points</source>
        <translation>把变量的各行或某层对测试样本的输出显示为点</translation>
    </message>
    <message>
        <source>Projection&apos;s &amp;method</source>
        <translation>投影方法(&amp;M)</translation>
    </message>
    <message>
        <source>Chooses PCA, t-SNE or UMAP, and 2 or 3 dimensions</source>
        <translation>选择 PCA、t-SNE 或 UMAP，以及 2 维或 3 维</translation>
    </message>
    <message>
        <source>Projection&apos;s option</source>
        <translation>投影选项</translation>
    </message>
    <message>
        <source>Sets an option of t-SNE or UMAP</source>
        <translation>设置 t-SNE 或 UMAP 的选项</translation>
    </message>
    <message>
        <source>&amp;Project</source>
        <translation>投影(&amp;P)</translation>
    </message>
    <message>
        <source>Computes the positions of the points</source>
        <translation>计算各点的位置</translation>
    </message>
    <message>
        <source>Stop projecting</source>
        <translation>停止投影</translation>
    </message>
    <message>
        <source>Ends the projection; the points stay where they are</source>
        <translation>结束投影，各点留在原处</translation>
    </message>
    <message>
        <source>Select points</source>
        <translation>选择点</translation>
    </message>
    <message>
        <source>Selects points by the numbers of their rows; none without words</source>
        <translation>按行号选择点；不带参数则取消选择</translation>
    </message>
    <message>
        <source>Search points</source>
        <translation>搜索点</translation>
    </message>
    <message>
        <source>Select points of a class</source>
        <translation>选择某一类的点</translation>
    </message>
    <message>
        <source>Selects the test samples of a class that were predicted as another</source>
        <translation>选择某一类中被预测为另一类的测试样本</translation>
    </message>
    <message>
        <source>Colour points</source>
        <translation>给点着色</translation>
    </message>
    <message>
        <source>Colours points by a column of their labels</source>
        <translation>按标签的某一列给点着色</translation>
    </message>
    <message>
        <source>Tool of the projector</source>
        <translation>投影工具</translation>
    </message>
    <message>
        <source>What dragging does: moves or turns the points, or selects</source>
        <translation>拖动的作用：移动或旋转各点，或者选择</translation>
    </message>
    <message>
        <source>Show all points</source>
        <translation>显示所有点</translation>
    </message>
    <message>
        <source>Brings all points into view</source>
        <translation>让所有点都可见</translation>
    </message>
    <message>
        <source>Follow the training in the projector</source>
        <translation>投影跟随训练</translation>
    </message>
    <message>
        <source>Projects again at each evaluation, from the present positions</source>
        <translation>每次评估时从当前位置重新投影</translation>
    </message>
    <message>
        <source>Export points</source>
        <translation>导出点</translation>
    </message>
    <message>
        <source>Writes positions and labels as comma-separated values</source>
        <translation>把位置和标签写成逗号分隔的值</translation>
    </message>
    <message>
        <source>Show a cell of the confusion matrix</source>
        <translation>显示混淆矩阵的一格</translation>
    </message>
    <message>
        <source>Shows the samples of a class that were predicted as another</source>
        <translation>显示某一类中被预测为另一类的样本</translation>
    </message>
    <message>
        <source>Rarely needed: a click on the cell does it</source>
        <translation>很少用到：点击该格即可</translation>
    </message>
    <message>
        <source>Selects points with a label, or else those whose labels contain the text</source>
        <translation>选择具有该标签的点；若没有，则选择标签中含有该文字的点</translation>
    </message>
    <message>
        <source>S&amp;weep parameters…</source>
        <translation>扫描参数(&amp;W)…</translation>
    </message>
    <message>
        <source>Trains the document many times with different parameters and compares the runs</source>
        <translation>用不同的参数多次训练文档，并比较各运行</translation>
    </message>
    <message>
        <source>Pause the sweep</source>
        <translation>暂停扫描</translation>
    </message>
    <message>
        <source>Runs wait after their present step, or go on if they are waiting</source>
        <translation>各运行在当前步之后等待；正在等待时则继续</translation>
    </message>
    <message>
        <source>Stop the sweep</source>
        <translation>停止扫描</translation>
    </message>
    <message>
        <source>Ends the runs after their present step, with checkpoints to go on from</source>
        <translation>当前步之后结束各运行，并保存检查点，以便继续</translation>
    </message>
    <message>
        <source>Continue the sweep</source>
        <translation>继续扫描</translation>
    </message>
    <message>
        <source>Goes on with the shown sweep: interrupted runs from their checkpoints, then the remaining ones</source>
        <translation>继续所显示的扫描：先从检查点继续中断的运行，再进行其余的运行</translation>
    </message>
    <message>
        <source>&amp;Use the best run&apos;s parameters</source>
        <translation>使用最好运行的参数(&amp;U)</translation>
    </message>
    <message>
        <source>Writes the parameters of the selected run, else of the best one, into the document, as one step that can be undone</source>
        <translation>把所选运行（否则最好的运行）的参数写入文档，作为可以撤销的一步</translation>
    </message>
    <message>
        <source>Select runs of the sweep</source>
        <translation>选择扫描的运行</translation>
    </message>
    <message>
        <source>Selects runs in the table and in all pictures; without a run, none</source>
        <translation>在表格和所有图中选择运行；不写运行则取消选择</translation>
    </message>
    <message>
        <source>Read runs from event files…</source>
        <translation>从事件文件读取运行…</translation>
    </message>
    <message>
        <source>Adds the runs below a folder, with their hyperparameters and curves, to the experiments of the document</source>
        <translation>把文件夹中的运行连同超参数和曲线加入该文档的实验</translation>
    </message>
    <message>
        <source>E&amp;xamine the training</source>
        <translation>检查训练(&amp;X)</translation>
    </message>
    <message>
        <source>Looks for mistakes in the graph, the data, the initial values and the first steps, on a copy; nothing is saved</source>
        <translation>在副本上查找图、数据、初始值和最初几步中的错误；不保存任何内容</translation>
    </message>
    <message>
        <source>the button is in the dock Doctor</source>
        <translation>按钮在“医生”面板中</translation>
    </message>
    <message>
        <source>Rarely needed: the dock Why has it</source>
        <translation>很少用到：面板“为什么”里有</translation>
    </message>
    <message>
        <source>&amp;Why is this number what it is?</source>
        <translation>这个数为什么是这样？(&amp;W)</translation>
    </message>
    <message>
        <source>Follows an element of a tensor or variable back to the data, the settings and earlier values</source>
        <translation>把张量或变量的一个元素追溯到数据、设置和更早的值</translation>
    </message>
    <message>
        <source>Follow another part</source>
        <translation>沿另一项追溯</translation>
    </message>
    <message>
        <source>Continues the path from a part of one of its links, both counted from 1</source>
        <translation>从路径某一环的某一项继续，两者都从 1 数起</translation>
    </message>
    <message>
        <source>Rows behind the number</source>
        <translation>这个数背后的数据行</translation>
    </message>
    <message>
        <source>Computes what each row of the batch contributes to the number that was asked about</source>
        <translation>计算批次中每一行对所问的数的贡献</translation>
    </message>
    <message>
        <source>Compare two &amp;steps</source>
        <translation>比较两步(&amp;S)</translation>
    </message>
    <message>
        <source>the button is in the dock Query</source>
        <translation>按钮在“查询”面板中</translation>
    </message>
    <message>
        <source>Select the nodes of the result</source>
        <translation>选中结果中的节点</translation>
    </message>
    <message>
        <source>Selects the nodes of the result&apos;s selected rows, or of all, on the canvas</source>
        <translation>在画布上选中结果里所选行（未选时为全部行）的节点</translation>
    </message>
    <message>
        <source>Highlight the nodes of the result</source>
        <translation>高亮结果中的节点</translation>
    </message>
    <message>
        <source>Highlights the nodes of the result on the canvas and dims the others; again: ends that</source>
        <translation>在画布上高亮结果中的节点并使其余变暗；再次执行则取消</translation>
    </message>
    <message>
        <source>Colour nodes by the result</source>
        <translation>按查询结果为节点着色</translation>
    </message>
    <message>
        <source>Colours nodes by a column of numbers of the result</source>
        <translation>按结果中的一个数值列为节点着色</translation>
    </message>
    <message>
        <source>Set breakpoints at the result&apos;s nodes</source>
        <translation>在结果的节点上设置断点</translation>
    </message>
    <message>
        <source>Sets a breakpoint at each node of the result&apos;s selected rows, or of all</source>
        <translation>在结果里所选行（未选时为全部行）的每个节点上设置断点</translation>
    </message>
    <message>
        <source>&amp;Query…</source>
        <translation>查询(&amp;Q)…</translation>
    </message>
    <message>
        <source>Asks with SQL about the graph, its checkpoints, curves, runs and traces</source>
        <translation>用 SQL 查询计算图、检查点、曲线、运行和跟踪</translation>
    </message>
    <message>
        <source>Run the query</source>
        <translation>运行查询</translation>
    </message>
    <message>
        <source>Runs an SQL query over what is open; without words, the one in the dock</source>
        <translation>对已打开的内容运行 SQL 查询；不带参数时运行面板中的查询</translation>
    </message>
    <message>
        <source>Enter in the field of the dock Query</source>
        <translation>在“查询”面板的输入框中按 Enter</translation>
    </message>
    <message>
        <source>Cancel the query</source>
        <translation>取消查询</translation>
    </message>
    <message>
        <source>Ends the running query</source>
        <translation>结束正在运行的查询</translation>
    </message>
    <message>
        <source>Add files to queries…</source>
        <translation>为查询添加文件…</translation>
    </message>
    <message>
        <source>Lets queries read more files or folders: graphs, checkpoints, event files, traces</source>
        <translation>让查询读取更多文件或文件夹：计算图、检查点、事件文件、跟踪</translation>
    </message>
    <message>
        <source>it is in the menu of the dock Query</source>
        <translation>在“查询”面板的菜单中</translation>
    </message>
    <message>
        <source>Remove the added files</source>
        <translation>移除添加的文件</translation>
    </message>
    <message>
        <source>Queries read only what is open again</source>
        <translation>查询重新只读取已打开的内容</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Copies the `weft query` that asks the same in a terminal, as far as what is open has files</source>
        <translation>复制在终端中做同样查询的 `weft query` 命令（只包含有文件的已打开内容）</translation>
    </message>
    <message>
        <source>Save the result…</source>
        <translation>保存结果…</translation>
    </message>
    <message>
        <source>Writes the result of the query as CSV or JSON</source>
        <translation>把查询结果写成 CSV 或 JSON</translation>
    </message>
    <message>
        <source>Shows which values differ between two steps of the training, and which of them first</source>
        <translation>显示训练的两步之间哪些值不同，以及最先不同的是哪些</translation>
    </message>
    <message>
        <source>&amp;Doctor beside trainings</source>
        <translation>训练时的医生(&amp;D)</translation>
    </message>
    <message>
        <source>Looks at gradients, units, weights and curves while a graph trains, and says what goes wrong</source>
        <translation>图训练时查看梯度、单元、权重和曲线，并说明哪里出了问题</translation>
    </message>
    <message>
        <source>the box is in the dock Doctor</source>
        <translation>面板“医生”里有这个选项</translation>
    </message>
    <message>
        <source>rarely needed; it is in the menu Graph ▸ Group and in the dock Groups</source>
        <translation>很少需要；它在菜单“图 ▸ 分组”和“组”面板中</translation>
    </message>
    <message>
        <source>&amp;Make group function…</source>
        <translation>创建组函数(&amp;M)…</translation>
    </message>
    <message>
        <source>Makes a reusable group of the selection, with inputs, outputs and parameters</source>
        <translation>把所选内容做成可重复使用的组，带有输入、输出和参数</translation>
    </message>
    <message>
        <source>&amp;Update the group from this instance</source>
        <translation>用此实例更新组(&amp;U)</translation>
    </message>
    <message>
        <source>Makes the inside of the selected instance the group&apos;s; all other instances follow in one step</source>
        <translation>以所选实例的内部作为组的内容；其他实例一步跟随</translation>
    </message>
    <message>
        <source>&amp;Build again from the group</source>
        <translation>按组重新构建(&amp;B)</translation>
    </message>
    <message>
        <source>Replaces what was edited inside of the selected instances by the group&apos;s ops</source>
        <translation>用组的 op 替换所选实例内部编辑过的内容</translation>
    </message>
    <message>
        <source>Reset values of an instance</source>
        <translation>恢复实例的值</translation>
    </message>
    <message>
        <source>Gives an instance the group&apos;s value of a parameter, or of all</source>
        <translation>让实例的一个参数或全部参数恢复为组的值</translation>
    </message>
    <message>
        <source>&amp;Detach from the group</source>
        <translation>脱离组(&amp;D)</translation>
    </message>
    <message>
        <source>Turns the selected instances into plain scopes that follow no group</source>
        <translation>把所选实例变为不跟随任何组的普通作用域</translation>
    </message>
    <message>
        <source>&amp;Convert to a TensorFlow function</source>
        <translation>转换为 TensorFlow 函数(&amp;C)</translation>
    </message>
    <message>
        <source>Writes the ops of the selected instances into the graph&apos;s library of functions, and calls them</source>
        <translation>把所选实例的 op 写入图的函数库并调用它们</translation>
    </message>
    <message>
        <source>&amp;Inline the function</source>
        <translation>内联函数(&amp;I)</translation>
    </message>
    <message>
        <source>Replaces the selected call of a function by its ops</source>
        <translation>用函数的 op 替换所选的函数调用</translation>
    </message>
    <message>
        <source>Make a parameter of the group</source>
        <translation>设为组的参数</translation>
    </message>
    <message>
        <source>Makes an attribute or layer parameter inside of an instance a parameter of its group</source>
        <translation>把实例内部的一个属性或层参数设为组的参数</translation>
    </message>
    <message>
        <source>Remove a parameter of a group</source>
        <translation>移除组的参数</translation>
    </message>
    <message>
        <source>Removes a parameter; instances keep their own values aside</source>
        <translation>移除一个参数；实例把自己的值搁置保存</translation>
    </message>
    <message>
        <source>Change a group</source>
        <translation>修改组</translation>
    </message>
    <message>
        <source>Changes defaults of a group&apos;s parameters, or its description (doc); all instances follow in one step</source>
        <translation>修改组的参数默认值或它的说明（doc）；所有实例一步跟随</translation>
    </message>
    <message>
        <source>Rename a group</source>
        <translation>重命名组</translation>
    </message>
    <message>
        <source>Renames a group; its instances keep their names</source>
        <translation>重命名组；实例保留各自的名称</translation>
    </message>
    <message>
        <source>Remove a group</source>
        <translation>移除组</translation>
    </message>
    <message>
        <source>Removes a group that has no instances</source>
        <translation>移除没有实例的组</translation>
    </message>
    <message>
        <source>Take a group from a library</source>
        <translation>从库中取组</translation>
    </message>
    <message>
        <source>Adds a library&apos;s group to the document; with replace, instead of another one of that name, whose instances follow</source>
        <translation>把库中的组加入文档；带 replace 时替换同名的另一个组，其实例跟随</translation>
    </message>
    <message>
        <source>&amp;Save groups to a library…</source>
        <translation>把组保存到库(&amp;S)…</translation>
    </message>
    <message>
        <source>Writes groups of this document to a file whose groups the palette offers in every document</source>
        <translation>把此文档的组写入文件，每个文档的组件面板都提供其中的组</translation>
    </message>
    <message>
        <source>Add a &amp;library of groups…</source>
        <translation>添加组库(&amp;L)…</translation>
    </message>
    <message>
        <source>The palette offers the groups of this file in every document</source>
        <translation>每个文档的组件面板都提供此文件中的组</translation>
    </message>
    <message>
        <source>Remove a library of groups</source>
        <translation>移除组库</translation>
    </message>
    <message>
        <source>The palette no longer offers the groups of this file, which stays</source>
        <translation>组件面板不再提供此文件中的组；文件保留</translation>
    </message>
    <message>
        <source>Sets the colouring of nodes: category, device, structure, type, compute, memory, gradient, time of a trace, difference from the compared trace, or the result of a query</source>
        <translation>设定节点按什么着色：category、device、structure、type、compute、memory、gradient、time（trace 中的时间）、difference（与所比较 trace 的差异）或 query（查询结果）</translation>
    </message>
    <message>
        <source>Sets the colouring of timeline slices: category, type, scope, device, or difference from the compared trace</source>
        <translation>设定时间线片段按什么着色：category、type、scope、device 或 difference（与所比较 trace 的差异）</translation>
    </message>
    <message>
        <source>Rarely needed: the dock Profile has it</source>
        <translation>很少需要：性能分析面板中有</translation>
    </message>
    <message>
        <source>Compare with the trace &amp;before</source>
        <translation>与之前的 trace 比较(&amp;B)</translation>
    </message>
    <message>
        <source>Shows what became slower or faster since an earlier trace of this session; 1 is the latest</source>
        <translation>列出与本次会话中较早的 trace 相比变慢和变快的部分；1 是最近的一个</translation>
    </message>
    <message>
        <source>&amp;End the comparison of traces</source>
        <translation>结束 trace 的比较(&amp;E)</translation>
    </message>
    <message>
        <source>Shows the current trace alone</source>
        <translation>只显示当前 trace</translation>
    </message>
    <message>
        <source>Colour nodes by the &amp;difference</source>
        <translation>按差异为节点着色(&amp;D)</translation>
    </message>
    <message>
        <source>Colours each node by how much its time changed since the compared trace: red takes longer, blue takes less</source>
        <translation>按与所比较 trace 相比的时间变化为每个节点着色：红色变慢，蓝色变快</translation>
    </message>
    <message>
        <source>Why were &amp;threads idle?</source>
        <translation>线程为什么空闲？(&amp;T)</translation>
    </message>
    <message>
        <source>Lists what threads and streams waited for: inputs, copies, data, the host, the scheduler</source>
        <translation>列出线程和 stream 在等什么：输入、复制、数据、主机、调度器</translation>
    </message>
    <message>
        <source>Show &amp;idle times</source>
        <translation>显示空闲时间(&amp;I)</translation>
    </message>
    <message>
        <source>Hatches in the timeline the times in which nothing ran, coloured by their reason</source>
        <translation>在时间线中用斜线标出没有 op 运行的时段，颜色表示原因</translation>
    </message>
    <message>
        <source>Show the next gap of a cause</source>
        <translation>显示某个原因的下一段空闲</translation>
    </message>
    <message>
        <source>Shows in the timeline the next idle gap with a cause, counted from 1 by their time; the longest gap first</source>
        <translation>在时间线中显示某个原因的下一段空闲，最长的在前；原因按时间从 1 编号</translation>
    </message>
    <message>
        <source>&amp;What if…</source>
        <translation>假如(&amp;W)…</translation>
    </message>
    <message>
        <source>Predicts how long a step would take if ops were faster, gone, fused or on another device</source>
        <translation>预测 op 更快、不执行、融合或在另一设备上时一步需要多久</translation>
    </message>
    <message>
        <source>Shows which values differ between this training and one before it, and which of them first; 1 is the latest</source>
        <translation>说明这次训练与之前的一次哪些值不同，最先是哪个；1 是最近的一次</translation>
    </message>
    <message>
        <source>Compare with another &amp;setting</source>
        <translation>与另一设置比较(&amp;S)</translation>
    </message>
    <message>
        <source>Trains the same graph again with settings changed, and shows which values differ first; nothing is saved</source>
        <translation>改变设置后重新训练同一计算图，说明最先不同的是哪些值；不保存任何文件</translation>
    </message>
    <message>
        <source>Compare with another &amp;document&apos;s training</source>
        <translation>与另一文档的训练比较(&amp;D)</translation>
    </message>
    <message>
        <source>Trains another open document for as many steps, and shows which values differ first; nothing is saved</source>
        <translation>用同样的步数训练另一个已打开的文档，说明最先不同的是哪些值；不保存任何文件</translation>
    </message>
    <message>
        <source>Compare with an &amp;earlier training</source>
        <translation>与较早的训练比较(&amp;E)</translation>
    </message>
    <message>
        <source>Set for many nodes</source>
        <translation>为多个节点设置</translation>
    </message>
    <message>
        <source>Sets an attribute, the device, the name or the scope of many nodes in one step: all or none</source>
        <translation>在一步中设置多个节点的属性、设备、名称或作用域：全部更改，或都不更改</translation>
    </message>
    <message>
        <source>&amp;Fold into layers…</source>
        <translation>识别为层(&amp;F)…</translation>
    </message>
    <message>
        <source>Finds plain ops that are exactly a layer, and makes them layers whose parameters can be edited</source>
        <translation>查找与层完全一致的 op，使其成为参数可以编辑的层</translation>
    </message>
    <message>
        <source>Set a named value</source>
        <translation>设置命名的值</translation>
    </message>
    <message>
        <source>Adds or changes a named value of the document; every field that depends on it follows in one step</source>
        <translation>添加或修改文档的命名的值；所有依赖它的字段一步跟随</translation>
    </message>
    <message>
        <source>Describe a named value</source>
        <translation>说明命名的值</translation>
    </message>
    <message>
        <source>Says what a named value stands for</source>
        <translation>说明命名的值代表什么</translation>
    </message>
    <message>
        <source>Rename a named value</source>
        <translation>重命名命名的值</translation>
    </message>
    <message>
        <source>Renames a named value, also in all expressions that use it</source>
        <translation>重命名命名的值，所有用到它的表达式也随之修改</translation>
    </message>
    <message>
        <source>Remove a named value</source>
        <translation>删除命名的值</translation>
    </message>
    <message>
        <source>Removes named values that nothing uses</source>
        <translation>删除没有被使用的命名的值</translation>
    </message>
    <message>
        <source>Let a field follow an expression</source>
        <translation>让字段跟随表达式</translation>
    </message>
    <message>
        <source>Computes a layer&apos;s parameter, a node&apos;s attribute or a training setting from named values and other fields</source>
        <translation>由命名的值和其他字段计算层的参数、节点的属性或训练设置</translation>
    </message>
    <message>
        <source>Release a field from its expression</source>
        <translation>解除字段的表达式</translation>
    </message>
    <message>
        <source>Fields keep their values and follow nothing any more</source>
        <translation>字段保留自己的值，不再跟随表达式</translation>
    </message>
    <message>
        <source>it is in the dock Spreadsheet</source>
        <translation>在停靠窗口“电子表格”中</translation>
    </message>
    <message>
        <source>&amp;Spreadsheet…</source>
        <translation>电子表格(&amp;S)…</translation>
    </message>
    <message>
        <source>Nodes, variables, tensors or runs as a table to filter, sort and change</source>
        <translation>以表格显示节点、变量、张量或运行，可筛选、排序和更改</translation>
    </message>
    <message>
        <source>Filter the spreadsheet</source>
        <translation>筛选电子表格</translation>
    </message>
    <message>
        <source>Shows only rows that fulfil a condition, such as: conv bytes &gt; 1MB; without words: all rows</source>
        <translation>只显示满足条件的行，例如：conv bytes &gt; 1MB；不带参数则显示所有行</translation>
    </message>
    <message>
        <source>Sort the spreadsheet</source>
        <translation>排序电子表格</translation>
    </message>
    <message>
        <source>Sorts by a column; without words: as it was read</source>
        <translation>按一列排序；不带参数则恢复读取时的顺序</translation>
    </message>
    <message>
        <source>Show or hide a column</source>
        <translation>显示或隐藏列</translation>
    </message>
    <message>
        <source>Shows or hides a column of the spreadsheet</source>
        <translation>显示或隐藏电子表格的一列</translation>
    </message>
    <message>
        <source>Show or hide an attribute</source>
        <translation>显示或隐藏属性</translation>
    </message>
    <message>
        <source>Makes an attribute of nodes a column of the spreadsheet, or removes it</source>
        <translation>把节点的一个属性设为电子表格的列，或移除它</translation>
    </message>
    <message>
        <source>Set for selected rows…</source>
        <translation>为所选的行设置…</translation>
    </message>
    <message>
        <source>Sets a column of the selected rows of the spreadsheet in one step, or replaces a text in it</source>
        <translation>在一步中设置电子表格所选行的一列，或替换其中的文字</translation>
    </message>
    <message>
        <source>Copy cells</source>
        <translation>复制单元格</translation>
    </message>
    <message>
        <source>Copies the selected cells as lines with tabs; all if none is selected</source>
        <translation>以制表符分隔复制所选的单元格；未选时复制全部</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>另存为 CSV…</translation>
    </message>
    <message>
        <source>Writes the rows and columns that the spreadsheet shows</source>
        <translation>写出电子表格显示的行和列</translation>
    </message>
    <message>
        <source>Read the spreadsheet again</source>
        <translation>重新读取电子表格</translation>
    </message>
    <message>
        <source>Reads the latest values</source>
        <translation>读取最新的值</translation>
    </message>
    <message>
        <source>Add a parameter to a group</source>
        <translation>为组添加参数</translation>
    </message>
    <message>
        <source>Adds a parameter for the expressions of fields inside of a group, such as =2*units</source>
        <translation>添加一个供组内部字段的表达式使用的参数，例如 =2*units</translation>
    </message>
    <message>
        <source>Paste into cells</source>
        <translation>粘贴到单元格</translation>
    </message>
    <message>
        <source>Sets the cells from the selected one on to the lines and tabs of the clipboard, in one step; a single value is for all selected cells</source>
        <translation>一步把剪贴板中的行和制表符分隔的值写入从所选单元格开始的单元格；单个值用于所有选中的单元格</translation>
    </message>
</context>
<context>
    <name>Activities</name>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 trains %2 and is paused at %3.</source>
        <translation>%1 正在训练 %2，已暂停在%3。</translation>
    </message>
    <message>
        <source>%1 trains %2, %3.</source>
        <translation>%1 正在训练 %2，%3。</translation>
    </message>
    <message>
        <source>A training step of %1 is being debugged.</source>
        <translation>正在调试 %1 的一个训练步。</translation>
    </message>
    <message>
        <source>A run of %1 is being debugged.</source>
        <translation>正在调试 %1 的一次运行。</translation>
    </message>
    <message>
        <source>The Python program %1 is running.</source>
        <translation>Python 程序 %1 正在运行。</translation>
    </message>
    <message>
        <source>In progress: %1.</source>
        <translation>正在进行：%1。</translation>
    </message>
    <message>
        <source>A sweep is running: %1 of %2 runs are done.</source>
        <translation>扫描正在进行：%1/%2 个运行已结束。</translation>
    </message>
</context>
<context>
    <name>Advice</name>
    <message>
        <source>%1 takes %2 of the step</source>
        <translation>%1 占一步时间的 %2</translation>
    </message>
    <message>
        <source>%1 runs at %2 of the best rate in this trace</source>
        <translation>%1 的计算速率仅为所见最高速率的 %2</translation>
    </message>
    <message>
        <source>%1 ops are shorter than %2</source>
        <translation>有 %1 个 op 短于 %2</translation>
    </message>
    <message>
        <source>Together they take %3, or %4 of the step: launching an op costs more here than the work it does.</source>
        <translation>它们合计用时 %3，占一步的 %4：此时启动 op 的开销超过其计算本身。</translation>
    </message>
    <message>
        <source>%1 is idle for %2 of the step</source>
        <translation>%1 在一步中有 %2 的时间空闲</translation>
    </message>
    <message>
        <source>Nothing runs on it for %3; the longest gap is %4, between %5 and %6.</source>
        <translation>其上有 %3 无任何运行；最长的空隙为 %4，位于 %5 与 %6 之间。</translation>
    </message>
    <message>
        <source>Copies take %1 of the step</source>
        <translation>复制占一步时间的 %1</translation>
    </message>
    <message>
        <source>%2 copies between devices take %3 per step. Place ops that exchange much data on one device.</source>
        <translation>设备间的 %2 次复制每步用时 %3。频繁交换数据的 op 应放在同一设备上。</translation>
    </message>
    <message>
        <source>Batch normalization is computed by separate ops</source>
        <translation>批归一化由零散的 op 计算</translation>
    </message>
    <message>
        <source>%1 ops under %2 take %3 per step; FusedBatchNorm does the same in one pass.</source>
        <translation>%2 之下的 %1 个 op 每步用时 %3；FusedBatchNorm 一遍即可完成。</translation>
    </message>
    <message>
        <source>%1 runs in NHWC on a GPU</source>
        <translation>%1 在 GPU 上以 NHWC 运行</translation>
    </message>
    <message>
        <source>%2 ops with data_format NHWC take %3 per step there; GPU kernels are optimized for NCHW.</source>
        <translation>data_format 为 NHWC 的 %2 个 op 每步用时 %3；GPU 的 kernel 是为 NCHW 编写的。</translation>
    </message>
    <message>
        <source>The step waits for input data</source>
        <translation>步骤在等待数据</translation>
    </message>
    <message>
        <source>Reading and preparing data takes %1 of the step (%2); prefetching in a separate thread, or larger batches, would hide it.</source>
        <translation>读取和准备数据占一步的 %1（%2）；用单独线程预取或增大批次即可掩盖。</translation>
    </message>
    <message>
        <source>Step times vary</source>
        <translation>各步用时不均</translation>
    </message>
    <message>
        <source>Half of the steps take at most %1, but the slowest takes %2; in it, %3 takes %4 more than usual.</source>
        <translation>半数步骤不超过 %1，最慢的一步为 %2；其中 %3 比平时多用 %4。</translation>
    </message>
    <message>
        <source>One tensor accounts for %1 of peak memory</source>
        <translation>一个张量占内存峰值的 %1</translation>
    </message>
    <message>
        <source>%2 of %3 at the peak belong to output %4 of %5, which is kept for %6 after it was computed.</source>
        <translation>峰值 %3 中有 %2 属于 %5 的输出 %4，它生成后保留了 %6。</translation>
    </message>
    <message>
        <source>%1 ops compute the same value in every step</source>
        <translation>有 %1 个 op 每步的计算都相同</translation>
    </message>
    <message>
        <source>Their inputs are constants. They take %2 per step and could be computed once.</source>
        <translation>它们的输入都是常量，每步用时 %2，其实计算一次即可。</translation>
    </message>
    <message>
        <source>%1 waits %2 before it starts</source>
        <translation>%1 在开始前等待 %2</translation>
    </message>
    <message>
        <source>It was ready, but no thread was free; ops wait %3 per step in total.</source>
        <translation>它已就绪但没有空闲线程；每步等待共 %3。</translation>
    </message>
    <message>
        <source>%3 per step (%5, executed %4×); the next most expensive op takes %6.</source>
        <translation>每步 %3（%5，执行 %4 次）；用时次多的 op 为 %6。</translation>
    </message>
    <message>
        <source>It reaches %3 GFLOP/s with %4 MFLOP per step, while %5 reaches %6 GFLOP/s in the same trace.</source>
        <translation>它每步计算 %4 MFLOP，达到 %3 GFLOP/s；而同一 trace 中 %5 达到 %6 GFLOP/s。</translation>
    </message>
</context>
<context>
    <name>AnalysisBorder</name>
    <message>
        <source>there is not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>for an unknown reason</source>
        <translation>原因不明</translation>
    </message>
    <message>
        <source>This could not be analysed (%1): %2. The graph itself was read without changes.</source>
        <translation>无法分析（%1）：%2。图本身与读入时一致。</translation>
    </message>
</context>
<context>
    <name>Annotations</name>
    <message>
        <source>Add a frame</source>
        <translation>添加框</translation>
    </message>
    <message>
        <source>Add a comment</source>
        <translation>添加注释</translation>
    </message>
    <message>
        <source>Reroute a wire</source>
        <translation>改道连线</translation>
    </message>
    <message>
        <source>Move an annotation</source>
        <translation>移动标注</translation>
    </message>
    <message>
        <source>Change an annotation</source>
        <translation>修改标注</translation>
    </message>
    <message>
        <source>Remove an annotation</source>
        <translation>移除标注</translation>
    </message>
    <message>
        <source>Resize an annotation</source>
        <translation>调整注释大小</translation>
    </message>
    <message>
        <source>Set bookmark %1</source>
        <translation>设置书签 %1</translation>
    </message>
</context>
<context>
    <name>ApiHelp</name>
    <message>
        <source>any number</source>
        <translation>任意多个</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必需</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>单位：%1</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>可取 %1</translation>
    </message>
    <message>
        <source>older name: %1</source>
        <translation>旧名：%1</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Returns</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>An example is being built…</source>
        <translation>正在构建示例…</translation>
    </message>
    <message>
        <source>Ops: %1</source>
        <translation>所含 op：%1</translation>
    </message>
    <message>
        <source>Other names</source>
        <translation>其他名称</translation>
    </message>
    <message>
        <source>Based on: %1</source>
        <translation>依照：%1</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
</context>
<context>
    <name>ArchiveActions</name>
    <message>
        <source>There is no run %1.</source>
        <translation>没有运行 %1。</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
</context>
<context>
    <name>ArrangementActions</name>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示图。</translation>
    </message>
    <message>
        <source>All wires of the selection are drawn.</source>
        <translation>所选部分的连线都已画出。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
</context>
<context>
    <name>BugReport</name>
    <message>
        <source>%1 could not be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Bug report written to %1</source>
        <translation>错误报告已写入 %1</translation>
    </message>
    <message>
        <source>Save a bug report</source>
        <translation>保存错误报告</translation>
    </message>
    <message>
        <source>&amp;What happened, and what did you expect?</source>
        <translation>发生了什么？本应如何？(&amp;W)</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>The archive contains your description, the log, versions, settings, recent commands and a screenshot of the window. It is only saved to a file; nothing is sent.</source>
        <translation>压缩包含您的说明、日志、版本、设置、最近的命令和窗口截图。只写入文件，不会发送。</translation>
    </message>
    <message>
        <source>Include the open &amp;graph</source>
        <translation>附上当前打开的图(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Archives (*.zip)</source>
        <translation>压缩包 (*.zip)</translation>
    </message>
</context>
<context>
    <name>CanvasActions</name>
    <message>
        <source>There is no node %1 in this graph.</source>
        <translation>此图中没有节点 %1。</translation>
    </message>
    <message>
        <source>The selection has no outputs.</source>
        <translation>所选内容没有输出。</translation>
    </message>
    <message>
        <source>%1 is not a bookmark: expected a number from 1 to 9.</source>
        <translation>%1 不是书签；书签编号为 1 至 9。</translation>
    </message>
    <message>
        <source>There is no bookmark %1 yet; Alt+%1 sets it.</source>
        <translation>尚无书签 %1：按 Alt+%1 设置。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示图。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>Select two or more nodes first.</source>
        <translation>请先选择两个或更多节点。</translation>
    </message>
    <message>
        <source>Name the op or layer to add.</source>
        <translation>请指明要添加的 op 或层。</translation>
    </message>
    <message>
        <source>%1 is not a sample number.</source>
        <translation>%1 不是样本编号。</translation>
    </message>
    <message>
        <source>This view is read-only; edit in the view by scope.</source>
        <translation>这个视图只供阅读；请在按作用域的视图中编辑。</translation>
    </message>
</context>
<context>
    <name>CanvasEdits</name>
    <message>
        <source>Tidy</source>
        <translation>整理</translation>
    </message>
</context>
<context>
    <name>CardExport</name>
    <message>
        <source>%1: expected a file name ending in .png, .svg, .csv or .json.</source>
        <translation>%1：文件名应以 .png、.svg、.csv 或 .json 结尾。</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>存为 PNG…</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>存为 SVG…</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>存为 CSV…</translation>
    </message>
    <message>
        <source>Save as JSON…</source>
        <translation>存为 JSON…</translation>
    </message>
</context>
<context>
    <name>CheckpointActions</name>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>All warnings are in the log.</source>
        <translation>全部警告见日志。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写出 %1</translation>
    </message>
    <message>
        <source>Writing was cancelled.</source>
        <translation>写出已取消。</translation>
    </message>
    <message>
        <source>Save a checkpoint</source>
        <translation>保存检查点</translation>
    </message>
    <message>
        <source>Checkpoints (*)</source>
        <translation>检查点 (*)</translation>
    </message>
    <message>
        <source>%1 is not of the form rename=PATTERN=&gt;NEW.</source>
        <translation>%1 不符合 rename=模式=&gt;新名称 的形式。</translation>
    </message>
    <message>
        <source>%1 is not a number of at least 1 (%2).</source>
        <translation>%1 不是大于等于 1 的整数（%2）。</translation>
    </message>
    <message>
        <source>inspect.save-copy does not know %1; it takes keep=, drop=, rename=, type=, version= and shards=.</source>
        <translation>inspect.save-copy 不认识 %1；它接受 keep=、drop=、rename=、type=、version= 和 shards=。</translation>
    </message>
    <message>
        <source>The current tab is not a checkpoint.</source>
        <translation>当前标签页不是检查点。</translation>
    </message>
    <message numerus="yes">
        <source>%n name(s) mapped</source>
        <translation>
            <numerusform>已对应 %n 个名称</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is not a confidence from 0 to 100.</source>
        <translation>%1 不是 0 到 100 的可信度。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>Looking for names like those of %1</source>
        <translation>正在查找与 %1 相近的名称</translation>
    </message>
    <message>
        <source>The file was closed in the meantime; nothing was saved.</source>
        <translation>文件在此期间已关闭，没有保存任何内容。</translation>
    </message>
    <message>
        <source>%1 has all names of %2: there is nothing to propose.</source>
        <translation>%1 包含 %2 的全部名称：没有可建议的。</translation>
    </message>
    <message numerus="yes">
        <source>No other names were found in %1 for the %n missing variable(s) of %2.</source>
        <translation>
            <numerusform>没有在 %1 中为 %2 缺少的 %n 个变量找到其他名称。</numerusform>
        </translation>
    </message>
    <message>
        <source>No proposal has a confidence of %1 %.</source>
        <translation>没有可信度达到 %1 % 的建议。</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>比较已取消。</translation>
    </message>
    <message>
        <source>No name has been mapped.</source>
        <translation>还没有建立任何名称的对应关系。</translation>
    </message>
</context>
<context>
    <name>CheckpointEdits</name>
    <message numerus="yes">
        <source>%n name(s) begin with “%1” instead of “%2”</source>
        <translation>
            <numerusform>%n 个名称以“%1”而不是“%2”开头</numerusform>
        </translation>
    </message>
    <message>
        <source>the only %1 that is left in both</source>
        <translation>两边剩下的唯一一个 %1</translation>
    </message>
    <message>
        <source>number %1 of %2 of %3, in the order of the graph and of the names</source>
        <translation>%2 个 %3 中的第 %1 个，按计算图和名称的顺序</translation>
    </message>
    <message>
        <source>follows %1</source>
        <translation>跟随 %1</translation>
    </message>
    <message>
        <source>same shape, and the names are alike</source>
        <translation>形状相同，名称相近</translation>
    </message>
    <message>
        <source>The current tab is not a checkpoint.</source>
        <translation>当前标签页不是检查点。</translation>
    </message>
    <message>
        <source>No variable is left to write.</source>
        <translation>没有要写出的变量。</translation>
    </message>
    <message>
        <source>%1 is a folder; give the name of a checkpoint in it, such as model.</source>
        <translation>%1 是文件夹；请给出其中检查点的名称，例如 model。</translation>
    </message>
    <message>
        <source>%1 is the checkpoint being read; choose another name.</source>
        <translation>%1 就是正在读取的检查点，请换一个名称。</translation>
    </message>
</context>
<context>
    <name>ClusterActions</name>
    <message>
        <source>Open a graph first: the server is chosen for the runs of a document.</source>
        <translation>请先打开一个图：服务器是为文档的运行选择的。</translation>
    </message>
    <message>
        <source>No local task runs.</source>
        <translation>没有本地任务在运行。</translation>
    </message>
</context>
<context>
    <name>ClusterWords</name>
    <message>
        <source>, </source>
        <comment>between names of tasks</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>whose state is not known</source>
        <translation>其状态未知</translation>
    </message>
    <message>
        <source>which does not answer</source>
        <translation>它没有应答</translation>
    </message>
    <message>
        <source>a task of TensorFlow, which does not tell what it waits for</source>
        <translation>它是 TensorFlow 的任务，不说明在等待什么</translation>
    </message>
    <message>
        <source>which waits for an element of the queue %1</source>
        <translation>它在等待队列 %1 的元素</translation>
    </message>
    <message>
        <source>which waits for room in the queue %1</source>
        <translation>它在等待队列 %1 的空位</translation>
    </message>
    <message>
        <source>which does not run this step</source>
        <translation>它没有运行这一步</translation>
    </message>
    <message>
        <source>which computes</source>
        <translation>它正在计算</translation>
    </message>
    <message>
        <source>%1 has waited %2 for %3</source>
        <translation>%1 已等待 %3 %2</translation>
    </message>
    <message>
        <source>%1, which waits for %2: they wait for each other.</source>
        <translation>%1，它又在等待 %2：它们互相等待。</translation>
    </message>
    <message>
        <source>%1, which waits for %2</source>
        <translation>%1，它又在等待 %2</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1，%2。</translation>
    </message>
    <message>
        <source>listed by the server</source>
        <translation>由服务器列出</translation>
    </message>
    <message>
        <source>has not answered</source>
        <translation>尚未应答</translation>
    </message>
    <message>
        <source>no answer for %1</source>
        <translation>已有 %1 没有应答</translation>
    </message>
    <message>
        <source>answers under another name</source>
        <translation>以另一个名称应答</translation>
    </message>
    <message>
        <source>answers; restarted %1 ago</source>
        <translation>有应答；%1 前重启</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>有应答</translation>
    </message>
    <message>
        <source>not told by TensorFlow</source>
        <translation>TensorFlow 不提供</translation>
    </message>
    <message>
        <source>%1, to start a session (%2)</source>
        <translation>%1，以启动会话（%2）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>an element of %1</source>
        <translation>%1 的元素</translation>
    </message>
    <message>
        <source>room in %1</source>
        <translation>%1 的空位</translation>
    </message>
    <message>
        <source>computes (%1)</source>
        <translation>正在计算（%1）</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>%1 of %2, for %3</source>
        <translation>%2 的 %1，已等 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n more tensor(s)</source>
        <translation>
            <numerusform>还有 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>an element of the queue %1</source>
        <translation>队列 %1 的元素</translation>
    </message>
    <message>
        <source>room in the queue %1</source>
        <translation>队列 %1 的空位</translation>
    </message>
    <message>
        <source>%1, which has not answered: a new session needs all tasks</source>
        <translation>%1，它尚未应答：新会话需要所有任务</translation>
    </message>
    <message>
        <source>No answer from %1.</source>
        <translation>%1 没有应答。</translation>
    </message>
    <message>
        <source>%1 starts a session once all tasks answer.</source>
        <translation>所有任务应答后，%1 才能启动会话。</translation>
    </message>
    <message>
        <source>The server waits for a task that does not answer. TensorFlow does not say which one; with the addresses in Cluster…, every task is asked.</source>
        <translation>服务器在等待一个没有应答的任务。TensorFlow 不说明是哪一个；在“集群…”中填写地址后，会逐个询问任务。</translation>
    </message>
    <message>
        <source>%1 restarted: its variables are lost until a session initializes or restores them.</source>
        <translation>%1 已重启：在会话初始化或恢复之前，它的变量没有值。</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s), all well.</source>
        <translation>
            <numerusform>%n 个任务，一切正常。</numerusform>
        </translation>
    </message>
    <message>
        <source>Tasks of TensorFlow do not tell what they wait for.</source>
        <translation>TensorFlow 的任务不说明在等待什么。</translation>
    </message>
    <message>
        <source>The server lists %1 without an address. Enter it in Cluster… to have it asked.</source>
        <translation>服务器列出了 %1，但没有给出地址。在“集群…”中填写地址后就会询问它。</translation>
    </message>
</context>
<context>
    <name>ConsoleActions</name>
    <message>
        <source>The Python console has ended.</source>
        <translation>Python 控制台已结束。</translation>
    </message>
    <message>
        <source>The Python console is not running.</source>
        <translation>Python 控制台没有运行。</translation>
    </message>
    <message>
        <source>console.run takes a Python statement.</source>
        <translation>console.run 需要一条 Python 语句。</translation>
    </message>
    <message>
        <source>The Python console is not running a statement.</source>
        <translation>Python 控制台没有在计算。</translation>
    </message>
    <message>
        <source>The Python console has no new nodes for the document.</source>
        <translation>Python 控制台中没有创建文档所没有的内容。</translation>
    </message>
</context>
<context>
    <name>ConsoleFiles</name>
    <message>
        <source>The console&apos;s graph has no nodes that the document does not have.</source>
        <translation>控制台的图中没有文档所没有的节点。</translation>
    </message>
</context>
<context>
    <name>CopyTable</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Name in the copy</source>
        <translation>副本中的名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
</context>
<context>
    <name>DataActions</name>
    <message>
        <source>%1 is invalid; expected NAME=NUMBER with one of %2.</source>
        <translation>无法理解 %1；应为“名称=数字”，名称可为 %2。</translation>
    </message>
    <message>
        <source>Folder of CIFAR-10 batches</source>
        <translation>存放 CIFAR-10 batch 的文件夹</translation>
    </message>
    <message>
        <source>Write TFRecord</source>
        <translation>写 TFRecord</translation>
    </message>
    <message>
        <source>Records (*.tfrecord)</source>
        <translation>记录 (*.tfrecord)</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写 %1</translation>
    </message>
    <message>
        <source>The conversion was cancelled.</source>
        <translation>转换已取消。</translation>
    </message>
    <message>
        <source>No data are chosen yet: name a data set or a file.</source>
        <translation>尚未选择数据：请给出数据集或文件。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>The graph for the data %1 is no longer in front.</source>
        <translation>数据 %1 所属的计算图已不在前台。</translation>
    </message>
    <message>
        <source>This graph has no placeholder that data could feed: add a Placeholder for the inputs and one for the labels.</source>
        <translation>此计算图没有可馈送数据的占位符：请为输入和标签各添加一个 Placeholder。</translation>
    </message>
    <message>
        <source>Reading the data was cancelled.</source>
        <translation>数据读取已取消。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示计算图。</translation>
    </message>
    <message>
        <source>No data are chosen yet.</source>
        <translation>尚未选择数据。</translation>
    </message>
</context>
<context>
    <name>DebugActions</name>
    <message>
        <source>--steps takes a number above 0, not %1.</source>
        <translation>--steps 需要大于 0 的数，而不是 %1。</translation>
    </message>
    <message>
        <source>debug.start does not know %1.</source>
        <translation>debug.start 不认识 %1。</translation>
    </message>
    <message>
        <source>--hits takes a number above 0, not %1.</source>
        <translation>--hits 需要大于 0 的数，而不是 %1。</translation>
    </message>
    <message>
        <source>debug.break takes NODE [--if CONDITION] [--log TEXT] [--hits N], not %1.</source>
        <translation>debug.break 的写法是 NODE [--if CONDITION] [--log TEXT] [--hits N]，而不是 %1。</translation>
    </message>
    <message>
        <source>Select a node first.</source>
        <translation>请先选择一个节点。</translation>
    </message>
    <message>
        <source>There is no breakpoint %1.</source>
        <translation>没有断点 %1。</translation>
    </message>
    <message>
        <source>No run is stopped in the debugger.</source>
        <translation>调试器中没有停住的运行。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>The debugger is running.</source>
        <translation>调试器正在运行。</translation>
    </message>
    <message>
        <source>%1 is not a number of ops.</source>
        <translation>%1 不是 op 的个数。</translation>
    </message>
    <message>
        <source>debug.to-iteration takes a number.</source>
        <translation>debug.to-iteration 需要一个数。</translation>
    </message>
    <message>
        <source>Nothing is running in the debugger.</source>
        <translation>调试器中没有正在进行的运行。</translation>
    </message>
    <message>
        <source>Nothing is being debugged.</source>
        <translation>没有正在调试的运行。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>debug.set takes TENSOR VALUE.</source>
        <translation>debug.set 的写法是 TENSOR VALUE。</translation>
    </message>
    <message>
        <source>Training is being stopped.</source>
        <translation>正在停止训练。</translation>
    </message>
    <message>
        <source>run.watch-nan takes on or off, not %1.</source>
        <translation>run.watch-nan 的参数是 on 或 off，不能是 %1。</translation>
    </message>
    <message>
        <source>None of these is fed or changed.</source>
        <translation>其中没有馈送或改过的值。</translation>
    </message>
</context>
<context>
    <name>DebugFeeds</name>
    <message>
        <source>There is no file %1.</source>
        <translation>没有文件 %1。</translation>
    </message>
    <message>
        <source>%1 has no value yet.</source>
        <translation>%1 还没有值。</translation>
    </message>
</context>
<context>
    <name>DebugJob</name>
    <message>
        <source>There is no scope %1 in this graph.</source>
        <translation>此图中没有作用域 %1。</translation>
    </message>
    <message>
        <source>There is no node %1 in this graph.</source>
        <translation>此图中没有节点 %1。</translation>
    </message>
    <message>
        <source>An element of %1 takes a %2 value, not an empty text.</source>
        <translation>%1 的元素需要一个 %2 值，不能为空。</translation>
    </message>
</context>
<context>
    <name>DebugWords</name>
    <message>
        <source>no values</source>
        <translation>没有值</translation>
    </message>
    <message>
        <source>all 0</source>
        <translation>全为 0</translation>
    </message>
    <message>
        <source>%1 iteration %2</source>
        <translation>%1 第 %2 次迭代</translation>
    </message>
    <message>
        <source>%1 NaN and %2 infinite values</source>
        <translation>%1 个 NaN 和 %2 个无穷大</translation>
    </message>
    <message numerus="yes">
        <source>%n infinite value(s)</source>
        <translation>
            <numerusform>%n 个无穷大</numerusform>
        </translation>
    </message>
    <message>
        <source>non-finite values</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>%1 was fed %2</source>
        <translation>给 %1 馈送了 %2</translation>
    </message>
    <message>
        <source>%1 held %2 when the run read it</source>
        <translation>运行读取 %1 时，其中已有 %2</translation>
    </message>
    <message>
        <source>%1 is the first non-finite value: %2 of %3 from finite inputs</source>
        <translation>%1 是第一个非有限的结果：输入全为有限值，%3 个元素中有 %2</translation>
    </message>
    <message>
        <source>, first at %1</source>
        <translation>，首个在 %1</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>the value was set in the debugger</source>
        <translation>该值是在调试器中设置的</translation>
    </message>
    <message>
        <source>the mean of an empty tensor</source>
        <translation>对零个值求均值</translation>
    </message>
    <message>
        <source>the result overflows %1</source>
        <translation>结果超出 %1 的表示范围</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <comment>a reason and a position</comment>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>%1 has not been computed yet.</source>
        <translation>%1 尚未计算。</translation>
    </message>
    <message>
        <source>%1 is not part of this run.</source>
        <translation>本次运行不需要 %1。</translation>
    </message>
    <message>
        <source>%1 has no value: it is on a branch that was not taken.</source>
        <translation>%1 没有值：它位于未走的分支上。</translation>
    </message>
    <message>
        <source>There is no value of %1 from the previous run.</source>
        <translation>上一次运行没有 %1 的值。</translation>
    </message>
    <message>
        <source>The value of variable %1 can only be read while a run is paused.</source>
        <translation>运行停住时才能读取变量 %1 的值。</translation>
    </message>
    <message>
        <source>%1 was computed, but its value was dropped to stay below the memory limit of the debugger.</source>
        <translation>%1 已计算，但为了不超过调试器的内存上限，它的值被丢弃了。</translation>
    </message>
    <message>
        <source>There is no value from an earlier iteration.</source>
        <translation>没有更早一次迭代的值。</translation>
    </message>
    <message>
        <source>Nothing has been computed yet.</source>
        <translation>还没有计算任何值。</translation>
    </message>
    <message>
        <source>Every value computed so far is finite.</source>
        <translation>目前算出的值都是有限的。</translation>
    </message>
    <message>
        <source>%1 holds finite values only.</source>
        <translation>%1 只含有限值。</translation>
    </message>
    <message>
        <source>%1 was not computed.</source>
        <translation>%1 没有被计算。</translation>
    </message>
</context>
<context>
    <name>DeviceComparison</name>
    <message>
        <source>This machine has one device, %1: there is nothing to choose.</source>
        <translation>本机只有一个设备 %1：没有可选的。</translation>
    </message>
    <message>
        <source>%1 does a step %2 times as fast as %3.</source>
        <translation>%1 完成一步的速度是 %3 的 %2 倍。</translation>
    </message>
    <message>
        <source>%1 and %2 take the same time: where it runs makes no difference.</source>
        <translation>%1 和 %2 用时相同：在哪里运行都一样。</translation>
    </message>
    <message>
        <source>The GPUs here are the host build of the device code, which is for tests: their times say nothing about a real GPU.</source>
        <translation>这里的 GPU 是设备代码的主机版，用于测试：其用时不能说明真实 GPU 的情况。</translation>
    </message>
    <message>
        <source>The steps are too small for the GPU, or copies take what it gains; a larger batch may change that.</source>
        <translation>步骤对 GPU 来说太小，或者复制抵消了收益；更大的批次可能会改变这一点。</translation>
    </message>
    <message>
        <source>Of the time on %1, %2 % went to other devices: some ops have no kernel there, or ask for another device.</source>
        <translation>在 %1 上的用时中，%2 % 花在其他设备上：某些操作在那里没有内核，或要求使用其他设备。</translation>
    </message>
    <message>
        <source>On %1: %2</source>
        <translation>在 %1 上：%2</translation>
    </message>
</context>
<context>
    <name>DeviceSearch</name>
    <message>
        <source>Looking for devices</source>
        <translation>正在查找设备</translation>
    </message>
</context>
<context>
    <name>Docks</name>
    <message>
        <source>Float or dock</source>
        <translation>脱离窗口或放回</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Doctor</name>
    <message>
        <source>%1 gets probabilities where it expects logits</source>
        <translation>%1 得到的是概率，而它需要 logits</translation>
    </message>
    <message>
        <source>It applies the softmax or sigmoid itself, but its input comes from %2.</source>
        <translation>它自己会做 softmax 或 sigmoid，但它的输入来自 %2。</translation>
    </message>
    <message>
        <source>Give it the input of %2.</source>
        <translation>把 %2 的输入给它。</translation>
    </message>
    <message>
        <source>Nothing runs %1</source>
        <translation>没有任何东西运行 %1</translation>
    </message>
    <message>
        <source>It is in the collection update_ops: moving averages keep their initial values, so tests are wrong.</source>
        <translation>它在集合 update_ops 中：移动平均保持初始值，因此测试结果是错的。</translation>
    </message>
    <message>
        <source>Make the training op wait for the ops of update_ops.</source>
        <translation>让训练操作等待 update_ops 中的操作。</translation>
    </message>
    <message>
        <source>Nothing increments %1</source>
        <translation>没有任何东西使 %1 增加</translation>
    </message>
    <message>
        <source>There is an optimizer, but the step that schedules, hooks and checkpoints read stays at 0.</source>
        <translation>有优化器，但学习率计划、hooks 和检查点读取的步数停在 0。</translation>
    </message>
    <message>
        <source>Pass global_step to minimize() or apply_gradients().</source>
        <translation>把 global_step 传给 minimize() 或 apply_gradients()。</translation>
    </message>
    <message>
        <source>%1 is not trained</source>
        <translation>%1 没有被训练</translation>
    </message>
    <message>
        <source>It is trainable, and the loss depends on it, but no optimizer changes it.</source>
        <translation>它是可训练的，损失也依赖于它，但没有优化器改变它。</translation>
    </message>
    <message>
        <source>Check the path to the loss for ops without a gradient, or make it not trainable.</source>
        <translation>检查到损失的路径上是否有没有梯度的操作，或将其设为不可训练。</translation>
    </message>
    <message>
        <source>There is nothing non-linear between %1 and %2</source>
        <translation>%1 与 %2 之间没有非线性</translation>
    </message>
    <message>
        <source>Two linear layers in a row can express no more than one.</source>
        <translation>连续两个线性层的表达能力不会超过一个。</translation>
    </message>
    <message>
        <source>Put an activation such as relu between them, or leave one out.</source>
        <translation>在它们之间放一个激活函数（如 relu），或去掉其中一个。</translation>
    </message>
    <message>
        <source>%1 limits the logits of %2</source>
        <translation>%1 限制了 %2 的 logits</translation>
    </message>
    <message>
        <source>The op before the loss is %3: the network cannot express every probability.</source>
        <translation>损失之前的操作是 %3：网络无法表达所有的概率。</translation>
    </message>
    <message>
        <source>Leave the activation of the last layer out.</source>
        <translation>去掉最后一层的激活函数。</translation>
    </message>
    <message>
        <source>%1 follows another activation</source>
        <translation>%1 跟在另一个激活函数之后</translation>
    </message>
    <message>
        <source>%2 and %3 are applied one right after the other.</source>
        <translation>%2 和 %3 连续使用。</translation>
    </message>
    <message>
        <source>Leave one of them out.</source>
        <translation>去掉其中一个。</translation>
    </message>
    <message>
        <source>%1 drops %2 % of its inputs</source>
        <translation>%1 丢弃其输入的 %2 %</translation>
    </message>
    <message>
        <source>More than half of the values are set to 0.</source>
        <translation>超过一半的值被设为 0。</translation>
    </message>
    <message>
        <source>Try a rate between 0.1 and 0.5.</source>
        <translation>试试 0.1 到 0.5 之间的比率。</translation>
    </message>
    <message>
        <source>Dropout %1 comes before batch normalization %2</source>
        <translation>Dropout %1 位于批归一化 %2 之前</translation>
    </message>
    <message>
        <source>Dropout changes the variance in training but not in tests, so that the moving averages of the normalization are wrong in tests.</source>
        <translation>Dropout 改变训练时的方差，但不改变测试时的方差，因此归一化的移动平均在测试时是错的。</translation>
    </message>
    <message>
        <source>Put the dropout after the last batch normalization.</source>
        <translation>把 dropout 放在最后一个批归一化之后。</translation>
    </message>
    <message>
        <source>The bias of %1 has no effect</source>
        <translation>%1 的偏置没有作用</translation>
    </message>
    <message>
        <source>Batch normalization %2 subtracts the mean, and with it the bias.</source>
        <translation>批归一化 %2 会减去均值，偏置也随之被减去。</translation>
    </message>
    <message>
        <source>Leave the bias out (use_bias=False).</source>
        <translation>去掉偏置（use_bias=False）。</translation>
    </message>
    <message>
        <source>%1 does not fit the %2 outputs of the network</source>
        <translation>%1 与网络的 %2 个输出不匹配</translation>
    </message>
    <message>
        <source>A cross entropy over one class is always 0; nothing is learned.</source>
        <translation>只有一个类别的交叉熵总是 0，什么也学不到。</translation>
    </message>
    <message>
        <source>Use sigmoid_cross_entropy_with_logits for one output, or an output per class.</source>
        <translation>一个输出时使用 sigmoid_cross_entropy_with_logits，或者每个类别一个输出。</translation>
    </message>
    <message>
        <source>The learning rate %1 is high for %2</source>
        <translation>学习率 %1 对 %2 来说太高</translation>
    </message>
    <message>
        <source>Usual values are %3.</source>
        <translation>通常的值是 %3。</translation>
    </message>
    <message>
        <source>Start with a smaller one.</source>
        <translation>先用较小的值。</translation>
    </message>
    <message>
        <source>The learning rate %1 changes next to nothing</source>
        <translation>学习率 %1 几乎不改变任何东西</translation>
    </message>
    <message>
        <source>Usual values for %2 are %3.</source>
        <translation>%2 通常的值是 %3。</translation>
    </message>
    <message>
        <source>Start with a larger one.</source>
        <translation>先用较大的值。</translation>
    </message>
    <message>
        <source>%1 and %2 both write %3 in a step</source>
        <translation>%1 和 %2 在一步中都写 %3</translation>
    </message>
    <message>
        <source>Nothing orders them: the result depends on which runs last.</source>
        <translation>没有规定它们的顺序：结果取决于哪个最后运行。</translation>
    </message>
    <message>
        <source>Let one wait for the other with control_dependencies.</source>
        <translation>用 control_dependencies 让一个等待另一个。</translation>
    </message>
    <message>
        <source>%1 has %2 values that are NaN or infinite</source>
        <translation>%1 有 %2 个值是 NaN 或无穷</translation>
    </message>
    <message>
        <source>They are in %3 of the %4 rows that were looked at.</source>
        <translation>它们出现在查看的 %4 行中的 %3 行里。</translation>
    </message>
    <message>
        <source>Remove or replace these rows.</source>
        <translation>删除或替换这些行。</translation>
    </message>
    <message>
        <source>The values of %1 lie between %2 and %3</source>
        <translation>%1 的值在 %2 与 %3 之间</translation>
    </message>
    <message>
        <source>Their mean is %4, their deviation %5. Networks learn best from values of about 0 to 1, or of mean 0 and deviation 1.</source>
        <translation>其均值为 %4，标准差为 %5。值在 0 到 1 左右，或均值为 0、标准差为 1 时，网络学得最好。</translation>
    </message>
    <message>
        <source>Scale them (option scale), or standardize them (option standardize of tables).</source>
        <translation>进行缩放（选项 scale），或标准化（表格的选项 standardize）。</translation>
    </message>
    <message>
        <source>%1 of the %2 features of %3 never change</source>
        <translation>%3 的 %2 个特征中有 %1 个从不变化</translation>
    </message>
    <message>
        <source>The first is number %4, which is always %5.</source>
        <translation>第一个是第 %4 个，它总是 %5。</translation>
    </message>
    <message>
        <source>Leave them out.</source>
        <translation>去掉它们。</translation>
    </message>
    <message>
        <source>All labels in %1 are %2</source>
        <translation>%1 中的所有标签都是 %2</translation>
    </message>
    <message>
        <source>There is nothing to tell apart.</source>
        <translation>没有什么可区分的。</translation>
    </message>
    <message>
        <source>Check the column that feeds %1, and the order of the rows.</source>
        <translation>检查提供 %1 的列以及行的顺序。</translation>
    </message>
    <message>
        <source>The classes of %1 are very unequal</source>
        <translation>%1 的类别很不均衡</translation>
    </message>
    <message>
        <source>The largest has %2 of %3 rows, the smallest %4.</source>
        <translation>最大的类别有 %3 行中的 %2 行，最小的有 %4 行。</translation>
    </message>
    <message>
        <source>Weight the loss, or draw rows of small classes more often; watch precision and recall, not the accuracy.</source>
        <translation>给损失加权，或更多地抽取小类别的行；关注精确率和召回率，而不是准确率。</translation>
    </message>
    <message>
        <source>%1 has the label %2, but there are %3 classes</source>
        <translation>%1 有标签 %2，但只有 %3 个类别</translation>
    </message>
    <message>
        <source>Labels go from 0 to %4.</source>
        <translation>标签从 0 到 %4。</translation>
    </message>
    <message>
        <source>Give the last layer an output for each class.</source>
        <translation>让最后一层为每个类别提供一个输出。</translation>
    </message>
    <message>
        <source>%1 % of the test rows are in the training data too</source>
        <translation>%1 % 的测试行也在训练数据中</translation>
    </message>
    <message>
        <source>%2 of %3 rows are the same. Results on the test data look better than they are.</source>
        <translation>%3 行中有 %2 行相同。测试数据上的结果看起来比实际好。</translation>
    </message>
    <message>
        <source>Remove duplicates before the data are split.</source>
        <translation>在划分数据之前删除重复项。</translation>
    </message>
    <message>
        <source>All weights of %1 start at %2</source>
        <translation>%1 的所有权重都从 %2 开始</translation>
    </message>
    <message>
        <source>Units of a layer that start alike stay alike, so that the layer acts like a single unit.</source>
        <translation>一层中起点相同的单元会一直相同，因此该层的作用相当于一个单元。</translation>
    </message>
    <message>
        <source>Use a random initializer (Glorot, He).</source>
        <translation>使用随机初始化（Glorot、He）。</translation>
    </message>
    <message>
        <source>The weights of %1 start %2 times too large</source>
        <translation>%1 的初始权重大了 %2 倍</translation>
    </message>
    <message>
        <source>Their deviation is %3; for %4 inputs and %5 outputs He&apos;s rule gives %6.</source>
        <translation>其标准差为 %3；对于 %4 个输入和 %5 个输出，He 规则给出 %6。</translation>
    </message>
    <message>
        <source>Use an initializer that knows the layer&apos;s size (Glorot, He).</source>
        <translation>使用知道层大小的初始化（Glorot、He）。</translation>
    </message>
    <message>
        <source>The weights of %1 start %2 times too small</source>
        <translation>%1 的初始权重小了 %2 倍</translation>
    </message>
    <message>
        <source>The first loss is %1, but guessing among %2 classes costs %3</source>
        <translation>首个损失是 %1，但在 %2 个类别中猜测的损失是 %3</translation>
    </message>
    <message>
        <source>An untrained network should be as good as guessing.</source>
        <translation>未训练的网络应当与猜测一样好。</translation>
    </message>
    <message>
        <source>Check the labels, the initial weights of the last layer, and whether the loss is a mean.</source>
        <translation>检查标签、最后一层的初始权重，以及损失是否为平均值。</translation>
    </message>
    <message>
        <source>The loss grows with the batch</source>
        <translation>损失随批次增大</translation>
    </message>
    <message>
        <source>Twice as many rows give %1 instead of %2: it is a sum. The best learning rate then depends on the batch size.</source>
        <translation>行数加倍得到 %1 而不是 %2：它是总和。最佳学习率因此取决于批大小。</translation>
    </message>
    <message>
        <source>Use reduce_mean over the batch.</source>
        <translation>对批次使用 reduce_mean。</translation>
    </message>
    <message>
        <source>Rows of a batch influence each other</source>
        <translation>批次中的行相互影响</translation>
    </message>
    <message>
        <source>Changing row 0 of %1 moved %2 of other rows by up to %3.</source>
        <translation>改变 %1 的第 0 行使其他行的 %2 个值最多变化了 %3。</translation>
    </message>
    <message>
        <source>Look for reductions, reshapes or transposes over the wrong axis.</source>
        <translation>查找沿错误的轴进行的归约、变形或转置。</translation>
    </message>
    <message>
        <source>The network does not look at %1</source>
        <translation>网络不看 %1</translation>
    </message>
    <message>
        <source>With zeros in its place, %2 stays the same.</source>
        <translation>用零代替它时，%2 不变。</translation>
    </message>
    <message>
        <source>Check which tensor feeds the first layer.</source>
        <translation>检查提供给第一层的是哪个张量。</translation>
    </message>
    <message>
        <source>One batch of %1 rows cannot be learned</source>
        <translation>一个 %1 行的批次无法被学会</translation>
    </message>
    <message>
        <source>After %2 steps on the same rows the loss went from %3 to %4.</source>
        <translation>在相同的行上训练 %2 步后，损失从 %3 变为 %4。</translation>
    </message>
    <message>
        <source>Look for a wrong loss, mixed-up labels, a learning rate that is too high or low, or a network that is too small.</source>
        <translation>检查损失是否错误、标签是否混乱、学习率是否过高或过低、网络是否太小。</translation>
    </message>
    <message>
        <source>%1 of %2 is NaN or infinite</source>
        <translation>%2 中有 %1 个值是 NaN 或无穷</translation>
    </message>
    <message>
        <source>Seen in step %3.</source>
        <translation>在第 %3 步出现。</translation>
    </message>
    <message>
        <source>Use Watch for NaN to find the first op that produced it; try a smaller learning rate.</source>
        <translation>用“监视 NaN”找到第一个产生它的操作；试试较小的学习率。</translation>
    </message>
    <message>
        <source>The loss grows without end</source>
        <translation>损失无限增大</translation>
    </message>
    <message>
        <source>It was %1 at best and is %2 in step %3.</source>
        <translation>最好时为 %1，在第 %3 步为 %2。</translation>
    </message>
    <message>
        <source>Use a smaller learning rate, or clip gradients.</source>
        <translation>使用较小的学习率，或裁剪梯度。</translation>
    </message>
    <message>
        <source>The loss does not fall</source>
        <translation>损失不下降</translation>
    </message>
    <message>
        <source>It was %1 over the first steps and is %2 after %3 steps.</source>
        <translation>最初几步为 %1，%3 步之后为 %2。</translation>
    </message>
    <message>
        <source>Try another learning rate; check labels and whether gradients reach the first layers.</source>
        <translation>试试别的学习率；检查标签，以及梯度是否到达前面的层。</translation>
    </message>
    <message>
        <source>The loss swings more than it falls</source>
        <translation>损失的摆动大于下降</translation>
    </message>
    <message>
        <source>Over the last %1 steps it went up and down by %2, and fell by %3.</source>
        <translation>在最近 %1 步中它上下变化了 %2，下降了 %3。</translation>
    </message>
    <message>
        <source>Use a smaller learning rate or a larger batch.</source>
        <translation>使用较小的学习率或较大的批次。</translation>
    </message>
    <message>
        <source>The loss is negative: %1</source>
        <translation>损失为负：%1</translation>
    </message>
    <message>
        <source>A cross entropy cannot be; seen in step %2.</source>
        <translation>交叉熵不可能为负；在第 %2 步出现。</translation>
    </message>
    <message>
        <source>Check that labels and outputs are probabilities.</source>
        <translation>检查标签和输出是否为概率。</translation>
    </message>
    <message>
        <source>Loss and accuracy move together</source>
        <translation>损失和准确率同向变化</translation>
    </message>
    <message>
        <source>Their correlation over %1 steps is %2; it should be negative.</source>
        <translation>在 %1 步中它们的相关系数为 %2；应当为负。</translation>
    </message>
    <message>
        <source>Check that both are computed from the same outputs and labels.</source>
        <translation>检查两者是否由相同的输出和标签计算。</translation>
    </message>
    <message>
        <source>Gradients vanish towards the input</source>
        <translation>梯度向输入方向消失</translation>
    </message>
    <message>
        <source>The gradient of %1 is %2, that of %3 is %4.</source>
        <translation>%1 的梯度为 %2，%3 的梯度为 %4。</translation>
    </message>
    <message>
        <source>Use relu instead of tanh or sigmoid, batch normalization, residual connections, or another initializer.</source>
        <translation>用 relu 代替 tanh 或 sigmoid，使用批归一化、残差连接或别的初始化。</translation>
    </message>
    <message>
        <source>The gradient of %1 explodes</source>
        <translation>%1 的梯度爆炸</translation>
    </message>
    <message>
        <source>Its norm is %2; over the first steps it was %3.</source>
        <translation>其范数为 %2；最初几步为 %3。</translation>
    </message>
    <message>
        <source>Clip gradients by norm, or use a smaller learning rate.</source>
        <translation>按范数裁剪梯度，或使用较小的学习率。</translation>
    </message>
    <message>
        <source>The gradient of %1 is exactly 0</source>
        <translation>%1 的梯度恰好为 0</translation>
    </message>
    <message>
        <source>It was 0 in each of %2 measured steps: the variable does not learn.</source>
        <translation>在 %2 个测量的步骤中都为 0：该变量没有学习。</translation>
    </message>
    <message>
        <source>Look for dead units behind it, and for stop_gradient or integer ops on the path to the loss.</source>
        <translation>检查其后是否有死亡单元，以及到损失的路径上是否有 stop_gradient 或整数操作。</translation>
    </message>
    <message>
        <source>%1 changes too fast</source>
        <translation>%1 变化太快</translation>
    </message>
    <message>
        <source>A step changes it by %2 of its size; about a thousandth is usual.</source>
        <translation>一步使它变化其大小的 %2；通常约为千分之一。</translation>
    </message>
    <message>
        <source>Use a smaller learning rate.</source>
        <translation>使用较小的学习率。</translation>
    </message>
    <message>
        <source>%1 hardly changes</source>
        <translation>%1 几乎不变</translation>
    </message>
    <message>
        <source>Use a larger learning rate.</source>
        <translation>使用较大的学习率。</translation>
    </message>
    <message>
        <source>%1 % of the units of %2 are dead</source>
        <translation>%2 的单元有 %1 % 已死亡</translation>
    </message>
    <message>
        <source>%3 of %4 were 0 for every row in %5 measured steps; their weights get no gradient.</source>
        <translation>在 %5 个测量的步骤中，%4 个里有 %3 个对每一行都为 0；它们的权重得不到梯度。</translation>
    </message>
    <message>
        <source>Use a smaller learning rate, another initializer, or leaky_relu.</source>
        <translation>使用较小的学习率、别的初始化或 leaky_relu。</translation>
    </message>
    <message>
        <source>%1 % of the values of %2 are saturated</source>
        <translation>%2 的值有 %1 % 已饱和</translation>
    </message>
    <message>
        <source>Beyond ±%3 the slope of %4 is next to 0, so that little is learned.</source>
        <translation>超过 ±%3 时 %4 的斜率接近 0，因此学到的很少。</translation>
    </message>
    <message>
        <source>Use smaller initial weights, normalize the inputs of the layer, or use relu.</source>
        <translation>使用较小的初始权重，归一化该层的输入，或使用 relu。</translation>
    </message>
    <message>
        <source>The activations of %1 grow</source>
        <translation>%1 的激活值在增大</translation>
    </message>
    <message>
        <source>Their mean size was %2 and is %3.</source>
        <translation>其平均大小曾为 %2，现在为 %3。</translation>
    </message>
    <message>
        <source>Use batch normalization, weight decay or a smaller learning rate.</source>
        <translation>使用批归一化、权重衰减或较小的学习率。</translation>
    </message>
    <message>
        <source>Nearly all weights of %1 are 0</source>
        <translation>%1 的权重几乎都是 0</translation>
    </message>
    <message>
        <source>%2 % are below 1e-5.</source>
        <translation>%2 % 小于 1e-5。</translation>
    </message>
    <message>
        <source>Use less weight decay, or a smaller learning rate.</source>
        <translation>减小权重衰减，或使用较小的学习率。</translation>
    </message>
    <message>
        <source>The weights of %1 grow without end</source>
        <translation>%1 的权重无限增大</translation>
    </message>
    <message>
        <source>Use a smaller learning rate or weight decay.</source>
        <translation>使用较小的学习率或权重衰减。</translation>
    </message>
    <message>
        <source>The network gives every row the same answer</source>
        <translation>网络对每一行给出相同的答案</translation>
    </message>
    <message>
        <source>%1 had the same values for all rows in %2 measured steps.</source>
        <translation>在 %2 个测量的步骤中，%1 对所有行的值都相同。</translation>
    </message>
    <message>
        <source>Check the input&apos;s scale, dead units and the learning rate.</source>
        <translation>检查输入的缩放、死亡单元和学习率。</translation>
    </message>
    <message>
        <source>The network learns the training data by heart</source>
        <translation>网络把训练数据背了下来</translation>
    </message>
    <message>
        <source>The loss on the test data rose from %1 to %2, while the training loss fell from %3 to %4.</source>
        <translation>测试数据上的损失从 %1 升到 %2，而训练损失从 %3 降到 %4。</translation>
    </message>
    <message>
        <source>Stop earlier (patience), use dropout, weight decay, more data or augmentation.</source>
        <translation>更早停止（patience），使用 dropout、权重衰减、更多数据或数据增强。</translation>
    </message>
    <message>
        <source>Training on brings nothing</source>
        <translation>继续训练没有收获</translation>
    </message>
    <message>
        <source>The loss on the test data has not improved in %1 evaluations; the best was %2 in step %3.</source>
        <translation>测试数据上的损失在 %1 次评估中没有改善；最好的是第 %3 步的 %2。</translation>
    </message>
    <message>
        <source>Stop here, or lower the learning rate.</source>
        <translation>在此停止，或降低学习率。</translation>
    </message>
    <message>
        <source>Tests look better than training</source>
        <translation>测试看起来比训练好</translation>
    </message>
    <message>
        <source>The accuracy on the test data is %1, in training %2, and no dropout explains it.</source>
        <translation>测试数据上的准确率为 %1，训练中为 %2，而没有 dropout 可以解释。</translation>
    </message>
    <message>
        <source>Look for test rows in the training data, and for what differs between training and tests.</source>
        <translation>检查训练数据中是否有测试行，以及训练与测试有何不同。</translation>
    </message>
    <message>
        <source>The loss %1 is not a single number</source>
        <translation>损失 %1 不是单个数</translation>
    </message>
    <message>
        <source>Its shape is %2: the gradient is that of the sum of all elements, so that the best learning rate depends on the batch size.</source>
        <translation>它的形状是 %2：梯度是所有元素之和的梯度，因此最佳学习率取决于批次大小。</translation>
    </message>
    <message>
        <source>Take the mean (tf.reduce_mean) before minimize().</source>
        <translation>在 minimize() 之前取平均（tf.reduce_mean）。</translation>
    </message>
    <message>
        <source>%1 may take the logarithm of 0</source>
        <translation>%1 可能对 0 取对数</translation>
    </message>
    <message>
        <source>Its input comes from %2, whose values can round to 0: the loss or its gradient is then infinite or NaN.</source>
        <translation>其输入来自 %2，其中的值可能舍入为 0：此时损失或其梯度为无穷大或 NaN。</translation>
    </message>
    <message>
        <source>Use a loss that takes logits, or clip: tf.log(tf.clip_by_value(p, 1e-10, 1.0)).</source>
        <translation>使用接受 logits 的损失，或者截断：tf.log(tf.clip_by_value(p, 1e-10, 1.0))。</translation>
    </message>
    <message>
        <source>Row %2 of %1 is no distribution over the classes</source>
        <translation>%1 的第 %2 行不是类别上的分布</translation>
    </message>
    <message>
        <source>It adds up to %3, and its least value is %4.</source>
        <translation>其总和为 %3，最小值为 %4。</translation>
    </message>
    <message>
        <source>Feed rows that add up to 1, such as one-hot rows; for several labels per row use a sigmoid loss.</source>
        <translation>输入总和为 1 的行，例如独热行；每行有多个标签时使用 sigmoid 损失。</translation>
    </message>
    <message>
        <source>%1 normalizes with averages that nothing updates</source>
        <translation>%1 用没有任何东西更新的平均值进行归一化</translation>
    </message>
    <message>
        <source>%2 has its initial value %3 in every unit, and training steps read it instead of what the batch says.</source>
        <translation>%2 的每个单元都是初始值 %3，训练步骤读取它，而不是批次自身的值。</translation>
    </message>
    <message>
        <source>Pass training=True (is_training=True) while it trains, and run the ops of update_ops.</source>
        <translation>训练时传入 training=True（is_training=True），并运行 update_ops 中的操作。</translation>
    </message>
    <message>
        <source>The loss became %1</source>
        <translation>损失变为 %1</translation>
    </message>
    <message>
        <source>That was in step %2; in the step before it was %3.</source>
        <translation>这发生在第 %2 步；前一步为 %3。</translation>
    </message>
    <message>
        <source>Use a smaller learning rate or clip gradients; look for logarithms, divisions and roots of values that can be 0.</source>
        <translation>使用更小的学习率或截断梯度；检查对可能为 0 的值取对数、作除法和开方之处。</translation>
    </message>
    <message>
        <source>%1 took the logarithm of 0</source>
        <translation>%1 对 0 取了对数</translation>
    </message>
    <message>
        <source>Its input comes from %2; the loss was %3 in step %4.</source>
        <translation>其输入来自 %2；第 %4 步的损失为 %3。</translation>
    </message>
    <message>
        <source>The rows are not shuffled</source>
        <translation>各行没有打乱</translation>
    </message>
    <message>
        <source>A batch of %1 rows has %2 of %3 classes on average; shuffled rows would have %4.</source>
        <translation>%1 行的批次平均有 %3 个类别中的 %2 个；打乱后应有 %4 个。</translation>
    </message>
    <message>
        <source>Shuffle the rows before each epoch (Dataset.shuffle, np.random.permutation).</source>
        <translation>在每轮之前打乱各行（Dataset.shuffle、np.random.permutation）。</translation>
    </message>
    <message>
        <source>%1 lets no gradient through</source>
        <translation>%1 不让梯度通过</translation>
    </message>
    <message>
        <source>The gradient of %2 is 0 or none. %3 variables of the network, such as %4, lie behind it and are not trained.</source>
        <translation>%2 的梯度是 0 或不存在。网络中有 %3 个变量（例如 %4）在它后面，得不到训练。</translation>
    </message>
    <message>
        <source>Compute the loss from values with a gradient: logits or probabilities, not classes; for rounded codes x + tf.stop_gradient(tf.round(x) - x).</source>
        <translation>用有梯度的值计算损失：logits 或概率，而不是类别；取整的编码请用 x + tf.stop_gradient(tf.round(x) - x)。</translation>
    </message>
    <message>
        <source>%1 compares each row with all others</source>
        <translation>%1 把每一行与所有其他行比较</translation>
    </message>
    <message>
        <source>Shapes %2 and %3 broadcast to a square: every prediction is compared with every target.</source>
        <translation>形状 %2 与 %3 广播成方阵：每个预测都与每个目标比较。</translation>
    </message>
    <message>
        <source>Give both one shape: tf.squeeze(predictions, 1), or tf.reshape(targets, [-1, 1]).</source>
        <translation>让两者形状相同：tf.squeeze(predictions, 1) 或 tf.reshape(targets, [-1, 1])。</translation>
    </message>
    <message>
        <source>%1 is a softmax of one value</source>
        <translation>%1 是单个值的 softmax</translation>
    </message>
    <message>
        <source>It is always 1, so that nothing is learned.</source>
        <translation>它总是 1，因此什么也学不到。</translation>
    </message>
    <message>
        <source>Use a sigmoid for one output, or an output per class.</source>
        <translation>一个输出请用 sigmoid，或者每个类别一个输出。</translation>
    </message>
    <message>
        <source>%1 mixes up the axes</source>
        <translation>%1 弄乱了坐标轴</translation>
    </message>
    <message>
        <source>It reshapes %2 to %3: the sizes change places, but the elements keep their order.</source>
        <translation>它把 %2 变形为 %3：尺寸换了位置，元素的顺序却没有变。</translation>
    </message>
    <message>
        <source>Use tf.transpose to exchange axes.</source>
        <translation>交换坐标轴请用 tf.transpose。</translation>
    </message>
    <message>
        <source>%1 makes the labels less likely</source>
        <translation>%1 使标签的可能性变小</translation>
    </message>
    <message>
        <source>%2 is multiplied by the labels and minimized: probabilities of the right classes fall.</source>
        <translation>%2 乘以标签后被最小化：正确类别的概率会下降。</translation>
    </message>
    <message>
        <source>Put a minus before the sum: -tf.reduce_sum(labels * tf.log(p), 1).</source>
        <translation>在求和前加负号：-tf.reduce_sum(labels * tf.log(p), 1)。</translation>
    </message>
    <message>
        <source>%1 is not part of the loss</source>
        <translation>%1 不在损失中</translation>
    </message>
    <message>
        <source>%2 regularization losses were made, but none of them is part of what is minimized.</source>
        <translation>建立了 %2 个正则化损失，但被最小化的损失中一个也没有。</translation>
    </message>
    <message>
        <source>Add them: loss += tf.losses.get_regularization_loss().</source>
        <translation>把它们加上：loss += tf.losses.get_regularization_loss()。</translation>
    </message>
    <message>
        <source>%1 clips gradients that nothing applies</source>
        <translation>%1 裁剪的梯度没有被使用</translation>
    </message>
    <message>
        <source>The optimizer gets the gradients as they were before.</source>
        <translation>优化器得到的是裁剪之前的梯度。</translation>
    </message>
    <message>
        <source>Pass the clipped ones on: apply_gradients(zip(clipped, variables)).</source>
        <translation>请传入裁剪后的梯度：apply_gradients(zip(clipped, variables))。</translation>
    </message>
    <message>
        <source>%1 looks for the best row, not for the best class</source>
        <translation>%1 找的是最好的行，而不是最好的类别</translation>
    </message>
    <message>
        <source>Its input has a row per example, %2, and the maximum is taken along axis 0.</source>
        <translation>它的输入每行是一个样本（%2），最大值却沿轴 0 取。</translation>
    </message>
    <message>
        <source>Use tf.argmax(x, 1).</source>
        <translation>请用 tf.argmax(x, 1)。</translation>
    </message>
    <message>
        <source>%1 keeps the value of %2 from NaN, but not its gradient</source>
        <translation>%1 使 %2 的值不会是 NaN，但保护不了它的梯度</translation>
    </message>
    <message>
        <source>Where the condition is false, the gradient is 0 times infinity, which is NaN.</source>
        <translation>条件为假处，梯度是 0 乘以无穷大，即 NaN。</translation>
    </message>
    <message>
        <source>Make the input safe too: tf.log(tf.where(x &gt; 0, x, tf.ones_like(x))).</source>
        <translation>输入也要安全：tf.log(tf.where(x &gt; 0, x, tf.ones_like(x)))。</translation>
    </message>
    <message>
        <source>%1 may take the root of 0</source>
        <translation>%1 可能对 0 开方</translation>
    </message>
    <message>
        <source>Its input %2 is a sum of squares. Where that is 0, the gradient is infinite or NaN.</source>
        <translation>它的输入 %2 是平方和。其值为 0 处，梯度是无穷大或 NaN。</translation>
    </message>
    <message>
        <source>Add a small number: tf.sqrt(x + 1e-8).</source>
        <translation>加一个很小的数：tf.sqrt(x + 1e-8)。</translation>
    </message>
    <message>
        <source>%1 cannot reach its targets</source>
        <translation>%1 达不到目标值</translation>
    </message>
    <message>
        <source>Its values lie between %2 and %3, but %5 % of the values of %4 lie outside.</source>
        <translation>它的值在 %2 和 %3 之间，但 %4 有 %5 % 的值在此之外。</translation>
    </message>
    <message>
        <source>Leave the last activation out, or scale the targets to its range.</source>
        <translation>去掉最后的激活函数，或把目标值缩放到它的范围。</translation>
    </message>
    <message>
        <source>Column %1 of %2 is the label</source>
        <translation>%2 的第 %1 列就是标签</translation>
    </message>
    <message>
        <source>It equals %3 in all %4 rows: the network learns to copy it.</source>
        <translation>在全部 %4 行中它都等于 %3：网络只学会照抄。</translation>
    </message>
    <message>
        <source>Leave the column out of the features.</source>
        <translation>请从特征中去掉这一列。</translation>
    </message>
    <message>
        <source>All values of %1 are %2</source>
        <translation>%1 的所有值都是 %2</translation>
    </message>
    <message>
        <source>There is nothing to learn from.</source>
        <translation>没有什么可学的。</translation>
    </message>
    <message>
        <source>Look at how it is read and scaled: integers divided by 255 are 0.</source>
        <translation>请检查它是怎样读入和缩放的：整数除以 255 得 0。</translation>
    </message>
    <message>
        <source>The loss %1 counts padding</source>
        <translation>损失 %1 把填充也算在内</translation>
    </message>
    <message>
        <source>%2 % of the labels in %3 are zeros at the ends of rows, and the mean is over all of them.</source>
        <translation>%3 中 %2 % 的标签是行尾的零，而平均值包括它们。</translation>
    </message>
    <message>
        <source>Weight the losses: tf.sequence_mask(lengths, …), and divide by the sum of the weights.</source>
        <translation>请给损失加权：tf.sequence_mask(lengths, …)，再除以权重之和。</translation>
    </message>
    <message>
        <source>Rows come again with other labels</source>
        <translation>同样的行再次出现时标签不同</translation>
    </message>
    <message>
        <source>Of %3 rows that came again, %2 had another label in %1: labels and inputs are not in the same order.</source>
        <translation>再次出现的 %3 行中，%2 行在 %1 中的标签不同：标签与输入的顺序不一致。</translation>
    </message>
    <message>
        <source>Shuffle both by one permutation, and take both from the same batch: session.run([x, y]).</source>
        <translation>用同一个排列打乱两者，并从同一批中取出：session.run([x, y])。</translation>
    </message>
    <message>
        <source>The first loss is %1</source>
        <translation>第一次的损失是 %1</translation>
    </message>
    <message>
        <source>No step has changed a weight yet: the initial weights or the data are the cause.</source>
        <translation>还没有任何一步改变过权重：原因在初始权重或数据。</translation>
    </message>
    <message>
        <source>Use smaller initial weights, orthogonal ones for recurrent layers; look for NaN in the data, and for logarithms, divisions and roots of 0.</source>
        <translation>请用更小的初始权重，循环层用正交矩阵；检查数据中的 NaN，以及 0 的对数、除法和开方。</translation>
    </message>
    <message>
        <source>The gradient of %1 is not finite at 0</source>
        <translation>%1 在 0 处的梯度不是有限数</translation>
    </message>
    <message>
        <source>%2 can be 0, and since step %3 values are NaN.</source>
        <translation>%2 可能为 0，从第 %3 步起出现 NaN。</translation>
    </message>
    <message>
        <source>Keep the input away from 0: tf.sqrt(x + 1e-8), tf.log(tf.where(x &gt; 0, x, tf.ones_like(x))).</source>
        <translation>让输入远离 0：tf.sqrt(x + 1e-8)、tf.log(tf.where(x &gt; 0, x, tf.ones_like(x)))。</translation>
    </message>
    <message>
        <source>The steps are too small</source>
        <translation>每一步都太小</translation>
    </message>
    <message>
        <source>A step changes the weights by at most %1 of their size. In %2 steps the loss went from %3 to %4.</source>
        <translation>一步最多改变权重大小的 %1。经过 %2 步，损失从 %3 变为 %4。</translation>
    </message>
    <message>
        <source>The learning rate has fallen to next to nothing</source>
        <translation>学习率已降到几乎为零</translation>
    </message>
    <message>
        <source>It was %1, and is %2 in step %3; it has been below a thousandth since step %4.</source>
        <translation>它曾是 %1，到第 %3 步是 %2；从第 %4 步起就不到千分之一。</translation>
    </message>
    <message>
        <source>decay_steps counts training steps, not epochs: multiply it by the steps of an epoch.</source>
        <translation>decay_steps 数的是训练步，不是轮次：请乘以每轮的步数。</translation>
    </message>
    <message>
        <source>Regularization outweighs the data</source>
        <translation>正则化压过了数据</translation>
    </message>
    <message>
        <source>It adds %1 to the loss; the comparison with the data adds %2.</source>
        <translation>它给损失加了 %1；与数据的比较加了 %2。</translation>
    </message>
    <message>
        <source>Use a smaller factor: 0.0001 to 0.001 is usual.</source>
        <translation>请用更小的系数：通常为 0.0001 到 0.001。</translation>
    </message>
    <message>
        <source>%1 outweighs %2</source>
        <translation>%1 压过了 %2</translation>
    </message>
    <message>
        <source>Their values are %3 and %4. In the sum, only the first one is learned.</source>
        <translation>它们的值是 %3 和 %4。相加之后，只有前者被学习。</translation>
    </message>
    <message>
        <source>Scale its targets to mean 0 and deviation 1, or weight the parts.</source>
        <translation>把它的目标值缩放为均值 0、标准差 1，或给各部分加权。</translation>
    </message>
    <message>
        <source>The variables were initialized again while it trained</source>
        <translation>训练期间变量又被初始化</translation>
    </message>
    <message>
        <source>What %1 steps had learned was lost; %2 steps had been run by then.</source>
        <translation>%1 步学到的东西丢失了；此前共运行了 %2 步。</translation>
    </message>
    <message>
        <source>Run the initializer once, before the loop.</source>
        <translation>初始化只在循环之前运行一次。</translation>
    </message>
    <message>
        <source>The initializer overwrites a checkpoint</source>
        <translation>初始化覆盖了检查点</translation>
    </message>
    <message>
        <source>%1 variables were restored, %2 among them, and then initialized.</source>
        <translation>恢复了 %1 个变量（其中有 %2），然后又被初始化。</translation>
    </message>
    <message>
        <source>Restore after running the initializer, or in its place.</source>
        <translation>请在初始化之后恢复，或只恢复而不初始化。</translation>
    </message>
    <message>
        <source>The graph grows while it trains</source>
        <translation>训练期间计算图在变大</translation>
    </message>
    <message>
        <source>It went from %1 nodes to %2, %3 times: each time the next run is prepared anew, and memory grows.</source>
        <translation>节点数从 %1 增到 %2，共 %3 次：每次之后的运行都要重新准备，内存也在增长。</translation>
    </message>
    <message>
        <source>Make all ops before the loop; feed what changes. tf.get_default_graph().finalize() finds the line.</source>
        <translation>请在循环之前建立所有运算，变化的量用馈入。tf.get_default_graph().finalize() 能找到那一行。</translation>
    </message>
    <message>
        <source>The optimizer is made again while it trains</source>
        <translation>训练期间又建立了优化器</translation>
    </message>
    <message>
        <source>This is number %1 for one loss. Each starts without moments (Adam, momentum), and the graph has %2 nodes by now.</source>
        <translation>这是同一个损失的第 %1 个。每个都从没有动量（Adam、momentum）开始，而计算图已有 %2 个节点。</translation>
    </message>
    <message>
        <source>Make it once, before the loop; feed the learning rate or compute it from global_step.</source>
        <translation>请在循环之前只建立一次；学习率用馈入，或由 global_step 计算。</translation>
    </message>
    <message>
        <source>The training of %1 changes its opponent&apos;s variables</source>
        <translation>%1 的训练改变了对手的变量</translation>
    </message>
    <message>
        <source>%2 variables, such as %3, are also trained by %4, in the opposite direction.</source>
        <translation>%2 个变量（例如 %3）也由 %4 训练，方向相反。</translation>
    </message>
    <message>
        <source>Pass each minimize() its own variables: var_list.</source>
        <translation>请给每个 minimize() 自己的变量：var_list。</translation>
    </message>
    <message>
        <source>Inputs and labels are shuffled apart</source>
        <translation>输入和标签被分别打乱</translation>
    </message>
    <message>
        <source>%1 and %2 draw their own random orders: rows get labels of other rows.</source>
        <translation>%1 和 %2 各有自己的随机顺序：行得到了其他行的标签。</translation>
    </message>
    <message>
        <source>Shuffle them together: one data set or queue of pairs.</source>
        <translation>请一起打乱：用一个成对的数据集或队列。</translation>
    </message>
    <message>
        <source>None of %2 runs of the network ran the optimizer.</source>
        <translation>网络运行了 %2 次，没有一次运行优化器。</translation>
    </message>
    <message>
        <source>Run the training op: session.run([train_op, loss], …).</source>
        <translation>请运行训练运算：session.run([train_op, loss], …)。</translation>
    </message>
    <message>
        <source>Tests use %1, which is not trained</source>
        <translation>测试用的 %1 没有经过训练</translation>
    </message>
    <message>
        <source>%2 variables of the network that is tested keep their initial values; %3 of the same shape is what was trained.</source>
        <translation>被测试的网络有 %2 个变量保持初始值；经过训练的是形状相同的 %3。</translation>
    </message>
    <message>
        <source>Make the second network with the same variables: tf.variable_scope(…, reuse=True).</source>
        <translation>第二个网络请使用同样的变量：tf.variable_scope(…, reuse=True)。</translation>
    </message>
    <message>
        <source>The embedding %1 stays random</source>
        <translation>嵌入 %1 一直是随机值</translation>
    </message>
    <message>
        <source>It is not trainable, and nothing loads values into it.</source>
        <translation>它不参与训练，也没有载入任何值。</translation>
    </message>
    <message>
        <source>Make it trainable, or load pretrained vectors.</source>
        <translation>让它参与训练，或载入预训练的向量。</translation>
    </message>
    <message>
        <source>%1 is fed, but nothing uses it</source>
        <translation>%1 有馈入，但没有被使用</translation>
    </message>
    <message>
        <source>No run that fed it computed anything from it.</source>
        <translation>馈入它的运行都没有用它计算任何东西。</translation>
    </message>
    <message>
        <source>Pass it to the op that it is meant for (training=, sequence_length=, keep_prob), or leave it out.</source>
        <translation>请把它传给它所针对的运算（training=、sequence_length=、keep_prob），或者去掉。</translation>
    </message>
    <message>
        <source>Dropout %1 is active in tests too</source>
        <translation>dropout %1 在测试中也起作用</translation>
    </message>
    <message>
        <source>Every test run on rows that were not trained on went through it.</source>
        <translation>在未训练过的行上的每次测试都经过它。</translation>
    </message>
    <message>
        <source>Feed the rate, or use tf.layers.dropout with training=, and turn it off in tests.</source>
        <translation>比率用馈入，或用带 training= 的 tf.layers.dropout，并在测试时关闭。</translation>
    </message>
    <message>
        <source>The metric %1 keeps its first value</source>
        <translation>指标 %1 一直是初始值</translation>
    </message>
    <message>
        <source>Its value is read, but nothing runs %2.</source>
        <translation>读取了它的值，但没有运行 %2。</translation>
    </message>
    <message>
        <source>Run the update op of tf.metrics first, then read the value.</source>
        <translation>请先运行 tf.metrics 的更新运算，再读取值。</translation>
    </message>
    <message>
        <source>%1 variables are not trained</source>
        <translation>%1 个变量没有被训练</translation>
    </message>
    <message>
        <source>A checkpoint is restored into them, such as %2, and no optimizer changes them.</source>
        <translation>它们（例如 %2）从检查点恢复，没有优化器修改它们。</translation>
    </message>
    <message>
        <source>Nothing, if they are frozen on purpose; else add them to var_list.</source>
        <translation>如果是有意冻结，不用做什么；否则把它们加进 var_list。</translation>
    </message>
    <message>
        <source>Checkpoints lack %1</source>
        <translation>检查点缺少 %1</translation>
    </message>
    <message>
        <source>Savers write %2 weights, but not %3 moving averages of batch normalization, which tests use. After a restart they have their initial values.</source>
        <translation>Saver 写出 %2 个权重，但没有写出测试要用的 %3 个批归一化移动平均。重新启动后它们是初始值。</translation>
    </message>
    <message>
        <source>Make the saver without a list of variables, or give it tf.global_variables().</source>
        <translation>创建 Saver 时不要给变量列表，或者给它 tf.global_variables()。</translation>
    </message>
    <message>
        <source>%1 takes the last step of padded rows</source>
        <translation>%1 取了填充过的行的最后一步</translation>
    </message>
    <message>
        <source>The recurrent layer is told the lengths of its rows, so behind the end of a row its outputs are 0.</source>
        <translation>循环层知道每行的长度，所以在一行结束之后它的输出是 0。</translation>
    </message>
    <message>
        <source>Use the final state that dynamic_rnn returns, or gather the outputs at sequence_length - 1.</source>
        <translation>使用 dynamic_rnn 返回的最终状态，或者取 sequence_length - 1 处的输出。</translation>
    </message>
    <message>
        <source>Nothing counts %1</source>
        <translation>没有什么让 %1 计数</translation>
    </message>
    <message>
        <source>The learning rate of %2 is computed from it, so it stays what it is in the first step.</source>
        <translation>%2 的学习率由它算出，所以一直停留在第一步的值。</translation>
    </message>
    <message>
        <source>Pass it to minimize() or apply_gradients() as global_step.</source>
        <translation>把它作为 global_step 传给 minimize() 或 apply_gradients()。</translation>
    </message>
    <message>
        <source>%1 asks for each class alone</source>
        <translation>%1 单独判断每个类别</translation>
    </message>
    <message>
        <source>Use categorical_crossentropy; or, if a row may have several labels, sigmoid outputs.</source>
        <translation>改用 categorical_crossentropy；如果一行可以有多个标签，则用 sigmoid 输出。</translation>
    </message>
    <message>
        <source>The noise of %1 is the same in every step</source>
        <translation>%1 的噪声每一步都相同</translation>
    </message>
    <message>
        <source>Draw it in the graph: tf.random_normal(tf.shape(x)).</source>
        <translation>在图中抽取：tf.random_normal(tf.shape(x))。</translation>
    </message>
    <message>
        <source>%1 scales noise by the variance</source>
        <translation>%1 用方差来缩放噪声</translation>
    </message>
    <message>
        <source>%2 is the logarithm of a variance, as the loss uses it, and the noise is multiplied by its exponential.</source>
        <translation>按损失的用法，%2 是方差的对数，而噪声乘的是它的指数。</translation>
    </message>
    <message>
        <source>Multiply by the deviation: tf.exp(0.5 * log_variance).</source>
        <translation>应乘以标准差：tf.exp(0.5 * log_variance)。</translation>
    </message>
    <message>
        <source>%1 compares two networks with weights of their own</source>
        <translation>%1 比较的两个网络各有自己的权重</translation>
    </message>
    <message>
        <source>Inputs %2 and %3 go through %4 variables each, of the same shapes, such as %5 and %6.</source>
        <translation>输入 %2 和 %3 各经过 %4 个变量，形状相同，例如 %5 和 %6。</translation>
    </message>
    <message>
        <source>If both are to be one network, make it with the same variables: tf.variable_scope(…, reuse=tf.AUTO_REUSE).</source>
        <translation>如果两者应为同一个网络，请使用相同的变量：tf.variable_scope(…, reuse=tf.AUTO_REUSE)。</translation>
    </message>
    <message>
        <source>Rows move between training and tests</source>
        <translation>各行在训练与测试之间变动</translation>
    </message>
    <message>
        <source>%1 skips rows of %2, which shuffles anew in each epoch: the rows that are left out change.</source>
        <translation>%1 跳过 %2 的若干行，而后者每轮重新打乱：被留出的行会变。</translation>
    </message>
    <message>
        <source>Split before shuffling, or shuffle with reshuffle_each_iteration=False and a seed.</source>
        <translation>先划分再打乱，或用 reshuffle_each_iteration=False 和固定种子打乱。</translation>
    </message>
    <message>
        <source>%1 shuffles batches, not rows</source>
        <translation>%1 打乱的是批次，而不是行</translation>
    </message>
    <message>
        <source>%2 comes before it, and nothing shuffles the rows: those of a batch always come together.</source>
        <translation>%2 在它之前，而没有任何东西打乱各行：同一批的行总在一起。</translation>
    </message>
    <message>
        <source>Shuffle first, then batch.</source>
        <translation>先打乱，再分批。</translation>
    </message>
    <message>
        <source>Inputs and labels come from different batches</source>
        <translation>输入和标签来自不同的批次</translation>
    </message>
    <message>
        <source>%1 and %2 each take the next batch of one iterator: rows get labels of other rows.</source>
        <translation>%1 和 %2 各自取同一迭代器的下一批：各行得到的是别的行的标签。</translation>
    </message>
    <message>
        <source>Call get_next() once: x, y = iterator.get_next().</source>
        <translation>只调用一次 get_next()：x, y = iterator.get_next()。</translation>
    </message>
    <message>
        <source>%1 looks for the best of one value</source>
        <translation>%1 在单个值中找最大值</translation>
    </message>
    <message>
        <source>Its input has the shape %2, so it always finds 0, and an accuracy that compares it says nothing.</source>
        <translation>它的输入形状为 %2，所以总是得到 0，用它比较出的准确率毫无意义。</translation>
    </message>
    <message>
        <source>Compare with a threshold: tf.cast(logits &gt; 0, tf.float32).</source>
        <translation>与阈值比较：tf.cast(logits &gt; 0, tf.float32)。</translation>
    </message>
    <message>
        <source>%1 equals %2</source>
        <translation>%1 与 %2 相等</translation>
    </message>
    <message>
        <source>Each element of the sequences is to give itself, so the network learns to copy.</source>
        <translation>序列的每个元素都要给出它自己，网络学到的只是复制。</translation>
    </message>
    <message>
        <source>The targets %1 are large</source>
        <translation>目标 %1 的值很大</translation>
    </message>
    <message>
        <source>Their mean is %2 and their deviation %3; the network starts near 0, and gradients grow with the distance.</source>
        <translation>其均值为 %2，标准差为 %3；网络从 0 附近开始，梯度随距离增大。</translation>
    </message>
    <message>
        <source>Scale targets to mean 0 and deviation 1, or learn their logarithm.</source>
        <translation>把目标缩放到均值 0、标准差 1，或学习其对数。</translation>
    </message>
    <message>
        <source>%1 counts padding</source>
        <translation>%1 把填充也算在内</translation>
    </message>
    <message>
        <source>Divide the sum over the mask by the sum of the mask.</source>
        <translation>用掩码内的和除以掩码之和。</translation>
    </message>
    <message>
        <source>The rarer class counts less</source>
        <translation>较少的类别权重反而较小</translation>
    </message>
    <message>
        <source>%1 weights positive rows by %2, and %3 % of the rows are positive.</source>
        <translation>%1 给正例的权重为 %2，而正例占 %3 %。</translation>
    </message>
    <message>
        <source>The weight of the positive class is the number of negative rows over that of positive ones.</source>
        <translation>正例的权重应为负例行数除以正例行数。</translation>
    </message>
    <message>
        <source>%1 changes, but the optimizer keeps its first value</source>
        <translation>%1 改变了，但优化器仍用它最初的值</translation>
    </message>
    <message>
        <source>The optimizer was made in line %2, with the number that %1 was then.</source>
        <translation>优化器在第 %2 行建立，用的是 %1 当时的数值。</translation>
    </message>
    <message>
        <source>Make it a placeholder and feed it, or compute it in the graph: tf.train.exponential_decay.</source>
        <translation>改成占位符并馈入，或在图中计算：tf.train.exponential_decay。</translation>
    </message>
    <message>
        <source>trainable was changed after compile()</source>
        <translation>trainable 在 compile() 之后才改变</translation>
    </message>
    <message>
        <source>Call compile() again after setting trainable.</source>
        <translation>设置 trainable 之后再次调用 compile()。</translation>
    </message>
    <message>
        <source>The learning rate drops in the first steps only</source>
        <translation>学习率只在最初几步下降</translation>
    </message>
    <message>
        <source>It went from %1 to %2 by step %3, and is still that in step %4.</source>
        <translation>到第 %3 步它从 %1 变为 %2，到第 %4 步仍是如此。</translation>
    </message>
    <message>
        <source>Boundaries count training steps, not epochs: multiply them by the steps of an epoch.</source>
        <translation>边界按训练步计，不按轮次计：请乘以每轮的步数。</translation>
    </message>
    <message>
        <source>Run the op that sets it to 0 after each apply_gradients().</source>
        <translation>每次 apply_gradients() 之后运行把它清零的运算。</translation>
    </message>
    <message>
        <source>Some steps train on many more rows</source>
        <translation>有些步用多得多的行训练</translation>
    </message>
    <message>
        <source>%1 steps had up to %2 rows, some of them again and again; the first one had %3.</source>
        <translation>有 %1 步最多用了 %2 行，其中一些反复出现；第一步是 %3 行。</translation>
    </message>
    <message>
        <source>If these are tests, run them without the training op.</source>
        <translation>如果这些是测试，请不要同时运行训练运算。</translation>
    </message>
    <message>
        <source>In training its mean is %2 and its deviation %3; in tests they are %4 and %5.</source>
        <translation>训练中其均值为 %2，标准差为 %3；测试中为 %4 和 %5。</translation>
    </message>
    <message>
        <source>Scale test data by the numbers that training data were scaled by.</source>
        <translation>用缩放训练数据的那些数来缩放测试数据。</translation>
    </message>
    <message>
        <source>%1 normalizes tests by their own rows</source>
        <translation>%1 用测试自身的行来归一化</translation>
    </message>
    <message>
        <source>What it gives a row depends on the other rows of the test; moving averages are not used.</source>
        <translation>它对一行的结果取决于测试中的其他行；没有使用滑动平均。</translation>
    </message>
    <message>
        <source>Feed the argument training, and turn it off in tests.</source>
        <translation>馈入参数 training，并在测试时关闭。</translation>
    </message>
    <message>
        <source>Every step has the same rows</source>
        <translation>每一步的行都相同</translation>
    </message>
    <message>
        <source>All %1 steps were fed with the same %2 rows, and tests with %3.</source>
        <translation>全部 %1 步都馈入同样的 %2 行，测试用 %3 行。</translation>
    </message>
    <message>
        <source>Run them now and then: session.run(update_target).</source>
        <translation>不时运行它们：session.run(update_target)。</translation>
    </message>
    <message>
        <source>It is a binary cross entropy of the softmax %2, whose classes exclude each other. metrics=[&apos;accuracy&apos;] then counts every 0 of a row as right.</source>
        <translation>这是对 softmax %2 的二元交叉熵，而它的各类别互相排斥。metrics=[&apos;accuracy&apos;] 还会把一行中的每个 0 都算作正确。</translation>
    </message>
    <message>
        <source>What is added to %2 or multiplied by it is a constant: it was drawn once, while the graph was made.</source>
        <translation>与 %2 相加或相乘的是一个常量：它只在建图时抽取了一次。</translation>
    </message>
    <message>
        <source>The loss samples other words, but each word is to give itself.</source>
        <translation>损失会抽取其他词，但这里每个词都要给出它自己。</translation>
    </message>
    <message>
        <source>Take the words near it as labels.</source>
        <translation>应以它附近的词为标签。</translation>
    </message>
    <message>
        <source>In an autoencoder nothing is wrong. To learn what comes next, shift them: x = s[:, :-1], y = s[:, 1:].</source>
        <translation>如果是自编码器，这没有问题。要学习下一个元素，请错开：x = s[:, :-1]，y = s[:, 1:]。</translation>
    </message>
    <message>
        <source>The model trains %1 weight tensors, as when it was compiled; %2 are trainable now.</source>
        <translation>模型仍按编译时训练 %1 个权重张量；现在可训练的有 %2 个。</translation>
    </message>
    <message>
        <source>%1 is a sum of gradients that is never set to 0</source>
        <translation>%1 是从不清零的梯度之和</translation>
    </message>
    <message>
        <source>It was applied %2 times, and nothing set it to 0 in between.</source>
        <translation>它已应用 %2 次，其间没有任何东西把它清零。</translation>
    </message>
    <message>
        <source>%1 is scaled differently in tests</source>
        <translation>%1 在测试中的缩放方式不同</translation>
    </message>
    <message>
        <source>If there are no more rows, nothing needs to change. Otherwise take the next ones in each step: x[i:i + n].</source>
        <translation>如果没有更多的行，就无须改动；否则每步取下一批行：x[i:i + n]。</translation>
    </message>
    <message>
        <source>%2 is never updated</source>
        <translation>%2 从未更新</translation>
    </message>
    <message>
        <source>%1 copies what is trained into it, and steps or tests use it; %3 such copies were never made.</source>
        <translation>%1 把训练的内容复制到它，而训练步或测试要用它；有 %3 个这样的复制从未执行。</translation>
    </message>
</context>
<context>
    <name>DoctorActions</name>
    <message>
        <source>doctor.watch takes on or off, not %1.</source>
        <translation>doctor.watch 只接受 on 或 off，不接受 %1。</translation>
    </message>
</context>
<context>
    <name>DoctorNotes</name>
    <message>
        <source>Tried on a copy: with %1 = %2 the loss after %3 steps is %4 instead of %5.</source>
        <translation>在副本上试过：%1 = %2 时，%3 步之后的损失为 %4，而不是 %5。</translation>
    </message>
    <message>
        <source>Tried on a copy: with %1 in %2 the loss after %3 steps is %4 instead of %5.</source>
        <translation>在副本上试过：%2 用 %1 时，%3 步之后的损失是 %4，而不是 %5。</translation>
    </message>
</context>
<context>
    <name>DoctorView</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>DocumentVersion</name>
    <message>
        <source>%1 was made by a newer Weft (format %2; this one supports up to %3). Newer content is not shown and may be lost when the file is saved. The file is unchanged so far; save your changes under another name.</source>
        <translation>%1 由较新版本的 Weft 生成（格式 %2，当前版本支持到 %3）：其中的新内容不会显示，写入文件时可能丢失。原文件保持不变；请用其他名称保存修改。</translation>
    </message>
</context>
<context>
    <name>EditActions</name>
    <message>
        <source>There is no problem to fix here.</source>
        <translation>这里没有可以修复的问题。</translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n fix(es).</source>
        <translation>
            <numerusform>%1 有 %n 种修复方法。</numerusform>
        </translation>
    </message>
    <message>
        <source>The problems concern the whole graph.</source>
        <translation>这些问题属于整个图。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>%1 is not a number of steps.</source>
        <translation>%1 不是步数。</translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation>尚未修改。</translation>
    </message>
    <message>
        <source>There is nothing to redo.</source>
        <translation>没有可重做的操作。</translation>
    </message>
    <message>
        <source>There are no problems.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>There is nothing to recover.</source>
        <translation>没有丢失的文档。</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Weft ended with unsaved work in %1. It can be recovered.</source>
        <translation>Weft 被强行结束时，以下内容尚未保存：%1。可以恢复。</translation>
    </message>
    <message>
        <source>There is no loss in this graph yet: add one of the losses first.</source>
        <translation>此计算图还没有损失：请先添加一个损失。</translation>
    </message>
</context>
<context>
    <name>EditWords</name>
    <message>
        <source>--%1 needs a value.</source>
        <translation>--%1 需要一个值。</translation>
    </message>
    <message>
        <source>--set takes NAME=VALUE, not %1.</source>
        <translation>--set 须为 名称=值，不能是 %1。</translation>
    </message>
</context>
<context>
    <name>EventActions</name>
    <message>
        <source>There is no session run %1; there are %2.</source>
        <translation>没有会话运行 %1；有的是 %2。</translation>
    </message>
    <message>
        <source>The current tab is not an event file with session runs.</source>
        <translation>当前标签页不是含有会话运行的事件文件。</translation>
    </message>
    <message>
        <source>The current tab is not an event file with a graph.</source>
        <translation>当前标签页不是含有计算图的事件文件。</translation>
    </message>
</context>
<context>
    <name>EventFollower</name>
    <message>
        <source>%1 is damaged at byte %2 of %3; later events are not shown.</source>
        <translation>%1 在第 %2 字节处损坏（共 %3 字节），其后的内容不显示。</translation>
    </message>
    <message>
        <source>%1 was deleted; the events already read are kept.</source>
        <translation>%1 已被删除，已读到的内容保留。</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>There are no event files (…tfevents…) in %1.</source>
        <translation>%1 中没有事件文件（…tfevents…）。</translation>
    </message>
</context>
<context>
    <name>EventGraphs</name>
    <message>
        <source>%1 contains no graph.</source>
        <translation>%1 中没有计算图。</translation>
    </message>
</context>
<context>
    <name>ExportActions</name>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Images (*.svg *.png *.pdf)</source>
        <translation>图片 (*.svg *.png *.pdf)</translation>
    </message>
    <message>
        <source>Graphviz (*.dot)</source>
        <translation>Graphviz (*.dot)</translation>
    </message>
    <message>
        <source>Python for TensorFlow 1.x (*.py)</source>
        <translation>TensorFlow 1.x 的 Python (*.py)</translation>
    </message>
    <message>
        <source>%1: expected a file name ending in .svg, .png, .pdf, .dot or .py.</source>
        <translation>%1:文件名必须以 .svg、.png、.pdf、.dot 或 .py 结尾。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>The graph was closed in the meantime; nothing was saved.</source>
        <translation>图在此期间已关闭，没有写入任何内容。</translation>
    </message>
    <message>
        <source>TensorFlow could not run that program. %1</source>
        <translation>TensorFlow 无法运行这样的程序。%1</translation>
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
        <source>Save the graph</source>
        <translation>保存图</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>Checkpoints (*.index *.ckpt checkpoint *.data-*)</source>
        <translation>检查点 (*.index *.ckpt checkpoint *.data-*)</translation>
    </message>
    <message>
        <source>Records and events (*.tfrecord* *tfevents*)</source>
        <translation>记录与事件 (*.tfrecord* *tfevents*)</translation>
    </message>
    <message>
        <source>Open a file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>This file is read-only here.</source>
        <translation>此文件只供查看，不能编辑。</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>没有打开任何文件。</translation>
    </message>
    <message>
        <source>Python programs (*.py)</source>
        <translation>Python 程序 (*.py)</translation>
    </message>
    <message>
        <source>The graph was closed in the meantime; nothing was saved.</source>
        <translation>图在此期间已关闭，没有保存任何内容。</translation>
    </message>
    <message>
        <source>file.close takes --force, not %1.</source>
        <translation>file.close 接受 --force，而不是 %1。</translation>
    </message>
    <message>
        <source>%1: %2 Stop it first (run.stop), or force it: file.close --force.</source>
        <translation>%1：%2请先停止它（run.stop），或直接结束：file.close --force。</translation>
    </message>
    <message>
        <source>A program is saved under its own name, %1.</source>
        <translation>程序以自己的名字 %1 保存。</translation>
    </message>
    <message>
        <source>Unsaved work</source>
        <translation>未保存的工作</translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation>%1 有未保存的更改。</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Compares each variable with the one of the same name in another file</source>
        <translation>将每个变量与另一文件中同名的变量比较</translation>
    </message>
    <message>
        <source>Open its graph</source>
        <translation>打开其计算图</translation>
    </message>
    <message>
        <source>Shows %1 on the canvas</source>
        <translation>在画布上显示 %1</translation>
    </message>
    <message>
        <source>Freeze…</source>
        <translation>冻结…</translation>
    </message>
    <message>
        <source>Opens its graph with variables replaced by constants of these values</source>
        <translation>打开其计算图，并以这些值作为常量代替变量</translation>
    </message>
    <message>
        <source>Open the graph</source>
        <translation>打开计算图</translation>
    </message>
    <message>
        <source>Open the graph: %1</source>
        <translation>打开计算图：%1</translation>
    </message>
    <message>
        <source>Shows this graph of the model on the canvas</source>
        <translation>在画布上显示模型的这个计算图</translation>
    </message>
    <message>
        <source>Open the variables</source>
        <translation>打开变量</translation>
    </message>
    <message>
        <source>Shows the checkpoint inside the model</source>
        <translation>显示模型中的检查点</translation>
    </message>
    <message>
        <source>Shows the graph of the event file on the canvas</source>
        <translation>在画布上显示事件文件中的计算图</translation>
    </message>
    <message>
        <source>Show in the panels</source>
        <translation>在面板中显示</translation>
    </message>
    <message>
        <source>Shows the curves, histograms and images of %1 and follows new events</source>
        <translation>显示 %1 的曲线、直方图和图像，并随其增长更新</translation>
    </message>
    <message>
        <source>Copy a writer</source>
        <translation>复制写入程序</translation>
    </message>
    <message>
        <source>Copies Python code that writes records with these features</source>
        <translation>写出具有这些特征的记录的 Python 程序</translation>
    </message>
    <message>
        <source>Open in the profiler</source>
        <translation>在性能分析器中打开</translation>
    </message>
    <message>
        <source>Shows the trace as a timeline with its tables</source>
        <translation>以时间线和表格显示该跟踪</translation>
    </message>
    <message>
        <source>Models of other formats (%1)</source>
        <translation>其他格式的模型（%1）</translation>
    </message>
    <message>
        <source>Open a session run</source>
        <translation>打开会话运行</translation>
    </message>
    <message numerus="yes">
        <source>Shows the first of %n recorded session run(s), %1, in the timeline, beside its graph. A double click on a tag below shows that one.</source>
        <translation>
            <numerusform>在时间线中显示所记录的 %n 次会话运行中的第一次 %1，并打开其计算图。双击下方的标签则显示那一次。</numerusform>
        </translation>
    </message>
    <message>
        <source>Arrays, pictures and sounds (%1)</source>
        <translation>数组、图片和声音 (%1)</translation>
    </message>
    <message>
        <source>Open the checkpoint</source>
        <translation>打开检查点</translation>
    </message>
    <message>
        <source>Shows the checkpoint that the embeddings are taken from</source>
        <translation>显示这些嵌入取自的检查点</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Writes a copy: chosen variables, other names, another type, version or number of files</source>
        <translation>写出副本：选定的变量、其他名称、其他类型、版本或文件个数</translation>
    </message>
    <message>
        <source>Open in the projector</source>
        <translation>在投影中打开</translation>
    </message>
    <message>
        <source>Shows the rows of the embeddings as points: PCA, t-SNE, UMAP</source>
        <translation>把嵌入的各行显示为点：PCA、t-SNE、UMAP</translation>
    </message>
</context>
<context>
    <name>FileContents</name>
    <message numerus="yes">
        <source>%n data file(s) missing (%1): names, types and shapes can be read, values cannot.</source>
        <translation>
            <numerusform>缺少 %n 个数据文件（%1）：名称、类型和形状可以读取，值不能。</numerusform>
        </translation>
    </message>
    <message>
        <source>The newest checkpoint listed, %1, is missing.</source>
        <translation>它指出的最新检查点 %1 不在这里。</translation>
    </message>
    <message>
        <source>The newest checkpoint listed, %1, is missing. This folder contains: %2.</source>
        <translation>它指出的最新检查点 %1 不在这里。此目录中有：%2。</translation>
    </message>
    <message>
        <source>%1: the file is empty.</source>
        <translation>%1：文件是空的。</translation>
    </message>
    <message>
        <source>checkpoints in this folder: %1</source>
        <translation>此目录中的检查点：%1</translation>
    </message>
    <message>
        <source>This file holds checkpoint values, but its index %1 is missing; without it the values cannot be located.</source>
        <translation>这是检查点的数据，但它的索引 %1 不在这里；没有索引就无从知道各个值的位置。</translation>
    </message>
    <message>
        <source>The table is empty.</source>
        <translation>表是空的。</translation>
    </message>
    <message>
        <source>%1 contains no variables or arrays.</source>
        <translation>%1 中没有变量或数组。</translation>
    </message>
    <message>
        <source>its layers cannot be opened as a graph: %1</source>
        <translation>它的各层无法打开为计算图：%1</translation>
    </message>
</context>
<context>
    <name>FileKinds</name>
    <message>
        <source>ONNX model</source>
        <translation>ONNX 模型</translation>
    </message>
    <message>
        <source>A network in the exchange format ONNX; it opens as a graph.</source>
        <translation>以交换格式 ONNX 保存的网络；打开后显示为计算图。</translation>
    </message>
    <message>
        <source>NumPy array</source>
        <translation>NumPy 数组</translation>
    </message>
    <message>
        <source>One array.</source>
        <translation>一个数组。</translation>
    </message>
    <message>
        <source>NumPy arrays</source>
        <translation>NumPy 数组集</translation>
    </message>
    <message>
        <source>Several arrays in one archive.</source>
        <translation>一个压缩包里的多个数组。</translation>
    </message>
    <message>
        <source>IDX array</source>
        <translation>IDX 数组</translation>
    </message>
    <message>
        <source>Images or labels in the format of MNIST.</source>
        <translation>图片或标签，MNIST 就是这种格式。</translation>
    </message>
    <message>
        <source>CIFAR-10 batch</source>
        <translation>CIFAR-10 批次</translation>
    </message>
    <message>
        <source>32×32 pixel images with a label each.</source>
        <translation>32×32 像素的图片，每张带一个标签。</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV 表</translation>
    </message>
    <message>
        <source>One array per column.</source>
        <translation>每列一个数组。</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Variable values, as written by Saver. The graph is not included.</source>
        <translation>Saver 写出的变量值，不含计算图。</translation>
    </message>
    <message>
        <source>Checkpoint data</source>
        <translation>检查点数据</translation>
    </message>
    <message>
        <source>The bytes of the variables; the index file describes them.</source>
        <translation>变量的字节；旁边的索引说明它们是什么。</translation>
    </message>
    <message>
        <source>Checkpoint state</source>
        <translation>检查点状态</translation>
    </message>
    <message>
        <source>Lists the checkpoints in a folder and names the newest.</source>
        <translation>说明目录中有哪些检查点、哪个最新。</translation>
    </message>
    <message>
        <source>Debugger dump</source>
        <translation>调试器转储</translation>
    </message>
    <message>
        <source>Tensors dumped by tfdbg.</source>
        <translation>tfdbg 写下的张量。</translation>
    </message>
    <message>
        <source>Debugger V2 log</source>
        <translation>调试器 V2 日志</translation>
    </message>
    <message>
        <source>A log of tf.debugging.experimental.</source>
        <translation>tf.debugging.experimental 的记录。</translation>
    </message>
    <message>
        <source>Event file</source>
        <translation>事件文件</translation>
    </message>
    <message>
        <source>Summaries of a run, as read by TensorBoard.</source>
        <translation>一次运行的 summary，TensorBoard 读取的就是它。</translation>
    </message>
    <message>
        <source>Log folder</source>
        <translation>日志目录</translation>
    </message>
    <message>
        <source>Event files of one or more runs.</source>
        <translation>一次或多次运行的事件文件。</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Checkpoints, models and other files of a training.</source>
        <translation>一次训练的检查点、模型和其他文件。</translation>
    </message>
    <message>
        <source>Keras HDF5</source>
        <translation>Keras HDF5</translation>
    </message>
    <message>
        <source>Layers and weights of a Keras model.</source>
        <translation>Keras 模型的层和权重。</translation>
    </message>
    <message>
        <source>TensorFlow graph</source>
        <translation>TensorFlow 计算图</translation>
    </message>
    <message>
        <source>Ops and their inputs. Variables are not included, constants are.</source>
        <translation>算子及其输入。不含变量，含常量。</translation>
    </message>
    <message>
        <source>TensorFlow MetaGraph</source>
        <translation>TensorFlow 元图</translation>
    </message>
    <message>
        <source>A graph with its collections, signatures and Saver.</source>
        <translation>计算图，连同集合、签名和 Saver。</translation>
    </message>
    <message>
        <source>SavedModel</source>
        <translation>SavedModel</translation>
    </message>
    <message>
        <source>Graphs with signatures, variables and assets, for serving.</source>
        <translation>供部署用的计算图，带签名、变量和资源文件。</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>投影配置</translation>
    </message>
    <message>
        <source>The variables that TensorBoard&apos;s projector shows.</source>
        <translation>TensorBoard 的 projector 显示哪些变量。</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>When each op ran, in Chrome&apos;s trace format.</source>
        <translation>各个 op 的运行时间，采用 Chrome 的格式。</translation>
    </message>
    <message>
        <source>RunMetadata</source>
        <translation>RunMetadata</translation>
    </message>
    <message>
        <source>Times and memory use of one step.</source>
        <translation>一步的时间与内存。</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>A tf.profiler recording of several steps.</source>
        <translation>tf.profiler 对若干步的记录。</translation>
    </message>
    <message>
        <source>Op log</source>
        <translation>op 日志</translation>
    </message>
    <message>
        <source>Cost and source lines of ops, for tfprof.</source>
        <translation>供 tfprof 使用的 op 开销与源代码行。</translation>
    </message>
    <message>
        <source>TFRecord</source>
        <translation>TFRecord</translation>
    </message>
    <message>
        <source>A sequence of records, usually of type tf.train.Example.</source>
        <translation>依次排列的记录，通常是 tf.train.Example 样本。</translation>
    </message>
    <message>
        <source>TensorFlow Lite model</source>
        <translation>TensorFlow Lite 模型</translation>
    </message>
    <message>
        <source>A model for phones and small devices.</source>
        <translation>供手机和小型设备使用的模型。</translation>
    </message>
    <message>
        <source>PNG picture</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>A picture as an array of pixels.</source>
        <translation>一张图片，读成像素数组。</translation>
    </message>
    <message>
        <source>JPEG picture</source>
        <translation>JPEG 图片</translation>
    </message>
    <message>
        <source>GIF picture</source>
        <translation>GIF 图片</translation>
    </message>
    <message>
        <source>The frames of an animation as an array of pixels.</source>
        <translation>动画的各帧，读成像素数组。</translation>
    </message>
    <message>
        <source>BMP picture</source>
        <translation>BMP 图片</translation>
    </message>
    <message>
        <source>WebP picture</source>
        <translation>WebP 图片</translation>
    </message>
    <message>
        <source>WAV sound</source>
        <translation>WAV 声音</translation>
    </message>
    <message>
        <source>A sound as an array of samples, a column per channel.</source>
        <translation>一段声音，读成采样数组，每个声道一列。</translation>
    </message>
    <message>
        <source>LIBSVM table</source>
        <translation>LIBSVM 表</translation>
    </message>
    <message>
        <source>Rows with a label each, of which only columns that are not zero are written.</source>
        <translation>每行带一个标签，只写出不为零的列。</translation>
    </message>
    <message>
        <source>MATLAB arrays</source>
        <translation>MATLAB 数组</translation>
    </message>
    <message>
        <source>The variables that MATLAB saved.</source>
        <translation>MATLAB 保存的变量。</translation>
    </message>
    <message>
        <source>pprof profile</source>
        <translation>pprof 性能数据</translation>
    </message>
    <message>
        <source>Stacks with how often they ran and what they cost.</source>
        <translation>调用栈及其执行次数和开销。</translation>
    </message>
    <message>
        <source>XPlane trace</source>
        <translation>XPlane trace</translation>
    </message>
    <message>
        <source>When what ran, recorded by TensorFlow 2&apos;s profiler.</source>
        <translation>TensorFlow 2 的分析器记录的各部分运行时间。</translation>
    </message>
    <message>
        <source>Keras archive</source>
        <translation>Keras 压缩包</translation>
    </message>
    <message>
        <source>Layers and weights of a model that Keras 3 saved.</source>
        <translation>Keras 3 保存的模型的各层和权重。</translation>
    </message>
    <message>
        <source>Keras metadata</source>
        <translation>Keras 元数据</translation>
    </message>
    <message>
        <source>Configurations of the layers of the SavedModel beside it.</source>
        <translation>同一文件夹中 SavedModel 的各层配置。</translation>
    </message>
    <message>
        <source>ONNX tensor</source>
        <translation>ONNX 张量</translation>
    </message>
    <message>
        <source>One array, as in the test data of ONNX models.</source>
        <translation>一个数组，ONNX 模型的测试数据就是这样保存的。</translation>
    </message>
    <message>
        <source>Library of groups</source>
        <translation>组库</translation>
    </message>
    <message>
        <source>Groups that can be added to any document, with their inputs, outputs and parameters.</source>
        <translation>可添加到任何文档的组，带有输入、输出和参数。</translation>
    </message>
</context>
<context>
    <name>FileMatch</name>
    <message>
        <source>%1 is already the value of %2.</source>
        <translation>%1 已经是 %2 的值。</translation>
    </message>
    <message>
        <source>The graph has no variable %1.</source>
        <translation>图中没有变量 %1。</translation>
    </message>
    <message>
        <source>%1 already matches by name.</source>
        <translation>%1 按自己的名称已经相符。</translation>
    </message>
    <message>
        <source>The checkpoint has no unused key %1.</source>
        <translation>检查点中没有未使用的键 %1。</translation>
    </message>
    <message>
        <source>%1 is %2, but %3 is %4.</source>
        <translation>%1 是 %2，而 %3 是 %4。</translation>
    </message>
    <message numerus="yes">
        <source>%n variable(s) of the graph have no value in the checkpoint yet: %1.</source>
        <translation>
            <numerusform>图中还有 %n 个变量在检查点中没有对应的值：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Writing was cancelled.</source>
        <translation>写入已取消。</translation>
    </message>
</context>
<context>
    <name>FileRecords</name>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 steps of %2</source>
        <translation>%1 步，每步 %2 个</translation>
    </message>
    <message>
        <source>SparseTensor, %1 value(s)</source>
        <translation>SparseTensor，%1 个值</translation>
    </message>
</context>
<context>
    <name>FileWords</name>
    <message>
        <source>Index: names, types and shapes of all variables, and their locations in the data file.</source>
        <translation>索引：所有变量的名称、类型和形状，以及各自在数据文件中的位置。</translation>
    </message>
    <message>
        <source>Data: the values themselves, in sequence. The index is needed to read them.</source>
        <translation>数据：依次存放的值本身。没有索引就不知道它们是什么。</translation>
    </message>
    <message>
        <source>A checkpoint in the old format (V1): names and values in one file.</source>
        <translation>旧格式（V1）的检查点：名称和值在同一个文件里。</translation>
    </message>
    <message>
        <source>MetaGraph: the graph, its collections and its Saver. No values; import_meta_graph reads it.</source>
        <translation>MetaGraph：计算图、集合以及保存方式，不含值；由 import_meta_graph 读取。</translation>
    </message>
    <message>
        <source>State: a short text file that lists the newest checkpoint and those that are kept. latest_checkpoint reads it.</source>
        <translation>状态：一小段文本，指出最新的检查点和保留着的检查点；由 latest_checkpoint 读取。</translation>
    </message>
    <message>
        <source>The state of Weft&apos;s training: random generators, sample order, step.</source>
        <translation>Weft 训练到哪里：随机流、样本顺序、步数。</translation>
    </message>
    <message>
        <source>The graph with its signatures.</source>
        <translation>带签名的计算图。</translation>
    </message>
    <message>
        <source>Files that the graph reads when it is loaded, such as vocabularies.</source>
        <translation>计算图加载时读取的文件，例如词表。</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s).</source>
        <translation>
            <numerusform>%n 层。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Finder</name>
    <message>
        <source>command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>scalars</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>op</source>
        <translation>op</translation>
    </message>
    <message>
        <source>help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>function</source>
        <translation>函数</translation>
    </message>
</context>
<context>
    <name>FixOffers</name>
    <message>
        <source>Insert Reshape to %1</source>
        <translation>插入 Reshape，变为 %1</translation>
    </message>
    <message>
        <source>Insert Flatten</source>
        <translation>插入 Flatten</translation>
    </message>
    <message>
        <source>Insert Transpose</source>
        <translation>插入 Transpose</translation>
    </message>
    <message>
        <source>Insert Cast to %1</source>
        <translation>插入 Cast，转为 %1</translation>
    </message>
</context>
<context>
    <name>GradientNorms</name>
    <message>
        <source>This graph has no gradients: add training first.</source>
        <translation>此图中没有梯度：请先添加训练。</translation>
    </message>
</context>
<context>
    <name>GraphActions</name>
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
        <source>%1 is not a batch size: expected a whole number from 1 to %2.</source>
        <translation>%1 不能作为批大小：应为 1 到 %2 的整数。</translation>
    </message>
    <message>
        <source>There is no trace to compare with.</source>
        <translation>没有可比较的 trace。</translation>
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
        <source>The engine does not support this op.</source>
        <translation>引擎没有这个 op。</translation>
    </message>
    <message>
        <source>changes state: %1</source>
        <translation>改变状态：%1</translation>
    </message>
    <message>
        <source>not in the file</source>
        <translation>不在文件中</translation>
    </message>
    <message>
        <source>The file refers to this node but does not contain it.</source>
        <translation>文件提到这个节点，但没有给出它。</translation>
    </message>
    <message>
        <source>Instance of the group %1</source>
        <translation>组 %1 的实例</translation>
    </message>
</context>
<context>
    <name>GraphDefects</name>
    <message>
        <source>Remove the control input</source>
        <translation>去掉这个控制输入</translation>
    </message>
    <message>
        <source>Put control inputs last</source>
        <translation>把控制输入放到最后</translation>
    </message>
    <message>
        <source>Name it %1</source>
        <translation>命名为 %1</translation>
    </message>
    <message>
        <source>Rename it to %1</source>
        <translation>改名为 %1</translation>
    </message>
    <message>
        <source>Disconnect input %1</source>
        <translation>断开输入 %1</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Set %1 to %2 (inferred)</source>
        <translation>按连线将 %1 设为 %2</translation>
    </message>
    <message numerus="yes">
        <source>Set all %n missing attribute(s) inferred from wires</source>
        <translation>
            <numerusform>补上连线能说明的全部 %n 个属性</numerusform>
        </translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>将 %1 设为 %2</translation>
    </message>
    <message>
        <source>Connect %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>Add a placeholder %1</source>
        <translation>添加占位符 %1</translation>
    </message>
    <message>
        <source>Disconnect it</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>Leave %1 open</source>
        <translation>让 %1 悬空</translation>
    </message>
    <message>
        <source>Remove input %1</source>
        <translation>去掉输入 %1</translation>
    </message>
    <message>
        <source>Cast it to %1</source>
        <translation>转换为 %1</translation>
    </message>
    <message>
        <source>The attribute %1 is missing.</source>
        <translation>此节点缺少属性 %1。</translation>
    </message>
    <message>
        <source>The attribute %1 is invalid: %2</source>
        <translation>属性 %1 不合适：%2</translation>
    </message>
    <message>
        <source>The attribute %1 cannot be read: %2</source>
        <translation>属性 %1 无法读取：%2</translation>
    </message>
    <message>
        <source>Input %1 reads %2, which is not in the file.</source>
        <translation>输入 %1 读取 %2，但文件中没有它。</translation>
    </message>
    <message>
        <source>Input %1 reads %2, but that node has no such output.</source>
        <translation>输入 %1 读取 %2，但那个节点没有这个输出。</translation>
    </message>
    <message>
        <source>It has a control input from %1, which is not in the file.</source>
        <translation>它等待 %1，但文件中没有它。</translation>
    </message>
    <message>
        <source>A control input comes before a data input.</source>
        <translation>有控制输入写在数据输入之前。</translation>
    </message>
    <message>
        <source>Another node is also called %1. This one is shown as %2.</source>
        <translation>另一个节点也叫 %1，这一个显示为 %2。</translation>
    </message>
    <message>
        <source>The node has no name in the file. It is shown as %1.</source>
        <translation>文件没有给它名称，这里显示为 %1。</translation>
    </message>
    <message>
        <source>Invalid node name in TensorFlow: only letters, digits and . _ - / are allowed.</source>
        <translation>TensorFlow 不接受这个名称：只允许字母、数字和 . _ - /。</translation>
    </message>
    <message>
        <source>The file does not name the op of this node.</source>
        <translation>文件没有说明它是哪种 op。</translation>
    </message>
    <message>
        <source>It is on a cycle that is not a loop: %1.</source>
        <translation>它位于一个不属于循环的环上：%1。</translation>
    </message>
    <message>
        <source>Input %1 requires a variable (a reference), but %2 is a value.</source>
        <translation>输入 %1 需要变量（引用），但 %2 是一个值。</translation>
    </message>
    <message>
        <source>Input %1 expects %2, but %3 is %4.</source>
        <translation>输入 %1 要求 %2，但 %3 是 %4。</translation>
    </message>
    <message>
        <source>The function it calls cannot be built: %1</source>
        <translation>它调用的函数无法构建：%1</translation>
    </message>
    <message>
        <source>This graph cannot run. %1</source>
        <translation>此图目前不能运行。%1</translation>
    </message>
    <message numerus="yes">
        <source>This graph cannot run. %1 (%n more in Problems)</source>
        <translation>
            <numerusform>此图目前不能运行。%1（“问题”面板中还有 %n 个）</numerusform>
        </translation>
    </message>
    <message>
        <source>The file requires a reader newer than TensorFlow 1.15: %1</source>
        <translation>文件要求比 TensorFlow 1.15 更新的版本来读取：%1</translation>
    </message>
    <message>
        <source>It has %1 inputs, but %2 expects %3.</source>
        <translation>它有 %1 个输入，但 %2 需要 %3 个。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 no longer supports this op in graphs of this version: %1</source>
        <translation>对于这一版本的计算图，TensorFlow 1.15 已不再提供此 op：%1</translation>
    </message>
</context>
<context>
    <name>GraphEdits</name>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Connect %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>Disconnect %1</source>
        <translation>断开 %1</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>修改 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>Group as %1</source>
        <translation>编组为 %1</translation>
    </message>
    <message>
        <source>Ungroup %1</source>
        <translation>解散 %1</translation>
    </message>
    <message>
        <source>Convert %1 to ops</source>
        <translation>将 %1 展开为 op</translation>
    </message>
    <message>
        <source>Extract inputs of %1</source>
        <translation>提取 %1 所需的部分</translation>
    </message>
    <message>
        <source>Mute %1</source>
        <translation>旁路 %1</translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>插入 %1</translation>
    </message>
    <message>
        <source>Replace %1 with %2</source>
        <translation>用 %2 替换 %1</translation>
    </message>
    <message>
        <source>Add training</source>
        <translation>添加训练</translation>
    </message>
    <message>
        <source>%1 takes %2.</source>
        <translation>%1 的参数为 %2。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>%1 is not a position; expected X,Y.</source>
        <translation>%1 不是位置，应为 X,Y。</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Move %1 nodes</source>
        <translation>移动 %1 个节点</translation>
    </message>
    <message>
        <source>Remove training</source>
        <translation>移除训练</translation>
    </message>
    <message>
        <source>Initialise %1</source>
        <translation>初始化 %1</translation>
    </message>
    <message>
        <source>Bind data %1</source>
        <translation>绑定数据 %1</translation>
    </message>
    <message>
        <source>There is no command %1.</source>
        <translation>没有命令 %1。</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Freeze %1</source>
        <translation>冻结 %1</translation>
    </message>
    <message>
        <source>Import from console</source>
        <translation>采纳控制台的内容</translation>
    </message>
    <message>
        <source>Replace %1 in names</source>
        <translation>在名称中替换 %1</translation>
    </message>
    <message>
        <source>Link %1 to training mode</source>
        <translation>让训练来切换 %1</translation>
    </message>
    <message>
        <source>Set missing attributes</source>
        <translation>补上缺少的属性</translation>
    </message>
    <message>
        <source>Repair %1</source>
        <translation>修正 %1</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>Set batch size to %1</source>
        <translation>将批大小设为 %1</translation>
    </message>
    <message>
        <source>Set epochs to %1</source>
        <translation>将轮数设为 %1</translation>
    </message>
    <message>
        <source>Set steps to %1</source>
        <translation>将步数设为 %1</translation>
    </message>
    <message>
        <source>%1 is not a part of the drawing; expected helpers, network or none.</source>
        <translation>画面中没有 %1 这一部分；应为 helpers、network 或 none。</translation>
    </message>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Move %1 to helpers</source>
        <translation>把 %1 移到辅助节点</translation>
    </message>
    <message>
        <source>Move %1 to network</source>
        <translation>把 %1 移回网络</translation>
    </message>
    <message>
        <source>Rule for %1</source>
        <translation>%1 的规则</translation>
    </message>
    <message>
        <source>Rules for helpers</source>
        <translation>辅助节点规则</translation>
    </message>
    <message>
        <source>Train with %1</source>
        <translation>用 %1 训练</translation>
    </message>
    <message>
        <source>Add global_step</source>
        <translation>添加 global_step</translation>
    </message>
    <message>
        <source>Set precision to %1</source>
        <translation>将精度设为 %1</translation>
    </message>
    <message>
        <source>Use the parameters of %1</source>
        <translation>使用 %1 的参数</translation>
    </message>
    <message>
        <source>Make a group function</source>
        <translation>创建组函数</translation>
    </message>
    <message>
        <source>Make the group %1</source>
        <translation>创建组 %1</translation>
    </message>
    <message>
        <source>Update the group from %1</source>
        <translation>用 %1 更新组</translation>
    </message>
    <message>
        <source>Build %1 from its group</source>
        <translation>按组构建 %1</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>恢复 %1</translation>
    </message>
    <message>
        <source>Detach %1 from its group</source>
        <translation>%1 脱离组</translation>
    </message>
    <message>
        <source>Convert %1 to a function</source>
        <translation>把 %1 转换为函数</translation>
    </message>
    <message>
        <source>Inline %1</source>
        <translation>内联 %1</translation>
    </message>
    <message>
        <source>Make %1 a parameter of the group</source>
        <translation>把 %1 设为组的参数</translation>
    </message>
    <message>
        <source>Remove the parameter %1</source>
        <translation>移除参数 %1</translation>
    </message>
    <message>
        <source>Change the group %1</source>
        <translation>修改组 %1</translation>
    </message>
    <message>
        <source>Rename the group %1</source>
        <translation>重命名组 %1</translation>
    </message>
    <message>
        <source>Remove the group %1</source>
        <translation>移除组 %1</translation>
    </message>
    <message>
        <source>Take the group %1 from a library</source>
        <translation>从库中取组 %1</translation>
    </message>
    <message>
        <source>Set %1 of %2</source>
        <translation>设置 %2 的 %1</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Describe %1</source>
        <translation>说明 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Release %1</source>
        <translation>解除 %1</translation>
    </message>
    <message>
        <source>Fold into layers</source>
        <translation>识别为层</translation>
    </message>
    <message>
        <source>Add a parameter to the group %1</source>
        <translation>为组 %1 添加参数</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n value(s)</source>
        <translation>
            <numerusform>粘贴 %n 个值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GraphFileFacts</name>
    <message numerus="yes">
        <source>%n summary op(s)</source>
        <translation>
            <numerusform>%n 个 summary op</numerusform>
        </translation>
    </message>
    <message>
        <source>must be fed</source>
        <translation>需要喂入</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Running it requires %1. Summaries of other models in the graph add their own placeholders: merge the summaries of one scope instead.</source>
        <translation>运行它需要 %1。同一计算图中另一个模型的 summary 会带来各自的 placeholder：请只合并一个作用域中的 summary。</translation>
    </message>
    <message>
        <source>Saver</source>
        <translation>Saver</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The graph has no restore ops: add a Saver to save its variables.</source>
        <translation>计算图没有恢复用的 op：不加 Saver 就无法保存变量。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n variable(s)</source>
        <translation>
            <numerusform>%n 个变量中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Each save writes NAME.index, NAME.data-00000-of-00001, NAME.meta and the file checkpoint.</source>
        <translation>每次保存写出 NAME.index、NAME.data-00000-of-00001、NAME.meta 和 checkpoint 文件。</translation>
    </message>
    <message>
        <source>Each save writes NAME, NAME.meta and the file checkpoint.</source>
        <translation>每次保存写出 NAME、NAME.meta 和 checkpoint 文件。</translation>
    </message>
    <message>
        <source>keeps</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>sharded</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>restore op</source>
        <translation>恢复 op</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Moving averages are not saved</source>
        <translation>滑动平均没有保存</translation>
    </message>
    <message>
        <source>After a restore, batch normalisation starts from its initial averages. Add them to the Saver.</source>
        <translation>恢复后批归一化会从初始的平均值开始。请把它们交给 Saver。</translation>
    </message>
    <message>
        <source>global_step is not saved</source>
        <translation>global_step 没有保存</translation>
    </message>
    <message>
        <source>After a restore, training counts from 0.</source>
        <translation>恢复后训练会从 0 开始计数。</translation>
    </message>
    <message>
        <source>no global_step</source>
        <translation>没有 global_step</translation>
    </message>
    <message>
        <source>MonitoredTrainingSession and its hooks expect a variable of that name.</source>
        <translation>MonitoredTrainingSession 及其 hook 会按这个名称查找变量。</translation>
    </message>
    <message>
        <source>Signatures</source>
        <translation>签名</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>TensorFlow</source>
        <translation>TensorFlow</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>生成版本</translation>
    </message>
    <message>
        <source>GraphDef version of the TensorFlow that wrote the file</source>
        <translation>写出它的 TensorFlow 的 GraphDef 版本</translation>
    </message>
    <message>
        <source>Op types</source>
        <translation>op 种类</translation>
    </message>
    <message>
        <source>%1, all known</source>
        <translation>%1，全部支持</translation>
    </message>
    <message>
        <source>%1, %2 unknown</source>
        <translation>%1，%2 种未知</translation>
    </message>
    <message>
        <source>Ops that neither Weft nor plain TensorFlow provides: load the library that registers them before import_meta_graph.</source>
        <translation>Weft 和 TensorFlow 本身都没有的 op：请先加载注册它们的库，再调用 import_meta_graph。</translation>
    </message>
    <message>
        <source>Merged summaries</source>
        <translation>合并的 summary</translation>
    </message>
    <message>
        <source>Collections</source>
        <translation>集合</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Nodes placed on tasks of a cluster. Weft has no clusters: it shows and saves such a graph, and runs it only with these devices removed or with soft placement.</source>
        <translation>要求放在集群任务上的节点。Weft 没有集群：它可以显示和保存这样的图；只有去掉这些设备，或会话允许软放置时才能运行。</translation>
    </message>
    <message>
        <source>nodes: %1</source>
        <translation>节点：%1</translation>
    </message>
    <message>
        <source>Job and task requested by these nodes</source>
        <translation>这些节点要求的作业和任务</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Enter or double-click shows one of them</source>
        <translation>按回车或双击可显示其中之一</translation>
    </message>
    <message>
        <source>graph %1</source>
        <translation>计算图 %1</translation>
    </message>
    <message>
        <source>shown here</source>
        <translation>正在显示</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Enter or double-click opens the model&apos;s checkpoint</source>
        <translation>按回车或双击可打开模型的检查点</translation>
    </message>
    <message>
        <source>Enter or double-click shows the contents of the SavedModel on a page of its own</source>
        <translation>按回车或双击，用单独的页面显示 SavedModel 的内容</translation>
    </message>
    <message>
        <source>Graphs</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Model page</source>
        <translation>模型页面</translation>
    </message>
</context>
<context>
    <name>GraphFiles</name>
    <message>
        <source>%1: expected a file name ending in .weft, .weft.pbtxt, .meta, .pb or .pbtxt.</source>
        <translation>%1：文件名须以 .weft、.weft.pbtxt、.meta、.pb 或 .pbtxt 结尾。</translation>
    </message>
    <message>
        <source>%1 was not saved: the folder %2 does not exist. Choose another folder; nothing is lost.</source>
        <translation>%1 未写入：没有文件夹 %2。请保存到别处，内容不会丢失。</translation>
    </message>
    <message>
        <source>%1 was not saved: the folder %2 is not writable. Choose another folder; nothing is lost.</source>
        <translation>%1 未写入：文件夹 %2 不可写。请保存到别处，内容不会丢失。</translation>
    </message>
</context>
<context>
    <name>GraphProblems</name>
    <message>
        <source>Set %1 to %2</source>
        <translation>将 %1 设为 %2</translation>
    </message>
    <message>
        <source>Set padding to SAME</source>
        <translation>将 padding 设为 SAME</translation>
    </message>
    <message>
        <source>Connect %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>Not connected: %1</source>
        <translation>未连接：%1</translation>
    </message>
    <message>
        <source>Training is added once the loss can be computed.</source>
        <translation>损失可以计算之后才会加入训练。</translation>
    </message>
    <message>
        <source>This version of Weft does not know the layer %1; its ops are kept as they are.</source>
        <translation>此版本的 Weft 不认识层 %1;它的 op 保持原样。</translation>
    </message>
    <message>
        <source>This variable has no initialiser.</source>
        <translation>没有任何 op 给这个变量赋初值。</translation>
    </message>
    <message>
        <source>Initialise with zeros</source>
        <translation>用零初始化</translation>
    </message>
    <message>
        <source>Training does not initialise this variable: %1 does not run its initialiser.</source>
        <translation>训练不会初始化这个变量：%1 不运行它的初始化 op。</translation>
    </message>
    <message>
        <source>Let %1 initialise it</source>
        <translation>让 %1 初始化它</translation>
    </message>
    <message>
        <source>The labels are one-hot rows, but this loss expects class indices.</source>
        <translation>标签是向量，而这个损失需要类别编号。</translation>
    </message>
    <message>
        <source>Use the loss for one-hot labels</source>
        <translation>改用 one-hot 标签的损失</translation>
    </message>
    <message>
        <source>The labels are class indices, but this loss expects one-hot rows.</source>
        <translation>标签是类别编号，而这个损失需要 one-hot 向量。</translation>
    </message>
    <message>
        <source>Use the loss for class indices</source>
        <translation>改用类别编号的损失</translation>
    </message>
    <message>
        <source>Set %1 to %2 units</source>
        <translation>将 %1 的单元数设为 %2</translation>
    </message>
    <message>
        <source>The data have %1 classes, but the logits are %2 wide.</source>
        <translation>数据有 %1 个类别，而 logits 的宽度为 %2。</translation>
    </message>
    <message>
        <source>This node has no consumers.</source>
        <translation>没有节点读取它的输出。</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>This layer has no consumers.</source>
        <translation>没有节点读取该层的输出。</translation>
    </message>
    <message>
        <source>The loss does not depend on this variable: its gradient is None, and training does not change it.</source>
        <translation>损失不依赖于此变量：它的梯度为 None，训练不会改变它。</translation>
    </message>
    <message>
        <source>%1 does not initialise this variable: the variable was created after it. Create the initialiser last.</source>
        <translation>%1 不初始化这个变量：变量是在它之后创建的。请最后创建初始化器。</translation>
    </message>
    <message>
        <source>No optimizer updates this trainable variable: the loss does not depend on it and its gradient is None, or it is missing from var_list.</source>
        <translation>这个变量可训练，却没有优化器改变它：损失不依赖它，梯度为 None，或者它没有列入 var_list。</translation>
    </message>
    <message>
        <source>Link to training mode</source>
        <translation>让训练来切换它</translation>
    </message>
    <message>
        <source>Set training</source>
        <translation>设为训练</translation>
    </message>
    <message>
        <source>It drops values in testing, too: training is always true.</source>
        <translation>测试时它也会丢弃值：training 始终为真。</translation>
    </message>
    <message>
        <source>It never drops values, not even in training: training is not set.</source>
        <translation>它什么也不丢弃，训练时也不：没有设置 training。</translation>
    </message>
    <message>
        <source>Testing normalises with the mean of the test batch, not with the moving averages: training is always true.</source>
        <translation>测试时按同一批测试样本的均值归一化，而不是移动平均：training 始终为真。</translation>
    </message>
    <message>
        <source>It normalises with its initial averages, which training never updates: training is not set.</source>
        <translation>它按初始的平均值归一化，训练从不更新它们：没有设置 training。</translation>
    </message>
    <message>
        <source>This update is in the collection update_ops, but no training op depends on it: the moving average keeps its initial value, which inference then uses.</source>
        <translation>这个更新在集合 update_ops 中，但没有训练操作等待它：滑动平均保持初始值，预测时用的就是它。</translation>
    </message>
    <message>
        <source>Make %1 depend on it</source>
        <translation>让 %1 等待它</translation>
    </message>
    <message>
        <source>This loss applies %1 to its logits itself, and they come from %2: it is applied twice, which makes gradients small.</source>
        <translation>这个损失自己会对 logits 应用 %1，而 logits 来自 %2：它被应用了两次，梯度会变小。</translation>
    </message>
    <message>
        <source>Connect the loss to %1</source>
        <translation>把损失接到 %1</translation>
    </message>
    <message>
        <source>Nothing increments this step, although there is an optimizer: decays, hooks and summaries that depend on it do not advance. Pass it to the optimizer&apos;s minimize as global_step.</source>
        <translation>有优化器，但没有任何操作递增这个步数：依赖它的衰减、钩子和摘要都停在原处。优化器的 minimize 用参数 global_step 接收它。</translation>
    </message>
    <message>
        <source>Give %1 %2 units</source>
        <translation>将 %1 的单元数设为 %2</translation>
    </message>
    <message>
        <source>Add a placeholder for labels</source>
        <translation>为标签添加占位符</translation>
    </message>
    <message>
        <source>This graph is made for a supervised session, but has no global_step: MonitoredTrainingSession and Supervisor count, save and stop by it.</source>
        <translation>此图用于受监督的会话，但没有 global_step：MonitoredTrainingSession 和 Supervisor 靠它计步、保存和停止。</translation>
    </message>
    <message>
        <source>Add global_step</source>
        <translation>添加 global_step</translation>
    </message>
    <message>
        <source>Replicas wait here for each other (SyncReplicasOptimizer). They go on only if all of this holds:</source>
        <translation>各副本在此互相等待（SyncReplicasOptimizer）。以下各项都满足时才会继续：</translation>
    </message>
    <message>
        <source>There is a global_step.</source>
        <translation>有 global_step。</translation>
    </message>
    <message>
        <source>There is no global_step, by which late gradients are dropped.</source>
        <translation>没有 global_step，无法据此丢弃过时的梯度。</translation>
    </message>
    <message>
        <source>The chief runs %1 once, for the tokens of the first step.</source>
        <translation>chief 运行一次 %1，提供第一步的 token。</translation>
    </message>
    <message>
        <source>No op puts the tokens of the first step. On the chief, use make_session_run_hook(is_chief=True) or run get_init_tokens_op().</source>
        <translation>没有操作提供第一步的 token。请在 chief 上使用 make_session_run_hook(is_chief=True)，或运行 get_init_tokens_op()。</translation>
    </message>
    <message>
        <source>A queue runner of the chief runs the update, %1.</source>
        <translation>chief 的 queue runner 运行更新 %1。</translation>
    </message>
    <message>
        <source>No queue runner of this graph runs the update, %1. On the chief, use make_session_run_hook(is_chief=True) or start get_chief_queue_runner().</source>
        <translation>此图中没有 queue runner 运行更新 %1。请在 chief 上使用 make_session_run_hook(is_chief=True)，或启动 get_chief_queue_runner()。</translation>
    </message>
    <message>
        <source>All tasks use the same checkpoint folder.</source>
        <translation>所有任务使用同一个 checkpoint 文件夹。</translation>
    </message>
</context>
<context>
    <name>GroupActions</name>
    <message>
        <source>Libraries of groups (*.weftgroups)</source>
        <translation>组库 (*.weftgroups)</translation>
    </message>
    <message>
        <source>Documents (*.weft)</source>
        <translation>文档 (*.weft)</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>This document has no groups yet.</source>
        <translation>此文档还没有组。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>Save groups to a library</source>
        <translation>把组保存到库</translation>
    </message>
    <message>
        <source>Add a library of groups</source>
        <translation>添加组库</translation>
    </message>
    <message>
        <source>There is no library %1.</source>
        <translation>没有库 %1。</translation>
    </message>
    <message>
        <source>There are no libraries of groups.</source>
        <translation>没有组库。</translation>
    </message>
    <message>
        <source>Looking for layers</source>
        <translation>正在查找层</translation>
    </message>
    <message>
        <source>The graph was changed meanwhile.</source>
        <translation>图在此期间已改变。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
</context>
<context>
    <name>GroupFacts</name>
    <message>
        <source>Sets %1.</source>
        <translation>设置 %1。</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>no inputs</source>
        <translation>无输入</translation>
    </message>
    <message>
        <source>no outputs</source>
        <translation>无输出</translation>
    </message>
    <message>
        <source>For the expressions of fields inside.</source>
        <translation>供内部字段的表达式使用。</translation>
    </message>
</context>
<context>
    <name>Groups</name>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Editing</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Debugger</source>
        <translation>调试器</translation>
    </message>
    <message>
        <source>Profiler</source>
        <translation>剖析器</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检视器</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Python program</source>
        <translation>Python 程序</translation>
    </message>
    <message>
        <source>Python console</source>
        <translation>Python 控制台</translation>
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
    <name>HistoryFiles</name>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>InputAdvice</name>
    <message>
        <source>Put it into a queue</source>
        <translation>放入队列</translation>
    </message>
    <message>
        <source>New data arrives during training: a thread fills the queue, and training dequeues batches and waits only if the queue is empty.</source>
        <translation>训练过程中有新数据到来：一个线程把数据放入队列，训练从中取出 batch，只有队列为空时才等待。</translation>
    </message>
    <message>
        <source>min_after_dequeue determines how well the data is shuffled; “Shuffle quality” shows it.</source>
        <translation>min_after_dequeue 决定打乱的程度；“打乱得如何”可以显示。</translation>
    </message>
    <message>
        <source>Load it into memory</source>
        <translation>读入内存</translation>
    </message>
    <message>
        <source>Up to about 1 GB is read once, without cost afterwards, and can be shuffled as a whole.</source>
        <translation>约 1 GB 以内的数据只需读一次，之后不再有开销，并且可以整体打乱。</translation>
    </message>
    <message>
        <source>Above 200 MB, feed the arrays through placeholders as below: as constants they would be saved with the meta graph of each checkpoint.</source>
        <translation>超过 200 MB 时，请像下面那样通过 placeholder 传入数组：图中的常量会随每个 checkpoint 的 meta graph 一起保存。</translation>
    </message>
    <message>
        <source>Combine the many small files into one array file (.npz) first: opening each takes longer than reading it.</source>
        <translation>请先把大量小文件合并为一个数组文件（.npz）：打开每个文件比读取更费时。</translation>
    </message>
    <message>
        <source>Read the files with tf.data</source>
        <translation>用 tf.data 读取文件</translation>
    </message>
    <message>
        <source>The data does not fit into memory, and its files are large enough to be opened one by one.</source>
        <translation>数据放不进内存，而各个文件足够大，可以逐个打开。</translation>
    </message>
    <message>
        <source>Threads decode the next batch while the current one is computed.</source>
        <translation>计算当前 batch 时，其他线程解码下一个 batch。</translation>
    </message>
    <message numerus="yes">
        <source>Write %n TFRecord file(s) of about 100 MB</source>
        <translation>
            <numerusform>写成 %n 个约 100 MB 的 TFRecord 文件</numerusform>
        </translation>
    </message>
    <message>
        <source>The data does not fit into memory; sequential reads of records are the fastest on disks.</source>
        <translation>数据放不进内存；记录逐条顺序读取，这是磁盘最快的方式。</translation>
    </message>
    <message>
        <source>Many small files: opening each takes longer than reading it.</source>
        <translation>大量小文件：打开每个文件比读取更费时。</translation>
    </message>
    <message>
        <source>Files of about 100 MB can be shuffled as a whole and read in parallel.</source>
        <translation>约 100 MB 的文件可以整体打乱，也可以并行读取。</translation>
    </message>
</context>
<context>
    <name>InspectActions</name>
    <message>
        <source>The file was closed in the meantime; nothing was saved.</source>
        <translation>文件在此期间已关闭，没有写入任何内容。</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与之比较</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Checkpoints (*.index *.ckpt checkpoint)</source>
        <translation>检查点 (*.index *.ckpt checkpoint)</translation>
    </message>
    <message>
        <source>The current tab is not a checkpoint or array file.</source>
        <translation>当前标签页不是检查点或数组文件。</translation>
    </message>
    <message>
        <source>%1 contains no %2.</source>
        <translation>%1 中没有 %2。</translation>
    </message>
    <message>
        <source>Select a variable first.</source>
        <translation>请先选择一个变量。</translation>
    </message>
    <message>
        <source>Save the values</source>
        <translation>保存数值</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Text, one row per line (*.csv)</source>
        <translation>文本，每行一排 (*.csv)</translation>
    </message>
    <message>
        <source>%1: expected a file name ending in .npy or .csv.</source>
        <translation>%1：文件名须以 .npy 或 .csv 结尾。</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>Saving was cancelled.</source>
        <translation>保存已取消。</translation>
    </message>
    <message>
        <source>Matching names</source>
        <translation>核对名称</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>比较已取消。</translation>
    </message>
    <message>
        <source>The current tab is not a SavedModel.</source>
        <translation>当前标签页不是 SavedModel。</translation>
    </message>
    <message>
        <source>The current tab is not a SavedModel with variables.</source>
        <translation>当前标签页不是带变量的 SavedModel。</translation>
    </message>
    <message>
        <source>The current tab is not a checkpoint.</source>
        <translation>当前标签页不是检查点。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>inspect.map takes a variable of the graph and a key of the checkpoint, or none.</source>
        <translation>inspect.map 需要图中的一个变量和检查点中的一个键，或 none。</translation>
    </message>
    <message>
        <source>Write a checkpoint for this graph</source>
        <translation>为此图写出检查点</translation>
    </message>
    <message>
        <source>Checkpoints (*)</source>
        <translation>检查点 (*)</translation>
    </message>
    <message>
        <source>%1 is the checkpoint being read; choose another name.</source>
        <translation>%1 正是所读取的检查点；请换一个名称。</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Writing was cancelled.</source>
        <translation>写入已取消。</translation>
    </message>
    <message>
        <source>inspect.filters takes on or off.</source>
        <translation>inspect.filters 需要 on 或 off。</translation>
    </message>
    <message>
        <source>No convolution kernel is selected.</source>
        <translation>没有选中卷积核。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>The current tab is not a record file.</source>
        <translation>当前没有打开记录文件。</translation>
    </message>
    <message numerus="yes">
        <source>This model has %n graph(s), numbered from 0; there is no %1.</source>
        <translation>
            <numerusform>此模型有 %n 个计算图，从 0 开始编号；没有 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is neither a file nor an open graph.</source>
        <translation>%1 既不是文件，也不是已打开的计算图。</translation>
    </message>
    <message>
        <source>Freeze %1</source>
        <translation>冻结 %1</translation>
    </message>
    <message>
        <source>Outputs to keep, separated by spaces:</source>
        <translation>必须仍可计算的输出，多个之间用空格分隔：</translation>
    </message>
</context>
<context>
    <name>InspectQuery</name>
    <message>
        <source>The current tab is not an inspected file.</source>
        <translation>当前标签页不是供查看的文件。</translation>
    </message>
</context>
<context>
    <name>LinkActions</name>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>There is no node or scope %1 in this graph.</source>
        <translation>此图中没有节点或作用域 %1。</translation>
    </message>
    <message>
        <source>There is no gradient of %1 in this graph.</source>
        <translation>此图中没有 %1 的梯度。</translation>
    </message>
    <message>
        <source>%1 is not a number of commands.</source>
        <translation>%1 不是命令的个数。</translation>
    </message>
    <message>
        <source>No command has run yet.</source>
        <translation>还没有做过任何操作。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示任何图。</translation>
    </message>
    <message>
        <source>Nothing else in this graph has the same structure as %1.</source>
        <translation>此图中没有与 %1 构造相同的部分。</translation>
    </message>
    <message>
        <source>graph.go-tag takes the tag of a card.</source>
        <translation>graph.go-tag 接受一张卡片的标签。</translation>
    </message>
    <message>
        <source>No op of this graph is logged as %1.</source>
        <translation>此图中没有以 %1 记录的 op。</translation>
    </message>
</context>
<context>
    <name>LiveScalars</name>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
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
    <message>
        <source>searching…</source>
        <translation>正在查找</translation>
    </message>
    <message>
        <source>none found: %1</source>
        <translation>未找到：%1</translation>
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
    <message>
        <source>&amp;Debug</source>
        <translation>调试(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Zoom</source>
        <translation>缩放(&amp;Z)</translation>
    </message>
    <message>
        <source>Colour &amp;by</source>
        <translation>着色方式(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Docks</source>
        <translation>面板(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;C)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Input data</source>
        <translation>数据的进入(&amp;I)</translation>
    </message>
    <message>
        <source>P&amp;ython program</source>
        <translation>Python 程序(&amp;Y)</translation>
    </message>
    <message>
        <source>Trace&amp;d steps</source>
        <translation>所记录的步(&amp;D)</translation>
    </message>
    <message>
        <source>TensorFlow ser&amp;vers</source>
        <translation>TensorFlow 服务器(&amp;V)</translation>
    </message>
    <message>
        <source>Of &amp;event files</source>
        <translation>事件文件(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Variables of the checkpoint</source>
        <translation>检查点的变量(&amp;V)</translation>
    </message>
    <message>
        <source>E&amp;xperiments</source>
        <translation>实验(&amp;X)</translation>
    </message>
    <message>
        <source>C&amp;hecks</source>
        <translation>检查(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Group</source>
        <translation>分组(&amp;G)</translation>
    </message>
    <message>
        <source>Questions to the trac&amp;e</source>
        <translation>向 trace 提问(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Tables</source>
        <translation>表格(&amp;T)</translation>
    </message>
</context>
<context>
    <name>MeshParts</name>
    <message>
        <source>%1: the configuration of the mesh is not a JSON object and is not used.</source>
        <translation>%1：网格的配置不是 JSON 对象，未使用。</translation>
    </message>
    <message>
        <source>%1: of the configuration of the mesh only the camera&apos;s kind and field of view are used, not %2.</source>
        <translation>%1：网格的配置中只使用相机的类型和视角，不使用 %2。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 is not a part of a mesh: expected numbers of shape [samples, count, 3], found %2.</source>
        <translation>%1 不是网格的一部分：应为形状 [样本数, 个数, 3] 的数值，实际为 %2。</translation>
    </message>
    <message>
        <source>%1: face %2 refers to vertex %3, expected a 32-bit integer.</source>
        <translation>%1：面 %2 引用了顶点 %3，应为 32 位整数。</translation>
    </message>
    <message>
        <source>%1: colour %2 has the value %3, expected 0 to 255.</source>
        <translation>%1：颜色 %2 的值为 %3，应在 0 到 255 之间。</translation>
    </message>
</context>
<context>
    <name>MeshSeries</name>
    <message numerus="yes">
        <source>The batch has %n mesh(es): there is none with the index %1.</source>
        <translation>
            <numerusform>该批共有 %n 个网格：没有序号为 %1 的网格。</numerusform>
        </translation>
    </message>
    <message>
        <source>Vertex %1 is not finite.</source>
        <translation>顶点 %1 不是有限数。</translation>
    </message>
    <message>
        <source>The vertices are too far apart to be drawn.</source>
        <translation>顶点相距太远，无法画出。</translation>
    </message>
    <message>
        <source>Face %1 refers to vertex %2, but there are only the vertices 0 to %3.</source>
        <translation>面 %1 引用了顶点 %2，但只有顶点 0 到 %3。</translation>
    </message>
    <message>
        <source>There are %1 colours for %2 vertices.</source>
        <translation>%2 个顶点却有 %1 个颜色。</translation>
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
        <source>none: %1</source>
        <translation>无：%1</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未给出</translation>
    </message>
</context>
<context>
    <name>NodePlacement</name>
    <message>
        <source>nothing was asked for, and %1 has kernels for its group</source>
        <translation>未指定设备，而 %1 有其所在组的内核</translation>
    </message>
    <message>
        <source>it asks for %1</source>
        <translation>它要求 %1</translation>
    </message>
    <message>
        <source>%1 asks for %2</source>
        <translation>%1 要求 %2</translation>
    </message>
    <message>
        <source>%1 has no kernel for it, or is not there</source>
        <translation>%1 没有它的内核，或者不存在</translation>
    </message>
    <message>
        <source>%1 is there</source>
        <translation>%1 在那里</translation>
    </message>
    <message>
        <source>its variable is there</source>
        <translation>它的变量在那里</translation>
    </message>
    <message>
        <source>no other device is left</source>
        <translation>没有其他设备可用</translation>
    </message>
    <message>
        <source>the run&apos;s device</source>
        <translation>本次运行的设备</translation>
    </message>
    <message>
        <source>%1; together with %2</source>
        <translation>%1；与 %2 在一起</translation>
    </message>
</context>
<context>
    <name>NotedValue</name>
    <message>
        <source>= min %1  max %2  mean %3</source>
        <translation>= 最小 %1  最大 %2  平均 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n NaN or infinite</source>
        <translation>
            <numerusform>%n 个 NaN 或无穷</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OpCategory</name>
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
</context>
<context>
    <name>OpHelp</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Category: %1</source>
        <translation>类别：%1</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Gradients flow through this op.</source>
        <translation>梯度可通过该 op 传播。</translation>
    </message>
    <message>
        <source>It has no gradient.</source>
        <translation>没有梯度。</translation>
    </message>
    <message>
        <source>It has no gradient: %1</source>
        <translation>没有梯度：%1</translation>
    </message>
    <message>
        <source>It has state or side effects: constant folding and common-subexpression elimination skip it.</source>
        <translation>有状态或副作用：不会被折叠，也不会与相同的 op 合并。</translation>
    </message>
    <message>
        <source>No device of this machine can run it.</source>
        <translation>本机没有设备能运行它。</translation>
    </message>
    <message>
        <source>Runs on: %1</source>
        <translation>可运行于：%1</translation>
    </message>
    <message>
        <source>Devices of this machine are still being detected.</source>
        <translation>正在查找本机的设备。</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Recurrent layers</source>
        <translation>循环层</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Neural network</source>
        <translation>神经网络</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Math</source>
        <translation>数学</translation>
    </message>
    <message>
        <source>Reductions</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>Linear algebra</source>
        <translation>线性代数</translation>
    </message>
    <message>
        <source>Logic</source>
        <translation>逻辑</translation>
    </message>
    <message>
        <source>Arrays</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Strings</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Control flow</source>
        <translation>控制流</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Tensor arrays</source>
        <translation>TensorArray</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Optimizers</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>op</source>
        <translation>op</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Inputs for the built-in data set of handwritten digits, already bound.</source>
        <translation>Weft 自带手写数字数据集的输入，已绑定好。</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>Signals</source>
        <translation>信号处理</translation>
    </message>
    <message>
        <source>Sparse</source>
        <translation>稀疏张量</translation>
    </message>
    <message>
        <source>Readers</source>
        <translation>读取器</translation>
    </message>
    <message>
        <source>Queues</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Staging areas</source>
        <translation>暂存区</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>查找表</translation>
    </message>
    <message>
        <source>Debugging</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Accumulators</source>
        <translation>梯度累加器</translation>
    </message>
    <message>
        <source>Quantized</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Decision trees</source>
        <translation>决策树</translation>
    </message>
    <message>
        <source>Ragged tensors</source>
        <translation>不规则张量</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Snippets</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>snippet</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Saved by you: adds these nodes and layers again.</source>
        <translation>由您保存：再次添加这些节点和层。</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组</translation>
    </message>
</context>
<context>
    <name>PanelActions</name>
    <message>
        <source>Open a folder of event files</source>
        <translation>打开事件文件夹</translation>
    </message>
    <message>
        <source>%1 is not being followed.</source>
        <translation>没有在读取 %1。</translation>
    </message>
    <message>
        <source>panels.export takes a dock, a tag and the path of a file.</source>
        <translation>panels.export 需要面板、标签和文件路径。</translation>
    </message>
    <message>
        <source>The dock %1 has nothing to export.</source>
        <translation>面板 %1 没有可导出的内容。</translation>
    </message>
    <message>
        <source>The dock %1 has no options.</source>
        <translation>面板 %1 没有选项。</translation>
    </message>
    <message>
        <source>The dock %1 has no option %2.</source>
        <translation>面板 %1 没有选项 %2。</translation>
    </message>
    <message>
        <source>No event files are open.</source>
        <translation>没有打开事件文件。</translation>
    </message>
    <message>
        <source>panels.saturation takes on or off, not %1.</source>
        <translation>panels.saturation 接受 on 或 off，而不是 %1。</translation>
    </message>
    <message>
        <source>%1 with %2 in the panels.</source>
        <translation>面板中有 %1，共 %2。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n series</source>
        <translation>
            <numerusform>%n 个序列</numerusform>
        </translation>
    </message>
    <message>
        <source>panels.show-logdir takes a folder of event files.</source>
        <translation>panels.show-logdir 需要一个事件文件的文件夹。</translation>
    </message>
    <message>
        <source>The event files in %1 contain no curves, histograms, images, texts or audio, so there is nothing to show in the panels. New events appear automatically.</source>
        <translation>%1 中的事件文件没有曲线、直方图、图像、文本或声音：面板中没有可显示的内容。之后写入的内容会自动出现。</translation>
    </message>
    <message>
        <source>A pin takes scalar, histogram or image, and a tag.</source>
        <translation>固定卡片需要 scalar、histogram 或 image，以及一个标签。</translation>
    </message>
</context>
<context>
    <name>ParameterActions</name>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
</context>
<context>
    <name>PictureRecords</name>
    <message numerus="yes">
        <source>%1: %n record(s)</source>
        <translation>
            <numerusform>%1：%n 条记录</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PipelineFeeder</name>
    <message>
        <source>Nothing in this graph initialises the iterator %1: it has no initializer.</source>
        <translation>图中没有启动迭代器 %1 的操作：它没有初始化操作。</translation>
    </message>
    <message>
        <source>Nothing in this graph fills the queue %1: it has no enqueue op.</source>
        <translation>图中没有向队列 %1 放入元素的操作：它没有入队操作。</translation>
    </message>
    <message>
        <source>The iterator that %1 reads is chosen by a feed, and this graph has no handle to feed.</source>
        <translation>%1 读取哪个迭代器由程序馈送决定，而图中没有可供馈送的句柄。</translation>
    </message>
    <message>
        <source>No element arrived in time.</source>
        <translation>没有元素及时到来。</translation>
    </message>
</context>
<context>
    <name>PlanPasses</name>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes in %2 groups</source>
        <translation>%1 个节点，合为 %2 组</translation>
    </message>
    <message>
        <source>%1 edges and %2 nodes less</source>
        <translation>减少 %1 条边和 %2 个节点</translation>
    </message>
    <message>
        <source>%1 convolutions</source>
        <translation>%1 个卷积</translation>
    </message>
    <message>
        <source>%1 pools</source>
        <translation>%1 个池化</translation>
    </message>
    <message>
        <source>%1 product</source>
        <translation>%1 个乘积</translation>
    </message>
    <message>
        <source>%1 products</source>
        <translation>%1 个乘积</translation>
    </message>
    <message>
        <source>%1 products added to %2 sum</source>
        <translation>%1 个乘积并入 %2 个和</translation>
    </message>
    <message>
        <source>%1 products added to %2 sums</source>
        <translation>%1 个乘积并入 %2 个和</translation>
    </message>
    <message>
        <source>%1 matrix</source>
        <translation>%1 个矩阵</translation>
    </message>
    <message>
        <source>%1 matrices</source>
        <translation>%1 个矩阵</translation>
    </message>
    <message>
        <source>Runs a while loop as one op, without scheduling each iteration.</source>
        <translation>把 while 循环作为一个 op 执行，各轮无需另行调度。</translation>
    </message>
    <message>
        <source>Runs a loop over scalars as a small program, without tensors.</source>
        <translation>把只处理单个数值的循环作为小程序执行，不用张量。</translation>
    </message>
    <message>
        <source>Computes the gradient of a loop&apos;s weights as one product over all iterations instead of one per iteration.</source>
        <translation>循环中权重的梯度用一次乘积算完各轮，而不是每轮各算一次。</translation>
    </message>
    <message>
        <source>Transforms a loop-invariant matrix once before the loop instead of in each iteration.</source>
        <translation>不变的矩阵在循环之前转置一次，而不是每轮都转置。</translation>
    </message>
    <message>
        <source>Removes computations without consumers, such as the gradient of the input images.</source>
        <translation>略去算出来却无人读取的部分，例如输入图片的梯度。</translation>
    </message>
    <message>
        <source>Computes what is constant, including shapes, once before the first step.</source>
        <translation>每步都相同的内容（包括 shape）在第一步之前算好，只算一次。</translation>
    </message>
    <message>
        <source>Removes control edges that make no difference, so that more nodes can be fused.</source>
        <translation>去掉不影响结果的先后次序约束，使更多节点可以合并。</translation>
    </message>
    <message>
        <source>Removes nodes that only pass a value on.</source>
        <translation>去掉只转交值的节点。</translation>
    </message>
    <message>
        <source>Adds the bias and applies Relu while the convolution writes its result.</source>
        <translation>卷积写出结果的同时加上偏置并施加 Relu。</translation>
    </message>
    <message>
        <source>Computes the gradients of a pooling op and the preceding Relu together.</source>
        <translation>池化及其之前 Relu 的梯度一并计算。</translation>
    </message>
    <message>
        <source>Computes only the columns of a matrix product that are read.</source>
        <translation>矩阵乘积只计算会被读取的列。</translation>
    </message>
    <message>
        <source>Accumulates matrix products as they are computed instead of storing each and adding them afterwards.</source>
        <translation>矩阵乘积边算边加，不必逐个保存再相加。</translation>
    </message>
    <message>
        <source>Fuses chains of element-wise nodes: memory is read and written once, and intermediate results need none.</source>
        <translation>合并一连串逐元素节点：内存只读一遍、写一遍，中间结果不占内存。</translation>
    </message>
    <message>
        <source>Inserts the copies that move tensors between devices.</source>
        <translation>加入张量在设备之间传送所需的复制。</translation>
    </message>
    <message>
        <source>Runs nodes that use one thread beside each other, where that was measured to be faster.</source>
        <translation>让只用一个线程的节点并排运行——仅在实测更快时才这样做。</translation>
    </message>
    <message>
        <source>%1 node computed again</source>
        <translation>%1 个节点再算一遍</translation>
    </message>
    <message>
        <source>%1 nodes computed again</source>
        <translation>%1 个节点再算一遍</translation>
    </message>
    <message>
        <source>Computes values a second time instead of keeping them, so that the step stays within its memory limit.</source>
        <translation>把一些值再算一遍而不保留它们，使步骤不超过内存上限。</translation>
    </message>
</context>
<context>
    <name>PlanTexts</name>
    <message>
        <source>This trace was read from a file. A file records when ops ran, but not how the step was planned: which nodes were fused and where tensors were placed in memory. Trace training steps here to see that.</source>
        <translation>这份 trace 读自文件。文件只记录 op 何时运行，不含步骤的计划，即哪些节点被合并、张量位于内存何处。在此处记录训练的步骤即可看到。</translation>
    </message>
</context>
<context>
    <name>PortRules</name>
    <message>
        <source>This node no longer exists.</source>
        <translation>该节点已不存在。</translation>
    </message>
    <message>
        <source>%1 has no such output.</source>
        <translation>%1 没有这个输出。</translation>
    </message>
    <message>
        <source>%1 has no such input.</source>
        <translation>%1 没有这个输入。</translation>
    </message>
    <message>
        <source>%1 expects a variable, not a value.</source>
        <translation>%1 需要变量，而不是值。</translation>
    </message>
    <message>
        <source>%1 expects %2, not %3.</source>
        <translation>%1 接受 %2，而不是 %3。</translation>
    </message>
    <message>
        <source>%1 expects %2, like the other inputs, not %3.</source>
        <translation>%1 与其他输入一样接受 %2，而不是 %3。</translation>
    </message>
</context>
<context>
    <name>ProfileActions</name>
    <message>
        <source>profile.trace takes --steps N with N from 1 to 10000, not %1.</source>
        <translation>profile.trace 接受 --steps N，N 为 1 到 10000，而不是 %1。</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开 trace</translation>
    </message>
    <message>
        <source>Save the trace</source>
        <translation>保存 trace</translation>
    </message>
    <message>
        <source>profile.range takes two times in milliseconds, the earlier one first.</source>
        <translation>profile.range 接受两个以毫秒为单位的时刻，较早的在前。</translation>
    </message>
    <message>
        <source>No slice is called %1.</source>
        <translation>没有名称包含 %1 的片段。</translation>
    </message>
    <message>
        <source>There is no trace yet: record or open one.</source>
        <translation>尚无 trace：请先记录或打开一个。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示图。</translation>
    </message>
    <message>
        <source>profile.show-advice takes a number from 1 to %1, not %2.</source>
        <translation>profile.show-advice 需要 1 到 %1 之间的数，而不是 %2。</translation>
    </message>
    <message>
        <source>This advice does not name any nodes.</source>
        <translation>这条建议没有涉及节点。</translation>
    </message>
    <message>
        <source>profile.watch-slow takes a number above 1, how many times the median a slow step takes, or off; not %1.</source>
        <translation>profile.watch-slow 需要一个大于 1 的数（慢步骤用时为中位数的多少倍）或 off，而不是 %1。</translation>
    </message>
    <message>
        <source>profile.color-slices takes one of %1, not %2.</source>
        <translation>profile.color-slices 需要 %1 之一，而不是 %2。</translation>
    </message>
    <message>
        <source>profile.light-running takes on, off or a time in milliseconds, not %1.</source>
        <translation>profile.light-running 接受 on、off 或以毫秒计的时刻，而不是 %1。</translation>
    </message>
    <message>
        <source>Nothing ran at %1 ms.</source>
        <translation>%1 ms 时没有 op 在运行。</translation>
    </message>
    <message>
        <source>This graph has no op %1, which ran at that time.</source>
        <translation>当时运行的 op %1 不在此图中。</translation>
    </message>
    <message>
        <source>This trace has no steps.</source>
        <translation>此 trace 不含步。</translation>
    </message>
    <message>
        <source>profile.step takes all, slowest, or the number of a traced step (%1 to %2), not %3.</source>
        <translation>profile.step 的参数是 all、slowest 或所记录的步号（%1 至 %2），不能是 %3。</translation>
    </message>
    <message>
        <source>This is the first traced step.</source>
        <translation>这是所记录的第一步。</translation>
    </message>
    <message>
        <source>This is the last traced step.</source>
        <translation>这是所记录的最后一步。</translation>
    </message>
    <message>
        <source>A session run is opened by profile.open EVENTS --run TAG.</source>
        <translation>会话运行用 profile.open EVENTS --run TAG 打开。</translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz *.pb *.pbtxt *.profile profile_* run_meta*);;All files (*)</source>
        <translation>Trace (*.json *.json.gz *.pb *.pbtxt *.profile profile_* run_meta*);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Chrome&apos;s trace format (*.json);;RunMetadata (*.pb);;pprof (*.pb.gz *.pprof);;tfprof (*.profile *.op_log)</source>
        <translation>Chrome trace 格式 (*.json);;RunMetadata (*.pb);;pprof (*.pb.gz *.pprof);;tfprof (*.profile *.op_log)</translation>
    </message>
    <message>
        <source>profile.compare-devices takes --steps N with N from 1 to 1000, not %1.</source>
        <translation>profile.compare-devices 需要 --steps N，N 为 1 到 1000，而不是 %1。</translation>
    </message>
</context>
<context>
    <name>ProfileTexts</name>
    <message>
        <source>This trace does not contain the source lines of its ops. Use a tfprof profile written with code traces.</source>
        <translation>此 trace 没有说明各 op 由程序的哪些行生成；带代码跟踪写出的 tfprof profile 才有。</translation>
    </message>
    <message>
        <source>%1: these events contain no session run.</source>
        <translation>%1：这些事件中没有会话运行。</translation>
    </message>
    <message numerus="yes">
        <source>%1 contains %n session run(s), from %2 to %3: choose one.</source>
        <translation>
            <numerusform>%1 包含 %n 个会话运行，从 %2 到 %3：请选择一个。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProfileTimeline</name>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>self %1 · %2 % busy</source>
        <translation>自身 %1 · 忙碌 %2 %</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>not computed: over 300,000 slices</source>
        <translation>未计算：超过 300,000 个片段</translation>
    </message>
    <message>
        <source>%1 in total</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>memory of %1</source>
        <translation>%1 的内存</translation>
    </message>
    <message>
        <source>peak %1 at %2</source>
        <translation>峰值 %1，位于 %2</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>最大 %1</translation>
    </message>
    <message>
        <source>ops running on %1</source>
        <translation>%1 上运行中的 op</translation>
    </message>
    <message>
        <source>ops waiting for %1</source>
        <translation>等待 %1 的 op</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>same as others</source>
        <translation>与其他行重复</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>out %1 · in %2</source>
        <translation>发出 %1 · 收到 %2</translation>
    </message>
    <message>
        <source>all tasks</source>
        <translation>全部任务</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>少 %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>多 %1</translation>
    </message>
    <message>
        <source>no certain change</source>
        <translation>没有确定的变化</translation>
    </message>
</context>
<context>
    <name>ProfileTransfers</name>
    <message>
        <source>reference clock</source>
        <translation>基准时钟</translation>
    </message>
    <message>
        <source>clock agrees</source>
        <translation>时钟一致</translation>
    </message>
    <message>
        <source>clock moved by %1 ± %2</source>
        <translation>时钟移动了 %1 ± %2</translation>
    </message>
    <message>
        <source>clock moved by %1 or more</source>
        <translation>时钟至少移动了 %1</translation>
    </message>
    <message>
        <source>clock moved by %1, which does not suit all transfers</source>
        <translation>时钟移动了 %1，但与部分传输仍有矛盾</translation>
    </message>
    <message>
        <source>clock not compared</source>
        <translation>时钟未比较</translation>
    </message>
    <message>
        <source>The clocks of the other tasks are compared with this one.</source>
        <translation>其他任务的时钟与这个时钟比较。</translation>
    </message>
    <message>
        <source>Every tensor arrived after it was sent, so the times of this task are shown as it recorded them.</source>
        <translation>每个张量都在发出之后到达，因此这个任务的时间按它的记录显示。</translation>
    </message>
    <message>
        <source>By the recorded times, tensors would have arrived before they were sent. The times of this task were moved to the middle of what transfers in both directions allow.</source>
        <translation>按记录的时间，有张量在发出之前就到达了。这个任务的时间已移到两个方向的传输所允许范围的中点。</translation>
    </message>
    <message>
        <source>By the recorded times, tensors would have arrived before they were sent. The times of this task were moved by the least that corrects it; there are no transfers in the other direction to tell more.</source>
        <translation>按记录的时间，有张量在发出之前就到达了。这个任务的时间只移动了纠正所需的最小值；没有反方向的传输，无法得知更多。</translation>
    </message>
    <message>
        <source>No correction makes all tensors arrive after they were sent: the clock ran unevenly, or the trace is damaged. Compare the times of this task with care.</source>
        <translation>没有一种校正能使所有张量都在发出之后到达：时钟走得不均匀，或者 trace 已损坏。请谨慎比较这个任务的时间。</translation>
    </message>
    <message>
        <source>The trace has no transfer that joins this task to the others, so its clock may differ from theirs by any time.</source>
        <translation>trace 中没有把这个任务与其他任务联系起来的传输，它的时钟可能与其他时钟相差任意时间。</translation>
    </message>
    <message>
        <source>%1 in transit</source>
        <translation>传输用时 %1</translation>
    </message>
    <message>
        <source>receiver waited %1</source>
        <translation>接收方等待 %1</translation>
    </message>
    <message>
        <source>at most %1 in transit</source>
        <translation>传输用时最多 %1</translation>
    </message>
    <message>
        <source>receiver waited at most %1</source>
        <translation>接收方最多等待 %1</translation>
    </message>
</context>
<context>
    <name>ProgramActions</name>
    <message>
        <source>Run a Python program</source>
        <translation>运行 Python 程序</translation>
    </message>
    <message>
        <source>Python programs (*.py)</source>
        <translation>Python 程序 (*.py)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>No Python program is running.</source>
        <translation>没有正在运行的 Python 程序。</translation>
    </message>
    <message>
        <source>No Python program has run yet.</source>
        <translation>还没有运行过 Python 程序。</translation>
    </message>
    <message>
        <source>The line of the Python program that created %1 is not known.</source>
        <translation>不知道是 Python 程序的哪一行生成了 %1。</translation>
    </message>
    <message>
        <source>program.point takes the number of a line, not %1.</source>
        <translation>program.point 需要行号，而不是 %1。</translation>
    </message>
    <message>
        <source>Which file? No Python program has run yet.</source>
        <translation>哪个文件？还没有运行过 Python 程序。</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>The Python program is suspended; resume it first.</source>
        <translation>Python 程序已被暂停；请先让它继续。</translation>
    </message>
    <message>
        <source>The Python program is already paused.</source>
        <translation>Python 程序已经停下。</translation>
    </message>
    <message>
        <source>The Python program is not paused at a line.</source>
        <translation>Python 程序没有停在某一行之前。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>This graph was not created by a Python program.</source>
        <translation>这张图不是由 Python 程序生成的。</translation>
    </message>
    <message>
        <source>program.line takes FILE LINE, not %1.</source>
        <translation>program.line 需要 FILE LINE，而不是 %1。</translation>
    </message>
    <message>
        <source>program.show takes output, source or sessions, not %1.</source>
        <translation>program.show 接受 output、source 或 sessions，而不是 %1。</translation>
    </message>
    <message>
        <source>Minimal program (*.py)</source>
        <translation>最初的程序 (*.py)</translation>
    </message>
    <message>
        <source>Supervised session with hooks (*.py)</source>
        <translation>带 hook 的受监督会话 (*.py)</translation>
    </message>
    <message>
        <source>Towers on several devices (*.py)</source>
        <translation>多设备上的 tower (*.py)</translation>
    </message>
    <message>
        <source>New Python program</source>
        <translation>新建 Python 程序</translation>
    </message>
    <message>
        <source>program.new takes a template (%1) and a path.</source>
        <translation>program.new 需要模板（%1）和路径。</translation>
    </message>
    <message>
        <source>%1 already exists.</source>
        <translation>%1 已经存在。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>ProgramGhosts</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>names start with %1/</source>
        <translation>名称以 %1/ 开头</translation>
    </message>
    <message>
        <source>enters %1</source>
        <translation>进入 %1</translation>
    </message>
    <message>
        <source>ops at the top level</source>
        <translation>op 在顶层</translation>
    </message>
    <message>
        <source>ops in %1/</source>
        <translation>op 在 %1/ 中</translation>
    </message>
    <message>
        <source>variable %1</source>
        <translation>变量 %1</translation>
    </message>
    <message numerus="yes">
        <source>→ gradients and updates, %n node(s)</source>
        <translation>
            <numerusform>→ 梯度与更新，%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>printed %1</source>
        <translation>打印了 %1</translation>
    </message>
    <message>
        <source>printed %1 times, last %2</source>
        <translation>打印了 %1 次，最后是 %2</translation>
    </message>
    <message>
        <source>a symbolic tensor without a value; session.run computes it</source>
        <translation>只是符号，没有值；session.run 会给出值</translation>
    </message>
    <message>
        <source>tf.Variable creates a new variable on every call and also takes its name from name_scope: w, w_1, w_2. tf.get_variable looks a variable up by name in the variable_scope: a second call returns the same variable with reuse and fails without it. Use get_variable for weights that are shared or restored; Variable is enough for a counter or a single weight. Alt+Enter converts this call.</source>
        <translation>tf.Variable 每次都创建新变量，名称还受 name_scope 影响：w、w_1、w_2。tf.get_variable 在 variable_scope 中按名称取变量：再次调用时，带 reuse 得到同一个变量，否则报错。共享权重或权重来自别处时用 get_variable；计数器或单个权重用 Variable 即可。Alt+Enter 转换此调用。</translation>
    </message>
</context>
<context>
    <name>ProgramLink</name>
    <message>
        <source>The Python program does not respond.</source>
        <translation>Python 程序没有应答。</translation>
    </message>
    <message>
        <source>The Python program has ended.</source>
        <translation>Python 程序已结束。</translation>
    </message>
    <message>
        <source>The Python program is suspended; resume it first.</source>
        <translation>Python 程序已被暂停；请先让它继续。</translation>
    </message>
</context>
<context>
    <name>ProjectionWords</name>
    <message>
        <source>%1 has no embeddings.</source>
        <translation>%1 中没有嵌入。</translation>
    </message>
    <message>
        <source>%1 has no embedding %2.</source>
        <translation>%1 中没有嵌入 %2。</translation>
    </message>
    <message>
        <source>%1 has no matrix.</source>
        <translation>%1 中没有矩阵。</translation>
    </message>
    <message>
        <source>%1 has no tensor %2.</source>
        <translation>%1 中没有张量 %2。</translation>
    </message>
    <message>
        <source>Actual</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>ProjectorActions</name>
    <message>
        <source>The current tab has no matrix that could be shown as points.</source>
        <translation>当前标签页中没有可以显示为点的矩阵。</translation>
    </message>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
</context>
<context>
    <name>Properties</name>
    <message>
        <source>inferred</source>
        <translation>由连线决定</translation>
    </message>
    <message>
        <source>How the TensorFlow Lite model stores this tensor: number = scale × (integer − zero point). Several scales belong to the slices of the axis.</source>
        <translation>TensorFlow Lite 模型存储该张量的方式：数值 = 缩放系数 ×（整数 − 零点）。有多个缩放系数时，它们分别对应该轴上的各个切片。</translation>
    </message>
    <message>
        <source>Device to run the op on, such as /device:CPU:0; if empty, the engine chooses.</source>
        <translation>op 运行的设备，如 /device:CPU:0；留空则由引擎决定。</translation>
    </message>
    <message>
        <source>several values</source>
        <translation>多个值</translation>
    </message>
</context>
<context>
    <name>Property</name>
    <message>
        <source>%1 is not a whole number.</source>
        <translation>%1 不是整数。</translation>
    </message>
    <message>
        <source>%1 is not a number.</source>
        <translation>%1 不是数。</translation>
    </message>
    <message>
        <source>%1 is too large for float32.</source>
        <translation>%1 超出 float32 的范围。</translation>
    </message>
    <message>
        <source>%1 is neither true nor false.</source>
        <translation>%1 既非 true 也非 false。</translation>
    </message>
    <message>
        <source>%1 is not a dimension: expected a number from 0, or ? for an unknown one.</source>
        <translation>%1 不是维度：应为不小于 0 的数，未知时写 ?。</translation>
    </message>
    <message>
        <source>A value is required.</source>
        <translation>需要一个值。</translation>
    </message>
    <message>
        <source>%1 is not one of %2.</source>
        <translation>%1 不在 %2 之中。</translation>
    </message>
    <message>
        <source>Expected at least %1 elements, got %2.</source>
        <translation>至少需要 %1 个元素，现有 %2 个。</translation>
    </message>
    <message>
        <source>Expected at least %1.</source>
        <translation>至少为 %1。</translation>
    </message>
    <message>
        <source>%1 is out of range: expected %2 to %3.</source>
        <translation>%1 超出范围：应为 %2 到 %3。</translation>
    </message>
</context>
<context>
    <name>QKeySequenceEdit</name>
    <message>
        <source>Press shortcut</source>
        <translation>请按快捷键</translation>
    </message>
</context>
<context>
    <name>Query</name>
    <message>
        <source>Whether a regular expression (RE2) matches a part of the text; also regexp(pattern, text).</source>
        <translation>正则表达式（RE2）是否匹配文本的一部分；也可写作 regexp(pattern, text)。</translation>
    </message>
    <message>
        <source>The scope of a node: &apos;a/b&apos; of &apos;a/b/c&apos;.</source>
        <translation>节点的作用域：&apos;a/b/c&apos; 的作用域是 &apos;a/b&apos;。</translation>
    </message>
    <message>
        <source>The middle value of a group.</source>
        <translation>一组值的中位数。</translation>
    </message>
    <message>
        <source>The value below which p % of a group lie, between neighbours as NumPy computes it.</source>
        <translation>一组值中有 p % 小于它的值，按 NumPy 的方式在相邻值之间插值。</translation>
    </message>
    <message>
        <source>The standard deviation of a group, as of a sample (n − 1).</source>
        <translation>一组值的样本标准差（n − 1）。</translation>
    </message>
    <message>
        <source>Where the row comes from: a file, or a name that the window gives.</source>
        <translation>该行的来源：文件，或窗口给出的名称。</translation>
    </message>
    <message>
        <source>The run: its folder below the one that was given, or SWEEP/RUN of experiments.</source>
        <translation>运行：相对于给定文件夹的路径，或实验中的 SWEEP/RUN。</translation>
    </message>
    <message>
        <source>1 if the value is not a number, which SQL shows as NULL.</source>
        <translation>值不是数（NaN）时为 1；SQL 中 NaN 显示为 NULL。</translation>
    </message>
    <message>
        <source>The element type, such as float32.</source>
        <translation>元素类型，例如 float32。</translation>
    </message>
    <message>
        <source>The shape, such as [?,28,28,1]; NULL if the rank is unknown.</source>
        <translation>形状，例如 [?,28,28,1]；秩未知时为 NULL。</translation>
    </message>
    <message>
        <source>Number of elements; NULL if a dimension is unknown.</source>
        <translation>元素个数；有未知维度时为 NULL。</translation>
    </message>
    <message>
        <source>Size in bytes; NULL if it is unknown.</source>
        <translation>字节数；未知时为 NULL。</translation>
    </message>
    <message>
        <source>The operations of graphs.</source>
        <translation>计算图中的操作。</translation>
    </message>
    <message>
        <source>The node&apos;s name.</source>
        <translation>节点名称。</translation>
    </message>
    <message>
        <source>The op type, such as Conv2D.</source>
        <translation>op 类型，例如 Conv2D。</translation>
    </message>
    <message>
        <source>The scope in which the node lies; empty at the top.</source>
        <translation>节点所在的作用域；顶层为空。</translation>
    </message>
    <message>
        <source>The device that the graph asks for; empty: any.</source>
        <translation>计算图指定的设备；空表示任意。</translation>
    </message>
    <message>
        <source>Number of data inputs.</source>
        <translation>数据输入的个数。</translation>
    </message>
    <message>
        <source>Number of control inputs.</source>
        <translation>控制输入的个数。</translation>
    </message>
    <message>
        <source>Number of outputs.</source>
        <translation>输出的个数。</translation>
    </message>
    <message>
        <source>Number of nodes that read or wait for this one.</source>
        <translation>读取或等待该节点的节点个数。</translation>
    </message>
    <message>
        <source>Floating point operations of one execution; NULL if shapes are unknown.</source>
        <translation>执行一次的浮点运算次数；形状未知时为 NULL。</translation>
    </message>
    <message>
        <source>1 if this engine knows the op.</source>
        <translation>本引擎认识该 op 时为 1。</translation>
    </message>
    <message>
        <source>The connections of graphs.</source>
        <translation>计算图中的连接。</translation>
    </message>
    <message>
        <source>The node that an edge comes from.</source>
        <translation>边的起点。</translation>
    </message>
    <message>
        <source>The number of its output; NULL for control edges.</source>
        <translation>起点的输出编号；控制边为 NULL。</translation>
    </message>
    <message>
        <source>The node that an edge leads to.</source>
        <translation>边的终点。</translation>
    </message>
    <message>
        <source>The number of its input; NULL for control edges.</source>
        <translation>终点的输入编号；控制边为 NULL。</translation>
    </message>
    <message>
        <source>1 if no data flow, only the order is given.</source>
        <translation>不传数据、只规定次序时为 1。</translation>
    </message>
    <message>
        <source>The attributes of nodes.</source>
        <translation>节点的属性。</translation>
    </message>
    <message>
        <source>The attribute&apos;s name.</source>
        <translation>属性名称。</translation>
    </message>
    <message>
        <source>Its value as text.</source>
        <translation>属性值的文本。</translation>
    </message>
    <message>
        <source>The tensors of checkpoints. Statistics are computed when a query reads them.</source>
        <translation>检查点中的张量。查询读取统计列时才计算。</translation>
    </message>
    <message>
        <source>The tensor&apos;s name.</source>
        <translation>张量名称。</translation>
    </message>
    <message>
        <source>Mean of the finite values.</source>
        <translation>有限值的平均值。</translation>
    </message>
    <message>
        <source>Standard deviation of the finite values.</source>
        <translation>有限值的标准差。</translation>
    </message>
    <message>
        <source>Smallest finite value.</source>
        <translation>最小的有限值。</translation>
    </message>
    <message>
        <source>Largest finite value.</source>
        <translation>最大的有限值。</translation>
    </message>
    <message>
        <source>Root of the sum of squares.</source>
        <translation>平方和的平方根。</translation>
    </message>
    <message>
        <source>Number of values that are NaN.</source>
        <translation>NaN 的个数。</translation>
    </message>
    <message>
        <source>Number of infinite values.</source>
        <translation>无穷大的个数。</translation>
    </message>
    <message>
        <source>Number of zeros.</source>
        <translation>零的个数。</translation>
    </message>
    <message>
        <source>The points of curves in event files.</source>
        <translation>事件文件中曲线的点。</translation>
    </message>
    <message>
        <source>The curve&apos;s name.</source>
        <translation>曲线名称。</translation>
    </message>
    <message>
        <source>The step.</source>
        <translation>步数。</translation>
    </message>
    <message>
        <source>Seconds since 1970.</source>
        <translation>自 1970 年起的秒数。</translation>
    </message>
    <message>
        <source>The value; NULL if it is not a number.</source>
        <translation>值；不是数时为 NULL。</translation>
    </message>
    <message>
        <source>What event files contain.</source>
        <translation>事件文件的内容。</translation>
    </message>
    <message>
        <source>The name.</source>
        <translation>名称。</translation>
    </message>
    <message>
        <source>scalar, histogram, image, audio, tensor, or the name of a plugin.</source>
        <translation>scalar、histogram、image、audio、tensor 或插件名称。</translation>
    </message>
    <message>
        <source>Number of values.</source>
        <translation>值的个数。</translation>
    </message>
    <message>
        <source>The first step.</source>
        <translation>第一步。</translation>
    </message>
    <message>
        <source>The last step.</source>
        <translation>最后一步。</translation>
    </message>
    <message>
        <source>Trainings: of experiments, and folders with event files.</source>
        <translation>训练：实验中的运行，以及含事件文件的文件夹。</translation>
    </message>
    <message>
        <source>The run&apos;s folder.</source>
        <translation>运行的文件夹。</translation>
    </message>
    <message>
        <source>finished, running, failed, stopped early, interrupted or waiting; NULL if unknown.</source>
        <translation>finished、running、failed、stopped early、interrupted 或 waiting；未知时为 NULL。</translation>
    </message>
    <message>
        <source>Why it failed or was stopped.</source>
        <translation>失败或停止的原因。</translation>
    </message>
    <message>
        <source>Steps that were planned.</source>
        <translation>计划的步数。</translation>
    </message>
    <message>
        <source>Parameters and settings of runs.</source>
        <translation>运行的参数和设置。</translation>
    </message>
    <message>
        <source>The parameter.</source>
        <translation>参数。</translation>
    </message>
    <message>
        <source>Its value if it is a number.</source>
        <translation>数值形式的值。</translation>
    </message>
    <message>
        <source>Last values of the metrics of experiments and of the curves of runs.</source>
        <translation>实验指标与运行曲线的最后一个值。</translation>
    </message>
    <message>
        <source>The metric.</source>
        <translation>指标。</translation>
    </message>
    <message>
        <source>Its last value; NULL if it is not a number.</source>
        <translation>最后一个值；不是数时为 NULL。</translation>
    </message>
    <message>
        <source>What ran when, from traces.</source>
        <translation>跟踪中什么在何时运行。</translation>
    </message>
    <message>
        <source>The thread or stream.</source>
        <translation>线程或流。</translation>
    </message>
    <message>
        <source>The device.</source>
        <translation>设备。</translation>
    </message>
    <message>
        <source>The node or event.</source>
        <translation>节点或事件。</translation>
    </message>
    <message>
        <source>The node; NULL for other events.</source>
        <translation>节点；其他事件为 NULL。</translation>
    </message>
    <message>
        <source>The op type; NULL if unknown.</source>
        <translation>op 类型；未知时为 NULL。</translation>
    </message>
    <message>
        <source>The scope of the node.</source>
        <translation>节点的作用域。</translation>
    </message>
    <message>
        <source>The number of the step.</source>
        <translation>步的编号。</translation>
    </message>
    <message>
        <source>Start in microseconds from the trace&apos;s beginning.</source>
        <translation>从跟踪开始算起的起始时间（微秒）。</translation>
    </message>
    <message>
        <source>End in microseconds.</source>
        <translation>结束时间（微秒）。</translation>
    </message>
    <message>
        <source>From start to end, in microseconds.</source>
        <translation>从开始到结束的时长（微秒）。</translation>
    </message>
    <message>
        <source>The duration without nested slices, in microseconds.</source>
        <translation>不含嵌套片段的时长（微秒）。</translation>
    </message>
    <message>
        <source>From scheduling to start, in microseconds; 0 if unknown.</source>
        <translation>从调度到开始的时间（微秒）；未知时为 0。</translation>
    </message>
    <message>
        <source>Depth of nesting; 0: outermost.</source>
        <translation>嵌套深度；0 为最外层。</translation>
    </message>
    <message>
        <source>Bytes of the outputs.</source>
        <translation>输出的字节数。</translation>
    </message>
    <message>
        <source>Floating point operations of one execution, if known.</source>
        <translation>执行一次的浮点运算次数（如已知）。</translation>
    </message>
    <message>
        <source>0 for slices that repeat others or only start work on a GPU: leave them out of sums.</source>
        <translation>重复其他片段、或只是在 GPU 上启动工作的片段为 0：求和时应排除。</translation>
    </message>
    <message>
        <source>The files and folders that were given, and what lies in the folders.</source>
        <translation>给出的文件和文件夹，以及文件夹中的内容。</translation>
    </message>
    <message>
        <source>The path.</source>
        <translation>路径。</translation>
    </message>
    <message>
        <source>The last part of the path.</source>
        <translation>路径的最后一部分。</translation>
    </message>
    <message>
        <source>What it is, judged by its content, such as graphdef, checkpoint, events; NULL if it is not recognised.</source>
        <translation>按内容判断的种类，例如 graphdef、checkpoint、events；无法识别时为 NULL。</translation>
    </message>
    <message>
        <source>The kind in words.</source>
        <translation>种类的说明。</translation>
    </message>
    <message>
        <source>Size in bytes; NULL for folders.</source>
        <translation>字节数；文件夹为 NULL。</translation>
    </message>
    <message>
        <source>How often each op occurs</source>
        <translation>每种 op 出现多少次</translation>
    </message>
    <message>
        <source>Nodes with the largest outputs</source>
        <translation>输出最大的节点</translation>
    </message>
    <message>
        <source>Work by scope</source>
        <translation>各作用域的计算量</translation>
    </message>
    <message>
        <source>Nodes whose output nothing reads</source>
        <translation>输出无人读取的节点</translation>
    </message>
    <message>
        <source>Values with the largest fan-out</source>
        <translation>扇出最大的值</translation>
    </message>
    <message>
        <source>Convolutions by strides and padding</source>
        <translation>按步长和填充统计卷积</translation>
    </message>
    <message>
        <source>Tensors with NaN, infinities or only zeros</source>
        <translation>含 NaN、无穷大或全为零的张量</translation>
    </message>
    <message>
        <source>Parameters by scope</source>
        <translation>各作用域的参数量</translation>
    </message>
    <message>
        <source>Best value of each curve</source>
        <translation>每条曲线的最佳值</translation>
    </message>
    <message>
        <source>Curves that became NaN, and when</source>
        <translation>变成 NaN 的曲线及时间</translation>
    </message>
    <message>
        <source>Runs with their learning rate and loss</source>
        <translation>各运行的学习率和损失</translation>
    </message>
    <message>
        <source>Mean of the metrics by parameter</source>
        <translation>按参数统计指标的平均值</translation>
    </message>
    <message>
        <source>Where the time goes, by op</source>
        <translation>时间花在哪里（按 op）</translation>
    </message>
    <message>
        <source>The longest single slices</source>
        <translation>最长的单个片段</translation>
    </message>
    <message>
        <source>Nodes whose time varies most</source>
        <translation>用时波动最大的节点</translation>
    </message>
    <message>
        <source>Time of each step by device</source>
        <translation>每步在各设备上的时间</translation>
    </message>
    <message>
        <source>Files by kind</source>
        <translation>按种类统计文件</translation>
    </message>
    <message>
        <source>Idle time of threads and streams between the slices of a step, with its reason.</source>
        <translation>一步之内线程和流在片段之间的空闲时间及原因。</translation>
    </message>
    <message>
        <source>waited for an input, copy between devices, input pipeline or queue, launch by the host, scheduling, or no more work.</source>
        <translation>waited for an input（等待输入）、copy between devices（设备间复制）、input pipeline or queue（输入流水线或队列）、launch by the host（主机启动）、scheduling（调度）或 no more work（没有更多工作）。</translation>
    </message>
    <message>
        <source>The node that was waited for; NULL if there is none.</source>
        <translation>所等待的节点；没有时为 NULL。</translation>
    </message>
    <message>
        <source>The node that ran before; NULL at the step&apos;s begin.</source>
        <translation>之前运行的节点；一步开始处为 NULL。</translation>
    </message>
    <message>
        <source>The node that ran next; NULL at the step&apos;s end.</source>
        <translation>之后运行的节点；一步结束处为 NULL。</translation>
    </message>
    <message>
        <source>Why threads were idle</source>
        <translation>线程为何空闲</translation>
    </message>
    <message>
        <source>What was waited for most</source>
        <translation>等待最多的是什么</translation>
    </message>
    <message>
        <source>The variables of graphs.</source>
        <translation>图的变量。</translation>
    </message>
    <message>
        <source>The variable&apos;s name.</source>
        <translation>变量的名称。</translation>
    </message>
    <message>
        <source>VariableV2, VarHandleOp or another op that holds a value.</source>
        <translation>VariableV2、VarHandleOp 或其他保存值的 op。</translation>
    </message>
    <message>
        <source>1 if training changes it, 0 if not; NULL if the file does not say.</source>
        <translation>训练会改变它时为 1，否则为 0；文件没有说明时为 NULL。</translation>
    </message>
    <message>
        <source>What computes its initial value: an op of random numbers, zeros, ones, a constant, or another op; NULL if nothing does.</source>
        <translation>初始值的来源：随机数 op、zeros、ones、常数或其他 op；没有时为 NULL。</translation>
    </message>
    <message>
        <source>Trainable variables, largest first</source>
        <translation>可训练的变量，从大到小</translation>
    </message>
</context>
<context>
    <name>QueryActions</name>
    <message numerus="yes">
        <source>%n breakpoint(s) set</source>
        <translation>
            <numerusform>已设置 %n 个断点</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示计算图。</translation>
    </message>
    <message>
        <source>The result names no node of this graph.</source>
        <translation>结果中没有此计算图的节点。</translation>
    </message>
    <message>
        <source>The result has no column %1.</source>
        <translation>结果中没有列 %1。</translation>
    </message>
    <message>
        <source>Write a query first.</source>
        <translation>请先写一个查询。</translation>
    </message>
    <message>
        <source>No query is running.</source>
        <translation>没有正在运行的查询。</translation>
    </message>
    <message>
        <source>There is no file or folder %1.</source>
        <translation>没有文件或文件夹 %1。</translation>
    </message>
    <message>
        <source>Add files to queries</source>
        <translation>为查询添加文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>No files were added.</source>
        <translation>没有添加文件。</translation>
    </message>
    <message>
        <source>Save the result</source>
        <translation>保存结果</translation>
    </message>
    <message>
        <source>There is no result.</source>
        <translation>没有结果。</translation>
    </message>
</context>
<context>
    <name>QueueFacts</name>
    <message>
        <source>%1 is full (%2 elements) and nothing is dequeued; blocked enqueues: %3.</source>
        <translation>%1 已满（%2 个元素），而没有元素被取出；等待中的入队操作：%3。</translation>
    </message>
    <message>
        <source>nothing is enqueued; blocked dequeues: %1.</source>
        <translation>没有入队操作带来新的元素；等待中的出队操作：%1。</translation>
    </message>
    <message>
        <source>%1 holds %2 elements, of which at least %3 must stay (min_after_dequeue), and %4</source>
        <translation>%1 有 %2 个元素，其中至少 %3 个要留下（min_after_dequeue），而%4</translation>
    </message>
    <message>
        <source>%1 is %2 elements short of a batch, and %3</source>
        <translation>%1 距一个批次还缺 %2 个元素，而%3</translation>
    </message>
    <message>
        <source>%1 is empty, and %2</source>
        <translation>%1 是空的，而%2</translation>
    </message>
</context>
<context>
    <name>RemoteActions</name>
    <message>
        <source>there is more than one word</source>
        <translation>参数多于一个</translation>
    </message>
    <message>
        <source>panels.open-remote-logdir takes an address such as sftp://user@host/folder: %1.</source>
        <translation>panels.open-remote-logdir 需要形如 sftp://user@host/folder 的地址：%1。</translation>
    </message>
    <message>
        <source>No event files on another machine are open.</source>
        <translation>没有打开另一台机器上的事件文件。</translation>
    </message>
</context>
<context>
    <name>RemoteConnection</name>
    <message>
        <source>ssh was not found. Install OpenSSH&apos;s client (package openssh-client).</source>
        <translation>找不到 ssh。请安装 OpenSSH 客户端（软件包 openssh-client）。</translation>
    </message>
    <message>
        <source>There is no host %1%2. Check its spelling.</source>
        <translation>没有主机 %1%2。请检查拼写。</translation>
    </message>
    <message>
        <source>%1 cannot be reached%2.</source>
        <translation>无法连接到 %1%2。</translation>
    </message>
    <message>
        <source>%1 does not let you in%2. Check the user, and that your key is known there.</source>
        <translation>%1 拒绝登录%2。请检查用户名，以及该机器是否已登记您的密钥。</translation>
    </message>
    <message>
        <source>The host key of %1 was not accepted, so nothing was connected.</source>
        <translation>%1 的主机密钥未被接受，因此没有连接。</translation>
    </message>
    <message>
        <source>The host key of %1 has changed since the last connection: it may be another machine. Ask who runs it, then remove the old key with: ssh-keygen -R %1</source>
        <translation>自上次连接以来，%1 的主机密钥已改变：它可能是另一台机器。请向其管理者确认，再用以下命令删除旧密钥：ssh-keygen -R %1</translation>
    </message>
    <message>
        <source>%1 does not offer SFTP%2.</source>
        <translation>%1 不提供 SFTP%2。</translation>
    </message>
    <message>
        <source>The connection to %1 was lost%2.</source>
        <translation>与 %1 的连接已中断%2。</translation>
    </message>
    <message>
        <source>%1 asks for a password, or refuses your key. Click Connect.</source>
        <translation>%1 要求输入密码，或拒绝了您的密钥。请单击“连接”。</translation>
    </message>
</context>
<context>
    <name>ReportKeys</name>
    <message>
        <source>all_model_checkpoint_paths</source>
        <translation>所有检查点路径</translation>
    </message>
    <message>
        <source>all_model_checkpoint_timestamps</source>
        <translation>所有检查点时间戳</translation>
    </message>
    <message>
        <source>args</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>arrays</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>assets</source>
        <translation>资源文件</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>class_name</source>
        <translation>类名</translation>
    </message>
    <message>
        <source>collections</source>
        <translation>集合</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>compression</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>control_edges</source>
        <translation>控制边</translation>
    </message>
    <message>
        <source>cost_graph</source>
        <translation>成本图</translation>
    </message>
    <message>
        <source>cost_nodes</source>
        <translation>成本节点</translation>
    </message>
    <message>
        <source>count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>dangling</source>
        <translation>悬空</translation>
    </message>
    <message>
        <source>data_edges</source>
        <translation>数据边</translation>
    </message>
    <message>
        <source>dense_shape</source>
        <translation>稠密形状</translation>
    </message>
    <message>
        <source>description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>dumps</source>
        <translation>转储</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>entries</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>execution</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>executions</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>feature_lists</source>
        <translation>特征列表</translation>
    </message>
    <message>
        <source>features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>file_version</source>
        <translation>文件版本</translation>
    </message>
    <message>
        <source>filename_tensor</source>
        <translation>文件名张量</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>first_step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>first_wall_time</source>
        <translation>最初时间</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>fortran_order</source>
        <translation>列优先</translation>
    </message>
    <message>
        <source>found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>function_graphs</source>
        <translation>函数图</translation>
    </message>
    <message>
        <source>functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>graph_execution_traces</source>
        <translation>图执行轨迹</translation>
    </message>
    <message>
        <source>has_optimizer</source>
        <translation>含优化器</translation>
    </message>
    <message>
        <source>has_trace</source>
        <translation>含轨迹</translation>
    </message>
    <message>
        <source>indices</source>
        <translation>下标</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>keras_version</source>
        <translation>Keras 版本</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>标签值</translation>
    </message>
    <message>
        <source>last_preserved_timestamp</source>
        <translation>最后保留时间</translation>
    </message>
    <message>
        <source>last_step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>last_wall_time</source>
        <translation>最后时间</translation>
    </message>
    <message>
        <source>latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>library</source>
        <translation>函数库</translation>
    </message>
    <message>
        <source>log_entries</source>
        <translation>日志条目</translation>
    </message>
    <message>
        <source>log_messages</source>
        <translation>日志消息</translation>
    </message>
    <message>
        <source>max_to_keep</source>
        <translation>最多保留</translation>
    </message>
    <message>
        <source>message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>meta_graphs</source>
        <translation>元图</translation>
    </message>
    <message>
        <source>metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>min_consumer</source>
        <translation>最低读取版本</translation>
    </message>
    <message>
        <source>model_checkpoint_path</source>
        <translation>当前检查点路径</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>object_based</source>
        <translation>基于对象</translation>
    </message>
    <message>
        <source>object_graph_nodes</source>
        <translation>对象图节点</translation>
    </message>
    <message>
        <source>op</source>
        <translation>op</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>op</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>partition_graphs</source>
        <translation>分区图</translation>
    </message>
    <message>
        <source>partition_nodes</source>
        <translation>分区节点</translation>
    </message>
    <message>
        <source>payload_bytes</source>
        <translation>数据字节</translation>
    </message>
    <message>
        <source>phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>plugin</source>
        <translation>插件</translation>
    </message>
    <message>
        <source>points</source>
        <translation>点</translation>
    </message>
    <message>
        <source>problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>producer</source>
        <translation>生成版本</translation>
    </message>
    <message>
        <source>records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>restore_op</source>
        <translation>恢复 op</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>run_metadata</source>
        <translation>运行元数据</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>save_tensor</source>
        <translation>保存张量</translation>
    </message>
    <message>
        <source>saved_model_schema_version</source>
        <translation>SavedModel 格式版本</translation>
    </message>
    <message>
        <source>saver</source>
        <translation>Saver</translation>
    </message>
    <message>
        <source>schema_version</source>
        <translation>格式版本</translation>
    </message>
    <message>
        <source>session_log</source>
        <translation>会话日志</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>shard</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>sharded</source>
        <translation>已分片</translation>
    </message>
    <message>
        <source>shards</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>signatures</source>
        <translation>签名</translation>
    </message>
    <message>
        <source>sinks</source>
        <translation>终点</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>槽</translation>
    </message>
    <message>
        <source>span_us</source>
        <translation>时长（µs）</translation>
    </message>
    <message>
        <source>sparse</source>
        <translation>稀疏</translation>
    </message>
    <message>
        <source>step_stats</source>
        <translation>步统计</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>strings</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>stripped_default_attrs</source>
        <translation>已去掉默认属性</translation>
    </message>
    <message>
        <source>stripped_ops</source>
        <translation>剥离后的 op 表</translation>
    </message>
    <message>
        <source>subgraphs</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>tf_version</source>
        <translation>TensorFlow 版本</translation>
    </message>
    <message>
        <source>timestamps</source>
        <translation>时间戳</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>unknown_ops</source>
        <translation>未知的 op</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>已校验</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>with_inf</source>
        <translation>含无穷</translation>
    </message>
    <message>
        <source>with_nan</source>
        <translation>含 NaN</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>has_graph</source>
        <translation>含计算图</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>comments</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>cumulative</source>
        <translation>累计</translation>
    </message>
    <message>
        <source>default_type</source>
        <translation>默认类型</translation>
    </message>
    <message>
        <source>duration_ns</source>
        <translation>时长（纳秒）</translation>
    </message>
    <message>
        <source>flat</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>轨道</translation>
    </message>
    <message>
        <source>locations</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>planes</source>
        <translation>设备平面</translation>
    </message>
    <message>
        <source>sample_types</source>
        <translation>数值类型</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>time_ns</source>
        <translation>时间（纳秒）</translation>
    </message>
    <message>
        <source>top_functions</source>
        <translation>占比最大的函数</translation>
    </message>
    <message>
        <source>total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>class</source>
        <translation>类</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>full_name</source>
        <translation>变量全名</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>layer_class</source>
        <translation>层的类</translation>
    </message>
    <message>
        <source>object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>object_count</source>
        <translation>对象数</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>registered_name</source>
        <translation>注册名称</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>槽变量</translation>
    </message>
    <message>
        <source>trainable</source>
        <translation>可训练</translation>
    </message>
    <message>
        <source>uses</source>
        <translation>使用的对象</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>变量</translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message>
        <source>run.train takes --steps N or --epochs N with N above 0, not %1.</source>
        <translation>run.train 接受 --steps N 或 --epochs N（N 大于 0），而不是 %1。</translation>
    </message>
    <message>
        <source>Training is not running.</source>
        <translation>没有正在进行的训练。</translation>
    </message>
    <message>
        <source>Training is being stopped.</source>
        <translation>训练正在停止。</translation>
    </message>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>--set takes NAME=VALUE, not %1.</source>
        <translation>--set 须为 名称=值，不能是 %1。</translation>
    </message>
    <message>
        <source>There is no live value %1; there are %2.</source>
        <translation>没有可在运行中修改的值 %1；有 %2。</translation>
    </message>
    <message>
        <source>There is no run %1.</source>
        <translation>没有运行 %1。</translation>
    </message>
    <message>
        <source>The checkpoint of step %1 was removed: only the newest are kept.</source>
        <translation>第 %1 步的检查点已删除：只保留最新的几个。</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>%1 has no checkpoint of step %2; there are %3.</source>
        <translation>%1 没有第 %2 步的检查点；有 %3。</translation>
    </message>
    <message>
        <source>The debugger is running.</source>
        <translation>调试器正在运行。</translation>
    </message>
    <message>
        <source>Open a graph first.</source>
        <translation>请先打开一张图。</translation>
    </message>
    <message>
        <source>A run is paused: run.train without settings resumes it, run.stop ends it.</source>
        <translation>有一个运行已暂停：不带设置的 run.train 使其继续，run.stop 将其结束。</translation>
    </message>
    <message>
        <source>%1 is %2, expected a whole number from 1 to %3.</source>
        <translation>%1 为 %2，应为 1 到 %3 的整数。</translation>
    </message>
    <message>
        <source>run.steps takes a whole number from 1 to %1, not %2.</source>
        <translation>run.steps 接受 1 到 %1 的整数，而不是 %2。</translation>
    </message>
    <message>
        <source>%1 is not a number; use a decimal point: 0.001 or 1e-3.</source>
        <translation>%1 不是数；小数用点书写：0.001 或 1e-3。</translation>
    </message>
    <message>
        <source>The last trained graph is %1, not the current one.</source>
        <translation>最近训练的是 %1，不是前面的图。</translation>
    </message>
    <message>
        <source>%1 is not a graph: choose the tab of a graph first.</source>
        <translation>最前面的是 %1，它不是计算图：请先选择计算图的标签页。</translation>
    </message>
    <message>
        <source>The runs of this document no longer have checkpoints.</source>
        <translation>此文档的运行已没有检查点。</translation>
    </message>
</context>
<context>
    <name>RunChoices</name>
    <message>
        <source>There are new curves in Scalars.</source>
        <translation>“标量”面板中有新的曲线。</translation>
    </message>
    <message>
        <source>Go to Train</source>
        <translation>转到“训练”</translation>
    </message>
    <message>
        <source>%1 · step %2 · test accuracy %3 %</source>
        <translation>%1 · 第 %2 步 · 测试准确率 %3 %</translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · 第 %2 步</translation>
    </message>
    <message>
        <source>All checkpoints</source>
        <translation>全部检查点</translation>
    </message>
</context>
<context>
    <name>RunPlaces</name>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>RunPlan</name>
    <message>
        <source>new run</source>
        <translation>新运行</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
</context>
<context>
    <name>RunSettings</name>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>early stop after</source>
        <translation>提前结束</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>summaries every</source>
        <translation>摘要间隔</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>内存上限</translation>
    </message>
</context>
<context>
    <name>RunWords</name>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>提前结束</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n step(s)</source>
        <translation>
            <numerusform>%1 步（共 %n 步）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>done after %1</source>
        <translation>完成，共 %1</translation>
    </message>
    <message>
        <source>stopped after %1</source>
        <translation>已停止，做了 %1</translation>
    </message>
    <message>
        <source>stopped early after %1: evaluations did not improve</source>
        <translation>做了 %1 后提前结束：评估不再变好</translation>
    </message>
    <message>
        <source>failed after %1: %2</source>
        <translation>做了 %1 后失败：%2</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>The folder %1 could not be created.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
</context>
<context>
    <name>SaturationProbe</name>
    <message>
        <source>No activation outside loops can saturate: there is no Relu, Elu, Tanh or Sigmoid before the loss.</source>
        <translation>循环之外没有可能饱和的激活：损失之前没有 Relu、Elu、Tanh 或 Sigmoid。</translation>
    </message>
    <message>
        <source>This graph reads its samples from an input pipeline: measuring would take samples away from training.</source>
        <translation>这个图从输入管道读取样本：测量会从训练中取走元素。</translation>
    </message>
</context>
<context>
    <name>Schedule</name>
    <message>
        <source>This graph has no optimizer, and no tensor was named.</source>
        <translation>图中没有优化器，也没有指定张量。</translation>
    </message>
    <message>
        <source>%1 is not a scalar.</source>
        <translation>%1 不是标量。</translation>
    </message>
</context>
<context>
    <name>ScheduleActions</name>
    <message>
        <source>%1 is not a number of steps.</source>
        <translation>%1 不是步数。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示任何图。</translation>
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
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>There is no series %1; there are %2.</source>
        <translation>没有序列 %1；可用的有 %2。</translation>
    </message>
    <message>
        <source>Handler timing is off.</source>
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
    <message>
        <source>There is no run %1.</source>
        <translation>没有运行 %1。</translation>
    </message>
    <message>
        <source>No search is open.</source>
        <translation>当前没有进行查找。</translation>
    </message>
    <message>
        <source>The dock %1 has nothing to print.</source>
        <translation>面板 %1 没有可输出的内容。</translation>
    </message>
    <message>
        <source>No chart over steps is shown.</source>
        <translation>没有显示随步数变化的曲线。</translation>
    </message>
    <message>
        <source>There is no node or scope %1 in this graph.</source>
        <translation>此图中没有节点或作用域 %1。</translation>
    </message>
</context>
<context>
    <name>ServerActions</name>
    <message>
        <source>run.choose-server takes the address of a server, such as localhost:2222, or off; not %1.</source>
        <translation>run.choose-server 需要服务器的地址（如 localhost:2222）或 off，而不是 %1。</translation>
    </message>
    <message>
        <source>Open a graph first.</source>
        <translation>请先打开一张图。</translation>
    </message>
    <message>
        <source>%1 ends once %2 has finished the present step, and saves a checkpoint then.</source>
        <translation>%1 会在 %2 算完当前步、保存检查点之后结束。</translation>
    </message>
    <message>
        <source>End at once, without a checkpoint</source>
        <translation>立即结束，不保存检查点</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>For menus, messages and help; op names stay in English.</source>
        <translation>菜单、消息和帮助的语言；op 名称保持英文。</translation>
    </message>
    <message>
        <source>system</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Reopen last documents</source>
        <translation>打开上次的文档</translation>
    </message>
    <message>
        <source>With their selection, position and zoom. Missing files are skipped.</source>
        <translation>并恢复选择、位置与缩放。已不存在的文件会略去。</translation>
    </message>
    <message>
        <source>Notify after jobs that took</source>
        <translation>任务结束时通知，若耗时达</translation>
    </message>
    <message>
        <source>Shows a desktop notification if the window is not active.</source>
        <translation>窗口不在最前时发出桌面通知。</translation>
    </message>
    <message>
        <source> s or longer</source>
        <translation> 秒以上</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Light, dark or high contrast.</source>
        <translation>浅色、深色或高对比度。</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Interface scale</source>
        <translation>整体大小</translation>
    </message>
    <message>
        <source>Multiplies the scale of the desktop.</source>
        <translation>在桌面缩放的基础上再放大。</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Short animations of the graph that preserve orientation.</source>
        <translation>画布的短暂移动，便于保持方位感。</translation>
    </message>
    <message>
        <source>Lets you recover unsaved changes after a crash. The file itself changes only when you save.</source>
        <translation>以便崩溃后恢复。只有保存才会写入文件本身。</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Watch files for external changes</source>
        <translation>留意被其他程序修改的文件</translation>
    </message>
    <message>
        <source>Asks whether to reload them.</source>
        <translation>询问是否重新读取。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Applies to new runs.</source>
        <translation>对此后启动的运行生效。</translation>
    </message>
    <message>
        <source>all processors</source>
        <translation>全部处理器</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Part of this machine&apos;s memory; a step that needs more is rejected before it starts.</source>
        <translation>占本机内存的比例；需要更多内存的步会在开始前被拒绝。</translation>
    </message>
    <message>
        <source>Watch training for NaN</source>
        <translation>训练时监视 NaN</translation>
    </message>
    <message>
        <source>Training stops at the first NaN and shows where it comes from; this costs a few percent of the time.</source>
        <translation>训练在第一个 NaN 处结束，并显示它从何而来；耗时增加百分之几。</translation>
    </message>
    <message>
        <source>Python programs</source>
        <translation>Python 程序</translation>
    </message>
    <message>
        <source>Names and shapes after saving</source>
        <translation>保存后显示名称与形状</translation>
    </message>
    <message>
        <source>Each time a Python program is saved, runs it up to its first step and shows the names and shapes that its lines create.</source>
        <translation>每次保存 Python 程序后运行到第一个 step 之前，并显示各行产生的名称与形状。</translation>
    </message>
    <message>
        <source>tf.Variable or tf.get_variable</source>
        <translation>tf.Variable 还是 tf.get_variable</translation>
    </message>
    <message>
        <source>Marks each tf.Variable in a program and explains when to use tf.get_variable instead.</source>
        <translation>标出程序中的每个 tf.Variable，并说明何时宜用 tf.get_variable。</translation>
    </message>
    <message>
        <source>explain</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Training strip</source>
        <translation>训练行</translation>
    </message>
    <message>
        <source>Save recovery data every</source>
        <translation>将未保存的更改写入磁盘，每隔</translation>
    </message>
    <message>
        <source>Above the canvas while a graph trains, and always in the Train layout: layers with their gradients, loss, accuracy.</source>
        <translation>图在训练时显示在画布上方，在“训练”布局中始终显示：各层及其梯度、损失、准确率。</translation>
    </message>
    <message>
        <source>Memory of a step</source>
        <translation>一步的内存</translation>
    </message>
    <message>
        <source>A training step that would need more, variables and fed values included, computes values a second time instead of keeping them. Its results stay the same.</source>
        <translation>训练的一步（连同变量和输入的值）若需要更多内存，就把一些值再算一遍而不保留它们，结果不变。</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>Recorded steps</source>
        <translation>记录的步</translation>
    </message>
    <message>
        <source>none</source>
        <translation>不记录</translation>
    </message>
    <message>
        <source>Doctor beside trainings</source>
        <translation>训练时的医生</translation>
    </message>
    <message>
        <source>Looks at gradients, units, weights and curves while a graph trains, and says in the dock Doctor what goes wrong; this costs up to 3 % of the time.</source>
        <translation>图训练时查看梯度、单元、权重和曲线，并在“医生”面板中说明哪里出了问题；最多占用 3 % 的时间。</translation>
    </message>
    <message>
        <source>Memory for copies of variables, from which the last 1,000 steps can be computed again, to say why a number is what it is; at most a quarter of the free memory. Applies to new runs.</source>
        <translation>用于变量副本的内存；由它们可以重新计算最近 1,000 步，以说明某个数为何是这个值；最多使用空闲内存的四分之一。对新的运行生效。</translation>
    </message>
</context>
<context>
    <name>SettingsActions</name>
    <message>
        <source>%1 takes on or off, not %2.</source>
        <translation>%1 只能是 on 或 off，不能是 %2。</translation>
    </message>
    <message>
        <source>%1 takes a whole number from %2 to %3, not %4.</source>
        <translation>%1 须为 %2 到 %3 的整数，不能是 %4。</translation>
    </message>
    <message>
        <source>%1 takes one of %2, not %3.</source>
        <translation>%1 须为 %2 之一，不能是 %3。</translation>
    </message>
    <message>
        <source>There is no setting %1.</source>
        <translation>没有设置项 %1。</translation>
    </message>
    <message>
        <source>There is no command %1.</source>
        <translation>没有命令 %1。</translation>
    </message>
    <message>
        <source>%1 is not a key.</source>
        <translation>%1 不是按键。</translation>
    </message>
    <message>
        <source>%1 is already used by “%2”; remove it there first.</source>
        <translation>%1 已用于“%2”，请先在那里取消。</translation>
    </message>
    <message>
        <source>No shortcut has been changed.</source>
        <translation>没有修改过快捷键。</translation>
    </message>
</context>
<context>
    <name>ShapeHints</name>
    <message>
        <source>rows × columns of the matrix</source>
        <translation>矩阵的行数 × 列数</translation>
    </message>
    <message>
        <source>kernel cells × channels</source>
        <translation>卷积核的单元数 × 通道数</translation>
    </message>
    <message>
        <source>Fan-in</source>
        <translation>扇入</translation>
    </message>
    <message>
        <source>Number of values that each unit sums: %1</source>
        <translation>每个单元累加多少个值：%1</translation>
    </message>
    <message>
        <source>Fan-out</source>
        <translation>扇出</translation>
    </message>
    <message>
        <source>Number of units that each value feeds: %1</source>
        <translation>每个值送往多少个单元：%1</translation>
    </message>
    <message>
        <source>glorot_uniform_initializer samples from this range: √(6 / (fan-in + fan-out)). For tanh and sigmoid.</source>
        <translation>glorot_uniform_initializer 在此范围内取值：6 / (扇入 + 扇出) 的平方根。适用于 tanh 和 sigmoid。</translation>
    </message>
    <message>
        <source>he_normal samples with this standard deviation: √(2 / fan-in). For relu.</source>
        <translation>he_normal 以此标准差取值：2 / 扇入 的平方根。适用于 relu。</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>SAME: %1 / %2, rounded up. %3 zeros are added before and %4 after.</source>
        <translation>SAME：%1 / %2 向上取整。前面补 %3 个零，后面补 %4 个零。</translation>
    </message>
    <message numerus="yes">
        <source>VALID: (%1 − %2) / %3, rounded down, plus 1. The last %n are ignored.</source>
        <translation>
            <numerusform>VALID：(%1 − %2) / %3 向下取整再加 1。最后 %n 个不参与计算。</numerusform>
        </translation>
    </message>
    <message>
        <source>A transposed convolution: output_shape can be any size that a convolution with stride %1 and %2 padding maps to %3: %4.</source>
        <translation>转置卷积：output_shape 可以是步幅为 %1、填充为 %2 的卷积能变回 %3 的大小：%4。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>uneven</source>
        <translation>不均匀</translation>
    </message>
    <message>
        <source>The kernel size is not a multiple of the stride: neighbouring outputs sum different numbers of values, which causes a checkerboard pattern. Use a multiple, or resize the image and apply a convolution.</source>
        <translation>卷积核不是步幅的整数倍：相邻输出累加的值的个数不同，会出现棋盘格。请选用整数倍的卷积核，或先放大图片再用普通卷积。</translation>
    </message>
</context>
<context>
    <name>ShapeWords</name>
    <message>
        <source>a scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>1 dimension</source>
        <translation>1 维</translation>
    </message>
    <message>
        <source>%1 dimensions</source>
        <translation>%1 维</translation>
    </message>
    <message>
        <source>%1 needs a size of at least %2, but the input has %3%4.</source>
        <translation>%1 要求尺寸至少为 %2，输入只有 %3%4。</translation>
    </message>
    <message>
        <source>%1: %2 values do not fit %3, which holds %4%5.</source>
        <translation>%1：%2 个值填不满 %3，它需要 %4 个%5。</translation>
    </message>
    <message>
        <source>%1 requires a known size of the %2 dimension.</source>
        <translation>%1 必须知道%2维的大小，而它未定。</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后一</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>%1 requires an input of known rank.</source>
        <translation>%1 必须知道输入有几维。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source> (from %1)</source>
        <translation>（来自 %1）</translation>
    </message>
    <message>
        <source>%1 expects at least %2</source>
        <translation>%1 至少需要 %2</translation>
    </message>
    <message>
        <source>%1 expects at most %2</source>
        <translation>%1 最多接受 %2</translation>
    </message>
    <message>
        <source>%1 expects %2</source>
        <translation>%1 需要 %2</translation>
    </message>
    <message>
        <source>%1, got %2%3.</source>
        <translation>%1，得到的是 %2%3。</translation>
    </message>
    <message>
        <source>%1, but %2 has %3%4.</source>
        <translation>%1，而 %2 是 %3 维%4。</translation>
    </message>
    <message>
        <source>%1 expects inputs of the same rank, got %2 and %3%4.</source>
        <translation>%1 要求各输入维数相同，得到的是 %2 和 %3%4。</translation>
    </message>
    <message>
        <source>%1 expects inputs of the same size in dimension %2, got %3 and %4%5.</source>
        <translation>%1 要求各输入在第 %2 维上大小相同，得到的是 %3 和 %4%5。</translation>
    </message>
    <message>
        <source>%1: the sizes %2 and %3 must be equal%4.</source>
        <translation>%1：大小 %2 和 %3 必须相等%4。</translation>
    </message>
    <message>
        <source> (%1 and %2)</source>
        <translation>（%1 和 %2）</translation>
    </message>
    <message>
        <source>%1 expects inputs of the same shape, got %2%3 and %4%5.</source>
        <translation>%1 的各输入形状应一致，而得到 %2%3 和 %4%5。</translation>
    </message>
</context>
<context>
    <name>SheetActions</name>
    <message>
        <source>%1 is not a sheet; expected nodes, variables, tensors or runs.</source>
        <translation>%1 不是表；应为 nodes、variables、tensors 或 runs。</translation>
    </message>
    <message>
        <source>There is no column %1.</source>
        <translation>没有列 %1。</translation>
    </message>
    <message>
        <source>%1 is not an order; expected up or down.</source>
        <translation>%1 不是顺序；应为 up 或 down。</translation>
    </message>
    <message>
        <source>sheet.set takes COLUMN VALUE [--replace TEXT].</source>
        <translation>sheet.set 的参数为 COLUMN VALUE [--replace TEXT]。</translation>
    </message>
    <message>
        <source>The spreadsheet has no rows.</source>
        <translation>电子表格没有行。</translation>
    </message>
    <message>
        <source>%1 is neither show nor hide.</source>
        <translation>%1 既不是 show 也不是 hide。</translation>
    </message>
    <message>
        <source>No node of this graph has an attribute %1.</source>
        <translation>此图中没有节点有属性 %1。</translation>
    </message>
    <message>
        <source>Save the sheet</source>
        <translation>保存表</translation>
    </message>
    <message>
        <source>The spreadsheet is not open.</source>
        <translation>电子表格没有打开。</translation>
    </message>
</context>
<context>
    <name>SheetSources</name>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
</context>
<context>
    <name>SheetWords</name>
    <message>
        <source>The attribute %1.</source>
        <translation>属性 %1。</translation>
    </message>
    <message>
        <source>Mean of the finite values.</source>
        <translation>有限值的均值。</translation>
    </message>
    <message>
        <source>Standard deviation of the finite values.</source>
        <translation>有限值的标准差。</translation>
    </message>
    <message>
        <source>Smallest finite value.</source>
        <translation>最小的有限值。</translation>
    </message>
    <message>
        <source>Largest finite value.</source>
        <translation>最大的有限值。</translation>
    </message>
    <message>
        <source>Root of the sum of squares.</source>
        <translation>平方和的平方根。</translation>
    </message>
    <message>
        <source>Number of values that are NaN.</source>
        <translation>NaN 值的个数。</translation>
    </message>
    <message>
        <source>Number of infinite values.</source>
        <translation>无穷值的个数。</translation>
    </message>
    <message>
        <source>Number of zeros.</source>
        <translation>零的个数。</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>debugged run</source>
        <translation>被调试的运行</translation>
    </message>
    <message>
        <source>watched</source>
        <translation>监视</translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n computed tensor(s) are listed.</source>
        <translation>
            <numerusform>只列出前 %n 个已算出的张量。</numerusform>
        </translation>
    </message>
    <message>
        <source>The tensor&apos;s name.</source>
        <translation>张量的名称。</translation>
    </message>
    <message>
        <source>Where the value is from: the debugged run, or an open checkpoint.</source>
        <translation>值的来源：被调试的运行，或打开的检查点。</translation>
    </message>
    <message>
        <source>The element type.</source>
        <translation>元素类型。</translation>
    </message>
    <message>
        <source>The shape of the value.</source>
        <translation>值的形状。</translation>
    </message>
    <message>
        <source>Number of elements.</source>
        <translation>元素个数。</translation>
    </message>
    <message>
        <source>Size in bytes.</source>
        <translation>字节数。</translation>
    </message>
    <message>
        <source>experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>The run.</source>
        <translation>运行。</translation>
    </message>
    <message>
        <source>The document, the experiments or the folder that it belongs to.</source>
        <translation>所属的文档、实验或文件夹。</translation>
    </message>
    <message>
        <source>How it ended.</source>
        <translation>结束方式。</translation>
    </message>
    <message>
        <source>When it began.</source>
        <translation>开始时间。</translation>
    </message>
    <message>
        <source>How long it ran.</source>
        <translation>运行时长。</translation>
    </message>
    <message>
        <source>The last step.</source>
        <translation>最后一步。</translation>
    </message>
    <message>
        <source>Steps that were planned.</source>
        <translation>计划的步数。</translation>
    </message>
    <message>
        <source>A parameter or setting of the run.</source>
        <translation>运行的参数或设置。</translation>
    </message>
    <message>
        <source>The last value of this metric.</source>
        <translation>该指标的最后一个值。</translation>
    </message>
    <message>
        <source>The run&apos;s folder.</source>
        <translation>运行的文件夹。</translation>
    </message>
</context>
<context>
    <name>Shuffles</name>
    <message>
        <source>min_after_dequeue must be less than the capacity: %1 elements must stay, %2 fit.</source>
        <translation>min_after_dequeue 必须小于容量：要留下 %1 个元素，而只能容纳 %2 个。</translation>
    </message>
    <message>
        <source>The queue never holds enough: a batch of %1 and min_after_dequeue %2 need a capacity of %3 or more.</source>
        <translation>队列中的元素永远不够：batch 为 %1、min_after_dequeue 为 %2 时，容量至少要 %3。</translation>
    </message>
</context>
<context>
    <name>SnippetActions</name>
    <message>
        <source>%1 was saved: the palette has it under Snippets, in every document.</source>
        <translation>%1 已保存：在面板的“片段”下，适用于所有文档。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>未选中任何内容。</translation>
    </message>
    <message>
        <source>There are no snippets yet.</source>
        <translation>还没有保存任何片段。</translation>
    </message>
</context>
<context>
    <name>Snippets</name>
    <message>
        <source>There is no snippet %1.</source>
        <translation>没有片段 %1。</translation>
    </message>
    <message>
        <source>%1 is not a valid snippet name: only letters, digits and . _ - are allowed</source>
        <translation>%1 不能作为片段的名称：只能包含字母、数字和 . _ -</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>StartCards</name>
    <message>
        <source>Drop files anywhere</source>
        <translation>可将文件拖到任意位置</translation>
    </message>
    <message>
        <source>Weft document</source>
        <translation>Weft 文档</translation>
    </message>
    <message>
        <source>TensorFlow graph</source>
        <translation>TensorFlow 计算图</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>SavedModel</source>
        <translation>SavedModel</translation>
    </message>
    <message>
        <source>its folder</source>
        <translation>其文件夹</translation>
    </message>
    <message>
        <source>Training logs</source>
        <translation>训练日志</translation>
    </message>
    <message>
        <source>Records, arrays</source>
        <translation>记录、数组</translation>
    </message>
    <message>
        <source>Useful keys</source>
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
        <source>find anything: commands, nodes, help</source>
        <translation>查找任意内容：命令、节点、帮助</translation>
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
        <source>Other models</source>
        <translation>其他格式的模型</translation>
    </message>
    <message>
        <source>Pictures, sounds</source>
        <translation>图片、声音</translation>
    </message>
</context>
<context>
    <name>StartRecent</name>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation>
            <numerusform>%n 分钟前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation>
            <numerusform>%n 小时前</numerusform>
        </translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>已不存在</translation>
    </message>
</context>
<context>
    <name>StateWords</name>
    <message>
        <source>elements of %1</source>
        <translation>%1 的元素</translation>
    </message>
    <message>
        <source>position of %1</source>
        <translation>%1 的位置</translation>
    </message>
    <message>
        <source>entries of %1</source>
        <translation>%1 的条目</translation>
    </message>
    <message>
        <source>contents of %1</source>
        <translation>%1 的内容</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>its random stream</source>
        <translation>它的随机数流</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>the contents of its staging area</source>
        <translation>它的 staging area 的内容</translation>
    </message>
</context>
<context>
    <name>SummaryDecoder</name>
    <message>
        <source>strings</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>%1 is not a PR curve: expected numbers of shape [6, thresholds], found %2.</source>
        <translation>%1 不是 PR 曲线：应为形状为 [6, 阈值个数] 的数值，实际为%2。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 is not a layout of charts: expected one string, found %2.</source>
        <translation>%1 不是图表布局：应为一个字符串，实际为%2。</translation>
    </message>
</context>
<context>
    <name>SweepActions</name>
    <message>
        <source>%1 is %2, expected a whole number from %3 to %4.</source>
        <translation>%1 是 %2，应为 %3 到 %4 的整数。</translation>
    </message>
    <message>
        <source>%1 needs a value.</source>
        <translation>%1 需要一个值。</translation>
    </message>
    <message>
        <source>sweep.start does not know %1.</source>
        <translation>sweep.start 没有 %1。</translation>
    </message>
    <message>
        <source>A sweep needs a parameter, as in lr=log:1e-4:1e-1.</source>
        <translation>扫描需要一个参数，例如 lr=log:1e-4:1e-1。</translation>
    </message>
    <message>
        <source>There is no run %1 in this sweep.</source>
        <translation>这次扫描中没有运行 %1。</translation>
    </message>
    <message>
        <source>Folder with event files</source>
        <translation>含有事件文件的文件夹</translation>
    </message>
    <message>
        <source>No sweep is running.</source>
        <translation>没有正在进行的扫描。</translation>
    </message>
    <message>
        <source>No run of a sweep has finished yet.</source>
        <translation>还没有完成的扫描运行。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>There is no sweep to continue.</source>
        <translation>没有可以继续的扫描。</translation>
    </message>
</context>
<context>
    <name>Templates</name>
    <message>
        <source>Softmax regression</source>
        <translation>Softmax 回归</translation>
    </message>
    <message>
        <source>One dense layer that classifies digits by a weighted sum of their pixels.</source>
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
        <source>Three convolutions with pooling and dropout: the classic architecture for digits.</source>
        <translation>三层卷积，配合池化和 dropout：识别数字的经典做法。</translation>
    </message>
    <message>
        <source>Autoencoder</source>
        <translation>自编码器</translation>
    </message>
    <message>
        <source>Compresses each digit to eight numbers and reconstructs it.</source>
        <translation>把每个数字压缩成八个数，再重新画出来。</translation>
    </message>
    <message>
        <source>LeNet on digits</source>
        <translation>LeNet 识别数字</translation>
    </message>
    <message>
        <source>Two convolutional layers learn strokes; the accuracy climbs past 98 %.</source>
        <translation>两个卷积层学会笔画；准确率升到 98 % 以上。</translation>
    </message>
    <message>
        <source>Residual network</source>
        <translation>残差网络</translation>
    </message>
    <message>
        <source>Residual blocks, which add their output to their input, with batch normalization.</source>
        <translation>每个块把学到的加到输入上，带批归一化。</translation>
    </message>
    <message>
        <source>LSTM on text</source>
        <translation>LSTM 读文本</translation>
    </message>
    <message>
        <source>An LSTM in a while loop reads Shakespeare and predicts each next character.</source>
        <translation>一个 while 循环读莎士比亚，逐个猜下一个字符。</translation>
    </message>
    <message>
        <source>word2vec</source>
        <translation>word2vec</translation>
    </message>
    <message>
        <source>Words that occur near each other get similar vectors.</source>
        <translation>出现在一起的词，向量也彼此靠近。</translation>
    </message>
    <message>
        <source>GAN</source>
        <translation>GAN</translation>
    </message>
    <message>
        <source>Generator and discriminator compete until noise turns into digits.</source>
        <translation>两个网络互相对抗，直到噪声变成数字。</translation>
    </message>
    <message>
        <source>Convolutional autoencoder</source>
        <translation>卷积自编码器</translation>
    </message>
    <message>
        <source>Compresses images to ten numbers and reconstructs them.</source>
        <translation>把图像压成十个数，再画出来。</translation>
    </message>
    <message>
        <source>Regression on a table</source>
        <translation>表格回归</translation>
    </message>
    <message>
        <source>Predicts bike rentals from weather and hour; the error falls to a few dozen bikes.</source>
        <translation>由天气和时刻预测租出多少辆自行车；误差降到几十辆。</translation>
    </message>
    <message>
        <source>Classifier with embeddings</source>
        <translation>带嵌入的分类器</translation>
    </message>
    <message>
        <source>Jobs and education become embeddings; watch training and evaluation loss diverge.</source>
        <translation>职业和学历变成向量；观察训练与测试如何分道扬镳。</translation>
    </message>
</context>
<context>
    <name>TensorProbe</name>
    <message>
        <source>%1 … %2, mean %3</source>
        <translation>%1 … %2，均值 %3</translation>
    </message>
    <message>
        <source>%1 NaN, %2 infinite</source>
        <translation>%1 个 NaN，%2 个无穷</translation>
    </message>
    <message>
        <source>dummy inputs</source>
        <translation>虚构的输入</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>variables of the last run</source>
        <translation>上次运行的变量</translation>
    </message>
    <message>
        <source>element %1 of its pipeline</source>
        <translation>自有管道的第 %1 个元素</translation>
    </message>
    <message>
        <source>An input before it is not connected.</source>
        <translation>它之前有一个输入尚未连接。</translation>
    </message>
</context>
<context>
    <name>TensorSlice</name>
    <message numerus="yes">
        <source>Expected %n position(s), one for each axis.</source>
        <translation>
            <numerusform>应有 %n 个位置，每个轴一个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Axis %1: expected : or a number from 0 to %2, not %3.</source>
        <translation>第 %1 轴：应为 : 或 0 到 %2 的数，而不是 %3。</translation>
    </message>
    <message>
        <source>At most two axes can be shown at once.</source>
        <translation>最多同时显示两个轴。</translation>
    </message>
    <message>
        <source>Axis %1: expected a number from 0 to %2, not %3.</source>
        <translation>第 %1 轴：应为 0 到 %2 的数，而不是 %3。</translation>
    </message>
</context>
<context>
    <name>TextBuffer</name>
    <message>
        <source>%1 is too large to edit here.</source>
        <translation>%1 太大，无法在此编辑。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 is not UTF-8 text.</source>
        <translation>%1 不是 UTF-8 文本。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>%1 was not saved: another program or window has changed it since it was opened.</source>
        <translation>%1 未保存：自此处读取以来，另一个程序或窗口更改了它。</translation>
    </message>
</context>
<context>
    <name>TextRecovery</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>it contains no unsaved program text</source>
        <translation>其中没有未保存的程序文本</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>The unsaved text of %1 was recovered.</source>
        <translation>已恢复 %1 未保存的文本。</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>A graph is the document</source>
        <translation>图就是文档</translation>
    </message>
    <message>
        <source>Each box is an op or a scope of ops, each wire a tensor with its shape. Double-click to open a scope, use the wheel to zoom, press A to show everything.</source>
        <translation>每个方框是一个 op 或一组 op 的作用域，每条线是一个带形状的张量。双击展开作用域，滚轮缩放，A 显示全图。</translation>
    </message>
    <message>
        <source>Train it here</source>
        <translation>在此训练</translation>
    </message>
    <message>
        <source>Train runs the graph on its data inside Weft. Pause after any step, single-step, or stop with a checkpoint.</source>
        <translation>训练在本程序内用图的数据运行。可在任意一步后暂停、逐步执行，或写入检查点后停止。</translation>
    </message>
    <message>
        <source>Five ways to look at it</source>
        <translation>五种视角</translation>
    </message>
    <message>
        <source>Compose, train, debug, profile, inspect: each arranges the docks around the same graph and remembers your changes. Ctrl+1 to Ctrl+5.</source>
        <translation>构建、训练、调试、剖析、检视：围绕同一张图排列面板，并记住您离开时的样子。Ctrl+1 至 Ctrl+5。</translation>
    </message>
    <message>
        <source>Docks show details</source>
        <translation>面板显示进展</translation>
    </message>
    <message>
        <source>Curves, problems and the log are down here. Drag a tab to move a dock or to float it; View ▸ Layouts saves arrangements under a name.</source>
        <translation>曲线、问题和日志在下方。拖动标签可移动或拖出面板；“视图 ▸ 布局”可命名保存排列。</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>查找任意内容</translation>
    </message>
    <message>
        <source>Ctrl+K finds nodes, tensors, ops, files and help; Ctrl+Shift+P any command. F1 shows help on the focused pane, ? lists all shortcuts.</source>
        <translation>Ctrl+K 查找节点、张量、op、文件和帮助；Ctrl+Shift+P 查找命令。F1 说明焦点所在部分，? 列出全部快捷键。</translation>
    </message>
</context>
<context>
    <name>TowerActions</name>
    <message>
        <source>This graph has no towers: no scopes like tower_0 and tower_1, and no nodes on two devices.</source>
        <translation>此图没有 tower：没有 tower_0、tower_1 这样的 scope，节点也不在两个设备上。</translation>
    </message>
    <message>
        <source>There is no tower %1; there are %2.</source>
        <translation>没有 tower %1；有 %2。</translation>
    </message>
    <message>
        <source>All towers</source>
        <translation>所有 tower</translation>
    </message>
    <message>
        <source>no device requested</source>
        <translation>未指定设备</translation>
    </message>
    <message>
        <source>Tower %1 of %2: %3, %4, %5</source>
        <translation>第 %1 个 tower，共 %2 个：%3，%4，%5</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示图。</translation>
    </message>
</context>
<context>
    <name>TraceActions</name>
    <message>
        <source>A session run is compared with by profile.compare EVENTS --run TAG.</source>
        <translation>与会话运行比较写作 profile.compare EVENTS --run TAG。</translation>
    </message>
    <message>
        <source>Compare with a trace</source>
        <translation>与另一 trace 比较</translation>
    </message>
    <message>
        <source>Traces and event files (*.json *.json.gz *.pb *.pbtxt *.profile profile_* run_meta* *tfevents*);;All files (*)</source>
        <translation>trace 和事件文件 (*.json *.json.gz *.pb *.pbtxt *.profile profile_* run_meta* *tfevents*);;所有文件 (*)</translation>
    </message>
    <message>
        <source>profile.compare-earlier takes a number from 1, the latest, to %1, not %2.</source>
        <translation>profile.compare-earlier 需要从 1（最近的）到 %1 的数字，而不是 %2。</translation>
    </message>
    <message>
        <source>Idle times are not known yet: profile.find-idle finds them.</source>
        <translation>还不知道空闲时间：用 profile.find-idle 查找。</translation>
    </message>
    <message>
        <source>No thread was idle for a microsecond or more.</source>
        <translation>没有线程空闲达到一微秒。</translation>
    </message>
    <message>
        <source>profile.show-idle takes the number of a cause, from 1 to %1, and back for the gap before; not %2.</source>
        <translation>profile.show-idle 需要原因的编号，从 1 到 %1，以及表示前一段的 back，而不是 %2。</translation>
    </message>
    <message>
        <source>profile.idle-times takes on or off, not %1.</source>
        <translation>profile.idle-times 需要 on 或 off，而不是 %1。</translation>
    </message>
    <message>
        <source>There is no trace yet: record or open one.</source>
        <translation>还没有 trace：请记录或打开一个。</translation>
    </message>
    <message>
        <source>The trace is not compared with another one.</source>
        <translation>当前 trace 没有与其他 trace 比较。</translation>
    </message>
    <message>
        <source>No other trace was recorded or opened in this session.</source>
        <translation>本次会话中没有记录或打开过其他 trace。</translation>
    </message>
    <message>
        <source>No graph is shown.</source>
        <translation>没有显示计算图。</translation>
    </message>
    <message>
        <source>The traces are still being compared.</source>
        <translation>仍在比较两个 trace。</translation>
    </message>
</context>
<context>
    <name>TraceAnswers</name>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>copy: %1</source>
        <translation>复制：%1</translation>
    </message>
    <message>
        <source>waits for data: %1</source>
        <translation>等待数据：%1</translation>
    </message>
    <message>
        <source>launch: %1</source>
        <translation>启动：%1</translation>
    </message>
    <message>
        <source>waits for an input</source>
        <translation>等待输入</translation>
    </message>
    <message>
        <source>copy between devices</source>
        <translation>设备间复制</translation>
    </message>
    <message>
        <source>input pipeline or queue</source>
        <translation>输入流水线或队列</translation>
    </message>
    <message>
        <source>launch by the host</source>
        <translation>主机启动</translation>
    </message>
    <message>
        <source>scheduling</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>no more work</source>
        <translation>没有更多工作</translation>
    </message>
    <message>
        <source>%1 was idle for %2 in step %3, from %4 on.</source>
        <translation>%1 在第 %3 步从 %4 起空闲了 %2。</translation>
    </message>
    <message>
        <source>%1 waited for its input %2, which ran on %3.</source>
        <translation>%1 在等待输入 %2，后者在 %3 上运行。</translation>
    </message>
    <message>
        <source>%1 waited for a tensor from another device or task: %2.</source>
        <translation>%1 在等待来自其他设备或任务的张量：%2。</translation>
    </message>
    <message>
        <source>%1 waited for input data: %2.</source>
        <translation>%1 在等待输入数据：%2。</translation>
    </message>
    <message>
        <source>The host had not yet queued %1.</source>
        <translation>主机还没有将 %1 排入队列。</translation>
    </message>
    <message>
        <source>Nothing that this thread could run was ready.</source>
        <translation>没有该线程可以运行的就绪 op。</translation>
    </message>
    <message>
        <source>The inputs of %1 were there; the executor had not started it yet.</source>
        <translation>%1 的输入已经就绪，执行器还没有启动它。</translation>
    </message>
    <message>
        <source>Nothing more in this step came to it, while others still computed.</source>
        <translation>这一步中它再没有 op，而其他线程还在计算。</translation>
    </message>
    <message>
        <source>After %1, nothing more in this step came to it, while others still computed.</source>
        <translation>在 %1 之后，这一步中它再没有 op，而其他线程还在计算。</translation>
    </message>
    <message>
        <source>This trace does not say what its ops read. Open the graph that it was made from, then open the trace again.</source>
        <translation>这个 trace 没有说明 op 读取什么。请先打开产生它的计算图，再重新打开这个 trace。</translation>
    </message>
</context>
<context>
    <name>Training</name>
    <message>
        <source>NaN in step %1: </source>
        <translation>第 %1 步出现 NaN：</translation>
    </message>
    <message>
        <source>%1 no longer answers: </source>
        <translation>%1 不再应答：</translation>
    </message>
</context>
<context>
    <name>TrainingServer</name>
    <message>
        <source>%1 did not answer within %2 s. Check that a TensorFlow server listens there and that all tasks of its cluster have started.</source>
        <translation>%1 在 %2 秒内没有应答。请确认该地址有 TensorFlow 服务器在监听，并且其集群的所有任务都已启动。</translation>
    </message>
    <message>
        <source>%1 answered, but did not list its devices.</source>
        <translation>%1 已应答，但没有列出它的设备。</translation>
    </message>
</context>
<context>
    <name>TrainingText</name>
    <message>
        <source>This file does not say how it is trained.</source>
        <translation>此文件没有训练设置。</translation>
    </message>
    <message>
        <source>Training needs the op %1, which is not in the graph.</source>
        <translation>训练需要 op %1，但图中没有它。</translation>
    </message>
    <message>
        <source>Training is added once the loss can be computed.</source>
        <translation>损失可以计算之后才会加入训练。</translation>
    </message>
</context>
<context>
    <name>TypeStarters</name>
    <message>
        <source>%1 is invalid: expected NAME=VALUE.</source>
        <translation>无法理解 %1：请写成 名称=值。</translation>
    </message>
    <message>
        <source>%1 is not a value of %2: expected one of %3.</source>
        <translation>%1 不是 %2 的参数值；可用的参数有 %3。</translation>
    </message>
</context>
<context>
    <name>VariableFixes</name>
    <message>
        <source>The brackets of this call are not closed.</source>
        <translation>此调用的括号没有闭合。</translation>
    </message>
    <message>
        <source>The arguments are passed as %1, so they are not known here.</source>
        <translation>参数以 %1 的形式给出，从这里看不出是哪些。</translation>
    </message>
    <message>
        <source>tf.get_variable has no parameter %1.</source>
        <translation>tf.get_variable 没有参数 %1。</translation>
    </message>
    <message>
        <source>The call passes no initial value.</source>
        <translation>此调用没有给出初始值。</translation>
    </message>
    <message>
        <source>The initial value is a function: tf.get_variable also needs a shape. Write shape=… and initializer=… by hand.</source>
        <translation>初始值是函数：tf.get_variable 还需要形状。请手动写出 shape=… 和 initializer=…。</translation>
    </message>
</context>
<context>
    <name>ViewActions</name>
    <message>
        <source>Open a graph first.</source>
        <translation>请先打开一个图。</translation>
    </message>
    <message>
        <source>%1 is not a layout; there are %2.</source>
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
    <message>
        <source>Save layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <source>Name of the layout</source>
        <translation>布局名称</translation>
    </message>
    <message>
        <source>A layout needs a name.</source>
        <translation>布局需要名称。</translation>
    </message>
    <message>
        <source>%1 is the name of a mode; choose another one.</source>
        <translation>%1 是模式名，请另取名称。</translation>
    </message>
    <message>
        <source>Remove layout</source>
        <translation>删除布局</translation>
    </message>
    <message>
        <source>There is no layout %1.</source>
        <translation>没有名为 %1 的布局。</translation>
    </message>
    <message>
        <source>There are no saved layouts.</source>
        <translation>尚未保存布局。</translation>
    </message>
    <message>
        <source>Click into the dock first.</source>
        <translation>请先单击该面板。</translation>
    </message>
    <message>
        <source>There is no help page %1.</source>
        <translation>没有帮助页面 %1。</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Op, shapes, attributes and gradient of the selection</source>
        <translation>选中内容的 op、形状、属性和梯度</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Messages with their times</source>
        <translation>程序做过的事及其时间</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Errors and warnings in this graph</source>
        <translation>此图中的问题</translation>
    </message>
    <message>
        <source>Scalars</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Loss, accuracy and other scalars over the training steps</source>
        <translation>训练各步的损失、准确率和其他数值</translation>
    </message>
    <message>
        <source>Advisor</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Suggestions to speed up a traced step, and the selected slice</source>
        <translation>可以缩短所记录步骤的办法，以及所选片段</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Where and under which conditions the debugger stops</source>
        <translation>被调试的运行在何处、何种条件下停下</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Checkpoints of the runs; a run can start from any of them</source>
        <translation>各次运行的检查点；可从任一检查点开始运行</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Confusion matrix, worst samples, and predictions for a picture you draw</source>
        <translation>混淆矩阵、最差样本，以及网络对您所画图片的判断</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files that belong to the current one, and how it fits the graph</source>
        <translation>当前文件由哪些文件组成，与计算图是否吻合</translation>
    </message>
    <message>
        <source>Call frames</source>
        <translation>调用帧</translation>
    </message>
    <message>
        <source>Where the debugged run is paused: scopes, loops and their iterations</source>
        <translation>被调试的运行停在哪里：作用域、循环及其迭代</translation>
    </message>
    <message>
        <source>Histograms</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Distributions of weights and activations over the training steps</source>
        <translation>权重和激活值在训练各步中的分布</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Images logged in training, at every step</source>
        <translation>训练记录的图像，每一步都在</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Scopes and nodes of the canvas as a tree, accessible by keyboard</source>
        <translation>以树的形式列出画布上的作用域与节点，便于键盘操作</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>组件面板</translation>
    </message>
    <message>
        <source>Layers and ops to add: drag them to the canvas, or choose one and press Enter</source>
        <translation>可添加的层与 op：拖到画布，或选中后按 Enter</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Tables of a trace: op types, nodes, scopes, memory, comparison</source>
        <translation>trace 的表格：op 类型、节点、作用域、内存、比较</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Comparison of runs and their settings, and the settings of the next run</source>
        <translation>各次训练及其设置的比较；下一次训练的初始设置</translation>
    </message>
    <message>
        <source>Stopped here</source>
        <translation>停在此处</translation>
    </message>
    <message>
        <source>Why the debugger stopped, the inputs of the op, and where a NaN comes from</source>
        <translation>被调试的运行为何停下、该 op 的输入，以及 NaN 从何而来</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Values of a tensor: table, heat map, image, histogram, statistics</source>
        <translation>张量的值：表格、热图、图像、直方图、统计量</translation>
    </message>
    <message>
        <source>Text and audio</source>
        <translation>文本与音频</translation>
    </message>
    <message>
        <source>Texts and audio logged in training</source>
        <translation>训练记录的文本和声音</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>When each op of the traced steps ran, on which thread or device</source>
        <translation>所记录的各步中每个 op 何时在哪个线程或设备上运行</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>Values of tensors and expressions during debugging</source>
        <translation>调试运行时张量与表达式的值</translation>
    </message>
    <message>
        <source>Queues</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Contents of the run&apos;s queues, ops waiting for them, and which side blocks</source>
        <translation>运行的队列中有什么，谁在等待，哪一方卡住了</translation>
    </message>
    <message>
        <source>Python program</source>
        <translation>Python 程序</translation>
    </message>
    <message>
        <source>The Python program running on the engine: output, source, and which line created which node</source>
        <translation>在引擎上运行的 Python 程序：它打印的内容、它的文本，以及哪一行生成了哪个节点</translation>
    </message>
    <message>
        <source>Python console</source>
        <translation>Python 控制台</translation>
    </message>
    <message>
        <source>Python statements on the current graph and its variables</source>
        <translation>对最前面的图及其变量执行 Python 语句</translation>
    </message>
    <message>
        <source>Graph as text</source>
        <translation>图的文本</translation>
    </message>
    <message>
        <source>The graph as .pbtxt, editable and in sync with the canvas</source>
        <translation>以 .pbtxt 形式显示的图，与画布同步，可阅读和编辑</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Pinned curves, histograms and images of training on one page</source>
        <translation>把训练的曲线、直方图和图像固定在同一页上</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Tasks of the TensorFlow server: which answer, and which wait for which</source>
        <translation>TensorFlow 服务器的任务：哪些有应答，谁在等待谁</translation>
    </message>
    <message>
        <source>Custom charts</source>
        <translation>自定义图表</translation>
    </message>
    <message>
        <source>Curves in the charts that the program arranged</source>
        <translation>按程序安排的图表显示的曲线</translation>
    </message>
    <message>
        <source>Hyperparameters</source>
        <translation>超参数</translation>
    </message>
    <message>
        <source>Runs with their hyperparameters and metrics</source>
        <translation>各次运行的超参数和指标</translation>
    </message>
    <message>
        <source>PR curves</source>
        <translation>PR 曲线</translation>
    </message>
    <message>
        <source>Precision over recall at the steps of a training</source>
        <translation>训练各步的精确率与召回率</translation>
    </message>
    <message>
        <source>Meshes</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Meshes and point clouds at the steps of a training</source>
        <translation>训练各步的网格与点云</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>Rows of a matrix as points in two or three dimensions: PCA, t-SNE, UMAP</source>
        <translation>把矩阵的各行显示为二维或三维的点：PCA、t-SNE、UMAP</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Sweeps: many trainings with different parameters, compared</source>
        <translation>扫描：用不同参数进行的多次训练及其比较</translation>
    </message>
    <message>
        <source>Doctor</source>
        <translation>医生</translation>
    </message>
    <message>
        <source>What is wrong with a training, before its first step</source>
        <translation>在第一步之前找出训练的问题</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>SQL over what is open</source>
        <translation>对已打开内容的 SQL 查询</translation>
    </message>
    <message>
        <source>Where a number of a training comes from</source>
        <translation>训练中的一个数来自哪里</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Reusable parts of graphs, and libraries of them</source>
        <translation>图中可重复使用的部分，以及它们的库</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Named values, and fields that follow expressions</source>
        <translation>命名的值，以及跟随表达式的字段</translation>
    </message>
    <message>
        <source>Spreadsheet</source>
        <translation>电子表格</translation>
    </message>
    <message>
        <source>Nodes, variables, tensors and runs as tables</source>
        <translation>以表格显示节点、变量、张量和运行</translation>
    </message>
</context>
<context>
    <name>Waveform</name>
    <message>
        <source>This is not a WAV file.</source>
        <translation>这不是 WAV 文件。</translation>
    </message>
    <message>
        <source>Audio of format %1 with %2 bits is not supported.</source>
        <translation>不显示格式为 %1、%2 位的声音。</translation>
    </message>
    <message>
        <source>The WAV file contains no audio.</source>
        <translation>WAV 文件中没有声音。</translation>
    </message>
</context>
<context>
    <name>WhyActions</name>
    <message>
        <source>%1 is no step; expected a whole number from 1.</source>
        <translation>%1 不是步数；应为从 1 开始的整数。</translation>
    </message>
    <message numerus="yes">
        <source>The path has %n link(s), not %1.</source>
        <translation>
            <numerusform>路径有 %n 环，没有第 %1 环。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This link has %n part(s), not %1.</source>
        <translation>
            <numerusform>这一环有 %n 项，没有第 %1 项。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was asked yet.</source>
        <translation>还没有询问过。</translation>
    </message>
    <message>
        <source>Two steps are needed, such as why.compare 10 11.</source>
        <translation>需要两个步数，例如 why.compare 10 11。</translation>
    </message>
    <message>
        <source>No other training of this session is recorded. Train again, or compare with another setting.</source>
        <translation>本次会话中没有其他有记录的训练。请再训练一次，或与另一设置比较。</translation>
    </message>
    <message>
        <source>why.compare-training takes a number from 1 to %1, not %2.</source>
        <translation>why.compare-training 需要从 1 到 %1 的数字，而不是 %2。</translation>
    </message>
    <message>
        <source>%1: expected NAME=VALUE, such as learning_rate=0.1.</source>
        <translation>%1：应写作 NAME=VALUE，例如 learning_rate=0.1。</translation>
    </message>
    <message>
        <source>Name a setting and its value, such as learning_rate=0.1.</source>
        <translation>请给出设置及其值，例如 learning_rate=0.1。</translation>
    </message>
    <message>
        <source>%1 cannot be trained: %2</source>
        <translation>%1 无法训练：%2</translation>
    </message>
    <message>
        <source>No open document is called %1.</source>
        <translation>没有名为 %1 的已打开文档。</translation>
    </message>
</context>
<context>
    <name>WhyView</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation>第一步之前</translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation>第 %1 步之后</translation>
    </message>
    <message>
        <source>It is row %1 of the data.</source>
        <translation>它是数据的第 %1 行。</translation>
    </message>
    <message>
        <source>It comes from the data.</source>
        <translation>它来自数据。</translation>
    </message>
    <message>
        <source>It was fed as a setting.</source>
        <translation>它是作为设置输入的。</translation>
    </message>
    <message>
        <source>It is a constant.</source>
        <translation>它是常量。</translation>
    </message>
    <message>
        <source>It was drawn at random.</source>
        <translation>它是随机抽取的。</translation>
    </message>
    <message>
        <source>It is the variable&apos;s value %1. Double-click it to see what set it.</source>
        <translation>它是变量在%1的值。双击它，看是什么设置了它。</translation>
    </message>
    <message>
        <source>What it was computed from is not known.</source>
        <translation>不知道它是由什么计算出来的。</translation>
    </message>
    <message>
        <source>It is the same number, passed on by %1.</source>
        <translation>它是同一个数，由 %1 传递。</translation>
    </message>
    <message numerus="yes">
        <source>It is the sum of %n contribution(s).</source>
        <translation>
            <numerusform>它是 %n 项贡献之和。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It is a sum of products; %n factor(s) take part.</source>
        <translation>
            <numerusform>它是乘积之和；有 %n 个因子参与。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It follows from %n element(s). A slope says how much it changes with one of them.</source>
        <translation>
            <numerusform>它取决于 %n 个元素。斜率说明它随其中一个变化多少。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 changed the variable: its value before, and what the gradient added.</source>
        <translation>%1 改变了变量：之前的值，以及梯度加上的部分。</translation>
    </message>
    <message>
        <source>This step did not change it.</source>
        <translation>这一步没有改变它。</translation>
    </message>
    <message>
        <source>%1 has no gradient here. These are its inputs, at the same position where there is one.</source>
        <translation>%1 在这里没有梯度。下面是它的输入，有同一位置的就取同一位置。</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>This graph has not been saved to a file yet.</source>
        <translation>该图还没有文件。</translation>
    </message>
    <message>
        <source>No documents were open last time.</source>
        <translation>上次没有打开的文档。</translation>
    </message>
    <message>
        <source>No message has a button %1.</source>
        <translation>没有消息含按钮 %1。</translation>
    </message>
    <message>
        <source>There is no message.</source>
        <translation>没有消息。</translation>
    </message>
    <message>
        <source>The tour is not running.</source>
        <translation>没有进行中的导览。</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Graphs (*.weft *.meta *.pb *.pbtxt);;All files (*)</source>
        <translation>图 (*.weft *.meta *.pb *.pbtxt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>No comparison is shown on the canvas.</source>
        <translation>画布上没有显示比较结果。</translation>
    </message>
    <message>
        <source>This graph has not been trained yet.</source>
        <translation>此图尚未训练过。</translation>
    </message>
    <message>
        <source>There is no run %1.</source>
        <translation>没有训练 %1。</translation>
    </message>
    <message>
        <source>%1 has no checkpoint and therefore no graph.</source>
        <translation>%1 没有留下检查点，因此也没有图。</translation>
    </message>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>file.compare-structure takes on or off, not %1.</source>
        <translation>file.compare-structure 接受 on 或 off，而不是 %1。</translation>
    </message>
</context>
<context>
    <name>weft::app::ActionRegistry</name>
    <message>
        <source>There is no command %1.</source>
        <translation>没有命令 %1。</translation>
    </message>
    <message>
        <source>Its shortcut was removed in the settings.</source>
        <translation>其快捷键已在设置中取消。</translation>
    </message>
    <message>
        <source>It takes arguments; run it from the command palette or a script.</source>
        <translation>需要参数；请在命令面板或脚本中使用。</translation>
    </message>
    <message>
        <source>A choice in a menu; you can assign a shortcut in the settings.</source>
        <translation>菜单中的一个选项；可在设置中指定快捷键。</translation>
    </message>
    <message>
        <source>Rarely used; you can assign a shortcut in the settings.</source>
        <translation>不常用；可在设置中指定快捷键。</translation>
    </message>
</context>
<context>
    <name>weft::app::AdvisorView</name>
    <message>
        <source>About the trace: %1.</source>
        <translation>关于此 trace：%1。</translation>
    </message>
    <message>
        <source>Traces of more than 300,000 slices get no advice.</source>
        <translation>超过 300,000 个片段的 trace 不给出建议。</translation>
    </message>
    <message>
        <source>Nothing stands out in this trace.</source>
        <translation>此 trace 中没有特别之处。</translation>
    </message>
    <message>
        <source>Show node</source>
        <translation>显示节点</translation>
    </message>
    <message numerus="yes">
        <source>Show %n nodes</source>
        <translation>
            <numerusform>显示 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 次，共 %2 次</translation>
    </message>
    <message>
        <source>start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>span</source>
        <translation>跨度</translation>
    </message>
    <message>
        <source>waited</source>
        <translation>此前等待</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>No trace yet</source>
        <translation>尚无 trace</translation>
    </message>
    <message>
        <source>Suggestions to shorten a step appear here, with measurements and the nodes concerned.</source>
        <translation>这里列出可以缩短一步的办法，并附上数据依据和相关节点。</translation>
    </message>
    <message>
        <source>Trace 10 steps</source>
        <translation>记录 10 步</translation>
    </message>
    <message>
        <source>saves up to %1 per step</source>
        <translation>每步最多可省 %1</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>to</source>
        <translation>去往</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>in transit</source>
        <translation>传输用时</translation>
    </message>
    <message>
        <source>receiver waited</source>
        <translation>接收方等待</translation>
    </message>
</context>
<context>
    <name>weft::app::BreakpointsView</name>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>How often it was reached with its condition true</source>
        <translation>到达且条件成立的次数</translation>
    </message>
    <message>
        <source>Stops from this hit on</source>
        <translation>从第几次命中开始停下</translation>
    </message>
    <message>
        <source>Text to log instead of stopping; {mean} or {name:0} in it are replaced by values</source>
        <translation>不停下，只写一行日志；其中的 {mean} 或 {name:0} 会换成值</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Location of a new breakpoint</source>
        <translation>新断点的位置</translation>
    </message>
    <message>
        <source>Add a breakpoint there, or on the selection</source>
        <translation>在该处或所选对象上添加断点</translation>
    </message>
    <message>
        <source>Remove this breakpoint</source>
        <translation>删除此断点</translation>
    </message>
    <message>
        <source>Stop at the first op that outputs a NaN</source>
        <translation>在第一个产生 NaN 的 op 处停下</translation>
    </message>
    <message>
        <source>any op</source>
        <translation>任意 op</translation>
    </message>
    <message>
        <source>Always. For example: has nan, abs max &gt; 1e3, iteration == 5, step == 400</source>
        <translation>始终停下。例如：has nan、abs max &gt; 1e3、iteration == 5、step == 400</translation>
    </message>
    <message>
        <source>This location no longer exists; it stops again when there is one.</source>
        <translation>在它重新出现之前，不会在此停下。</translation>
    </message>
    <message>
        <source>A node, a tensor (name:0), or everything in a scope (name/)</source>
        <translation>节点、张量（name:0），或整个作用域（name/）</translation>
    </message>
    <message>
        <source>node or scope/</source>
        <translation>节点或 scope/</translation>
    </message>
    <message>
        <source>No breakpoints</source>
        <translation>没有断点</translation>
    </message>
    <message>
        <source>B on the canvas sets one on the selected node. Double-click to change its condition.</source>
        <translation>在画布上按 B 可在所选节点设置断点；双击断点可修改条件。</translation>
    </message>
    <message>
        <source>%1, line %2: pauses the Python program before it</source>
        <translation>%1 第 %2 行：Python 程序在此行之前停下</translation>
    </message>
    <message>
        <source>Always. With a Python expression, stops only where it is true</source>
        <translation>总是停下。填写 Python 表达式后，只在其成立时停下</translation>
    </message>
</context>
<context>
    <name>weft::app::CheckpointCopyDialog</name>
    <message>
        <source>Save a copy of %1</source>
        <translation>另存 %1 的副本</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>Asks for a name and writes the checked variables; progress is in the status bar, where it can be cancelled</source>
        <translation>询问名称并写出勾选的变量；状态栏显示进度，并可取消</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Show names with…</source>
        <translation>显示名称包含…</translation>
    </message>
    <message>
        <source>Filter of the names</source>
        <translation>名称筛选</translation>
    </message>
    <message>
        <source>Shows only variables whose names contain this text; the checks of the others stay</source>
        <translation>只显示名称中包含此文字的变量；其他变量的勾选状态不变</translation>
    </message>
    <message>
        <source>C&amp;heck shown</source>
        <translation>勾选所示(&amp;H)</translation>
    </message>
    <message>
        <source>Checks all variables in the table below</source>
        <translation>勾选下表中的所有变量</translation>
    </message>
    <message>
        <source>&amp;Uncheck shown</source>
        <translation>取消勾选所示(&amp;U)</translation>
    </message>
    <message>
        <source>Unchecks all variables in the table below; they are not written</source>
        <translation>取消勾选下表中的所有变量；它们不会写出</translation>
    </message>
    <message>
        <source>Variables to write</source>
        <translation>要写出的变量</translation>
    </message>
    <message>
        <source>A regular expression that is searched for in the names; ^ and $ are the ends of a name. Every match is replaced.</source>
        <translation>在名称中查找的正则表达式；^ 和 $ 表示名称的开头和结尾。每一处匹配都会被替换。</translation>
    </message>
    <message>
        <source>Replacement</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Takes the place of the match: $1 is the first group, $&amp; the whole match, $$ a dollar sign</source>
        <translation>取代匹配的部分：$1 是第一个分组，$&amp; 是整个匹配，$$ 是美元符号</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>改名(&amp;R)</translation>
    </message>
    <message>
        <source>as they are</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>Type of all floating-point variables; integers and strings stay as they are. Numbers too large for float16 are reported.</source>
        <translation>所有浮点变量的类型；整数和字符串保持不变。对 float16 来说过大的数会报告。</translation>
    </message>
    <message>
        <source>&amp;Floating-point numbers</source>
        <translation>浮点数(&amp;F)</translation>
    </message>
    <message>
        <source>V2 (index and data)</source>
        <translation>V2（索引和数据）</translation>
    </message>
    <message>
        <source>V1 (one file)</source>
        <translation>V1（单个文件）</translation>
    </message>
    <message>
        <source>V2 is what TensorFlow 1.x writes; V1 is the older format, which lacks bfloat16</source>
        <translation>V2 是 TensorFlow 1.x 写出的格式；V1 是更早的格式，不支持 bfloat16</translation>
    </message>
    <message>
        <source>Number of files that the values are divided into; at most one per variable</source>
        <translation>数值分成的文件个数；最多每个变量一个</translation>
    </message>
    <message>
        <source>&amp;Data files</source>
        <translation>数据文件(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Version</source>
        <translation>版本(&amp;V)</translation>
    </message>
    <message>
        <source>Checking the changes</source>
        <translation>正在检查修改</translation>
    </message>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n 个变量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n renamed</source>
        <translation>
            <numerusform>%n 个改名</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n converted</source>
        <translation>
            <numerusform>%n 个转换类型</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::CheckpointGraph</name>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::CheckpointsView</name>
    <message>
        <source>No checkpoints yet</source>
        <translation>尚无检查点</translation>
    </message>
    <message>
        <source>Training saves one when it stops or ends, and at intervals. You can go back to any of them.</source>
        <translation>训练在停止或结束时写入检查点，其间也会定时写入。可以回到其中任何一个。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Go back to this step</source>
        <translation>回到这一步</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Shows the variables in the checkpoint</source>
        <translation>查看检查点中的变量</translation>
    </message>
    <message>
        <source>This checkpoint was removed: only the newest are kept.</source>
        <translation>该检查点已删除：只保留最新的几个。</translation>
    </message>
    <message>
        <source>Test acc.</source>
        <translation>测试准确率</translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>已删除 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Only the newest checkpoints of each run are kept.</source>
        <translation>每次训练只保留最新的检查点。</translation>
    </message>
    <message>
        <source>Select a checkpoint.</source>
        <translation>请选择一个检查点。</translation>
    </message>
    <message>
        <source>Starts a run from this checkpoint, paused at its step</source>
        <translation>以此检查点的变量开始新的运行，并在该步暂停</translation>
    </message>
    <message>
        <source>Files of this run in %1 were deleted.</source>
        <translation>此次运行在 %1 中的文件已被删除。</translation>
    </message>
</context>
<context>
    <name>weft::app::ClusterDialog</name>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>The jobs and tasks of a TensorFlow cluster, and the texts that start them. For a trial, Weft starts the tasks as processes of this machine, on free ports that only this machine reaches.</source>
        <translation>TensorFlow 集群的 job 和任务，以及启动它们的文字。试验时，Weft 在本机以进程启动各任务，使用只有本机能访问的空闲端口。</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Tasks of the cluster</source>
        <translation>集群的任务</translation>
    </message>
    <message>
        <source>&amp;Add task</source>
        <translation>添加任务(&amp;A)</translation>
    </message>
    <message>
        <source>Adds a task to the job of the selected row</source>
        <translation>为选中行的 job 添加一个任务</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Removes the selected tasks</source>
        <translation>移除选中的任务</translation>
    </message>
    <message>
        <source>&amp;Paste TF_CONFIG</source>
        <translation>粘贴 TF_CONFIG(&amp;P)</translation>
    </message>
    <message>
        <source>Reads the cluster in the clipboard: a TF_CONFIG, its cluster, or ps=host:port worker=host:port,…</source>
        <translation>读取剪贴板中的集群：TF_CONFIG、其中的 cluster，或 ps=host:port worker=host:port,…</translation>
    </message>
    <message>
        <source>TF_CONFIG of each task</source>
        <translation>每个任务的 TF_CONFIG</translation>
    </message>
    <message>
        <source>weft server lines</source>
        <translation>weft server 命令行</translation>
    </message>
    <message>
        <source>Start script with ssh</source>
        <translation>ssh 启动脚本</translation>
    </message>
    <message>
        <source>Kubernetes manifest</source>
        <translation>Kubernetes 清单</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>&amp;Image</source>
        <translation>镜像(&amp;I)</translation>
    </message>
    <message>
        <source>Container image</source>
        <translation>容器镜像</translation>
    </message>
    <message>
        <source>A container image in which the program weft is installed</source>
        <translation>装有程序 weft 的容器镜像</translation>
    </message>
    <message>
        <source>Text that starts the cluster</source>
        <translation>启动集群的文字</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>复制(&amp;O)</translation>
    </message>
    <message>
        <source>Sa&amp;ve…</source>
        <translation>保存(&amp;V)…</translation>
    </message>
    <message>
        <source>&amp;Server for runs</source>
        <translation>运行的服务器(&amp;S)</translation>
    </message>
    <message>
        <source>Server for runs</source>
        <translation>运行的服务器</translation>
    </message>
    <message>
        <source>Start &amp;local tasks</source>
        <translation>启动本地任务(&amp;L)</translation>
    </message>
    <message>
        <source>Starts each task as a process on this machine. It ends with this window.</source>
        <translation>在本机为每个任务启动一个进程。窗口关闭时它也结束。</translation>
    </message>
    <message>
        <source>&amp;Use this server</source>
        <translation>使用此服务器(&amp;U)</translation>
    </message>
    <message>
        <source>Runs of the document in front are computed by it</source>
        <translation>当前文档的运行由它计算</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Row %1: the task of job %2 is “%3”, expected a number from 0.</source>
        <translation>第 %1 行：job %2 的任务是“%3”，应为从 0 开始的数字。</translation>
    </message>
    <message>
        <source>Row %1: %2:%3 is there twice.</source>
        <translation>第 %1 行：%2:%3 出现了两次。</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s)</source>
        <translation>
            <numerusform>%n 个任务</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the text</source>
        <translation>保存文字</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>The clipboard holds no text.</source>
        <translation>剪贴板中没有文字。</translation>
    </message>
    <message>
        <source>The clipboard holds no cluster: %1</source>
        <translation>剪贴板中没有集群：%1</translation>
    </message>
    <message>
        <source>State of the table</source>
        <translation>表格的状态</translation>
    </message>
</context>
<context>
    <name>weft::app::ClusterView</name>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>The task whose tensor a step of this task waits for, and for how long; else what the task does</source>
        <translation>该任务的一步在等待哪个任务的张量，已等多久；没有等待时，它在做什么</translation>
    </message>
    <message>
        <source>Resident memory of the task&apos;s process</source>
        <translation>任务进程的常驻内存</translation>
    </message>
    <message>
        <source>Steps computed since the task started</source>
        <translation>任务启动以来计算的步数</translation>
    </message>
    <message>
        <source>Tasks of the cluster</source>
        <translation>集群的任务</translation>
    </message>
    <message>
        <source>Output of the local task</source>
        <translation>本地任务的输出</translation>
    </message>
    <message>
        <source>No cluster</source>
        <translation>没有集群</translation>
    </message>
    <message>
        <source>Choose a TensorFlow server in the run bar, or enter a cluster and start its tasks on this machine for a trial. Its tasks appear here, and what they wait for.</source>
        <translation>在运行栏中选择 TensorFlow 服务器，或填写一个集群并在本机启动它的任务试验。这里会显示各任务，以及它们在等待什么。</translation>
    </message>
    <message>
        <source>Cluster…</source>
        <translation>集群…</translation>
    </message>
    <message>
        <source>Server…</source>
        <translation>服务器…</translation>
    </message>
    <message>
        <source>Choose the TensorFlow server that computes the next runs</source>
        <translation>选择计算之后运行的 TensorFlow 服务器</translation>
    </message>
    <message>
        <source>Enter a cluster&apos;s jobs and tasks, copy its start lines, or start it on this machine</source>
        <translation>填写集群的 job 和任务，复制启动命令，或在本机启动</translation>
    </message>
    <message>
        <source>Stop local tasks</source>
        <translation>停止本地任务</translation>
    </message>
    <message>
        <source>Ends the tasks that were started on this machine</source>
        <translation>结束在本机启动的任务</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>正在询问 %1…</translation>
    </message>
    <message>
        <source>%1 of %2 answer</source>
        <translation>%2 个中有 %1 个应答</translation>
    </message>
    <message>
        <source>%1 ◂ server</source>
        <translation>%1 ◂ 服务器</translation>
    </message>
    <message>
        <source>The server knows this task, but does not tell its address. Enter the cluster to have it asked.</source>
        <translation>服务器知道此任务，但没有给出地址。填写集群后就会询问它。</translation>
    </message>
    <message>
        <source>%1, %2 of memory</source>
        <translation>%1，内存 %2</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>%1, process %2: %3</source>
        <translation>%1，进程 %2：%3</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Use as server</source>
        <translation>用作服务器</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Stop this task</source>
        <translation>停止此任务</translation>
    </message>
    <message>
        <source>Start this task again</source>
        <translation>重新启动此任务</translation>
    </message>
    <message>
        <source>%1: Weft %2, up for %3. Sessions of masters: %4, of clients: %5. Registered graphs: %6</source>
        <translation>%1：Weft %2，已运行 %3。master 的会话：%4，客户端的会话：%5。已注册的图：%6</translation>
    </message>
    <message>
        <source>State of the cluster</source>
        <translation>集群的状态</translation>
    </message>
</context>
<context>
    <name>weft::app::ComparePage</name>
    <message>
        <source>one step only</source>
        <translation>只有一步</translation>
    </message>
    <message>
        <source>before only</source>
        <translation>仅之前</translation>
    </message>
    <message>
        <source>now only</source>
        <translation>仅现在</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>of the step</source>
        <translation>占一步</translation>
    </message>
    <message>
        <source>executions</source>
        <translation>执行次数</translation>
    </message>
    <message>
        <source>Self time per step in the trace compared with</source>
        <translation>所比较 trace 中每步的自身时间</translation>
    </message>
    <message>
        <source>Self time per step in the current trace</source>
        <translation>当前 trace 中每步的自身时间</translation>
    </message>
    <message>
        <source>▲ takes longer, ▼ takes less, ≈ the interval includes no change. Sorted by it, certain changes come first</source>
        <translation>▲ 变慢，▼ 变快，≈ 区间包含“没有变化”。按此列排序时，确定的变化在前</translation>
    </message>
    <message>
        <source>The change of the mean lies in it with 95 % confidence, if steps vary independently</source>
        <translation>如果各步的波动相互独立，平均值的变化以 95 % 的置信度位于其中</translation>
    </message>
    <message>
        <source>The change as a share of the step before</source>
        <translation>变化占之前一步的比例</translation>
    </message>
    <message>
        <source>Executions per step, before and now</source>
        <translation>每步的执行次数，之前和现在</translation>
    </message>
    <message>
        <source>Steps vary so much that this may be no change at all.</source>
        <translation>各步波动很大，这可能根本不是变化。</translation>
    </message>
    <message>
        <source>With a single step in one of the traces, chance cannot be told from change.</source>
        <translation>其中一个 trace 只有一步，无法区分偶然与变化。</translation>
    </message>
    <message>
        <source>No earlier trace in this session</source>
        <translation>本次会话中没有更早的 trace</translation>
    </message>
    <message>
        <source>Session run to compare with</source>
        <translation>要比较的会话运行</translation>
    </message>
    <message>
        <source>%1; one of the traces has a single step, so chance is not known</source>
        <translation>%1；其中一个 trace 只有一步，无法知道是否偶然</translation>
    </message>
    <message>
        <source>%1, with 95 % confidence between %2 and %3</source>
        <translation>%1，95 % 的置信度在 %2 与 %3 之间</translation>
    </message>
    <message>
        <source>%1, which may be chance: the interval is %2 to %3</source>
        <translation>%1，可能是偶然：区间为 %2 至 %3</translation>
    </message>
    <message>
        <source>Step: %1 → %2</source>
        <translation>一步：%1 → %2</translation>
    </message>
    <message>
        <source>before: %1 · now: %2</source>
        <translation>之前：%1 · 现在：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>No node is in both traces: they are of different graphs. By type they can still be compared.</source>
        <translation>两个 trace 没有共同的节点：它们属于不同的计算图。仍可按类型比较。</translation>
    </message>
    <message numerus="yes">
        <source>All %n node(s) are in both.</source>
        <translation>
            <numerusform>全部 %n 个节点在两个 trace 中都有。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 nodes are in both, %2 only in the one before, %3 only in the present one; those in both make up %4 % of the time.</source>
        <translation>%1 个节点在两者中都有，%2 个仅在之前的，%3 个仅在现在的；共有的节点占时间的 %4 %。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Nothing to compare with</source>
        <translation>没有可比较的 trace</translation>
    </message>
    <message>
        <source>Choose another trace to list what became slower or faster since then: one of this session, or a file.</source>
        <translation>选择另一个 trace，列出从那时起变慢和变快的部分：本次会话中的一个，或一个文件。</translation>
    </message>
    <message>
        <source>Compare with a trace…</source>
        <translation>与另一 trace 比较…</translation>
    </message>
    <message>
        <source>Compare with the trace before</source>
        <translation>与之前的 trace 比较</translation>
    </message>
    <message>
        <source>One row per op type</source>
        <translation>每种 op 类型一行</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>One row per node</source>
        <translation>每个节点一行</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>One row per name scope</source>
        <translation>每个名称作用域一行</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Filter the changes</source>
        <translation>筛选变化</translation>
    </message>
    <message>
        <source>certain only</source>
        <translation>仅确定的</translation>
    </message>
    <message>
        <source>Leaves out changes whose interval includes 0</source>
        <translation>略去区间包含 0 的变化</translation>
    </message>
    <message>
        <source>Colour nodes</source>
        <translation>节点着色</translation>
    </message>
    <message>
        <source>Colours the canvas by the change: red takes longer, blue takes less</source>
        <translation>按变化为画布着色：红色变慢，蓝色变快</translation>
    </message>
    <message>
        <source>Colour slices</source>
        <translation>片段着色</translation>
    </message>
    <message>
        <source>Colours the timeline by the change; again: by category</source>
        <translation>按变化为时间线着色；再按一次恢复按种类着色</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与…比较</translation>
    </message>
    <message>
        <source>Another trace of this session, or a file</source>
        <translation>本次会话中的另一个 trace，或一个文件</translation>
    </message>
    <message>
        <source>Changes between two traces</source>
        <translation>两个 trace 之间的变化</translation>
    </message>
</context>
<context>
    <name>weft::app::ComposeGestures</name>
    <message>
        <source>Move a wire to %1</source>
        <translation>把连线移到 %1</translation>
    </message>
    <message>
        <source>Cut %1 wires</source>
        <translation>切断 %1 条连线</translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>插入 %1</translation>
    </message>
    <message>
        <source>There is no op or layer %1.</source>
        <translation>没有名为 %1 的 op 或层。</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>框</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>%1 is not a colour mode; there are %2.</source>
        <translation>%1 不是着色方式；可用的有 %2。</translation>
    </message>
    <message>
        <source>Add after %1</source>
        <translation>添加在 %1 之后</translation>
    </message>
    <message>
        <source>Accepts %1 %2</source>
        <translation>接受 %1 %2</translation>
    </message>
    <message>
        <source>Add before %1</source>
        <translation>添加在 %1 之前</translation>
    </message>
    <message>
        <source>Gives %1</source>
        <translation>给出 %1</translation>
    </message>
    <message>
        <source>any type</source>
        <translation>任意类型</translation>
    </message>
    <message>
        <source>Move a frame</source>
        <translation>移动框</translation>
    </message>
    <message>
        <source>This graph has no gradients: add training first.</source>
        <translation>此图中没有梯度：请先添加训练。</translation>
    </message>
    <message>
        <source>Gradient norms</source>
        <translation>梯度范数</translation>
    </message>
</context>
<context>
    <name>weft::app::ConfusionMatrix</name>
    <message>
        <source>predicted</source>
        <translation>判断为</translation>
    </message>
    <message>
        <source>actual</source>
        <translation>实为</translation>
    </message>
    <message>
        <source>%1 predicted as %2: %3 of %4</source>
        <translation>%1 判断为 %2：%4 个中有 %3 个</translation>
    </message>
</context>
<context>
    <name>weft::app::Console</name>
    <message>
        <source>The console has ended.</source>
        <translation>控制台已结束。</translation>
    </message>
    <message>
        <source>The console&apos;s Python %1.</source>
        <translation>控制台的 Python %1。</translation>
    </message>
    <message>
        <source>Sending %1 to the console</source>
        <translation>正在把 %1 交给控制台</translation>
    </message>
    <message>
        <source>The console&apos;s graph has no nodes that %1 does not have.</source>
        <translation>控制台的图中没有 %1 所没有的内容。</translation>
    </message>
    <message>
        <source>The document was closed.</source>
        <translation>文档已关闭。</translation>
    </message>
</context>
<context>
    <name>weft::app::ConsoleView</name>
    <message>
        <source>What the console printed</source>
        <translation>控制台的输出</translation>
    </message>
    <message>
        <source>Statement for the console</source>
        <translation>控制台语句</translation>
    </message>
    <message>
        <source>Python on this graph: graph, session, tf, np. Tab completes, F1 explains, Up recalls</source>
        <translation>对这张图使用 Python：graph、session、tf、np。Tab 补全，F1 说明，↑ 调出历史</translation>
    </message>
    <message>
        <source>Adds the nodes created here to the document as one undoable step</source>
        <translation>把在这里创建的节点作为可撤销的一步带入文档</translation>
    </message>
    <message>
        <source>an empty graph</source>
        <translation>空图</translation>
    </message>
    <message>
        <source>Python on %1 starts with the first statement.</source>
        <translation>%1 上的 Python 会随第一条语句启动。</translation>
    </message>
    <message>
        <source>Python on an empty graph starts with the first statement.</source>
        <translation>空图上的 Python 会随第一条语句启动。</translation>
    </message>
    <message>
        <source>Python on %1 is starting…</source>
        <translation>%1 上的 Python 正在启动…</translation>
    </message>
    <message>
        <source>Python on %1</source>
        <translation>%1 上的 Python</translation>
    </message>
    <message>
        <source>Python on %1 is busy…</source>
        <translation>%1 上的 Python 正在计算…</translation>
    </message>
    <message>
        <source>Python on %1 has ended; the next statement restarts it.</source>
        <translation>%1 上的 Python 已结束；下一条语句会重新启动它。</translation>
    </message>
    <message>
        <source>(not the current graph: restart to switch)</source>
        <translation>（不是最前面的图：重新启动即可切换）</translation>
    </message>
    <message>
        <source>Import new nodes (%1)</source>
        <translation>采纳新节点（%1）</translation>
    </message>
</context>
<context>
    <name>weft::app::CustomScalarsView</name>
    <message>
        <source>%1 is not a regular expression: %2</source>
        <translation>%1 不是正则表达式：%2</translation>
    </message>
    <message>
        <source>Only the first %1 curves are shown.</source>
        <translation>只显示前 %1 条曲线。</translation>
    </message>
    <message>
        <source>%1 logged %2, but not both %3 and %4: its band is not shown.</source>
        <translation>%1 记录了 %2，但没有同时记录 %3 和 %4：不显示色带。</translation>
    </message>
    <message>
        <source>No run logged %1.</source>
        <translation>没有运行记录过 %1。</translation>
    </message>
    <message>
        <source>%1 (incomplete)</source>
        <translation>%1（不完整）</translation>
    </message>
    <message>
        <source>There is no chart %1; there are %2.</source>
        <translation>没有图表 %1；有的是 %2。</translation>
    </message>
    <message>
        <source>No custom charts yet</source>
        <translation>还没有自定义图表</translation>
    </message>
    <message>
        <source>Charts that a program arranged with the custom_scalars summary appear here.</source>
        <translation>程序用 custom_scalars 摘要安排的图表显示在这里。</translation>
    </message>
    <message>
        <source>Open event files…</source>
        <translation>打开事件文件…</translation>
    </message>
</context>
<context>
    <name>weft::app::DataColumnsDialog</name>
    <message>
        <source>Data %1</source>
        <translation>数据 %1</translation>
    </message>
    <message>
        <source>Which column of %1 feeds each placeholder?</source>
        <translation>%1 的哪一列馈送给各占位符？</translation>
    </message>
    <message>
        <source>Column that feeds %1</source>
        <translation>馈送给 %1 的列</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>No column fits %1.</source>
        <translation>没有适合 %1 的列。</translation>
    </message>
    <message>
        <source>&amp;Use these data</source>
        <translation>使用这些数据(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Nothing feeds %1.</source>
        <translation>%1 没有数据输入。</translation>
    </message>
    <message>
        <source>Columns that are not used: %1.</source>
        <translation>未使用的列：%1。</translation>
    </message>
</context>
<context>
    <name>weft::app::DebugController</name>
    <message>
        <source>, %1 iteration %2</source>
        <translation>，%1 第 %2 次迭代</translation>
    </message>
    <message>
        <source>Debugging a training step of %1</source>
        <translation>正在调试 %1 的一步训练</translation>
    </message>
    <message>
        <source>Debugging a run of %1</source>
        <translation>正在调试 %1 的一次运行</translation>
    </message>
    <message>
        <source>Nothing is being debugged.</source>
        <translation>没有正在调试的运行。</translation>
    </message>
    <message>
        <source>Stopped where it failed: %1: %2</source>
        <translation>停在失败处：%1：%2</translation>
    </message>
    <message>
        <source>Stopped at a breakpoint: %1</source>
        <translation>停在断点处：%1</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>运行失败：%1</translation>
    </message>
    <message>
        <source>The run ended before it reached %1.</source>
        <translation>到达 %1 之前运行已结束。</translation>
    </message>
    <message>
        <source>The run has ended.</source>
        <translation>运行已结束。</translation>
    </message>
    <message>
        <source>not running</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>%1 was set to %2</source>
        <translation>%1 已设为 %2</translation>
    </message>
    <message>
        <source>Start the debugger to see values.</source>
        <translation>启动调试器后可查看值。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Reading inputs</source>
        <translation>正在读取输入</translation>
    </message>
    <message>
        <source>Reading watched values</source>
        <translation>正在读取监视的值</translation>
    </message>
    <message>
        <source>Looking for the first NaN</source>
        <translation>正在查找第一个 NaN</translation>
    </message>
    <message>
        <source>Debugging the next training step of %1</source>
        <translation>正在调试 %1 的训练的下一步</translation>
    </message>
    <message>
        <source>Training uses the graph as it was at the start; apply your changes to the running training to debug them.</source>
        <translation>训练仍使用开始时的计算图；要调试改动，请先将改动应用到训练。</translation>
    </message>
    <message>
        <source>set</source>
        <translation>已设</translation>
    </message>
    <message>
        <source>%1 has its computed value again</source>
        <translation>%1 已恢复原来的值</translation>
    </message>
    <message>
        <source>Reading values of wires</source>
        <translation>正在读取连线上的值</translation>
    </message>
    <message>
        <source>Reading iterations</source>
        <translation>正在读取各次迭代</translation>
    </message>
    <message>
        <source>Its ops are computed on %1</source>
        <translation>op 由 %1 计算</translation>
    </message>
    <message>
        <source>%1 is not one of Weft&apos;s tasks: its ops run without stopping, and their values cannot be read.</source>
        <translation>%1 不是 Weft 的任务：其中的 op 运行时不会停下，也无法读取其中的值。</translation>
    </message>
    <message>
        <source>Setting %1</source>
        <translation>正在设置 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::DevicePlaces</name>
    <message>
        <source>cannot be placed: %1</source>
        <translation>无法放置：%1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>on %1: %2</source>
        <translation>在 %1 上：%2</translation>
    </message>
    <message>
        <source>Placing nodes on devices</source>
        <translation>正在把节点放置到设备上</translation>
    </message>
</context>
<context>
    <name>weft::app::DevicesPage</name>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message numerus="yes">
        <source>median of %n step(s) on each device</source>
        <translation>
            <numerusform>每个设备上 %n 步的中位数</numerusform>
        </translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>alike</source>
        <translation>相当</translation>
    </message>
    <message>
        <source>%1, %2 times</source>
        <translation>%1，%2 倍</translation>
    </message>
    <message>
        <source>whole step</source>
        <translation>整个步骤</translation>
    </message>
    <message>
        <source>copies between devices</source>
        <translation>设备之间的复制</translation>
    </message>
    <message>
        <source>forward pass</source>
        <translation>前向传播</translation>
    </message>
    <message>
        <source>backward pass</source>
        <translation>反向传播</translation>
    </message>
    <message>
        <source>updates of variables</source>
        <translation>变量更新</translation>
    </message>
    <message>
        <source>gradients of no layer</source>
        <translation>不属于任何层的梯度</translation>
    </message>
    <message>
        <source>Which device is faster?</source>
        <translation>哪个设备更快？</translation>
    </message>
    <message>
        <source>Trains a few steps of the document on each device of this machine and shows the time of each layer. Nothing is saved.</source>
        <translation>在本机的每个设备上训练文档几步，并显示每一层的用时。不保存任何内容。</translation>
    </message>
    <message>
        <source>Compare devices</source>
        <translation>比较设备</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>Trains the same steps again on each device</source>
        <translation>在每个设备上重新训练相同的步骤</translation>
    </message>
    <message>
        <source>Times of layers by device</source>
        <translation>各设备上各层的用时</translation>
    </message>
</context>
<context>
    <name>weft::app::DifferenceTable</name>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>op</translation>
    </message>
    <message>
        <source>Differing elements</source>
        <translation>不同的元素</translation>
    </message>
    <message>
        <source>Most at</source>
        <translation>差别最大处</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一个步</translation>
    </message>
    <message>
        <source>Second step</source>
        <translation>第二个步</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>%1
Differs although everything that it is computed from is equal</source>
        <translation>%1
计算它所用的一切都相同，它却不同</translation>
    </message>
    <message>
        <source>only in one</source>
        <translation>只在其中一步</translation>
    </message>
    <message>
        <source>another shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>another type</source>
        <translation>类型不同</translation>
    </message>
    <message>
        <source>This training</source>
        <translation>这次训练</translation>
    </message>
    <message>
        <source>Other training</source>
        <translation>另一次训练</translation>
    </message>
</context>
<context>
    <name>weft::app::DoctorStore</name>
    <message>
        <source>A document is being examined.</source>
        <translation>正在检查文档。</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开的图。</translation>
    </message>
    <message>
        <source>Examining %1</source>
        <translation>正在检查 %1</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
</context>
<context>
    <name>weft::app::DoctorView</name>
    <message>
        <source>Show node</source>
        <translation>显示节点</translation>
    </message>
    <message>
        <source>Use %1 = %2</source>
        <translation>使用 %1 = %2</translation>
    </message>
    <message>
        <source>Sets it for the next run</source>
        <translation>为下次运行设置它</translation>
    </message>
    <message>
        <source>Nothing was found: the graph, the data, the initial values, the first loss and one batch look right.</source>
        <translation>没有发现问题：图、数据、初始值、首个损失和一个批次看起来都正确。</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) before the first step</source>
        <translation>
            <numerusform>第一步之前有 %n 项发现</numerusform>
        </translation>
    </message>
    <message>
        <source>The document has changed since.</source>
        <translation>文档此后已更改。</translation>
    </message>
    <message>
        <source>Is this training sound?</source>
        <translation>这个训练是否健全？</translation>
    </message>
    <message>
        <source>Looks for mistakes in the graph, the data, the initial values and the first steps, on a copy. Nothing is saved.</source>
        <translation>在副本上查找图、数据、初始值和最初几步中的错误。不保存任何内容。</translation>
    </message>
    <message>
        <source>Examine</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Examine again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Examines the document as it is now</source>
        <translation>按现在的样子检查文档</translation>
    </message>
    <message>
        <source>Nothing was found in the graph. It has no training, so that nothing was run.</source>
        <translation>在图中没有发现问题。它没有训练，因此没有运行任何东西。</translation>
    </message>
    <message>
        <source>The graph has no training, so that nothing was run.</source>
        <translation>该图没有训练，因此没有运行任何东西。</translation>
    </message>
    <message>
        <source>%1 (step %2)</source>
        <translation>%1（第 %2 步）</translation>
    </message>
    <message>
        <source>The document was not examined before its first step.</source>
        <translation>这份文档在第一步之前没有检查过。</translation>
    </message>
    <message>
        <source>While it trained, nothing was found.</source>
        <translation>训练过程中没有发现问题。</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) while it trained</source>
        <translation>
            <numerusform>训练过程中有 %n 项发现</numerusform>
        </translation>
    </message>
    <message>
        <source>Watch trainings</source>
        <translation>由医生观察训练</translation>
    </message>
    <message>
        <source>Looks for what goes wrong while the next trainings run; up to 3 % of the time</source>
        <translation>在以后的训练过程中查找问题；最多占用 3 % 的时间</translation>
    </message>
    <message>
        <source>Show line</source>
        <translation>显示该行</translation>
    </message>
    <message>
        <source>A Python program trains this graph.</source>
        <translation>由 Python 程序训练此图。</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) while the program ran</source>
        <translation>
            <numerusform>程序运行时有 %n 个发现</numerusform>
        </translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::DocumentPage</name>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>control</source>
        <translation>控制</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>A solid line carries data. Its hue shows the type, its thickness the number of bytes, for batches of 32 if the batch size is unknown.</source>
        <translation>实线传递数据。颜色表示类型，粗细表示字节数；批大小未定时按每批 32 个样本计。</translation>
    </message>
    <message>
        <source>A dashed line is a control edge: its source runs first, no data is passed.</source>
        <translation>虚线是控制边：起点先运行，不传递数据。</translation>
    </message>
    <message>
        <source>A double line passes a reference to the variable, so that it can be updated.</source>
        <translation>双线传递变量本身，供其修改。</translation>
    </message>
    <message>
        <source>A dashed frame is a while loop. Its variables enter at the left, leave at the right, and return along the top or the bottom.</source>
        <translation>虚线框是 while 循环。变量从左边进入，从右边离开，沿上边或下边返回。</translation>
    </message>
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
    <message>
        <source>Align and distribute</source>
        <translation>对齐与分布</translation>
    </message>
    <message>
        <source>op type</source>
        <translation>op 类型</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>next op</source>
        <translation>下一个 op</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>已计算</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>可运行</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>not taken</source>
        <translation>未走的分支</translation>
    </message>
    <message>
        <source>time in the trace</source>
        <translation>trace 中的时间</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>changes state</source>
        <translation>改变状态</translation>
    </message>
    <message>
        <source>A circular arrow marks ops that change state beyond the step: variables, queues, iterators, tables, random generators, files. The tooltip says which.</source>
        <translation>环形箭头标记会改变跨步状态的 op：变量、队列、迭代器、查找表、随机数流、文件。节点的提示会写明是哪一个。</translation>
    </message>
    <message>
        <source>This graph is empty</source>
        <translation>这张图是空的</translation>
    </message>
    <message>
        <source>Press Tab or double-click to add a layer or an op, and type part of its name. Start with the data (digits), then add layers: each is connected to the selected one.</source>
        <translation>按 Tab 或双击即可添加层或 op：键入其名称的一部分。先添加数据（digits），再逐个添加层：每一层接在所选的那一层之后。</translation>
    </message>
    <message>
        <source>only here: %1</source>
        <translation>仅此处有：%1</translation>
    </message>
    <message>
        <source>differ: %1</source>
        <translation>不同：%1</translation>
    </message>
    <message>
        <source>only in %1: %2</source>
        <translation>仅 %1 中有：%2</translation>
    </message>
    <message>
        <source>Comparison with %1; the marks disappear when the graph changes, or with File &gt; Clear comparison marks</source>
        <translation>与 %1 的比较；图一旦改动标记就消失，也可用“文件 &gt; 去掉比较标记”去掉</translation>
    </message>
    <message>
        <source>Only there: %1</source>
        <translation>仅在对方：%1</translation>
    </message>
    <message>
        <source>Progress of the debugged run; Stop debugging (Shift+F5) clears the marks</source>
        <translation>被调试的运行进行到了哪里；停止调试（Shift+F5）会去掉标记</translation>
    </message>
    <message>
        <source>view</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>&lt;b&gt;×4&lt;/b&gt; stands for four alike, &lt;b&gt;2×&lt;/b&gt; on a wire for two tensors, &lt;b&gt;⋯3&lt;/b&gt; at a node for three wires drawn when you point at the node or click the number. &lt;b&gt;∂&lt;/b&gt; marks gradients and updates. A rounded box below a layer holds its weights.</source>
        <translation>&lt;b&gt;×4&lt;/b&gt; 表示四个相同的部分；连线上的 &lt;b&gt;2×&lt;/b&gt; 表示两个张量；节点上的 &lt;b&gt;⋯3&lt;/b&gt; 表示三条平时不画的连线，指向节点或点击该数字即可显示。&lt;b&gt;∂&lt;/b&gt; 表示梯度与更新。层下方的圆角框是它的权重。</translation>
    </message>
    <message>
        <source>Go to source: %1</source>
        <translation>转到来源：%1</translation>
    </message>
    <message>
        <source>Go to reader: %1</source>
        <translation>转到读取者：%1</translation>
    </message>
    <message>
        <source>between tasks</source>
        <translation>任务之间</translation>
    </message>
    <message>
        <source>A line on a band goes from one task of the cluster to another. After a traced step it says how many bytes it carries per step.</source>
        <translation>衬有底带的连线从集群的一个任务通向另一个任务。记录步骤之后，连线上写明每步传输的字节数。</translation>
    </message>
    <message>
        <source>other name: %1</source>
        <translation>名称不同：%1</translation>
    </message>
    <message>
        <source>result of the query</source>
        <translation>查询结果</translation>
    </message>
    <message>
        <source>change between traces</source>
        <translation>trace 之间的变化</translation>
    </message>
</context>
<context>
    <name>weft::app::EarlierValues</name>
    <message>
        <source>A variable&apos;s element shows its values over the recorded steps here.</source>
        <translation>变量的一个元素在这里显示它在所记录的各步中的值。</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>第 %1 到 %2 步</translation>
    </message>
</context>
<context>
    <name>weft::app::EvaluationView</name>
    <message>
        <source>Nothing to evaluate yet</source>
        <translation>尚无可评估的内容</translation>
    </message>
    <message>
        <source>After training: which classes are confused, the worst samples, and predictions for a picture you draw.</source>
        <translation>训练之后：哪些类别易混淆、最差样本，以及网络对您所画图片的判断。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Confusion matrix</source>
        <translation>混淆矩阵</translation>
    </message>
    <message>
        <source>Worst samples</source>
        <translation>最差样本</translation>
    </message>
    <message>
        <source>Drawing pad</source>
        <translation>画板</translation>
    </message>
    <message>
        <source>Class probabilities</source>
        <translation>各类别的概率</translation>
    </message>
    <message>
        <source>Draw with the left button, erase with the right; arrow keys and Space also draw</source>
        <translation>左键绘制，右键擦除；也可用方向键和空格绘制</translation>
    </message>
    <message>
        <source>Draw a sample</source>
        <translation>画一个样本</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>%1×%2 pixels. Draw, or drop an image.</source>
        <translation>%1×%2 像素。请绘制或拖入图片。</translation>
    </message>
    <message>
        <source>This graph does not classify single-channel images.</source>
        <translation>此图不是对单通道图片分类。</translation>
    </message>
    <message>
        <source>Evaluating</source>
        <translation>正在评估</translation>
    </message>
    <message>
        <source>step %1: %2 % of %3 samples right, loss %4</source>
        <translation>第 %1 步：%3 个样本中 %2 % 正确，损失 %4</translation>
    </message>
    <message>
        <source>on the samples held out from training</source>
        <translation>使用训练中留出的样本</translation>
    </message>
    <message>
        <source>%1 taken for %2</source>
        <translation>%1 判断为 %2</translation>
    </message>
    <message>
        <source>a %1</source>
        <translation>是 %1</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>尚未训练。</translation>
    </message>
    <message>
        <source>%1 is not a readable image.</source>
        <translation>%1 不是可读取的图片。</translation>
    </message>
    <message>
        <source>%1 is neither a number nor a file.</source>
        <translation>%1 既不是数也不是文件。</translation>
    </message>
    <message>
        <source>A sample has %1 numbers, got %2.</source>
        <translation>一个样本有 %1 个数，实得 %2 个。</translation>
    </message>
</context>
<context>
    <name>weft::app::Experiments</name>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>%1 is running; stop it first.</source>
        <translation>%1 正在进行，请先停止它。</translation>
    </message>
    <message>
        <source>A sweep</source>
        <translation>扫描</translation>
    </message>
</context>
<context>
    <name>weft::app::ExperimentsView</name>
    <message numerus="yes">
        <source>%n more metric(s) not shown</source>
        <translation>
            <numerusform>另有 %n 个指标未显示</numerusform>
        </translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>%1 (imported)</source>
        <translation>%1（导入）</translation>
    </message>
    <message>
        <source>By %1</source>
        <translation>按 %1</translation>
    </message>
    <message>
        <source>By status</source>
        <translation>按状态</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1/%2 个运行</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 个正在运行</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 个失败</translation>
    </message>
    <message>
        <source>best %1 %2</source>
        <translation>最好的 %1 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 shown</source>
        <translation>显示 %1 个</translation>
    </message>
    <message>
        <source>No sweeps of this graph yet</source>
        <translation>这个图还没有扫描</translation>
    </message>
    <message>
        <source>A sweep trains the graph many times with different parameters. Its runs appear here, to be compared.</source>
        <translation>扫描用不同的参数多次训练图，其运行会出现在这里，以便比较。</translation>
    </message>
    <message>
        <source>New sweep</source>
        <translation>新扫描</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>散点</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Filter: test_loss&lt;0.3 &amp; optimizer=Adam</source>
        <translation>过滤：test_loss&lt;0.3 &amp; optimizer=Adam</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>A column, one of &lt; &lt;= = != &gt;= &gt; ~ (contains), and a value; several conditions with &amp;</source>
        <translation>一个列、&lt; &lt;= = != &gt;= &gt; ~（包含）之一和一个值；多个条件用 &amp; 连接</translation>
    </message>
    <message>
        <source>Runs of the sweep</source>
        <translation>扫描的运行</translation>
    </message>
    <message>
        <source>New sweep and pictures of the runs</source>
        <translation>新扫描和各运行的图</translation>
    </message>
    <message>
        <source>Curves of the runs</source>
        <translation>各运行的曲线</translation>
    </message>
    <message>
        <source>Parallel coordinates of the runs</source>
        <translation>各运行的平行坐标</translation>
    </message>
    <message>
        <source>Scatter matrix of the runs</source>
        <translation>各运行的散点矩阵</translation>
    </message>
    <message>
        <source>Importance of the parameters</source>
        <translation>参数的重要性</translation>
    </message>
    <message>
        <source>The importance of the parameters appears when at least four runs have finished with different values.</source>
        <translation>至少四个运行以不同的值完成后，会显示参数的重要性。</translation>
    </message>
    <message>
        <source>Use the parameters of %1</source>
        <translation>使用 %1 的参数</translation>
    </message>
    <message>
        <source>Show its curves in the panels</source>
        <translation>在面板中显示其曲线</translation>
    </message>
    <message>
        <source>Read runs from event files…</source>
        <translation>从事件文件读取运行…</translation>
    </message>
    <message>
        <source>Copy the table as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>There are no runs of sweeps yet.</source>
        <translation>还没有扫描的运行。</translation>
    </message>
</context>
<context>
    <name>weft::app::ExpressionTable</name>
    <message>
        <source>Expression of %1</source>
        <translation>%1 的表达式</translation>
    </message>
</context>
<context>
    <name>weft::app::FeedsDialog</name>
    <message>
        <source>Values to feed</source>
        <translation>馈送的值</translation>
    </message>
    <message>
        <source>&amp;Compute</source>
        <translation>计算(&amp;C)</translation>
    </message>
    <message>
        <source>tensors, e.g. loss:0; empty: all outputs without consumers</source>
        <translation>张量，例如 loss:0；留空：没有被其他节点使用的所有结果</translation>
    </message>
    <message>
        <source>Tensors to compute</source>
        <translation>要计算的张量</translation>
    </message>
    <message>
        <source>Placeholder</source>
        <translation>占位符</translation>
    </message>
    <message>
        <source>Type and shape</source>
        <translation>类型与形状</translation>
    </message>
    <message>
        <source>Fed with</source>
        <translation>馈送</translation>
    </message>
    <message>
        <source>Value, shape or file</source>
        <translation>值、形状或文件</translation>
    </message>
    <message>
        <source>Placeholders</source>
        <translation>占位符</translation>
    </message>
    <message>
        <source>&amp;Start debugging</source>
        <translation>开始调试(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Nothing needs to be fed.</source>
        <translation>这里不需要馈送任何值。</translation>
    </message>
    <message>
        <source>The tensors to compute need these placeholders. Enter unknown sizes (?) with the value.</source>
        <translation>计算需要这些占位符。未知的大小（?）在值中给出。</translation>
    </message>
    <message>
        <source>Feed for %1</source>
        <translation>给 %1 馈送什么</translation>
    </message>
    <message>
        <source>rows of %1</source>
        <translation>%1 中的行</translation>
    </message>
    <message>
        <source>random, 0 to 1</source>
        <translation>随机数，0 到 1</translation>
    </message>
    <message>
        <source>random, normal</source>
        <translation>随机数，正态分布</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>全 0</translation>
    </message>
    <message>
        <source>ones</source>
        <translation>全 1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>file (.npy)</source>
        <translation>文件（.npy）</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>how many rows; empty: a batch</source>
        <translation>多少行；留空：一批</translation>
    </message>
    <message>
        <source>path of a .npy file</source>
        <translation>.npy 文件的路径</translation>
    </message>
    <message>
        <source>shape, e.g. [2,64]</source>
        <translation>形状，例如 [2,64]</translation>
    </message>
    <message>
        <source>one number for all, or [[1,2],[3,4]]</source>
        <translation>一个数填满全部，或 [[1,2],[3,4]]</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>There is no node %1 in this graph.</source>
        <translation>此图中没有节点 %1。</translation>
    </message>
</context>
<context>
    <name>weft::app::FileLocks</name>
    <message>
        <source>%1 is also open in another window. If that window saves it, Weft asks here what to do with your changes.</source>
        <translation>%1 也在另一个窗口中打开。如果那个窗口保存了它，这里会询问如何处理您的更改。</translation>
    </message>
</context>
<context>
    <name>weft::app::FileTab</name>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Statistics of %1</source>
        <translation>统计 %1</translation>
    </message>
    <message>
        <source>%1 has no tensors to compare.</source>
        <translation>%1 中没有可比较的张量。</translation>
    </message>
    <message>
        <source>Comparing %1 with %2</source>
        <translation>比较 %1 与 %2</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>比较已取消。</translation>
    </message>
</context>
<context>
    <name>weft::app::FileWatch</name>
    <message>
        <source>%1 was deleted or moved by another program. The graph is still open here.</source>
        <translation>%1 已被其他程序删除或移走。图仍保留在此。</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留当前内容</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Reloading %1</source>
        <translation>正在重新读取 %1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1 was reloaded</source>
        <translation>%1 已重新读取</translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation>正在与 %1 比较</translation>
    </message>
    <message>
        <source>%1: only in the file</source>
        <translation>%1：仅在文件中</translation>
    </message>
    <message>
        <source>%1: only in this window</source>
        <translation>%1：仅在此窗口中</translation>
    </message>
    <message>
        <source>%1: different op, input, attribute or device</source>
        <translation>%1：op、输入、属性或设备不同</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) only in the file: %1</source>
        <translation>
            <numerusform>%n 个节点仅在文件中：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) only here: %1</source>
        <translation>
            <numerusform>%n 个节点仅在此处：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) differ: %1</source>
        <translation>
            <numerusform>%n 个节点不同：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>The graph is the same as in the file.</source>
        <translation>与文件中的图相同。</translation>
    </message>
    <message>
        <source>All are listed in the log.</source>
        <translation>全部列于日志。</translation>
    </message>
    <message>
        <source>Clear marks</source>
        <translation>去掉标记</translation>
    </message>
    <message>
        <source>%1 was changed both here and by another program or window.</source>
        <translation>%1 已被另一个程序或窗口更改，这里也有更改。</translation>
    </message>
    <message>
        <source>%1 was changed by another program or window.</source>
        <translation>%1 已被另一个程序或窗口更改。</translation>
    </message>
    <message>
        <source>%1 was not saved: another program or window has changed the file since it was opened.</source>
        <translation>%1 未保存：自此处读取以来，另一个程序或窗口更改了该文件。</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>用我的覆盖保存</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) only have other names: %1</source>
        <translation>
            <numerusform>%n 个节点只是名称不同：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: named %2 in the file</source>
        <translation>%1：在文件中名为 %2</translation>
    </message>
    <message>
        <source>Match by names</source>
        <translation>按名称对应</translation>
    </message>
    <message>
        <source>Match by structure</source>
        <translation>按结构对应</translation>
    </message>
</context>
<context>
    <name>weft::app::FilesView</name>
    <message>
        <source>The current tab is not a checkpoint or data file</source>
        <translation>当前标签页不是检查点或数据文件</translation>
    </message>
    <message>
        <source>Open a checkpoint, SavedModel, record, event or array file to see the files that belong to it, its scopes and how it fits the graph.</source>
        <translation>打开检查点、SavedModel、记录、事件或数组文件：这里显示它由哪些文件组成、有哪些作用域、与计算图是否吻合。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Related files</source>
        <translation>属于同一组的文件</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>also kept</source>
        <translation>另有保留</translation>
    </message>
    <message>
        <source>%1
Another checkpoint that the state file lists; Enter opens it</source>
        <translation>%1
状态文件列出的另一个检查点；按回车打开</translation>
    </message>
    <message>
        <source>Scopes of the variables</source>
        <translation>变量的作用域</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Comparing names with %1</source>
        <translation>与 %1 核对名称</translation>
    </message>
    <message>
        <source>Graph variables that do not match the checkpoint</source>
        <translation>计算图中与检查点不吻合的变量</translation>
    </message>
    <message>
        <source>The graph has no variables to restore.</source>
        <translation>计算图没有要恢复的变量。</translation>
    </message>
    <message numerus="yes">
        <source>All %n variable(s) match in name, shape and type: it can be restored.</source>
        <translation>
            <numerusform>%n 个变量的名称、形状与类型均一致，可以直接恢复。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n variable(s) match; restoring would fail.</source>
        <translation>
            <numerusform>%n 个变量中有 %1 个吻合；恢复会失败。</numerusform>
        </translation>
    </message>
    <message>
        <source>not in the checkpoint</source>
        <translation>检查点中没有</translation>
    </message>
    <message>
        <source>other shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>other type</source>
        <translation>类型不同</translation>
    </message>
    <message>
        <source>not saved by the graph&apos;s Saver</source>
        <translation>计算图的 Saver 没有保存</translation>
    </message>
    <message>
        <source>in the checkpoint only, unused</source>
        <translation>只在检查点中，用不到</translation>
    </message>
    <message>
        <source>graph: %1</source>
        <translation>计算图：%1</translation>
    </message>
    <message>
        <source>checkpoint: %1</source>
        <translation>检查点：%1</translation>
    </message>
    <message>
        <source>perhaps: %1</source>
        <translation>也许是：%1</translation>
    </message>
    <message>
        <source>perhaps %1</source>
        <translation>也许是 %1</translation>
    </message>
    <message>
        <source>Reading the contents of %1</source>
        <translation>读取 %1 的内容</translation>
    </message>
    <message>
        <source>Contents of the graph&apos;s file</source>
        <translation>计算图文件的内容</translation>
    </message>
    <message numerus="yes">
        <source>All %n variable(s) have a value, some under other names: write a checkpoint for this graph, or copy a Saver.</source>
        <translation>
            <numerusform>全部 %n 个变量都有值，其中一些使用别的名称：可以为此图写出检查点，或复制 Saver。</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag a checkpoint key onto a variable to map it.</source>
        <translation>把检查点中的键拖到变量上，即指明它是该变量的值。</translation>
    </message>
    <message>
        <source>Write a checkpoint for this graph…</source>
        <translation>为此图写出检查点…</translation>
    </message>
    <message>
        <source>Saves the values under the names that the graph restores</source>
        <translation>按图恢复时使用的名称写出这些值</translation>
    </message>
    <message>
        <source>Copy a Saver</source>
        <translation>复制 Saver</translation>
    </message>
    <message>
        <source>Copies Python code for a tf.train.Saver that maps these names; guesses are marked</source>
        <translation>含 tf.train.Saver 的 Python 代码，对应这些名称；最接近的名称标为猜测</translation>
    </message>
    <message>
        <source>under another name</source>
        <translation>使用别的名称</translation>
    </message>
    <message>
        <source>%1
is restored from
%2
Delete removes this mapping</source>
        <translation>%1
的值取自
%2
按 Delete 撤回</translation>
    </message>
    <message>
        <source>%1
Enter or double-click accepts this mapping</source>
        <translation>%1
按回车或双击即采用</translation>
    </message>
    <message>
        <source>Another checkpoint that the state file lists; Enter opens it</source>
        <translation>状态文件列出的另一个检查点；按回车打开</translation>
    </message>
    <message>
        <source>Graph matched with the checkpoint</source>
        <translation>检查点所对照的计算图</translation>
    </message>
    <message>
        <source>Graph matched with the checkpoint: its own .meta, an open graph, or another file</source>
        <translation>检查点所对照的计算图：它自己的 .meta、已打开的计算图或另一文件</translation>
    </message>
    <message>
        <source>%1 (its own)</source>
        <translation>%1（自带）</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>另一文件…</translation>
    </message>
    <message>
        <source>Match with a graph</source>
        <translation>将检查点对照于</translation>
    </message>
    <message>
        <source>Graphs (*.meta *.pb *.pbtxt *.weft)</source>
        <translation>计算图 (*.meta *.pb *.pbtxt *.weft)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Matched with</source>
        <translation>对照于</translation>
    </message>
    <message>
        <source>Propose names…</source>
        <translation>建议名称…</translation>
    </message>
    <message>
        <source>Lists keys of the checkpoint that are probably values of the missing variables, with confidence and reason</source>
        <translation>列出检查点中可能是缺少的变量之值的键，以及可信度和理由</translation>
    </message>
    <message>
        <source>Undo the mapping</source>
        <translation>撤销对应</translation>
    </message>
    <message>
        <source>Takes back the last change to the mapped names</source>
        <translation>收回对名称对应关系的最近一次改动</translation>
    </message>
</context>
<context>
    <name>weft::app::FindPopup</name>
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
    <message>
        <source>Part of a name, or an op: conv2 MatMul; op: dtype: shape: device:</source>
        <translation>名称的一部分或 op：conv2 MatMul；可用 op: dtype: shape: device:</translation>
    </message>
    <message>
        <source>Replace it in all names with … (Enter)</source>
        <translation>在所有名称中替换为……（Enter）</translation>
    </message>
    <message>
        <source>Replace it in all names with</source>
        <translation>在所有名称中替换为</translation>
    </message>
    <message>
        <source>Type the text to replace, without spaces or colons.</source>
        <translation>请输入名称中要替换的部分，不含空格和冒号。</translation>
    </message>
</context>
<context>
    <name>weft::app::Finder</name>
    <message>
        <source>Find anything</source>
        <translation>查找任意内容</translation>
    </message>
    <message>
        <source>Name of a command, node, tensor, op, file …</source>
        <translation>命令、节点、张量、op、文件的名称……</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>%1 found, the first %2 are listed</source>
        <translation>找到 %1 项，列出前 %2 项</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>找到 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>No matches.</source>
        <translation>没有这个名称。</translation>
    </message>
</context>
<context>
    <name>weft::app::FixCard</name>
    <message>
        <source>Problem and fixes</source>
        <translation>问题与修复</translation>
    </message>
    <message>
        <source>TensorFlow says: %1</source>
        <translation>TensorFlow 的说法：%1</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 apply</source>
        <comment>key and what it does</comment>
        <translation>%1 应用</translation>
    </message>
    <message>
        <source>Looking for a fix…</source>
        <translation>正在寻找修复办法…</translation>
    </message>
    <message>
        <source>No fix is known.</source>
        <translation>没有已知的修复办法。</translation>
    </message>
    <message>
        <source>%1 next problem</source>
        <comment>key and what it does</comment>
        <translation>%1 下一个问题</translation>
    </message>
</context>
<context>
    <name>weft::app::FixCards</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Looking for a fix</source>
        <translation>正在寻找修复办法</translation>
    </message>
</context>
<context>
    <name>weft::app::FixStrip</name>
    <message>
        <source>%1, shared by all of them</source>
        <translation>%1，由它们共享</translation>
    </message>
    <message>
        <source>Names now: %1. Then: %2.</source>
        <translation>现在的名称：%1。之后：%2。</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Replaces the program&apos;s lines with those below; Ctrl+Z undoes it</source>
        <translation>用下面的代码替换程序中的相应行；Ctrl+Z 撤销</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The lines after the conversion</source>
        <translation>转换后的代码</translation>
    </message>
</context>
<context>
    <name>weft::app::FoldDialog</name>
    <message>
        <source>Fold into layers</source>
        <translation>识别为层</translation>
    </message>
    <message>
        <source>No part of this graph is exactly a layer.</source>
        <translation>此图中没有与层完全一致的部分。</translation>
    </message>
    <message>
        <source>What can be folded</source>
        <translation>可以识别的部分</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Becomes</source>
        <translation>成为</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全部(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>全不选(&amp;N)</translation>
    </message>
    <message>
        <source>What stays, and why</source>
        <translation>保持原样的部分及原因</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Fold</source>
        <translation>识别(&amp;F)</translation>
    </message>
    <message>
        <source>Makes the checked ones layers and groups, in one step that can be undone</source>
        <translation>把勾选的部分变成层和组，一步完成，可以撤销</translation>
    </message>
    <message numerus="yes">
        <source>group of %n instance(s)</source>
        <translation>
            <numerusform>%n 个实例的组</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s) move into the scope</source>
        <translation>
            <numerusform>%n 个 op 移入该作用域</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n checked</source>
        <translation>
            <numerusform>已勾选 %1 个，共 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>These ops are exactly what a layer is built of. As layers they compute the same, and their parameters can be edited. Variables keep their names. Weights that are constants, as in a frozen graph, become variables that begin with these values. A layer that is changed later is built anew: weights whose shape stays keep their initial values, others begin with the layer&apos;s own, and training that is not Weft&apos;s own is lost.</source>
        <translation>这些 op 与层的构成完全一致。作为层，它们的计算结果相同，参数可以编辑。变量保持名称。作为常量的权重（如冻结的图中）会变成以这些值为初始值的变量。以后修改某个层时会重新构建它：形状不变的权重保留初始值，其他权重从该层自己的初始值开始，不是由 Weft 添加的训练会丢失。</translation>
    </message>
</context>
<context>
    <name>weft::app::ForcedDialog</name>
    <message>
        <source>fed</source>
        <translation>馈入</translation>
    </message>
    <message>
        <source>changed by hand</source>
        <translation>手动修改</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source>These values override the graph. Feeds apply to the next run, changed values to the run that is paused now.</source>
        <translation>这些值并非由图本身给出。馈送对下一次运行有效；改过的值对当前停住的运行有效。</translation>
    </message>
    <message>
        <source>Nothing is overridden: every value is computed by the graph. Change tensors in the Tensor dock, and choose feeds before a run.</source>
        <translation>没有馈送也没有改动：所有值都由图计算得出。在“张量”面板中可以修改张量，馈送在运行前选择。</translation>
    </message>
    <message>
        <source>Fed and changed values</source>
        <translation>馈送和改过的值</translation>
    </message>
    <message>
        <source>Tensor or variable</source>
        <translation>张量或变量</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Removes the selected overrides</source>
        <translation>所选的值恢复为图的计算结果</translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>全部清除</translation>
    </message>
    <message>
        <source>Removes all overrides</source>
        <translation>全部恢复为图的计算结果</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>weft::app::FramesView</name>
    <message>
        <source>training step %1</source>
        <translation>训练第 %1 步</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>loop, iteration %1</source>
        <translation>循环，第 %1 次迭代</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>已计算</translation>
    </message>
    <message>
        <source>next op</source>
        <translation>下一个 op</translation>
    </message>
    <message>
        <source>To this op in the previous iteration</source>
        <translation>到上一次迭代的这个 op</translation>
    </message>
    <message>
        <source>To this op in the next iteration</source>
        <translation>到下一次迭代的这个 op</translation>
    </message>
    <message>
        <source>Loop iteration; enter another number to go to it</source>
        <translation>循环的迭代序号；输入别的数字即前往该次迭代，向前向后都可以</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Call frames</source>
        <translation>调用帧</translation>
    </message>
    <message>
        <source>iteration of %1</source>
        <translation>%1 的迭代</translation>
    </message>
    <message>
        <source>op %1 of the run; values kept: %2 of %3</source>
        <translation>本次运行的第 %1 个 op；保留的值：%2（上限 %3）</translation>
    </message>
    <message>
        <source>The run is in progress</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>The run has ended</source>
        <translation>运行已结束</translation>
    </message>
    <message>
        <source>Nothing is being debugged</source>
        <translation>没有正在调试的运行</translation>
    </message>
    <message>
        <source>It stops at the next breakpoint.</source>
        <translation>将在下一个断点处停下。</translation>
    </message>
    <message>
        <source>Set breakpoints with B on the canvas, then start: the run stops there, and its scopes and loops appear here.</source>
        <translation>在画布上按 B 设置断点，然后开始：运行会在断点处停下，这里显示运行、作用域与循环。</translation>
    </message>
    <message>
        <source>Start debugging</source>
        <translation>开始调试</translation>
    </message>
    <message>
        <source>session.run %1</source>
        <translation>session.run %1</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>not all values are finite</source>
        <translation>有值不是有限数</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>迭代</translation>
    </message>
</context>
<context>
    <name>weft::app::GraphExcerpt</name>
    <message>
        <source>Click to show it on the canvas.</source>
        <translation>单击即在画布上显示。</translation>
    </message>
</context>
<context>
    <name>weft::app::GraphTextView</name>
    <message>
        <source>Writing the graph as text</source>
        <translation>正在把图写成文本</translation>
    </message>
    <message>
        <source>Checking the text</source>
        <translation>正在检查文本</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n 个已更改</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n 个新增</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>已删除 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The graph was changed in the meantime; only the nodes that you edited here are applied.</source>
        <translation>图在此期间有更改；只接收您在此编辑过的节点。</translation>
    </message>
    <message numerus="yes">
        <source>whole graph, %n node(s)</source>
        <translation>
            <numerusform>整个图，%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n node(s)</source>
        <translation>
            <numerusform>%1，%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a scope or nodes</source>
        <translation>请选择 scope 或节点</translation>
    </message>
    <message>
        <source>No graph to show as text</source>
        <translation>没有可显示为文本的图</translation>
    </message>
    <message>
        <source>This graph has %1 nodes. Select some on the canvas to see their text here.</source>
        <translation>此图有 %1 个节点。画布上所选部分的文本显示在此。</translation>
    </message>
    <message>
        <source>The text of the current graph appears here and can be edited, in the format of .pbtxt files.</source>
        <translation>最前面的图的文本显示在此：与 .pbtxt 文件中的 GraphDef 相同，可阅读和编辑。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Applies the edited text as one undoable step (Ctrl+Enter)</source>
        <translation>把编辑后的文本作为图的历史中的一步（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Discards the edits and shows the graph as it is</source>
        <translation>丢弃输入的内容，显示图的现状</translation>
    </message>
    <message>
        <source>Text of the graph</source>
        <translation>图的文本</translation>
    </message>
</context>
<context>
    <name>weft::app::GroupDialog</name>
    <message>
        <source>Make group function</source>
        <translation>创建组函数</translation>
    </message>
    <message>
        <source>A group can be added again anywhere. When it changes, all its instances follow. The wires that cross the border become its inputs and outputs.</source>
        <translation>组可以在任何地方重复添加。组改变时，所有实例跟随。跨越边界的连线成为它的输入和输出。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Parameters: values that each instance may have of its own</source>
        <translation>参数：每个实例可以自行设置的值</translation>
    </message>
    <message>
        <source>Find a place</source>
        <translation>查找位置</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Make group</source>
        <translation>创建组</translation>
    </message>
</context>
<context>
    <name>weft::app::GroupStore</name>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::GroupsView</name>
    <message>
        <source>This document</source>
        <translation>此文档</translation>
    </message>
    <message>
        <source>in  %1</source>
        <translation>输入  %1</translation>
    </message>
    <message>
        <source>out  %1</source>
        <translation>输出  %1</translation>
    </message>
    <message>
        <source>It has no parameters.</source>
        <translation>它没有参数。</translation>
    </message>
    <message>
        <source>Defaults: instances without a value of their own follow</source>
        <translation>默认值：没有自己的值的实例会跟随</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message numerus="yes">
        <source>Select %n instance(s)</source>
        <translation>
            <numerusform>选中 %n 个实例</numerusform>
        </translation>
    </message>
    <message>
        <source>No groups yet</source>
        <translation>还没有组</translation>
    </message>
    <message>
        <source>Select nodes, layers or a scope and make a group of them. It can then be added again anywhere, and all its instances follow when it changes.</source>
        <translation>选择节点、层或作用域，把它们做成组。组可以在任何地方重复添加，改变时所有实例跟随。</translation>
    </message>
    <message>
        <source>Make group function…</source>
        <translation>创建组函数…</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Instances</source>
        <translation>实例</translation>
    </message>
    <message>
        <source>The chosen group</source>
        <translation>所选的组</translation>
    </message>
    <message>
        <source>Add library…</source>
        <translation>添加库…</translation>
    </message>
    <message>
        <source>The palette offers the groups of this file in every document</source>
        <translation>每个文档的组件面板都提供此文件中的组</translation>
    </message>
    <message>
        <source>Save to library…</source>
        <translation>保存到库…</translation>
    </message>
    <message>
        <source>Writes the groups of this document to a file of their own</source>
        <translation>把此文档的组写入单独的文件</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>Adds an instance to the graph, after the selected node</source>
        <translation>在所选节点之后向图中添加一个实例</translation>
    </message>
    <message>
        <source>Selects all instances of this group</source>
        <translation>选中此组的所有实例</translation>
    </message>
    <message>
        <source>Update from selection</source>
        <translation>用所选更新</translation>
    </message>
    <message>
        <source>Makes the inside of the selected instance the group&apos;s; all other instances follow in one step</source>
        <translation>以所选实例的内部作为组的内容；其他实例一步跟随</translation>
    </message>
    <message>
        <source>Description, for the palette</source>
        <translation>说明，显示在组件面板中</translation>
    </message>
    <message>
        <source>A further parameter: units=64</source>
        <translation>新参数：units=64</translation>
    </message>
    <message>
        <source>A further parameter</source>
        <translation>新参数</translation>
    </message>
    <message>
        <source>A parameter that expressions of fields inside can use: in an instance, let a field be =2*units, then update the group</source>
        <translation>内部字段的表达式可以使用的参数：在一个实例中让字段为 =2*units，然后更新组</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Adds the parameter to the group</source>
        <translation>把参数添加到组</translation>
    </message>
</context>
<context>
    <name>weft::app::HParamsView</name>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more metric(s) not shown</source>
        <translation>
            <numerusform>另有 %n 个指标未显示</numerusform>
        </translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Metric %1: its last value</source>
        <translation>指标 %1：最后一个值</translation>
    </message>
    <message>
        <source>Hyperparameter %1</source>
        <translation>超参数 %1</translation>
    </message>
    <message>
        <source>Copy the table as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>No run has hyperparameters.</source>
        <translation>没有带超参数的运行。</translation>
    </message>
    <message>
        <source>No hyperparameters yet</source>
        <translation>还没有超参数</translation>
    </message>
    <message>
        <source>Sessions of the hparams summaries in event files appear here, with their hyperparameters and metrics.</source>
        <translation>事件文件中 hparams 摘要的会话及其超参数和指标显示在这里。</translation>
    </message>
    <message>
        <source>Open event files…</source>
        <translation>打开事件文件…</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Parallel coordinates of the sessions</source>
        <translation>各会话的平行坐标图</translation>
    </message>
    <message numerus="yes">
        <source>%n column(s) without an axis</source>
        <translation>
            <numerusform>另有 %n 列没有坐标轴</numerusform>
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
        <source>Every command has a name. A script (`weft-studio --script FILE`) contains one command per line.</source>
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
    <message>
        <source>Search the help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>帮助页面列表</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>There is no page %1.</source>
        <translation>没有页面 %1。</translation>
    </message>
</context>
<context>
    <name>weft::app::HelperRulesDialog</name>
    <message>
        <source>Rules for helpers</source>
        <translation>辅助节点规则</translation>
    </message>
    <message>
        <source>Helpers are drawn beside the network, in a column at the right. A pattern matches names of nodes and scopes: * stands for any characters, ? for one. A scope includes everything in it. The last matching rule wins.</source>
        <translation>辅助节点排在网络右侧的一列中。模式针对节点与作用域的名称：* 代表任意多个字符，? 代表一个字符。作用域代表其中的一切。若有多条规则符合，以最后一条为准。</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Placed in</source>
        <translation>放在</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>helpers</source>
        <translation>辅助节点</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Where to place it</source>
        <translation>放在哪里</translation>
    </message>
    <message>
        <source>No name in this graph matches the pattern</source>
        <translation>图中没有符合该模式的名称</translation>
    </message>
    <message>
        <source>There are no rules yet. Add creates one; Move to helpers in a node&apos;s menu creates one for its name.</source>
        <translation>还没有规则。“添加”可新建一条；节点右键菜单中的“移到辅助节点”会为它的名称建一条。</translation>
    </message>
</context>
<context>
    <name>weft::app::HistogramsView</name>
    <message>
        <source>There is no histogram %1; there are %2.</source>
        <translation>没有直方图 %1；现有 %2。</translation>
    </message>
    <message>
        <source>No histograms yet</source>
        <translation>还没有直方图</translation>
    </message>
    <message>
        <source>The weights of a network appear here during training if its graph has histogram summaries. The templates have them.</source>
        <translation>图中若有直方图摘要，训练时网络的权重会出现在这里。模板都带有直方图摘要。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Measured during training, at most once a second, on 64 of the samples.</source>
        <translation>在训练进行时测量，至多每秒一次，使用 64 个训练样本。</translation>
    </message>
    <message>
        <source>Step %1, on the first 64 training samples</source>
        <translation>第 %1 步，使用前 64 个训练样本</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>已死</translation>
    </message>
    <message>
        <source>saturated</source>
        <translation>饱和</translation>
    </message>
    <message>
        <source>%1 (%2)
%3 units are zero for every sample: no gradient flows back through them</source>
        <translation>%1（%2）
%3 个单元对所有样本都为零：梯度传不到它们之前的部分</translation>
    </message>
    <message>
        <source>%1 (%2)
%3 outputs are close to the ends of their range: hardly any gradient flows back through them</source>
        <translation>%1（%2）
%3 个输出几乎到达取值范围的两端：梯度几乎无法通过</translation>
    </message>
</context>
<context>
    <name>weft::app::IdlePage</name>
    <message>
        <source>reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>waited for</source>
        <translation>所等的 op</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>per step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>gaps</source>
        <translation>段数</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>The op that was waited for; where none was, the thread that was idle</source>
        <translation>所等的 op；没有时是空闲的线程</translation>
    </message>
    <message>
        <source>Of all idle time</source>
        <translation>占全部空闲时间</translation>
    </message>
    <message>
        <source>In the whole trace</source>
        <translation>在整个 trace 中</translation>
    </message>
    <message>
        <source>Finding idle times…</source>
        <translation>正在查找空闲时间…</translation>
    </message>
    <message>
        <source>Why were threads idle?</source>
        <translation>线程为什么空闲？</translation>
    </message>
    <message>
        <source>Between two ops, a thread or stream may have waited for an input, a copy, data, the host, or the scheduler.</source>
        <translation>在两个 op 之间，线程或 stream 可能在等待输入、复制、数据、主机或调度器。</translation>
    </message>
    <message>
        <source>Find idle times</source>
        <translation>查找空闲时间</translation>
    </message>
    <message>
        <source>No thread was idle for a microsecond or more.</source>
        <translation>没有线程空闲达到一微秒。</translation>
    </message>
    <message numerus="yes">
        <source>%1 idle per step on %n thread(s) and streams, %2 % of their time; most of it: %3, %4</source>
        <translation>
            <numerusform>%n 个线程和 stream 每步空闲 %1，占其时间的 %2 %；其中最多的是：%3，%4</numerusform>
        </translation>
    </message>
    <message>
        <source>Gap %1 of %2 with this cause, by length.</source>
        <translation>此原因按长度的第 %1 段，共 %2 段。</translation>
    </message>
    <message>
        <source>Show in the timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>Hatches idle times in the timeline, coloured by their reason</source>
        <translation>在时间线中用斜线标出空闲时间，颜色表示原因</translation>
    </message>
    <message>
        <source>Shows the next longer gap with this cause</source>
        <translation>显示此原因中较长的一段空闲</translation>
    </message>
    <message>
        <source>Shows the next shorter gap with this cause (Enter)</source>
        <translation>显示此原因中较短的一段空闲（Enter）</translation>
    </message>
    <message>
        <source>Causes of idle time</source>
        <translation>空闲的原因</translation>
    </message>
    <message>
        <source>Selected gap</source>
        <translation>所选的空闲</translation>
    </message>
</context>
<context>
    <name>weft::app::ImagesView</name>
    <message>
        <source>There is no image %1.</source>
        <translation>没有图像 %1。</translation>
    </message>
    <message>
        <source>%1: expected a file name ending in .png.</source>
        <translation>%1：文件名应以 .png 结尾。</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>No images yet</source>
        <translation>还没有图像</translation>
    </message>
    <message>
        <source>Images appear here during training if the graph has image summaries. The templates show their inputs.</source>
        <translation>图中若有图像摘要，训练时图像会出现在这里。模板会显示输入的图像。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>All runs with the image %1 are hidden.</source>
        <translation>含有图像 %1 的运行都已隐藏。</translation>
    </message>
</context>
<context>
    <name>weft::app::InputAdviceWindow</name>
    <message>
        <source>Input data pipeline</source>
        <translation>数据应如何进入？</translation>
    </message>
    <message>
        <source>&amp;Size</source>
        <translation>大小(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Files</source>
        <translation>文件数(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Batch</source>
        <translation>&amp;Batch</translation>
    </message>
    <message>
        <source>New data arrives during training</source>
        <translation>训练过程中有新数据到来</translation>
    </message>
    <message>
        <source>Each file is an image</source>
        <translation>每个文件是一张图片</translation>
    </message>
    <message>
        <source>Code for</source>
        <translation>程序用于</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>files with tf.data</source>
        <translation>用 tf.data 读文件</translation>
    </message>
    <message>
        <source>TFRecord files</source>
        <translation>TFRecord 文件</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Show the code of another pipeline</source>
        <translation>另一种方式的程序</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Insert into the program</source>
        <translation>插入程序(&amp;I)</translation>
    </message>
    <message>
        <source>Code:</source>
        <translation>程序：</translation>
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
        <source>Click a node or a scope to see its op, shapes, attributes and gradient.</source>
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
        <source>The engine does not support this op. The graph can be viewed and saved unchanged, but nothing that depends on this node can run.</source>
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
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>keeps state between steps</source>
        <translation>在各步之间保持状态</translation>
    </message>
    <message>
        <source>Ops by type</source>
        <translation>按类型统计的 op</translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>All have the same op: a change applies to each of them.</source>
        <translation>均为同一种 op：修改对每个都生效。</translation>
    </message>
    <message numerus="yes">
        <source>Set %1 of %n nodes</source>
        <translation>
            <numerusform>设置 %n 个节点的 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>op 数</translation>
    </message>
    <message>
        <source>Ops inside, at any depth</source>
        <translation>内部各层的 op 总数</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Memory of parameters</source>
        <translation>参数内存</translation>
    </message>
    <message>
        <source>At four bytes each; training needs the same again for gradients, and most optimizers need one or two times more</source>
        <translation>按每个四字节计；训练时梯度还需同样多，多数优化器再需一到两倍</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Not counted</source>
        <translation>未计入</translation>
    </message>
    <message>
        <source>Their shapes are not known before the graph runs</source>
        <translation>其形状在运行之前未知</translation>
    </message>
    <message>
        <source>Cost per step</source>
        <translation>每步开销</translation>
    </message>
    <message>
        <source>Help for %1</source>
        <translation>%1 的帮助</translation>
    </message>
    <message>
        <source>Inferred</source>
        <translation>推算</translation>
    </message>
    <message>
        <source>changes %1</source>
        <translation>改变 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n 个层</numerusform>
        </translation>
    </message>
    <message>
        <source>All are of the same kind: a change applies to each of them.</source>
        <translation>都是同一种层：修改会作用于每一个。</translation>
    </message>
    <message>
        <source>Select nodes of the same op to edit their attributes together.</source>
        <translation>选中同一种 op 的多个节点，这里会显示可以一起修改的属性。</translation>
    </message>
    <message>
        <source>%1:%2 is a tensor name: output %2 of node %1.</source>
        <translation>%1:%2 是张量的名称：节点 %1 的第 %2 个输出。这个数字不是值。</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Costs at another batch size; the graph does not change</source>
        <translation>换一个批大小，开销是多少？图本身不变</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>FLOPs per step; a multiply-add counts as two. Variable initialisation is not included.</source>
        <translation>每一步的计算量，一次乘法和一次加法计为两次；不含变量的初始化</translation>
    </message>
    <message>
        <source>Total size of the outputs with known shapes, per step</source>
        <translation>每一步中形状已知的全部输出的大小</translation>
    </message>
    <message>
        <source>Elements of the trainable variables inside; optimizer slots are not counted</source>
        <translation>其中由训练改变的变量的元素数；优化器为它们保存的量不计入</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Some sizes are unknown until the graph runs. The known part is %1</source>
        <translation>有些大小未定：运行前无法得知。已知部分合计 %1</translation>
    </message>
    <message>
        <source>Next run</source>
        <translation>下次运行</translation>
    </message>
    <message numerus="yes">
        <source>%n instances</source>
        <translation>
            <numerusform>%n 个实例</numerusform>
        </translation>
    </message>
    <message>
        <source>All are of the same group: a change applies to each of them.</source>
        <translation>它们属于同一个组：修改对每一个生效。</translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation>组 %1</translation>
    </message>
    <message>
        <source>Set aside, because the group no longer takes it: %1</source>
        <translation>已搁置，因为组不再接受：%1</translation>
    </message>
    <message>
        <source>Update the group</source>
        <translation>更新组</translation>
    </message>
    <message>
        <source>Makes the inside of this instance the group&apos;s; all other instances follow</source>
        <translation>以此实例的内部作为组的内容；其他实例跟随</translation>
    </message>
    <message>
        <source>Build again</source>
        <translation>重新构建</translation>
    </message>
    <message>
        <source>Replaces what was edited inside by the group&apos;s ops</source>
        <translation>用组的 op 替换内部编辑过的内容</translation>
    </message>
</context>
<context>
    <name>weft::app::KeysOverview</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Part of a command or a key</source>
        <translation>命令或按键的一部分</translation>
    </message>
    <message>
        <source>Search the keys</source>
        <translation>搜索快捷键</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>全部快捷键</translation>
    </message>
    <message>
        <source>No matching command.</source>
        <translation>没有命令使用这样的按键。</translation>
    </message>
</context>
<context>
    <name>weft::app::LocalCluster</name>
    <message>
        <source>No port is free on this machine: %1</source>
        <translation>本机没有空闲端口：%1</translation>
    </message>
    <message>
        <source>A trial on this machine has at most %1 tasks; this cluster has %2.</source>
        <translation>本机试验最多 %1 个任务；此集群有 %2 个。</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>could not be started: %1</source>
        <translation>无法启动：%1</translation>
    </message>
    <message>
        <source>was killed</source>
        <translation>被终止</translation>
    </message>
    <message>
        <source>ended with exit status %1</source>
        <translation>已结束，退出状态 %1</translation>
    </message>
    <message>
        <source>No task of this machine is called %1.</source>
        <translation>本机没有名为 %1 的任务。</translation>
    </message>
    <message>
        <source>%1 is running.</source>
        <translation>%1 正在运行。</translation>
    </message>
</context>
<context>
    <name>weft::app::LogView</name>
    <message>
        <source>No messages yet</source>
        <translation>还没有任何记录</translation>
    </message>
    <message>
        <source>Files read and written, runs and errors are logged here.</source>
        <translation>读写的文件、运行和错误会记录在这里。</translation>
    </message>
</context>
<context>
    <name>weft::app::MainWindow</name>
    <message>
        <source>No recent files</source>
        <translation>还没有打开过文件</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>Compare %1 with %2?</source>
        <translation>比较 %1 与 %2 吗？</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>No saved layouts</source>
        <translation>尚未保存布局</translation>
    </message>
    <message>
        <source>New to Weft? Five steps show you around.</source>
        <translation>初次使用 Weft？五步了解各部分。</translation>
    </message>
    <message>
        <source>Start the tour</source>
        <translation>开始导览</translation>
    </message>
    <message>
        <source>Finds commands, nodes, tensors, ops, files and help</source>
        <translation>查找命令、节点、张量、op、文件和帮助</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>查找任意内容</translation>
    </message>
    <message>
        <source>&amp;Layouts</source>
        <translation>布局(&amp;L)</translation>
    </message>
    <message>
        <source>Find the cause</source>
        <translation>查找它从何而来</translation>
    </message>
    <message>
        <source>Find anything: op, tensor, command, setting</source>
        <translation>查找任意内容：op、张量、命令、设置</translation>
    </message>
    <message>
        <source>Resume from step %1</source>
        <translation>从第 %1 步继续</translation>
    </message>
</context>
<context>
    <name>weft::app::MeshesView</name>
    <message>
        <source>No meshes yet</source>
        <translation>还没有网格</translation>
    </message>
    <message>
        <source>Meshes and point clouds from the mesh summaries of event files appear here.</source>
        <translation>事件文件中 mesh 摘要的网格与点云会显示在这里。</translation>
    </message>
    <message>
        <source>Open event files…</source>
        <translation>打开事件文件…</translation>
    </message>
</context>
<context>
    <name>weft::app::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>1 of %1</source>
        <translation>第 1 条，共 %1 条</translation>
    </message>
</context>
<context>
    <name>weft::app::MigrationDialog</name>
    <message>
        <source>Translate %1</source>
        <translation>转换 %1</translation>
    </message>
    <message>
        <source>Changes in the program</source>
        <translation>程序中的修改</translation>
    </message>
    <message>
        <source>Lines to look at</source>
        <translation>需要查看的行</translation>
    </message>
    <message>
        <source>What the translation cannot decide. The lines are those of the new program</source>
        <translation>转换无法决定的内容。行号是新程序的行号</translation>
    </message>
    <message>
        <source>&amp;Write %1</source>
        <translation>写入 %1(&amp;W)</translation>
    </message>
    <message>
        <source>Replaces the file of an earlier translation, and opens it: %1</source>
        <translation>替换以前转换所得的文件并打开：%1</translation>
    </message>
    <message>
        <source>Leaves the program as it is, and opens the new one: %1</source>
        <translation>保留原程序不变，并打开新程序：%1</translation>
    </message>
    <message>
        <source>&amp;Change the program itself</source>
        <translation>修改原程序(&amp;C)</translation>
    </message>
    <message>
        <source>Replaces %1</source>
        <translation>替换 %1</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>The program is being read…</source>
        <translation>正在读取程序…</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写入 %1…</translation>
    </message>
    <message>
        <source>The translation ended unexpectedly.</source>
        <translation>转换意外结束。</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message numerus="yes">
        <source>For Python 3 and TensorFlow 1.15, %n line(s) of this program change.</source>
        <translation>
            <numerusform>对于 Python 3 和 TensorFlow 1.15，此程序有 %n 行需要修改。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing in this program has to change for Python 3 and TensorFlow 1.15.</source>
        <translation>对于 Python 3 和 TensorFlow 1.15，此程序无需任何修改。</translation>
    </message>
</context>
<context>
    <name>weft::app::NameMapping</name>
    <message>
        <source>%1 is already the value of %2.</source>
        <translation>%1 已经是 %2 的值。</translation>
    </message>
</context>
<context>
    <name>weft::app::NameProposalsDialog</name>
    <message>
        <source>Proposed names</source>
        <translation>建议的名称</translation>
    </message>
    <message numerus="yes">
        <source>%n variable(s) of %1 are not in %2 under their names. These keys of the checkpoint are probably their values.</source>
        <translation>
            <numerusform>%1 的 %n 个变量的名称不在 %2 中。检查点的下列键可能是它们的值。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Take all above</source>
        <translation>选中不低于(&amp;T)</translation>
    </message>
    <message>
        <source>Checks the proposals of at least this confidence, and no others</source>
        <translation>只勾选可信度不低于此值的建议</translation>
    </message>
    <message>
        <source>Least confidence</source>
        <translation>最低可信度</translation>
    </message>
    <message>
        <source>Least confidence, from the rule that found the name: a guide, not a probability</source>
        <translation>最低可信度，取决于找到该名称的规则：供参考，不是概率</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>全不选(&amp;N)</translation>
    </message>
    <message>
        <source>Unchecks all proposals</source>
        <translation>取消勾选所有建议</translation>
    </message>
    <message>
        <source>Not everything was searched: %1</source>
        <translation>没有全部查找：%1</translation>
    </message>
    <message>
        <source>&amp;Use these names</source>
        <translation>使用这些名称(&amp;U)</translation>
    </message>
    <message>
        <source>Maps the checked keys to their variables, as for a copied Saver; can be undone in the Files dock</source>
        <translation>把勾选的键对应到各自的变量，供复制的 Saver 使用；可在“文件”面板中撤销</translation>
    </message>
    <message>
        <source>&amp;Write a checkpoint…</source>
        <translation>写出检查点(&amp;W)…</translation>
    </message>
    <message>
        <source>Writes a copy of the whole checkpoint in which the checked keys have the graph&apos;s names</source>
        <translation>写出整个检查点的副本，其中勾选的键改用计算图的名称</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Key in the checkpoint</source>
        <translation>检查点中的键</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>%1
read by the Saver as %2</source>
        <translation>%1
Saver 读取时的名称为 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n proposal(s) checked</source>
        <translation>
            <numerusform>已勾选 %1 / %n 条建议</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::NextRunBox</name>
    <message>
        <source>Next run</source>
        <translation>下一次运行</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Early stop</source>
        <translation>提前结束</translation>
    </message>
    <message>
        <source>Summaries every</source>
        <translation>摘要间隔</translation>
    </message>
    <message>
        <source>document&apos;s</source>
        <translation>按文档</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>次评估无改善</translation>
    </message>
    <message>
        <source>Stops training after this many evaluations in a row without improvement</source>
        <translation>连续若干次评估都不优于最佳结果时结束训练</translation>
    </message>
    <message>
        <source>Epochs of the next run</source>
        <translation>下一次运行的轮数</translation>
    </message>
    <message>
        <source>Batch of the next run</source>
        <translation>下一次运行的批大小</translation>
    </message>
    <message>
        <source>Seed of the next run</source>
        <translation>下一次运行的种子</translation>
    </message>
    <message>
        <source>Early stop of the next run</source>
        <translation>下一次运行的提前结束</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Summaries of the next run</source>
        <translation>下一次运行的摘要</translation>
    </message>
    <message>
        <source>How often histograms, images and other summaries are computed; loss and accuracy are logged at every step</source>
        <translation>每隔多少步计算图中的直方图、图像等摘要；损失和准确率每步都有</translation>
    </message>
    <message>
        <source>%1: got %2, expected a whole number from 1 to %3, or nothing.</source>
        <translation>%1：输入了 %2，应为 1 到 %3 的整数，或留空。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>bfloat16 products</source>
        <translation>bfloat16 乘积</translation>
    </message>
    <message>
        <source>bfloat16 products: the operands of matrix products and convolutions are rounded to bfloat16 and added up in float32; variables and all other values stay float32. Faster on processors with AMX</source>
        <translation>bfloat16 乘积：矩阵乘积和卷积的操作数舍入为 bfloat16，以 float32 累加；变量和其他所有值仍是 float32。在有 AMX 的处理器上更快</translation>
    </message>
    <message>
        <source>Precision of training</source>
        <translation>训练的精度</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>A step that would need more computes values a second time instead of keeping them; its results stay the same. Holds for all documents.</source>
        <translation>若一步需要更多内存，就把一些值再算一遍而不保留它们，结果不变。对所有文档有效。</translation>
    </message>
    <message>
        <source>Memory limit of the next run</source>
        <translation>下一次运行的内存上限</translation>
    </message>
</context>
<context>
    <name>weft::app::Notifier</name>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
</context>
<context>
    <name>weft::app::OutlineModel</name>
    <message>
        <source>%1, operation %2</source>
        <translation>%1，操作 %2</translation>
    </message>
    <message>
        <source>%1, scope</source>
        <translation>%1，作用域</translation>
    </message>
    <message>
        <source>with an error</source>
        <translation>有错误</translation>
    </message>
    <message>
        <source>muted</source>
        <translation>已静音</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
</context>
<context>
    <name>weft::app::OutlineView</name>
    <message>
        <source>No graph is open</source>
        <translation>没有打开的图</translation>
    </message>
    <message>
        <source>The scopes and nodes of the graph are listed here as a tree.</source>
        <translation>图的作用域与节点以树的形式列于此处。</translation>
    </message>
    <message>
        <source>Outline of the graph</source>
        <translation>图的大纲</translation>
    </message>
    <message>
        <source>This graph is empty</source>
        <translation>这张图是空的</translation>
    </message>
</context>
<context>
    <name>weft::app::OverviewView</name>
    <message numerus="yes">
        <source>%n card(s), pinned by you</source>
        <translation>
            <numerusform>由您固定的 %n 张卡片</numerusform>
        </translation>
    </message>
    <message>
        <source>An automatic selection: pin cards here or in other panels to choose your own.</source>
        <translation>由程序从现有内容中挑选；在此处或其他面板中固定卡片，即由您决定。</translation>
    </message>
    <message>
        <source>Move to the front</source>
        <translation>前移</translation>
    </message>
    <message>
        <source>Move to the back</source>
        <translation>后移</translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation>在图中显示</translation>
    </message>
    <message>
        <source>Histograms of %1</source>
        <translation>%1 的直方图</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Histograms</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Automatic choice</source>
        <translation>重新由程序挑选</translation>
    </message>
    <message>
        <source>Nothing to watch yet</source>
        <translation>还没有可看的内容</translation>
    </message>
    <message>
        <source>Curves, histograms and images appear side by side here from the first training step. Pin the cards that you want to see.</source>
        <translation>训练从第一步起，其曲线、直方图和图像就并排显示在这里。可以固定想看的卡片。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Curves, histograms and images to show here</source>
        <translation>此处显示哪些曲线、直方图和图像</translation>
    </message>
    <message>
        <source>How histograms are drawn</source>
        <translation>直方图的画法</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>错位</translation>
    </message>
    <message>
        <source>overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>distribution</source>
        <translation>分布</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) hidden</source>
        <translation>
            <numerusform>%n 次运行已隐藏</numerusform>
        </translation>
    </message>
    <message>
        <source>The eye of a run in the Runs panel shows and hides its curves.</source>
        <translation>“运行”面板中每次运行的眼睛图标用于显示和隐藏其曲线。</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
</context>
<context>
    <name>weft::app::ParametersView</name>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>%1 would be %2</source>
        <translation>%1 将是 %2</translation>
    </message>
    <message>
        <source>No graph is open</source>
        <translation>没有打开的图</translation>
    </message>
    <message>
        <source>Names such as width = 64 belong to a document. Its fields can follow them: =2*width.</source>
        <translation>width = 64 这样的名称属于文档。文档的字段可以跟随它们：=2*width。</translation>
    </message>
    <message>
        <source>New graph</source>
        <translation>新建图</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Fields that follow expressions</source>
        <translation>跟随表达式的字段</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>width</source>
        <translation>width</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>新名称</translation>
    </message>
    <message>
        <source>A new name: letters, digits and _</source>
        <translation>新名称：字母、数字和 _</translation>
    </message>
    <message>
        <source>dense_1.units</source>
        <translation>dense_1.units</translation>
    </message>
    <message>
        <source>A parameter of a layer or group instance, an attribute of a node, or a training setting such as batch_size</source>
        <translation>层或组实例的参数、节点的属性，或 batch_size 这样的训练设置</translation>
    </message>
    <message>
        <source>A value, or an expression over names and fields: + - * / // % **, min, max, round, a if b else c, [batch, 2*width]</source>
        <translation>一个值，或由名称和字段组成的表达式：+ - * / // % **、min、max、round、a if b else c、[batch, 2*width]</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Adds the name, or changes it</source>
        <translation>添加该名称，或修改它</translation>
    </message>
    <message>
        <source>Lets the field follow the expression</source>
        <translation>让字段跟随表达式</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Removes names that nothing uses</source>
        <translation>删除没有被使用的名称</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>解除</translation>
    </message>
    <message>
        <source>The fields keep their values and follow nothing</source>
        <translation>字段保留自己的值，不再跟随表达式</translation>
    </message>
    <message>
        <source>Select on the canvas</source>
        <translation>在画布上选择</translation>
    </message>
    <message>
        <source>Selects the nodes and layers of these fields</source>
        <translation>选择这些字段所属的节点和层</translation>
    </message>
</context>
<context>
    <name>weft::app::PartTable</name>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Slope</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>各项</translation>
    </message>
    <message>
        <source>How much the number changes if the element grows by one</source>
        <translation>该元素增加一时，这个数变化多少</translation>
    </message>
    <message>
        <source>Slope × value; of an update, what was added</source>
        <translation>斜率 × 值；更新则为所加的部分</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>全部</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::PathTable</name>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>op</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>变量</translation>
    </message>
</context>
<context>
    <name>weft::app::PlanGroups</name>
    <message>
        <source>… %1 more</source>
        <translation>… 另有 %1 个</translation>
    </message>
    <message>
        <source>The shapes are known only when it runs.</source>
        <translation>shape 在运行时才知道。</translation>
    </message>
    <message>
        <source>fused nodes</source>
        <translation>承担以下节点的工作</translation>
    </message>
    <message>
        <source>The node that represents the group in timings and errors</source>
        <translation>代表整组的节点：时间和错误信息用它的名称</translation>
    </message>
    <message>
        <source>fused group</source>
        <translation>节点组</translation>
    </message>
    <message>
        <source>Op type</source>
        <translation>op 类型</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Other nodes that the group computes</source>
        <translation>它另外承担的节点数</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Their names</source>
        <translation>它们的名称</translation>
    </message>
    <message>
        <source>Bytes that the group reads and writes; intermediate results need none</source>
        <translation>整组读写的字节数；组内中间结果不占内存</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>weft::app::PlanPage</name>
    <message>
        <source>This step has conditionals or loops that run node by node as their inputs arrive. There is no fixed order, so memory is allocated while it runs.</source>
        <translation>这一步含有条件或循环，节点在输入到齐时逐个运行，没有固定次序，因此运行时才分配位置。</translation>
    </message>
    <message>
        <source>No tensor of this step has a fixed memory location: memory is planned when a step runs for the second time, and only for known shapes.</source>
        <translation>这一步没有事先定好位置的张量：计划在第二次运行时才安排内存，并且只针对已知的 shape。</translation>
    </message>
    <message>
        <source>No rewrite was applied.</source>
        <translation>没有可做的改写。</translation>
    </message>
    <message>
        <source>nodes run as their inputs arrive</source>
        <translation>节点在输入到齐时运行</translation>
    </message>
    <message>
        <source>kernel calls per step: %1 · of fused groups: %2</source>
        <translation>每步 kernel 调用：%1 · 其中一次算多个节点：%2</translation>
    </message>
    <message>
        <source>tensors: %1 · arena: %2 · peak use: %3</source>
        <translation>张量：%1 · 内存池：%2 · 同时所需：%3</translation>
    </message>
    <message>
        <source>This machine could not be measured; see the log.</source>
        <translation>无法测量本机，原因见日志。</translation>
    </message>
    <message>
        <source>This machine is being measured.</source>
        <translation>正在测量本机。</translation>
    </message>
    <message>
        <source>%1 a step, floor %2, ratio %3</source>
        <translation>每步 %1，下限 %2，比值 %3</translation>
    </message>
    <message>
        <source>at %1 GFLOP/s and %2 GB/s, with cold caches</source>
        <translation>按 %1 GFLOP/s、%2 GB/s 计，不计缓存</translation>
    </message>
    <message>
        <source>The current graph has no node %1.</source>
        <translation>前面的图中没有节点 %1。</translation>
    </message>
    <message>
        <source>The plan of this trace is not known</source>
        <translation>这份 trace 的计划未知</translation>
    </message>
    <message>
        <source>Trace 10 steps</source>
        <translation>记录 10 步</translation>
    </message>
    <message>
        <source>No memory map</source>
        <translation>没有内存图</translation>
    </message>
    <message>
        <source>passes</source>
        <translation>pass</translation>
    </message>
    <message>
        <source>The passes that changed the plan, in order</source>
        <translation>改动过计划的 pass，按次序</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>节点组</translation>
    </message>
    <message>
        <source>Nodes computed together by one kernel call</source>
        <translation>由一次 kernel 调用一并计算的节点</translation>
    </message>
    <message>
        <source>memory map</source>
        <translation>内存图</translation>
    </message>
    <message>
        <source>Location and lifetime of each tensor</source>
        <translation>每个张量位于何处，从何时到何时</translation>
    </message>
    <message>
        <source>floors</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Time of each node compared with its minimum on this machine</source>
        <translation>每个节点的用时与本机至少需要的时间</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>pass</translation>
    </message>
    <message>
        <source>effect</source>
        <translation>做了什么</translation>
    </message>
    <message>
        <source>purpose</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Rewrites that changed the plan, in the order they ran</source>
        <translation>改动过计划的改写，按执行次序</translation>
    </message>
    <message>
        <source>Passes applied</source>
        <translation>已执行的 pass</translation>
    </message>
    <message>
        <source>Fused groups</source>
        <translation>合并的节点组</translation>
    </message>
    <message>
        <source>Memory map</source>
        <translation>内存图</translation>
    </message>
    <message>
        <source>Nodes compared with floors</source>
        <translation>节点用时与下限</translation>
    </message>
</context>
<context>
    <name>weft::app::PlanTable</name>
    <message>
        <source>arithmetic</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Neither arithmetic nor bytes are known for it.</source>
        <translation>没有可计的内容：其运算量和字节数均未知。</translation>
    </message>
    <message>
        <source>Faster than the floor: its inputs were in a cache.</source>
        <translation>比下限还快：所读的数据已在缓存中。</translation>
    </message>
    <message>
        <source>Node; one that represents a fused group includes the work of all of them</source>
        <translation>节点；代表节点组的节点承担整组的工作</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Op type</source>
        <translation>op 类型</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Time per step of the node alone</source>
        <translation>节点自身每步的时间</translation>
    </message>
    <message>
        <source>self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Minimum time on this machine: arithmetic at the best rate or bytes at the best bandwidth, whichever is longer</source>
        <translation>本机至少需要的时间：以最高速率完成运算，或以最高带宽读写字节，取较长者</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Time divided by floor; 1 is the optimum on this machine</source>
        <translation>用时与下限之比：1 表示本机的极限</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Time above the floor, the most that a change could save</source>
        <translation>超出下限的时间：任何改动最多只能省这么多</translation>
    </message>
    <message>
        <source>potential</source>
        <translation>可省</translation>
    </message>
    <message>
        <source>Which limit sets the floor: arithmetic or memory</source>
        <translation>下限由什么决定：计算或内存</translation>
    </message>
    <message>
        <source>bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Floating-point operations per step</source>
        <translation>每步浮点运算次数</translation>
    </message>
    <message>
        <source>Bytes read and written per step</source>
        <translation>每步读写的字节数</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>too little work</source>
        <translation>工作量太小</translation>
    </message>
    <message>
        <source>one thread</source>
        <translation>单线程</translation>
    </message>
    <message>
        <source>double precision</source>
        <translation>双精度</translation>
    </message>
    <message>
        <source>its kernel</source>
        <translation>kernel 本身</translation>
    </message>
    <message>
        <source>no floor known</source>
        <translation>下限未知</translation>
    </message>
    <message>
        <source>It is at its floor. Less arithmetic or smaller tensors would make it faster.</source>
        <translation>它已达到下限。减少运算或缩小张量才能更快。</translation>
    </message>
    <message>
        <source>It does so little that the call itself takes the time. Larger batches, or fewer and larger ops, would help.</source>
        <translation>它的工作量太小，时间主要花在调用本身。增大批次，或改用更少、更大的 op 会有帮助。</translation>
    </message>
    <message>
        <source>It used one of several threads. Independent ops beside it, or a larger batch, would help.</source>
        <translation>它只用了多个线程中的一个。旁边有相互独立的 op，或增大批次会有帮助。</translation>
    </message>
    <message>
        <source>It computes in double precision; the floor is that of single precision. float32 would help.</source>
        <translation>它以双精度计算，而下限按单精度计。改用 float32 会有帮助。</translation>
    </message>
    <message>
        <source>Its kernel does not reach the limits of this machine.</source>
        <translation>它的 kernel 没有达到本机的极限。</translation>
    </message>
    <message>
        <source>Why it takes longer than its floor; point at a line to see what would help</source>
        <translation>为什么比下限慢；指向某一行可看到怎样改善</translation>
    </message>
    <message>
        <source>because of</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>weft::app::PrCurvesView</name>
    <message>
        <source>No PR curves yet</source>
        <translation>还没有 PR 曲线</translation>
    </message>
    <message>
        <source>Precision and recall from the pr_curves summaries of event files appear here.</source>
        <translation>事件文件中 pr_curves 摘要的精确率和召回率显示在这里。</translation>
    </message>
    <message>
        <source>Open event files…</source>
        <translation>打开事件文件…</translation>
    </message>
</context>
<context>
    <name>weft::app::Probes</name>
    <message>
        <source>computing…</source>
        <translation>计算中…</translation>
    </message>
    <message>
        <source>Live preview</source>
        <translation>实时预览</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>of run %1</source>
        <translation>第 %1 次运行</translation>
    </message>
</context>
<context>
    <name>weft::app::ProblemsView</name>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
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
        <source>Every op is known and all shapes match.</source>
        <translation>所有 op 均已知，形状全部相符。</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Unknown ops, nodes that TensorFlow would reject and shapes that do not match are listed here.</source>
        <translation>未知的 op、TensorFlow 不接受的节点，以及不匹配的形状都列在这里。</translation>
    </message>
    <message>
        <source>TensorFlow says: %1</source>
        <translation>TensorFlow 的说法：%1</translation>
    </message>
    <message>
        <source>%1 is incomplete</source>
        <translation>%1 不完整</translation>
    </message>
    <message>
        <source>%1 was read completely.</source>
        <translation>%1 已完整读取。</translation>
    </message>
</context>
<context>
    <name>weft::app::ProfileStore</name>
    <message>
        <source>Training ended before a step was recorded.</source>
        <translation>训练在记录到任何一步之前就结束了。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Steps are being recorded.</source>
        <translation>正在记录步骤。</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>trace</translation>
    </message>
    <message>
        <source>Reading the trace</source>
        <translation>正在读取 trace</translation>
    </message>
    <message>
        <source>There is no trace yet: record one with Profile, or open one.</source>
        <translation>尚无 trace：请用性能分析记录，或打开一个。</translation>
    </message>
    <message>
        <source>No node of this graph is in the trace %1.</source>
        <translation>trace %1 中没有此图的节点。</translation>
    </message>
    <message>
        <source>slow steps</source>
        <translation>慢的步骤</translation>
    </message>
    <message numerus="yes">
        <source>%n slow step(s) kept</source>
        <translation>
            <numerusform>保留了 %n 个慢的步骤</numerusform>
        </translation>
    </message>
    <message>
        <source>a typical step</source>
        <translation>平常的步骤</translation>
    </message>
    <message>
        <source>Colouring the timeline</source>
        <translation>正在给时间线着色</translation>
    </message>
    <message>
        <source>Measuring this machine</source>
        <translation>正在测量本机</translation>
    </message>
    <message>
        <source>Computing the floors of nodes</source>
        <translation>正在计算节点的下限</translation>
    </message>
    <message>
        <source>Devices are being compared.</source>
        <translation>正在比较设备。</translation>
    </message>
    <message>
        <source>A training is running: its steps would disturb the times.</source>
        <translation>正在训练：它的步骤会干扰用时。</translation>
    </message>
    <message>
        <source>Comparing devices</source>
        <translation>正在比较设备</translation>
    </message>
    <message>
        <source>No node of this graph is in the compared traces.</source>
        <translation>所比较的 trace 中没有这个计算图的节点。</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>多 %1</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>少 %1</translation>
    </message>
    <message>
        <source>Comparing traces</source>
        <translation>比较 trace</translation>
    </message>
    <message>
        <source>There is no trace to compare with.</source>
        <translation>没有可比较的 trace。</translation>
    </message>
</context>
<context>
    <name>weft::app::ProfileTable</name>
    <message>
        <source>Node, scope, op type, or line of code</source>
        <translation>节点、作用域、op 类型或代码行</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Op type</source>
        <translation>op 类型</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Time per step of the entry alone, without nested or child entries</source>
        <translation>该条目自身每步的时间，不含嵌套于其中或位于其下的部分</translation>
    </message>
    <message>
        <source>self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Share of the total self time, including everything below the entry</source>
        <translation>占全部自身时间的比例，含该条目之下的所有内容</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Time per step including everything below the entry</source>
        <translation>每步时间，含该条目之下的所有内容</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Executions per step</source>
        <translation>每步执行次数</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>The part of it on the critical path of the step</source>
        <translation>其中步骤必须等待的部分</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Median of the individual executions</source>
        <translation>单次执行的中位数</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>The longest execution</source>
        <translation>最长的一次执行</translation>
    </message>
    <message>
        <source>slowest</source>
        <translation>最慢</translation>
    </message>
    <message>
        <source>Floating-point operations per second, in units of 10⁹</source>
        <translation>每秒浮点运算次数，单位十亿</translation>
    </message>
    <message>
        <source>Bytes read and written per second, in units of 10⁹</source>
        <translation>每秒读写的字节数，单位十亿</translation>
    </message>
    <message>
        <source>Bytes of the outputs, per step</source>
        <translation>每步输出的字节数</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Elements of variables</source>
        <translation>变量的元素个数</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>90 % of the executions took at most this long</source>
        <translation>90 % 的单次执行不超过此时间</translation>
    </message>
    <message>
        <source>99 % of the executions took at most this long</source>
        <translation>99 % 的单次执行不超过此时间</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1，含 %2</translation>
    </message>
</context>
<context>
    <name>weft::app::ProfileView</name>
    <message numerus="yes">
        <source>%1 measured: %2 of self time in %n node(s)</source>
        <translation>
            <numerusform>测得 %1：%n 个节点，自身时间共 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) · %1 per step · %2</source>
        <translation>
            <numerusform>%n 个节点 · 每步 %1 · %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 at %3</source>
        <translation>%1：%2，位于 %3</translation>
    </message>
    <message>
        <source>This trace does not record tensor sizes.</source>
        <translation>此 trace 没有说明张量的大小。</translation>
    </message>
    <message>
        <source>The table was copied.</source>
        <translation>表格已复制。</translation>
    </message>
    <message>
        <source>No trace yet</source>
        <translation>尚无 trace</translation>
    </message>
    <message>
        <source>Tables of ops, scopes and nodes appear here: how often they ran, how long and how fast, and what is on the critical path.</source>
        <translation>这里列出 op、作用域和节点的表格：运行多少次、多久、多快，以及步骤在等待什么。</translation>
    </message>
    <message>
        <source>Trace 10 steps</source>
        <translation>记录 10 步</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Memory at the peak</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Tables of the trace</source>
        <translation>trace 的表格</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>One row per op type</source>
        <translation>每种 op 一行</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>One row per node</source>
        <translation>每个节点一行</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>A tree by name scope</source>
        <translation>按名称层级的树</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>A tree by inputs: the inputs of a node are its children</source>
        <translation>按输入的树：各节点之下是它读取的节点</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>A tree by the program lines that created the nodes</source>
        <translation>按生成节点的程序行的树</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Copies the table as tab-separated text</source>
        <translation>将所显示的内容复制为以制表符分隔的文本</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>kept for</source>
        <translation>保留时间</translation>
    </message>
    <message>
        <source>GFLOP/s over FLOP per byte. </source>
        <translation>纵轴 GFLOP/s，横轴每字节 FLOP。</translation>
    </message>
    <message>
        <source>This machine reaches %1 GFLOP/s and %2 GB/s, as measured. </source>
        <translation>本机实测可达 %1 GFLOP/s 和 %2 GB/s。</translation>
    </message>
    <message>
        <source>This machine is being measured. </source>
        <translation>正在测量本机。</translation>
    </message>
    <message>
        <source>The trace does not record what its ops compute; open the graph it was made from.</source>
        <translation>这份 trace 没有说明各 op 的计算量；请打开它所对应的图。</translation>
    </message>
    <message>
        <source>Left of the ridge, memory is the limit; right of it, compute. The further below the line, the more there is to gain.</source>
        <translation>脊点左侧受内存限制，右侧受计算限制；离线越远，改进余地越大。</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) have no known FLOPs.</source>
        <translation>
            <numerusform>%n 个节点没有可计数的运算。</numerusform>
        </translation>
    </message>
    <message>
        <source>from %1 to %2; the line is the peak</source>
        <translation>从 %1 到 %2；竖线处为峰值</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>when</source>
        <translation>时段</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>How the step was planned: passes, fused groups, memory, floors</source>
        <translation>步骤的计划：pass、节点组、内存、下限</translation>
    </message>
    <message>
        <source>Nothing to list</source>
        <translation>没有可列出的内容</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>The same steps on each device of this machine, by layer</source>
        <translation>在本机每个设备上运行相同的步骤，按层显示</translation>
    </message>
    <message>
        <source>What became slower or faster since another trace</source>
        <translation>与另一个 trace 相比变慢和变快的部分</translation>
    </message>
    <message>
        <source>Idle times</source>
        <translation>空闲时间</translation>
    </message>
    <message>
        <source>What threads and streams waited for</source>
        <translation>线程和 stream 在等什么</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假如</translation>
    </message>
    <message>
        <source>How long a step would take if ops were faster, gone, fused or elsewhere</source>
        <translation>op 更快、不执行、融合或在别处时一步需要多久</translation>
    </message>
</context>
<context>
    <name>weft::app::Program</name>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>Cannot listen to the program: %1</source>
        <translation>无法接收程序的消息：%1</translation>
    </message>
    <message>
        <source>could not be started: %1</source>
        <translation>无法启动：%1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>已崩溃</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>ended with status %1</source>
        <translation>已结束，状态 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::ProgramDebug</name>
    <message>
        <source>The Python program is not paused at a line.</source>
        <translation>Python 程序没有停在某一行之前。</translation>
    </message>
</context>
<context>
    <name>weft::app::ProgramGraphs</name>
    <message>
        <source>%1: graph %2</source>
        <translation>%1：图 %2</translation>
    </message>
    <message>
        <source>Reading the graph of %1</source>
        <translation>正在读取 %1 的图</translation>
    </message>
</context>
<context>
    <name>weft::app::ProgramPage</name>
    <message>
        <source>There is nothing to undo.</source>
        <translation>还没有更改。</translation>
    </message>
    <message>
        <source>There is nothing to redo.</source>
        <translation>没有撤销过。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>There is no tf.Variable in this line.</source>
        <translation>这一行没有 tf.Variable。</translation>
    </message>
    <message>
        <source>%1 (line %2)</source>
        <translation>%1（第 %2 行）</translation>
    </message>
    <message>
        <source>The scopes that were open when this line created its nodes, with the lines that opened them</source>
        <translation>这一行创建节点时打开的各级 scope，以及进入它们的行</translation>
    </message>
    <message numerus="yes">
        <source>and %n other call(s)</source>
        <translation>
            <numerusform>以及另外 %n 处调用</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove breakpoint</source>
        <translation>移除断点</translation>
    </message>
    <message>
        <source>Set breakpoint</source>
        <translation>设置断点</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Python program</source>
        <translation>Python 程序</translation>
    </message>
    <message>
        <source>A TensorFlow 1.x program. It does not run until you run it.</source>
        <translation>TensorFlow 1.x 程序。在您运行之前，它的任何部分都不会运行。</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Runs the program up to its first step and shows the names and shapes that its lines create</source>
        <translation>把程序运行到第一个 step 之前，并显示各行产生的名称与形状</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Saves and runs the program in its own process (%1). It has all your rights on this machine.</source>
        <translation>保存程序并在单独的进程中运行（%1）。它能做您在这台机器上能做的任何事。</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>Saves and runs the program, and pauses before its first line</source>
        <translation>保存并运行程序，在第一行之前停下</translation>
    </message>
    <message>
        <source>Text of the program</source>
        <translation>程序文本</translation>
    </message>
    <message>
        <source>Scopes of the line</source>
        <translation>这一行的 scope</translation>
    </message>
    <message>
        <source>%1 was not saved: another program or window has changed the file since it was opened.</source>
        <translation>%1 未保存：自此处读取以来，另一个程序或窗口更改了该文件。</translation>
    </message>
    <message>
        <source>%1 was changed both here and by another program or window.</source>
        <translation>%1 已被另一个程序或窗口更改，这里也有更改。</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>用我的覆盖保存</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>%1 is the same here as in the file.</source>
        <translation>%1 在此处与文件中相同。</translation>
    </message>
    <message>
        <source>%1: %2 only in the file, %3 only here. The log lists them; lines that exist only here are marked.</source>
        <translation>%1：仅在文件中的有 %2，仅在此处的有 %3。日志中列出了它们；此处的已标记。</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::ProgramSource</name>
    <message>
        <source>%1 is too large to show.</source>
        <translation>%1 太大，无法显示。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
</context>
<context>
    <name>weft::app::ProgramView</name>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>What the program prints; standard error is red</source>
        <translation>程序打印的内容；写到标准错误的内容为红色</translation>
    </message>
    <message>
        <source>Output of the program</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>Source of the program</source>
        <translation>程序的源代码</translation>
    </message>
    <message>
        <source>No Python program has run</source>
        <translation>还没有运行过 Python 程序</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>suspended</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Source of the program. Lines that created the selected nodes are marked. Click a line to select its nodes; click a line number to set a breakpoint</source>
        <translation>程序的文本；生成所选节点的行会被标出，点击某一行会选中它生成的节点，点击行号可设置断点</translation>
    </message>
    <message>
        <source>Call stack where the program is paused</source>
        <translation>通向程序停处的调用</translation>
    </message>
    <message>
        <source>Variables where the program is paused</source>
        <translation>程序停处的变量</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>paused at line %1</source>
        <translation>停在第 %1 行之前</translation>
    </message>
    <message>
        <source>paused in a step; the debugger is busy with another run</source>
        <translation>停在一步之中；调试器正忙于另一次运行</translation>
    </message>
    <message>
        <source>paused in a step at %1</source>
        <translation>停在一步之中，位于 %1</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>Remove breakpoint</source>
        <translation>删除断点</translation>
    </message>
    <message>
        <source>Set breakpoint</source>
        <translation>设置断点</translation>
    </message>
    <message>
        <source>Breakpoint with condition…</source>
        <translation>带条件的断点…</translation>
    </message>
    <message>
        <source>Breakpoint on line %1</source>
        <translation>第 %1 行的断点</translation>
    </message>
    <message>
        <source>Stop only if this Python expression is true (i &gt; 100, loss_value != loss_value):</source>
        <translation>仅在此 Python 表达式成立时停下（i &gt; 100，loss_value != loss_value）：</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>The program&apos;s sessions with their graphs, steps and states</source>
        <translation>程序的会话：各自的图、步数和状态</translation>
    </message>
    <message>
        <source>Output, source or sessions of the program</source>
        <translation>程序的输出、源代码或会话</translation>
    </message>
    <message>
        <source>Run a TensorFlow 1.x program on Weft&apos;s engine: its output appears here, its graphs on the canvas, its summaries in the panels.</source>
        <translation>在 Weft 的引擎上运行 TensorFlow 1.x 程序：它打印的内容显示在这里，它的图在画布上打开，它的摘要显示在面板中。</translation>
    </message>
    <message>
        <source>Run Python program…</source>
        <translation>运行 Python 程序…</translation>
    </message>
    <message>
        <source>Traceback of the program</source>
        <translation>程序的回溯信息</translation>
    </message>
    <message>
        <source>Translate…</source>
        <translation>转换…</translation>
    </message>
    <message>
        <source>The program is for Python 2, or for TensorFlow before 1.0. Shows what has to change, and writes the new program</source>
        <translation>此程序是为 Python 2 或 TensorFlow 1.0 之前的版本编写的。显示需要修改之处，并写出新程序</translation>
    </message>
</context>
<context>
    <name>weft::app::ProjectorChoices</name>
    <message>
        <source>%1 (test samples)</source>
        <translation>%1（测试样本）</translation>
    </message>
    <message>
        <source>%1 (training)</source>
        <translation>%1（训练中）</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>维数</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>近邻数</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>About how many neighbours count for a point</source>
        <translation>每个点大约考虑多少个近邻</translation>
    </message>
    <message>
        <source>How many neighbours count for a point</source>
        <translation>每个点考虑多少个近邻</translation>
    </message>
    <message>
        <source>How near points may come to one another</source>
        <translation>各点可以靠得多近</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Euclidean</source>
        <translation>欧氏</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Follow the training</source>
        <translation>跟随训练</translation>
    </message>
    <message>
        <source>Projects again at each evaluation, from the present positions</source>
        <translation>每次评估时从当前位置重新投影</translation>
    </message>
    <message>
        <source>Search labels, #row</source>
        <translation>搜索标签、#行号</translation>
    </message>
    <message>
        <source>Search labels</source>
        <translation>搜索标签</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>weft::app::ProjectorPage</name>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>table of numbers</source>
        <translation>数值表</translation>
    </message>
    <message>
        <source>float32 bytes</source>
        <translation>float32 字节</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>The first %1 of %2 labels of %3</source>
        <translation>%3 的前 %1 个标签，共 %2 个</translation>
    </message>
    <message>
        <source>%1 has no labels and no pictures</source>
        <translation>%1 没有标签和图片</translation>
    </message>
    <message>
        <source>Labels of %1</source>
        <translation>%1 的标签</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Labels of the embedding</source>
        <translation>嵌入的标签</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Values from</source>
        <translation>值来自</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n column(s)</source>
        <translation>
            <numerusform>%1（%n 列）</numerusform>
        </translation>
    </message>
    <message>
        <source>%1×%2 each</source>
        <translation>每张 %1×%2</translation>
    </message>
</context>
<context>
    <name>weft::app::ProjectorSelection</name>
    <message>
        <source>Nothing selected</source>
        <translation>未选择</translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) selected</source>
        <translation>
            <numerusform>已选择 %n 个点</numerusform>
        </translation>
    </message>
    <message>
        <source>Row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>Click a point, or drag with Ctrl to select a rectangle, with Ctrl and Shift for a lasso.</source>
        <translation>点击一个点；按住 Ctrl 拖动以框选，按住 Ctrl 和 Shift 拖动以套索选择。</translation>
    </message>
    <message>
        <source>Nearest in all columns</source>
        <translation>全部列中的最近邻</translation>
    </message>
    <message>
        <source>Euclidean</source>
        <translation>欧氏</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Selected points</source>
        <translation>所选的点</translation>
    </message>
    <message>
        <source>Nearest points</source>
        <translation>最近的点</translation>
    </message>
    <message>
        <source>Confusion matrix</source>
        <translation>混淆矩阵</translation>
    </message>
    <message>
        <source>Shows the cell of this sample in the confusion matrix</source>
        <translation>显示该样本在混淆矩阵中的格</translation>
    </message>
</context>
<context>
    <name>weft::app::ProjectorView</name>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Projecting %1</source>
        <translation>正在投影 %1</translation>
    </message>
    <message>
        <source>Colouring</source>
        <translation>正在着色</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>No point has the label %1.</source>
        <translation>没有标签为 %1 的点。</translation>
    </message>
    <message>
        <source>Finding neighbours</source>
        <translation>正在查找近邻</translation>
    </message>
    <message>
        <source>Principal components…</source>
        <translation>主成分……</translation>
    </message>
    <message>
        <source>Nearest neighbours…</source>
        <translation>最近邻……</translation>
    </message>
    <message>
        <source>Affinities…</source>
        <translation>相似度……</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取……</translation>
    </message>
    <message>
        <source>Choose points.</source>
        <translation>请选择点。</translation>
    </message>
    <message>
        <source>%1 points, %2 columns</source>
        <translation>%1 个点，%2 列</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 % of the variance</source>
        <translation>方差的 %1 %</translation>
    </message>
    <message>
        <source>divergence %1</source>
        <translation>散度 %1</translation>
    </message>
    <message>
        <source>perplexity lowered to %1</source>
        <translation>困惑度降为 %1</translation>
    </message>
    <message>
        <source>%1 is %2; a number from %3 to %4 is expected.</source>
        <translation>%1 为 %2，应为 %3 到 %4 之间的数。</translation>
    </message>
    <message>
        <source>%1 is %2; euclidean or cosine is expected.</source>
        <translation>%1 为 %2，应为 euclidean 或 cosine。</translation>
    </message>
    <message>
        <source>There is no option %1; there are perplexity, neighbors, distance, steps, seed and metric.</source>
        <translation>没有选项 %1；可用的有 perplexity、neighbors、distance、steps、seed 和 metric。</translation>
    </message>
    <message>
        <source>No points are shown.</source>
        <translation>没有显示任何点。</translation>
    </message>
    <message>
        <source>%1 is no row; rows go from 0 to %2.</source>
        <translation>%1 不是行号；行号从 0 到 %2。</translation>
    </message>
    <message>
        <source>There is no method %1; there are pca, tsne and umap.</source>
        <translation>没有方法 %1；可用的有 pca、tsne 和 umap。</translation>
    </message>
    <message>
        <source>%1 dimensions cannot be shown; 2 or 3 can.</source>
        <translation>无法显示 %1 维；可以是 2 维或 3 维。</translation>
    </message>
    <message>
        <source>There is no tool %1; there are move, rectangle and lasso.</source>
        <translation>没有工具 %1；可用的有 move、rectangle 和 lasso。</translation>
    </message>
    <message>
        <source>The points are no test samples of a classifier.</source>
        <translation>这些点不是分类器的测试样本。</translation>
    </message>
    <message>
        <source>There is no column %1; there are %2.</source>
        <translation>没有列 %1；可用的有 %2。</translation>
    </message>
    <message>
        <source>%1 is no order for the projector.</source>
        <translation>%1 不是投影的命令。</translation>
    </message>
    <message>
        <source>There are no positions yet.</source>
        <translation>还没有位置。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Nothing to project yet</source>
        <translation>还没有可投影的内容</translation>
    </message>
    <message>
        <source>Rows of a matrix appear here as points: of an embedding&apos;s configuration, a checkpoint or an array file, of a variable in training, or the outputs of a layer.</source>
        <translation>矩阵的各行会在这里显示为点：来自嵌入配置、检查点或数组文件，训练中的变量，或者某层的输出。</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Select a rectangle</source>
        <translation>框选</translation>
    </message>
    <message>
        <source>Select with a lasso</source>
        <translation>套索选择</translation>
    </message>
    <message>
        <source>Show all points</source>
        <translation>显示所有点</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点</translation>
    </message>
</context>
<context>
    <name>weft::app::QueryStore</name>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>The result has no column with names of nodes.</source>
        <translation>结果中没有节点名称列。</translation>
    </message>
    <message>
        <source>The result has no column of numbers to colour by.</source>
        <translation>结果中没有可用于着色的数值列。</translation>
    </message>
    <message>
        <source>The column %1 has no numbers.</source>
        <translation>列 %1 中没有数值。</translation>
    </message>
    <message>
        <source>the graph %1</source>
        <translation>计算图 %1</translation>
    </message>
    <message>
        <source>the trace %1</source>
        <translation>跟踪 %1</translation>
    </message>
    <message numerus="yes">
        <source>the curves of %n run(s)</source>
        <translation>
            <numerusform>%n 个运行的曲线</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::QueryTableModel</name>
    <message>
        <source>NULL: no value</source>
        <translation>NULL：没有值</translation>
    </message>
</context>
<context>
    <name>weft::app::QueryView</name>
    <message>
        <source>Running for %1 · %2</source>
        <translation>已运行 %1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n row(s); there are more</source>
        <translation>
            <numerusform>前 %n 行；还有更多</numerusform>
        </translation>
    </message>
    <message>
        <source>reading the sources took %1</source>
        <translation>读取来源用时 %1</translation>
    </message>
    <message>
        <source>Nothing is open to ask about. Open a graph, or add a file.</source>
        <translation>没有可查询的内容。请打开计算图或添加文件。</translation>
    </message>
    <message>
        <source>Queries read %1.</source>
        <translation>查询读取%1。</translation>
    </message>
    <message>
        <source>No queries yet</source>
        <translation>还没有查询</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>SELECT … (Enter runs it, Shift+Enter begins a line)</source>
        <translation>SELECT …（Enter 运行，Shift+Enter 换行）</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Result of the query</source>
        <translation>查询结果</translation>
    </message>
    <message>
        <source>Run the query (Enter)</source>
        <translation>运行查询 (Enter)</translation>
    </message>
    <message>
        <source>Cancel the query</source>
        <translation>取消查询</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Past queries</source>
        <translation>历史查询</translation>
    </message>
    <message>
        <source>Files, export, command</source>
        <translation>文件、导出、命令</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>选中</translation>
    </message>
    <message>
        <source>Selects the nodes of the selected rows, or of all, on the canvas</source>
        <translation>在画布上选中所选行（未选时为全部行）的节点</translation>
    </message>
    <message>
        <source>Highlight</source>
        <translation>高亮</translation>
    </message>
    <message>
        <source>Highlights these nodes on the canvas and dims the others; again: ends that</source>
        <translation>在画布上高亮这些节点并使其余变暗；再次点击则取消</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Colours the nodes on the canvas by a column of numbers</source>
        <translation>按一个数值列为画布上的节点着色</translation>
    </message>
    <message>
        <source>Set breakpoints</source>
        <translation>设置断点</translation>
    </message>
    <message>
        <source>Sets a breakpoint at each of these nodes</source>
        <translation>在这些节点上各设一个断点</translation>
    </message>
    <message>
        <source>Ask anything</source>
        <translation>随便问</translation>
    </message>
    <message>
        <source>SQL over the graph, its checkpoints, curves, runs and traces. The bulb has queries that can be run as they are.</source>
        <translation>用 SQL 查询计算图、检查点、曲线、运行和跟踪。灯泡菜单中有可以直接运行的查询。</translation>
    </message>
    <message>
        <source>Run an example</source>
        <translation>运行一个示例</translation>
    </message>
</context>
<context>
    <name>weft::app::QueueWatch</name>
    <message>
        <source>Stalled. %1</source>
        <translation>没有任何动静。%1</translation>
    </message>
    <message>
        <source>Show queues</source>
        <translation>显示队列</translation>
    </message>
</context>
<context>
    <name>weft::app::QueuesView</name>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Enqueuing</source>
        <translation>等待放入</translation>
    </message>
    <message>
        <source>Dequeuing</source>
        <translation>等待取出</translation>
    </message>
    <message>
        <source>In / out</source>
        <translation>放入 / 取出</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Elements in the queue, and its capacity</source>
        <translation>队列中的元素数，以及它的容量</translation>
    </message>
    <message>
        <source>Enqueues blocked because the queue is full</source>
        <translation>因没有空位而等待的入队操作</translation>
    </message>
    <message>
        <source>Dequeues blocked because there are too few elements</source>
        <translation>因元素太少而等待的出队操作</translation>
    </message>
    <message>
        <source>Elements enqueued and dequeued since the queue was created</source>
        <translation>队列建立以来放入和取出的元素数</translation>
    </message>
    <message>
        <source>Queues of the run</source>
        <translation>运行中的队列</translation>
    </message>
    <message>
        <source>No queue yet</source>
        <translation>还没有队列</translation>
    </message>
    <message>
        <source>Queues appear here once training or a debugged run has created them, with their contents and the ops that wait for them.</source>
        <translation>训练或调试的运行一建立队列，这里就会列出它们：里面有什么，谁在等待。</translation>
    </message>
    <message>
        <source>%1
%2 of %3</source>
        <translation>%1
%2，元素为 %3</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>任意内容</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 stay in it until it is closed (min_after_dequeue)</source>
        <translation>关闭之前保留 %1 个（min_after_dequeue）</translation>
    </message>
    <message>
        <source>%1 (for %2)</source>
        <translation>%1（等 %2 个）</translation>
    </message>
    <message>
        <source>full: waits for a dequeue</source>
        <translation>已满：等待出队</translation>
    </message>
    <message>
        <source>waits for an enqueue</source>
        <translation>等待入队</translation>
    </message>
    <message>
        <source>moving</source>
        <translation>流动中</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>closed, %1</source>
        <translation>已关闭，%1</translation>
    </message>
    <message>
        <source>Stalled. %1</source>
        <translation>没有任何动静。%1</translation>
    </message>
    <message>
        <source>The run has ended; these are the final contents of its queues.</source>
        <translation>运行已结束；这是它留在队列中的内容。</translation>
    </message>
    <message>
        <source>The run is paused in the debugger.</source>
        <translation>运行停在调试器中。</translation>
    </message>
    <message>
        <source>The run is in progress.</source>
        <translation>运行继续进行。</translation>
    </message>
</context>
<context>
    <name>weft::app::RecordsPage</name>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Reading record %1</source>
        <translation>读取记录 %1</translation>
    </message>
    <message>
        <source>Record %1 · %2</source>
        <translation>记录 %1 · %2</translation>
    </message>
    <message>
        <source>%1×%2 pixels</source>
        <translation>%1×%2 像素</translation>
    </message>
    <message>
        <source>in %1 of %2</source>
        <translation>%2 条中的 %1 条有</translation>
    </message>
    <message>
        <source>types differ between records</source>
        <translation>各记录的类型不一致</translation>
    </message>
    <message>
        <source>Parsing of %1</source>
        <translation>%1 的解析方式</translation>
    </message>
    <message>
        <source>A shape is a list of sizes: [28, 28]</source>
        <translation>形状是各维大小的列表：[28, 28]</translation>
    </message>
    <message>
        <source>records of bytes</source>
        <translation>条字节记录</translation>
    </message>
    <message>
        <source>records of tf.train.%1</source>
        <translation>条 tf.train.%1 记录</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>the file holds more</source>
        <translation>文件中还有更多</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Features of the record</source>
        <translation>记录的特征</translation>
    </message>
    <message>
        <source>How the features are parsed</source>
        <translation>特征的解析方式</translation>
    </message>
    <message>
        <source>Parse function</source>
        <translation>解析函数</translation>
    </message>
    <message>
        <source>Feature</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>前几个值</translation>
    </message>
    <message>
        <source>Parsing spec, tried on this record</source>
        <translation>解析方式，并在此记录上试用</translation>
    </message>
    <message>
        <source>Spec</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>Gives</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Copy the parse function</source>
        <translation>复制解析函数</translation>
    </message>
    <message>
        <source>Copy a writer</source>
        <translation>复制写入程序</translation>
    </message>
    <message>
        <source>Copies Python code that writes records with these features</source>
        <translation>写出这些特征的记录的 Python 代码</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>原始字节</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Together with its positions in %1</source>
        <translation>连同 %1 中的位置</translation>
    </message>
    <message>
        <source>the first %1 of %2 features are listed; the program has all</source>
        <translation>只列出 %2 个特征中的前 %1 个；程序包含全部</translation>
    </message>
</context>
<context>
    <name>weft::app::Recovery</name>
    <message>
        <source>Recovery data cannot be saved: the folder %1 cannot be created.</source>
        <translation>无法为恢复保存任何内容：不能创建文件夹 %1。</translation>
    </message>
    <message numerus="yes">
        <source>Recovering %n document(s)</source>
        <translation>
            <numerusform>正在恢复 %n 个文档</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 was recovered with %n step(s) of its history.</source>
        <translation>
            <numerusform>已恢复 %1,连同 %n 步编辑历史。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of the history of %1 were restored.</source>
        <translation>
            <numerusform>%1 恢复了 %n 步历史。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::RemoteFolderDialog</name>
    <message>
        <source>Reading the SSH configuration</source>
        <translation>正在读取 SSH 配置</translation>
    </message>
    <message>
        <source>This cannot be an address: %1.</source>
        <translation>这不是有效的地址：%1。</translation>
    </message>
    <message>
        <source>Browse connects and lists the folders there.</source>
        <translation>“浏览”会连接并列出那里的文件夹。</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message numerus="yes">
        <source>%n event file(s) in %1</source>
        <translation>
            <numerusform>%1 中有 %n 个事件文件</numerusform>
        </translation>
    </message>
    <message>
        <source>No event files directly in %1; those in folders below it are found as well.</source>
        <translation>%1 中没有直接的事件文件；其下各级文件夹中的也会找到。</translation>
    </message>
    <message>
        <source>Event files on another machine</source>
        <translation>另一台机器上的事件文件</translation>
    </message>
    <message>
        <source>Weft reads the event files over SSH, with the keys and settings of your SSH configuration. Nothing needs to be installed there. Only new data is transferred; a copy is kept in the cache.</source>
        <translation>Weft 通过 SSH 读取事件文件，使用您的 SSH 配置中的密钥和设置。对方无需安装任何东西。只传输新数据；副本保存在缓存中。</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>主机(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>用户(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Host, as ssh takes it</source>
        <translation>主机，写法与 ssh 相同</translation>
    </message>
    <message>
        <source>a name from ~/.ssh/config, host or host:port</source>
        <translation>~/.ssh/config 中的名称、主机或 主机:端口</translation>
    </message>
    <message>
        <source>User on the other machine</source>
        <translation>另一台机器上的用户</translation>
    </message>
    <message>
        <source>as in the SSH configuration</source>
        <translation>与 SSH 配置相同</translation>
    </message>
    <message>
        <source>Folder on the other machine</source>
        <translation>另一台机器上的文件夹</translation>
    </message>
    <message>
        <source>the home folder</source>
        <translation>主目录</translation>
    </message>
    <message>
        <source>&amp;Browse</source>
        <translation>浏览(&amp;B)</translation>
    </message>
    <message>
        <source>Connects and lists the folders of the other machine</source>
        <translation>连接并列出另一台机器上的文件夹</translation>
    </message>
    <message>
        <source>Folders on the other machine</source>
        <translation>另一台机器上的文件夹</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>weft::app::RemoteFolders</name>
    <message>
        <source>Reading events of %1</source>
        <translation>正在读取 %1 的事件</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>The folder was closed while it was being read.</source>
        <translation>文件夹在读取时被关闭。</translation>
    </message>
    <message numerus="yes">
        <source>%n event file(s)</source>
        <translation>
            <numerusform>%n 个事件文件</numerusform>
        </translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>reading: %1 %</source>
        <translation>正在读取：%1 %</translation>
    </message>
    <message>
        <source>looking for event files…</source>
        <translation>正在查找事件文件…</translation>
    </message>
    <message>
        <source>connected; no event files in this folder yet</source>
        <translation>已连接；此文件夹中尚无事件文件</translation>
    </message>
    <message>
        <source>connected · %1</source>
        <translation>已连接 · %1</translation>
    </message>
    <message>
        <source>reconnecting in %1 s. %2</source>
        <translation>%1 秒后重新连接。%2</translation>
    </message>
</context>
<context>
    <name>weft::app::RemoteStrip</name>
    <message>
        <source>Connect now</source>
        <translation>立即连接</translation>
    </message>
    <message>
        <source>Connect to %1 now</source>
        <translation>立即连接 %1</translation>
    </message>
    <message>
        <source>Close: stops following this folder and removes its runs</source>
        <translation>关闭：停止跟踪此文件夹并移除其运行</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::ReportPage</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n more</source>
        <translation>
            <numerusform>… 还有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Contents of the file</source>
        <translation>文件的内容</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>%1
Double click or Enter: show this session run in the timeline</source>
        <translation>%1
双击或按 Enter：在时间线中显示这次会话运行</translation>
    </message>
</context>
<context>
    <name>weft::app::RowTable</name>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>单独</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>Rows of data</source>
        <translation>数据行</translation>
    </message>
    <message>
        <source>The number, computed from this row of the data alone</source>
        <translation>只用数据的这一行计算出的数</translation>
    </message>
    <message>
        <source>Row %1 of the data, %2 in the batch</source>
        <translation>数据的第 %1 行，批次中的第 %2 行</translation>
    </message>
</context>
<context>
    <name>weft::app::RunArchive</name>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Looking for earlier runs</source>
        <translation>正在查找此前的运行</translation>
    </message>
    <message>
        <source>%1 is still running.</source>
        <translation>%1 仍在进行。</translation>
    </message>
    <message>
        <source>%1 no longer exists.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>%1 could not be moved to the trash.</source>
        <translation>无法把 %1 移到回收站。</translation>
    </message>
    <message>
        <source>%1 was moved to the trash</source>
        <translation>%1 已移到回收站</translation>
    </message>
    <message>
        <source>files deleted</source>
        <translation>文件已删除</translation>
    </message>
    <message>
        <source>checkpoints deleted</source>
        <translation>检查点已删除</translation>
    </message>
    <message>
        <source>event files deleted</source>
        <translation>事件文件已删除</translation>
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
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopped  step %1 · op %2</source>
        <translation>已停住  第 %1 步 · op %2</translation>
    </message>
    <message>
        <source>stopped  op %1</source>
        <translation>已停住  op %1</translation>
    </message>
    <message>
        <source>How many steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Why it cannot be trained</source>
        <translation>不能训练的原因</translation>
    </message>
    <message>
        <source>Run controls that do not fit into the window</source>
        <translation>更多运行选项：窗口太窄时放不下的内容</translation>
    </message>
    <message>
        <source>More run controls</source>
        <translation>更多运行选项</translation>
    </message>
    <message>
        <source>%1 is not trainable.</source>
        <translation>%1 仅供查看，不能训练。</translation>
    </message>
</context>
<context>
    <name>weft::app::RunCards</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>curves shown</source>
        <translation>曲线已显示</translation>
    </message>
    <message>
        <source>curves hidden</source>
        <translation>曲线已隐藏</translation>
    </message>
</context>
<context>
    <name>weft::app::RunController</name>
    <message>
        <source>Open a graph first.</source>
        <translation>请先打开一个图。</translation>
    </message>
    <message>
        <source>Training is running.</source>
        <translation>训练正在进行。</translation>
    </message>
    <message>
        <source>Another document is being trained; stop that first.</source>
        <translation>另一个文档正在训练，请先停止它。</translation>
    </message>
    <message>
        <source>%1: started training %2, files go to %3</source>
        <translation>%1：开始训练 %2，文件写入 %3</translation>
    </message>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>%1: checkpoint at step %2</source>
        <translation>%1：在第 %2 步写入检查点</translation>
    </message>
    <message>
        <source>%1: %2 is %3 from step %4 on</source>
        <translation>%1：从第 %4 步起 %2 为 %3</translation>
    </message>
    <message>
        <source>%1 is %2, expected %3 to %4.</source>
        <translation>%1 为 %2，应为 %3 到 %4。</translation>
    </message>
    <message>
        <source>%1: %2; checkpoint %3</source>
        <translation>%1：%2；检查点 %3</translation>
    </message>
    <message>
        <source>step %1, test accuracy %2</source>
        <translation>第 %1 步，测试准确率 %2</translation>
    </message>
    <message>
        <source>No data feed this training: choose them in the field “data” of the run bar.</source>
        <translation>这次训练没有可馈送的数据：请在运行栏的“数据”字段中选择。</translation>
    </message>
    <message>
        <source>%1: values on %2 cannot be watched for NaN, because a server computes whole steps.</source>
        <translation>%1：%2 上的值无法监视 NaN，因为服务器总是计算完整的一步。</translation>
    </message>
    <message>
        <source>%1: ends without waiting for %2</source>
        <translation>%1：不再等待 %2，直接结束</translation>
    </message>
    <message>
        <source>The training is still waiting for %1.</source>
        <translation>训练仍在等待 %1。</translation>
    </message>
    <message>
        <source>The steps of this training cannot be debugged: %1 computes them as a whole, as TensorFlow&apos;s servers do. Train on this machine or on a Weft server to debug a step.</source>
        <translation>无法调试此训练的步：%1 与 TensorFlow 的服务器一样，总是计算完整的一步。要调试某一步，请在本机或 Weft 服务器上训练。</translation>
    </message>
</context>
<context>
    <name>weft::app::RunFields</name>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>on</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Unit of the training length</source>
        <translation>训练长度的单位</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Training length</source>
        <translation>训练长度</translation>
    </message>
    <message>
        <source>Data for training</source>
        <translation>训练所用的数据</translation>
    </message>
    <message>
        <source>Whether the length is given in epochs or in steps</source>
        <translation>按轮数还是按步数结束训练</translation>
    </message>
    <message>
        <source>No graph is open.</source>
        <translation>没有打开计算图。</translation>
    </message>
    <message>
        <source>%1 is %2, expected a whole number from 1 to %3.</source>
        <translation>%1 为 %2，应为 1 到 %3 之间的整数。</translation>
    </message>
    <message>
        <source>%1 is not a length; use 10, 10 epochs or 500 steps.</source>
        <translation>%1 不是训练长度；请写 10、10 epochs 或 500 steps。</translation>
    </message>
    <message>
        <source>lr</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>%1, from %2 to %3; takes effect at the next step</source>
        <translation>%1，%2 至 %3；从下一步起生效</translation>
    </message>
    <message>
        <source>%1; takes effect at the next step</source>
        <translation>%1；从下一步起生效</translation>
    </message>
    <message>
        <source>Start over, or resume an earlier run</source>
        <translation>重新开始，或从之前的运行继续</translation>
    </message>
    <message numerus="yes">
        <source>CPU · %n thread(s)</source>
        <translation>
            <numerusform>CPU · %n 线程</numerusform>
        </translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 uses this; stop it to change it</source>
        <translation>%1 正在使用此设置；停止后才能修改</translation>
    </message>
    <message>
        <source>Samples per step; changes the document</source>
        <translation>每步的样本数；修改后属于文档的编辑</translation>
    </message>
    <message>
        <source>When training ends: 10, 10 epochs or 500 steps; changes the document</source>
        <translation>训练何时结束：10、10 epochs 或 500 steps；修改后属于文档的编辑</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新训练</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>从此处继续</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>No run of this graph has a checkpoint yet</source>
        <translation>此图的运行还没有检查点</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有运行</translation>
    </message>
    <message numerus="yes">
        <source>CPU · all %n thread(s)</source>
        <translation>
            <numerusform>CPU · 全部 %n 线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Compute settings…</source>
        <translation>计算设置…</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Training data</source>
        <translation>训练数据</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Device and threads for new runs</source>
        <translation>接下来的运行所用的设备与处理器</translation>
    </message>
    <message>
        <source>How training updates the variables; changes the document</source>
        <translation>训练按哪种规则改变变量；这是对文档的编辑</translation>
    </message>
    <message>
        <source>Looking for GPUs…</source>
        <translation>正在查找 GPU…</translation>
    </message>
    <message>
        <source>No GPU was found</source>
        <translation>没有找到 GPU</translation>
    </message>
    <message>
        <source>choose</source>
        <translation>请选择</translation>
    </message>
    <message>
        <source>New runs are computed by the TensorFlow server %1</source>
        <translation>新的运行由 TensorFlow 服务器 %1 计算</translation>
    </message>
    <message>
        <source>Data (%1)</source>
        <translation>数据 (%1)</translation>
    </message>
</context>
<context>
    <name>weft::app::RunProgressBox</name>
    <message>
        <source>epoch %1 / %2</source>
        <translation>第 %1 / %2 轮</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
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
        <source>%1 samples/s</source>
        <translation>%1 样本/秒</translation>
    </message>
    <message>
        <source>Waiting for %1…</source>
        <translation>正在等待 %1…</translation>
    </message>
</context>
<context>
    <name>weft::app::RunTable</name>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Mean %1, deviation %2, from %3 to %4</source>
        <translation>平均 %1，偏差 %2，从 %3 到 %4</translation>
    </message>
    <message>
        <source>running, %1 %</source>
        <translation>正在运行，%1 %</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Metric %1: its last value</source>
        <translation>指标 %1：最后一个值</translation>
    </message>
    <message>
        <source>Parameter %1</source>
        <translation>参数 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::RunningDialog</name>
    <message>
        <source>Something is running</source>
        <translation>有任务正在运行</translation>
    </message>
    <message>
        <source>Training saves a checkpoint when it is stopped, so that you can resume it later.</source>
        <translation>停止训练时会先写入检查点，之后可以从那里继续。</translation>
    </message>
    <message>
        <source>Results of the computation are lost when it ends.</source>
        <translation>结束后，正在计算的内容会丢失。</translation>
    </message>
    <message>
        <source>&amp;Stop and quit</source>
        <translation>停止并退出(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Stop and reload</source>
        <translation>停止并重新加载(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Stop and close</source>
        <translation>停止并关闭(&amp;S)</translation>
    </message>
    <message>
        <source>Close, &amp;keep training</source>
        <translation>关闭并继续训练(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>weft::app::RunsView</name>
    <message>
        <source>No runs yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>Each run is kept here with its settings, so that runs can be compared.</source>
        <translation>每次训练及其设置都保存在此，便于比较。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Settings of the selected runs</source>
        <translation>所选运行的设置</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>What was tried, and why</source>
        <translation>尝试了什么，为什么</translation>
    </message>
    <message>
        <source>Notes on the run</source>
        <translation>运行备注</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>Select one or two runs</source>
        <translation>请选择一次或两次运行</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>From an earlier session of Weft, in %1</source>
        <translation>属于此前启动的 Weft，位于 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 against %2: %n differ</source>
        <translation>
            <numerusform>%1 与 %2：%n 项不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>%1 的设置</translation>
    </message>
    <message>
        <source>Show its curves</source>
        <translation>显示它的曲线</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>打开它的文件夹</translation>
    </message>
    <message>
        <source>Title…</source>
        <translation>标题…</translation>
    </message>
    <message>
        <source>Title of the run</source>
        <translation>运行的标题</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>acc %1</source>
        <translation>准确率 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>event files</source>
        <translation>事件文件</translation>
    </message>
    <message>
        <source>event files, damaged or missing</source>
        <translation>事件文件，已损坏或不存在</translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n 条曲线</numerusform>
        </translation>
    </message>
    <message>
        <source>up to step %1</source>
        <translation>至第 %1 步</translation>
    </message>
    <message>
        <source>Only these curves</source>
        <translation>只看这些曲线</translation>
    </message>
    <message>
        <source>Show all curves</source>
        <translation>显示全部曲线</translation>
    </message>
    <message>
        <source>Hide all curves</source>
        <translation>隐藏全部曲线</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Shows runs whose name, title, notes or settings contain every word; seed=3 matches a setting</source>
        <translation>显示名称、标题、备注或设置中含有每个词的运行；seed=3 按设置查找</translation>
    </message>
    <message>
        <source>Run filter</source>
        <translation>运行筛选</translation>
    </message>
    <message>
        <source>This document</source>
        <translation>此文档</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Which runs to list here and draw in the charts</source>
        <translation>在此列出并在图表中画出哪些文档的运行</translation>
    </message>
    <message>
        <source>Documents whose runs are listed</source>
        <translation>哪些文档的运行</translation>
    </message>
    <message>
        <source>Remove from the panels</source>
        <translation>从面板中移除</translation>
    </message>
    <message>
        <source>Files of this run in %1 were deleted. Data already read is still shown.</source>
        <translation>此次运行在 %1 中的文件已被删除。已读取的内容仍会显示。</translation>
    </message>
</context>
<context>
    <name>weft::app::SampleList</name>
    <message>
        <source>%1 taken for %2</source>
        <translation>%1 判断为 %2</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>%1, correct</source>
        <translation>%1，正确</translation>
    </message>
    <message>
        <source>Samples appear here after an evaluation.</source>
        <translation>评估后显示于此。</translation>
    </message>
    <message>
        <source>Correct samples are not listed among the worst.</source>
        <translation>正确的样本不在最差之列。</translation>
    </message>
    <message>
        <source>No sample of class %1 was predicted as %2.</source>
        <translation>没有类别 %1 的样本被判断为 %2。</translation>
    </message>
    <message>
        <source>test sample %1: actual %2 (%3 %), predicted %4 (%5 %), loss %6</source>
        <translation>评估部分的样本 %1：实为 %2（%3 %），判断为 %4（%5 %），损失 %6</translation>
    </message>
</context>
<context>
    <name>weft::app::ScalarsView</name>
    <message>
        <source>No scalars yet</source>
        <translation>还没有标量</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>There is no series %1; there are %2.</source>
        <translation>没有序列 %1；现有 %2。</translation>
    </message>
    <message>
        <source>Loss and accuracy appear here from the first training step. Event files that you open are also shown here.</source>
        <translation>训练一开始，损失和准确率就会出现在这里。打开的事件文件也显示在这里。</translation>
    </message>
    <message>
        <source>checkpoint at step %1</source>
        <translation>第 %1 步的检查点</translation>
    </message>
    <message>
        <source>%1 is %2 from step %3 on</source>
        <translation>%1 自第 %3 步起为 %2</translation>
    </message>
    <message>
        <source>Click: go back to step %1 of %2</source>
        <translation>单击：回到%2的第 %1 步</translation>
    </message>
    <message>
        <source>Go back to step %1 of %2, paused</source>
        <translation>回到%2的第 %1 步并暂停</translation>
    </message>
    <message>
        <source>This checkpoint was removed: only the newest are kept.</source>
        <translation>此检查点已删除：只保留最新的几个。</translation>
    </message>
    <message>
        <source>Open the checkpoint</source>
        <translation>打开检查点</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) hidden</source>
        <translation>
            <numerusform>%n 次运行已隐藏</numerusform>
        </translation>
    </message>
    <message>
        <source>The eye of a run in the Runs panel shows and hides its curves.</source>
        <translation>“运行”面板中每次运行的眼睛图标用于显示和隐藏其曲线。</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
</context>
<context>
    <name>weft::app::ScheduleWindow</name>
    <message>
        <source>Over the steps: %1</source>
        <translation>随步数的变化：%1</translation>
    </message>
    <message>
        <source>&amp;Tensor</source>
        <translation>张量(&amp;T)</translation>
    </message>
    <message>
        <source>the learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Tensor to draw</source>
        <translation>要画的张量</translation>
    </message>
    <message>
        <source>A scalar of the graph; if empty, the learning rate of its optimizer</source>
        <translation>图中的一个标量；留空则为优化器所用的学习率</translation>
    </message>
    <message>
        <source>&amp;up to step</source>
        <translation>直到第几步(&amp;U)</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>Last step of the chart; no training is run</source>
        <translation>曲线的最后一步；不进行训练</translation>
    </message>
    <message>
        <source>&amp;logarithmic</source>
        <translation>对数(&amp;L)</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>以相等间距画出 10 的各次幂</translation>
    </message>
    <message>
        <source>Chart over steps</source>
        <translation>随步数变化的曲线</translation>
    </message>
    <message>
        <source>%1 does not depend on a step counter: it is always %2.</source>
        <translation>%1 不依赖步数计数器：始终为 %2。</translation>
    </message>
    <message>
        <source>%1 at step 0, %2 at step %3; steps are counted by %4. No training was run.</source>
        <translation>第 0 步为 %1，第 %3 步为 %2；步数由 %4 计数。没有进行训练。</translation>
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
    <message>
        <source>include takes the path of a script.</source>
        <translation>include 需要一个脚本的路径。</translation>
    </message>
    <message>
        <source>%1: scripts include each other.</source>
        <translation>%1：脚本互相包含。</translation>
    </message>
    <message>
        <source>%1 could not be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
</context>
<context>
    <name>weft::app::ServerDialog</name>
    <message>
        <source>TensorFlow server</source>
        <translation>TensorFlow 服务器</translation>
    </message>
    <message>
        <source>The server computes the steps of new runs. Data are read on this machine, and curves and checkpoints are saved on it. The connection is not encrypted, and the server asks for no password.</source>
        <translation>新运行的每一步由服务器计算。数据在本机读取，曲线和检查点也保存在本机。连接没有加密，服务器也不要求密码。</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>服务器的地址</translation>
    </message>
    <message>
        <source>C&amp;heck</source>
        <translation>检查(&amp;H)</translation>
    </message>
    <message>
        <source>Connects to the server and lists its devices</source>
        <translation>连接服务器并列出它的设备</translation>
    </message>
    <message>
        <source>Devices of the server</source>
        <translation>服务器的设备</translation>
    </message>
    <message>
        <source>&amp;Use this server</source>
        <translation>使用此服务器(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Expected host:port, such as localhost:2222.</source>
        <translation>应为“主机:端口”，例如 localhost:2222。</translation>
    </message>
    <message>
        <source>Check lists the devices of the server and of its cluster.</source>
        <translation>按“检查”可列出服务器及其集群的设备。</translation>
    </message>
    <message>
        <source>Waiting for %1…</source>
        <translation>正在等待 %1…</translation>
    </message>
    <message>
        <source>Asking %1 for its devices</source>
        <translation>正在向 %1 查询设备</translation>
    </message>
    <message numerus="yes">
        <source>%1 answered: %n device(s)</source>
        <translation>
            <numerusform>%1 已应答：%n 个设备</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::Session</name>
    <message>
        <source>Open last time, but missing now: %1</source>
        <translation>上次打开但现已不存在：%1</translation>
    </message>
</context>
<context>
    <name>weft::app::SessionList</name>
    <message>
        <source>A session is not a thread and holds no nodes: it stores the variable values of one graph and runs parts of it. Closing it frees these values; the graph keeps its nodes. Double-click to show the line that created it.</source>
        <translation>会话不是线程，也不保存节点：它保存一个图的变量的值，并运行图的一部分。关闭会话会释放这些值；图仍保留它的节点。双击显示创建它的那一行。</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Its graph</source>
        <translation>它的图</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>当时的节点数</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Number of nodes in the graph when the session was created. If it grows, the program keeps adding the same nodes</source>
        <translation>创建会话时图中的节点数：如果每个会话都比前一个多，说明程序又添加了相同的节点</translation>
    </message>
    <message>
        <source>How often session.run was called</source>
        <translation>调用了多少次 session.run</translation>
    </message>
    <message>
        <source>Sessions of the program</source>
        <translation>程序的会话</translation>
    </message>
    <message>
        <source>graph %1, never run</source>
        <translation>图 %1，从未运行</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2, %3 line %4</source>
        <translation>%1 %2，%3 第 %4 行</translation>
    </message>
    <message>
        <source>open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>left open; ended with the program</source>
        <translation>随程序结束，程序没有关闭它</translation>
    </message>
    <message>
        <source>open; the default session, used by eval() and run() of tensors and ops</source>
        <translation>打开；默认会话：张量和 op 的 eval() 与 run() 使用它</translation>
    </message>
    <message>
        <source>; requested %1, runs here</source>
        <translation>；要求连接 %1，在这里运行</translation>
    </message>
</context>
<context>
    <name>weft::app::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>设置页面</translation>
    </message>
    <message>
        <source>No setting contains these words; see the Keys page.</source>
        <translation>没有匹配的设置；请看快捷键页。</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
</context>
<context>
    <name>weft::app::SheetEditBar</name>
    <message numerus="yes">
        <source>Set for %n row(s)</source>
        <translation>
            <numerusform>为 %n 行设置</numerusform>
        </translation>
    </message>
    <message>
        <source>set to</source>
        <translation>设为</translation>
    </message>
    <message>
        <source>replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>with</source>
        <translation>为</translation>
    </message>
    <message>
        <source>value, or {scope}/{last}_{n}</source>
        <translation>值，或 {scope}/{last}_{n}</translation>
    </message>
    <message>
        <source>{name}, {last}, {scope}, {op}, {device} and {n} stand for each row&apos;s own name, its last part, its scope, op and device, and its number</source>
        <translation>{name}、{last}、{scope}、{op}、{device} 和 {n} 代表每一行自己的名称、名称的最后一段、作用域、op、设备和序号</translation>
    </message>
    <message>
        <source>text in the present values</source>
        <translation>现有值中的文字</translation>
    </message>
    <message>
        <source>The column to change</source>
        <translation>要更改的列</translation>
    </message>
    <message>
        <source>Set the whole value, or replace a part of it</source>
        <translation>设置整个值，或替换其中一部分</translation>
    </message>
    <message>
        <source>The text to replace</source>
        <translation>要替换的文字</translation>
    </message>
    <message>
        <source>The new value</source>
        <translation>新值</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Changes the selected rows in one step that can be undone: all of them, or none</source>
        <translation>在可撤销的一步中更改所选的行：全部更改，或都不更改</translation>
    </message>
</context>
<context>
    <name>weft::app::SheetModel</name>
    <message>
        <source>No value</source>
        <translation>没有值</translation>
    </message>
    <message>
        <source>%1 (F2 or typing changes it)</source>
        <translation>%1（按 F2 或直接输入可更改）</translation>
    </message>
    <message>
        <source>%1. Click: sort</source>
        <translation>%1。点击：排序</translation>
    </message>
    <message>
        <source>%1 Cells can be changed. Click: sort</source>
        <translation>%1单元格可以更改。点击：排序</translation>
    </message>
    <message>
        <source>%1 Click: sort</source>
        <translation>%1点击：排序</translation>
    </message>
</context>
<context>
    <name>weft::app::SheetStore</name>
    <message>
        <source>Reading the spreadsheet</source>
        <translation>读取电子表格</translation>
    </message>
    <message>
        <source>Sorting the spreadsheet</source>
        <translation>排序电子表格</translation>
    </message>
    <message>
        <source>The graph has changed; the sheet is being read again.</source>
        <translation>图已更改，正在重新读取表。</translation>
    </message>
    <message>
        <source>There is no column %1.</source>
        <translation>没有列 %1。</translation>
    </message>
    <message>
        <source>The column %1 cannot be changed here.</source>
        <translation>列 %1 不能在这里更改。</translation>
    </message>
    <message>
        <source>No rows are selected.</source>
        <translation>没有选中行。</translation>
    </message>
    <message>
        <source>There is nothing to write.</source>
        <translation>没有可写的内容。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>The document was closed.</source>
        <translation>文档已关闭。</translation>
    </message>
    <message>
        <source>%1 of %2 cannot be changed here.</source>
        <translation>%2 的 %1 不能在这里更改。</translation>
    </message>
</context>
<context>
    <name>weft::app::SheetView</name>
    <message>
        <source>Attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Usual columns</source>
        <translation>默认的列</translation>
    </message>
    <message>
        <source>Show on the canvas</source>
        <translation>在画布上显示</translation>
    </message>
    <message>
        <source>Only rows with %1</source>
        <translation>只显示 %1 的行</translation>
    </message>
    <message>
        <source>Change the value…</source>
        <translation>更改值…</translation>
    </message>
    <message>
        <source>Copy with column names</source>
        <translation>连同列名复制</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>升序</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>降序</translation>
    </message>
    <message>
        <source>As in the graph</source>
        <translation>按图中的顺序</translation>
    </message>
    <message>
        <source>Only rows with</source>
        <translation>只显示</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>没有值</translation>
    </message>
    <message>
        <source>Select the column</source>
        <translation>选中此列</translation>
    </message>
    <message>
        <source>Hide the column</source>
        <translation>隐藏此列</translation>
    </message>
    <message>
        <source>%1 numbers · sum %2 · mean %3 · min %4 · max %5</source>
        <translation>%1 个数 · 总和 %2 · 均值 %3 · 最小 %4 · 最大 %5</translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s)</source>
        <translation>
            <numerusform>%n 个单元格</numerusform>
        </translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>The nodes of the graph</source>
        <translation>图的节点</translation>
    </message>
    <message>
        <source>The variables of the graph, with their latest values</source>
        <translation>图的变量及其最新的值</translation>
    </message>
    <message>
        <source>Values of the debugged run and of open checkpoints</source>
        <translation>被调试的运行和打开的检查点中的值</translation>
    </message>
    <message>
        <source>Trainings, experiments and event files</source>
        <translation>训练、实验和事件文件</translation>
    </message>
    <message>
        <source>Sheets</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Filter: conv bytes &gt; 1MB</source>
        <translation>筛选：conv bytes &gt; 1MB</translation>
    </message>
    <message>
        <source>Filter of the sheet</source>
        <translation>表的筛选</translation>
    </message>
    <message>
        <source>Words, and conditions: op = Conv*, bytes &gt; 4k, shape = [?,10], device = &quot;&quot;, name ~ &quot;conv[0-9]&quot;, op in (MatMul, Conv2D); joined by and, or, not and parentheses. Esc clears it.</source>
        <translation>词和条件：op = Conv*、bytes &gt; 4k、shape = [?,10]、device = &quot;&quot;、name ~ &quot;conv[0-9]&quot;、op in (MatMul, Conv2D)；用 and、or、not 和括号连接。按 Esc 清除。</translation>
    </message>
    <message>
        <source>Rows of the sheet</source>
        <translation>表的行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Set a value for the selected rows</source>
        <translation>为所选的行设置值</translation>
    </message>
    <message>
        <source>Copy, save as CSV</source>
        <translation>复制、另存为 CSV</translation>
    </message>
    <message>
        <source>The sheet is being read</source>
        <translation>正在读取表</translation>
    </message>
    <message>
        <source>No graph is open</source>
        <translation>没有打开的图</translation>
    </message>
    <message>
        <source>Its nodes and variables are listed here, to be filtered, sorted and changed together.</source>
        <translation>它的节点和变量会列在这里，可以筛选、排序和一起更改。</translation>
    </message>
    <message>
        <source>This graph is empty</source>
        <translation>此图为空</translation>
    </message>
    <message>
        <source>Nodes are listed here, to be filtered, sorted and changed together.</source>
        <translation>节点会列在这里，可以筛选、排序和一起更改。</translation>
    </message>
    <message>
        <source>This graph has no variables</source>
        <translation>此图没有变量</translation>
    </message>
    <message>
        <source>Variables are listed here with their types, shapes and latest values.</source>
        <translation>变量会连同类型、形状和最新的值列在这里。</translation>
    </message>
    <message>
        <source>There are no values yet</source>
        <translation>还没有值</translation>
    </message>
    <message>
        <source>Debug a run, or open a checkpoint: the statistics of its tensors are listed here.</source>
        <translation>请调试一次运行，或打开一个检查点：其张量的统计会列在这里。</translation>
    </message>
    <message>
        <source>There are no runs yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>Trainings, experiments and event files are listed here with their settings and last metrics.</source>
        <translation>训练、实验和事件文件会连同设置和最后的指标列在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <translation>%2 行中的 %1 行</translation>
    </message>
    <message>
        <source>values: %1</source>
        <translation>值：%1</translation>
    </message>
    <message>
        <source>no values yet: train the network</source>
        <translation>还没有值：请先训练网络</translation>
    </message>
    <message>
        <source>working…</source>
        <translation>处理中…</translation>
    </message>
    <message>
        <source>The clipboard holds no text.</source>
        <translation>剪贴板中没有文本。</translation>
    </message>
    <message>
        <source>None of the selected cells can be changed.</source>
        <translation>选中的单元格都不能更改。</translation>
    </message>
    <message>
        <source>Select the cell where the pasted ones begin.</source>
        <translation>请选择粘贴的起始单元格。</translation>
    </message>
    <message numerus="yes">
        <source>The clipboard has %n line(s), which is more than there are rows from here on.</source>
        <translation>
            <numerusform>剪贴板有 %n 行，多于从这里开始的行数。</numerusform>
        </translation>
    </message>
    <message>
        <source>Line %1 of the clipboard has %2 fields; there are %3 columns from here on.</source>
        <translation>剪贴板的第 %1 行有 %2 个字段；从这里开始只有 %3 列。</translation>
    </message>
</context>
<context>
    <name>weft::app::ShortcutsPage</name>
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
        <translation>脚本中的名称</translation>
    </message>
    <message>
        <source>Commands and keys</source>
        <translation>命令与快捷键</translation>
    </message>
    <message>
        <source>&amp;New key</source>
        <translation>新按键(&amp;N)</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>新按键</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>无按键</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>改用于此</translation>
    </message>
    <message>
        <source>%1 is already used by “%2”, which would lose it.</source>
        <translation>%1 已用于“%2”，改用后该命令将没有快捷键。</translation>
    </message>
    <message>
        <source>Active when the graph has the focus.</source>
        <translation>画布有焦点时有效。</translation>
    </message>
    <message>
        <source>Active everywhere in the window.</source>
        <translation>在整个窗口内有效。</translation>
    </message>
</context>
<context>
    <name>weft::app::ShufflePlot</name>
    <message>
        <source>Order of the elements</source>
        <translation>元素的顺序</translation>
    </message>
    <message>
        <source>Each point is an element: its input position horizontally, its output position vertically. A diagonal means no shuffling, a uniform cloud a perfect shuffle.</source>
        <translation>每个点是一个元素：横轴是进入的位置，纵轴是出来的位置。对角线表示没有打乱，均匀的点云表示完全打乱。</translation>
    </message>
    <message>
        <source>position in</source>
        <translation>进入的位置</translation>
    </message>
    <message>
        <source>position out</source>
        <translation>出来的位置</translation>
    </message>
</context>
<context>
    <name>weft::app::ShuffleWindow</name>
    <message>
        <source>Shuffle quality</source>
        <translation>打乱得如何</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>种类(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Elements</source>
        <translation>元素(&amp;E)</translation>
    </message>
    <message>
        <source>Number of elements in the data</source>
        <translation>数据有多少个元素</translation>
    </message>
    <message>
        <source>Maximum number of elements in the queue</source>
        <translation>队列最多容纳多少个元素</translation>
    </message>
    <message>
        <source>Minimum number of elements left after a dequeue: larger values mix better but take longer to start</source>
        <translation>取出一个 batch 后队列中保留多少个元素：越大打乱得越好，启动也越久</translation>
    </message>
    <message>
        <source>Number of elements in the shuffle buffer</source>
        <translation>数据集保留多少个元素供抽取</translation>
    </message>
    <message>
        <source>Elements per batch</source>
        <translation>一个 batch 的元素数</translation>
    </message>
    <message>
        <source>A different seed gives a different order</source>
        <translation>不同的种子，不同的顺序</translation>
    </message>
    <message>
        <source>Well mixed: elements move %1 % as far as in a perfect shuffle.</source>
        <translation>打乱充分：元素移动的距离为完全打乱时的 %1 %。</translation>
    </message>
    <message>
        <source>Partly mixed: elements move %1 % as far as in a perfect shuffle.</source>
        <translation>部分打乱：元素移动的距离为完全打乱时的 %1 %。</translation>
    </message>
    <message>
        <source>Poorly mixed: elements move %1 % as far as in a perfect shuffle. If the data is sorted by class, batches are unbalanced.</source>
        <translation>几乎没有打乱：元素移动的距离为完全打乱时的 %1 %。如果数据按类别排列，各个 batch 会很不相同。</translation>
    </message>
    <message>
        <source>Correlation of input and output positions: %1 (1: not shuffled, 0: perfect).</source>
        <translation>进入与出来的位置的相关系数为 %1（1：没有打乱，0：完全打乱）。</translation>
    </message>
    <message>
        <source>No element comes out more than %1 positions early.</source>
        <translation>没有元素比原位置提前超过 %1 位出来。</translation>
    </message>
    <message numerus="yes">
        <source>The first batch waits for %n element(s).</source>
        <translation>
            <numerusform>第一个 batch 要等待 %n 个元素。</numerusform>
        </translation>
    </message>
    <message>
        <source>A typical capacity is min_after_dequeue + 3 × batch: %1. With less, readers often wait for training.</source>
        <translation>容量通常取 min_after_dequeue + 3 × batch，即 %1。更小时，读取常常要等待训练。</translation>
    </message>
</context>
<context>
    <name>weft::app::SshQuestionDialog</name>
    <message>
        <source>Unknown host key</source>
        <translation>未知的主机密钥</translation>
    </message>
    <message>
        <source>Security key</source>
        <translation>安全密钥</translation>
    </message>
    <message>
        <source>Password for %1</source>
        <translation>%1 的密码</translation>
    </message>
    <message>
        <source>This machine has never connected to %1. Its %2 key has the fingerprint:</source>
        <translation>本机从未连接过 %1。其 %2 密钥的指纹为：</translation>
    </message>
    <message>
        <source>Compare it with the fingerprint that the owner of %1 tells you. If it differs, someone may be reading the connection.</source>
        <translation>请与 %1 的所有者告知的指纹比较。如果不同，连接可能正被他人窃听。</translation>
    </message>
    <message>
        <source>Weft passes it to ssh and does not keep it. With a key in an SSH agent no password is needed.</source>
        <translation>Weft 将其转交给 ssh，不会保存。使用 SSH 代理中的密钥则无需密码。</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Trust and connect</source>
        <translation>信任并连接(&amp;T)</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>连接(&amp;O)</translation>
    </message>
</context>
<context>
    <name>weft::app::StartPage</name>
    <message>
        <source>View, train and explore dataflow graphs</source>
        <translation>查看、训练和探索数据流图</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>入门</translation>
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
        <source>Start from a trainable graph</source>
        <translation>从可训练的图开始</translation>
    </message>
    <message>
        <source>New graph</source>
        <translation>新建图</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Each opens as an ordinary document with its data. Press Train to start.</source>
        <translation>每个都作为普通文档连同数据打开。按“训练”，然后观察。</translation>
    </message>
    <message>
        <source>trains for about %1 min</source>
        <translation>训练约 %1 分钟</translation>
    </message>
    <message>
        <source>Smaller graphs, trained in seconds:</source>
        <translation>较小的，几秒钟即可训练完：</translation>
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
    <message>
        <source>Cancel %1</source>
        <translation>取消 %1</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>All running tasks</source>
        <translation>全部任务</translation>
    </message>
    <message>
        <source>%1 per step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>%1 at batch %2</source>
        <translation>%1（批大小 %2）</translation>
    </message>
    <message numerus="yes">
        <source>%n op(s) are not counted: their shapes are unknown until the graph runs</source>
        <translation>
            <numerusform>%n 个算子未计入：运行之前其形状未知</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n 个变量</numerusform>
        </translation>
    </message>
    <message>
        <source>cost unknown</source>
        <translation>开销未知</translation>
    </message>
    <message numerus="yes">
        <source>Cost unknown for %n op(s): their sizes are unknown until the graph runs</source>
        <translation>
            <numerusform>有些大小未定：运行前无法得知 %n 个 op 的开销</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n array(s)</source>
        <translation>
            <numerusform>%n 个数组</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::StopValues</name>
    <message>
        <source>%1 … %2, mean %3</source>
        <translation>%1 … %2，均值 %3</translation>
    </message>
    <message>
        <source>%1 NaN</source>
        <translation>%1 个 NaN</translation>
    </message>
    <message>
        <source>%1 infinite</source>
        <translation>%1 个无穷大</translation>
    </message>
    <message>
        <source>of iteration %1</source>
        <translation>第 %1 次迭代的值</translation>
    </message>
</context>
<context>
    <name>weft::app::StoppedView</name>
    <message>
        <source>Stopped before the first op</source>
        <translation>停在第一个 op 之前</translation>
    </message>
    <message>
        <source>Stopped at a breakpoint</source>
        <translation>停在断点处</translation>
    </message>
    <message>
        <source>Stopped at a breakpoint: %1</source>
        <translation>停在断点处：%1</translation>
    </message>
    <message>
        <source>Reached</source>
        <translation>已到达</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Failed here</source>
        <translation>在此失败</translation>
    </message>
    <message>
        <source>Stopped after a step</source>
        <translation>单步后停下</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Inputs of that op</source>
        <translation>该 op 的输入</translation>
    </message>
    <message>
        <source>Weights and data behind it</source>
        <translation>背后的权重与数据</translation>
    </message>
    <message>
        <source>fed</source>
        <translation>馈入</translation>
    </message>
    <message>
        <source>rows of the batch: %1</source>
        <translation>批中的行：%1</translation>
    </message>
    <message>
        <source>rows of the training data: %1</source>
        <translation>训练数据中的行：%1</translation>
    </message>
    <message>
        <source>Path, newest first</source>
        <translation>传播路径，最新的在前</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Inputs of %1</source>
        <translation>%1 的输入</translation>
    </message>
    <message>
        <source>Outputs of %1</source>
        <translation>%1 的输出</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>后退一步</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Nothing is being debugged</source>
        <translation>没有正在调试的运行</translation>
    </message>
    <message>
        <source>When a run stops at a breakpoint or fails, the reason, the inputs of the op and the path back to a NaN appear here.</source>
        <translation>运行停在断点处或失败时，这里显示原因、该 op 的输入以及 NaN 的来龙去脉。</translation>
    </message>
    <message>
        <source>Start debugging</source>
        <translation>开始调试</translation>
    </message>
    <message>
        <source>The run has ended</source>
        <translation>运行已结束</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>It ended before it reached %1.</source>
        <translation>到达 %1 之前运行已结束。</translation>
    </message>
    <message>
        <source>Its values can still be inspected.</source>
        <translation>仍可查看它的值。</translation>
    </message>
    <message>
        <source>, iteration %1 of %2</source>
        <translation>，%2 的第 %1 次迭代</translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation>手动设置</translation>
    </message>
    <message>
        <source>The data already contains it: remove or clean those rows.</source>
        <translation>数据中本来就有：去掉这些行，或清理它们。</translation>
    </message>
    <message>
        <source>An earlier update changed the variable to this: use a smaller learning rate or clip gradients.</source>
        <translation>变量在之前的更新中已变成这样：减小学习率或裁剪梯度会有帮助。</translation>
    </message>
    <message>
        <source>Avoid 0: use log(x + 1e-7), or a loss that takes logits.</source>
        <translation>避免取到 0：用 log(x + 1e-7)，或用直接接受 logits 的损失。</translation>
    </message>
    <message>
        <source>Avoid division by 0: add a small number, or use div_no_nan.</source>
        <translation>避免除数为 0：加一个很小的数，或使用 div_no_nan。</translation>
    </message>
    <message>
        <source>Keep the value above 0: use max(x, 1e-7) before it.</source>
        <translation>让它大于 0：在前面加 max(x, 1e-7)。</translation>
    </message>
    <message>
        <source>Large values overflow: subtract the maximum first, or clip them.</source>
        <translation>大的值会溢出：先减去最大值，或加以裁剪。</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>Values to feed…</source>
        <translation>馈送的值…</translation>
    </message>
    <message>
        <source>Stop debugging first.</source>
        <translation>请先停止调试。</translation>
    </message>
    <message>
        <source>A run needs a value for each placeholder that it uses.</source>
        <translation>运行用到的每个占位符都需要一个值。</translation>
    </message>
    <message>
        <source>Its inputs are below. Step back, change a value in the watch list, and continue.</source>
        <translation>它的输入列在下方。可以后退，在监视列表中改值，再继续。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Clears the marks of this run</source>
        <translation>清除这次运行留下的标记</translation>
    </message>
    <message>
        <source>Training step %1 failed</source>
        <translation>训练的第 %1 步失败</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Find the first NaN</source>
        <translation>查找首个 NaN</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1（位于 %2）</translation>
    </message>
    <message>
        <source>TensorFlow runs the ops of %1, which cannot be stopped.</source>
        <translation>%1 的 op 由 TensorFlow 运行，无法停下。</translation>
    </message>
</context>
<context>
    <name>weft::app::Summaries</name>
    <message>
        <source>Reading events of %1</source>
        <translation>正在读取 %1 的事件</translation>
    </message>
    <message>
        <source>The folder was closed while it was being read.</source>
        <translation>文件夹在读取过程中被关闭。</translation>
    </message>
    <message>
        <source>Following the event files in %1</source>
        <translation>正在跟踪 %1 中的事件文件</translation>
    </message>
    <message>
        <source>Reading was cancelled.</source>
        <translation>读取已取消。</translation>
    </message>
    <message>
        <source>%1: all values have step %2, because they were written without one: pass global_step to add_summary, or choose wall time as the axis.</source>
        <translation>%1：所有值的步数都是 %2。它们写入时没有给出步数：请把 global_step 传给 add_summary，或以时刻为横轴。</translation>
    </message>
</context>
<context>
    <name>weft::app::SweepForm</name>
    <message>
        <source>Choose the parameters to vary.</source>
        <translation>请选择要改变的参数。</translation>
    </message>
    <message>
        <source>This graph has no training settings.</source>
        <translation>这个图没有训练设置。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message numerus="yes">
        <source>The grid has %n point(s).</source>
        <translation>
            <numerusform>网格有 %n 个点。</numerusform>
        </translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Range or choices</source>
        <translation>范围或选项</translation>
    </message>
    <message>
        <source>log:LOW:HIGH, uniform:LOW:HIGH, int:LOW:HIGH, logint:LOW:HIGH or choice:A,B,…; double-click to change it</source>
        <translation>log:下限:上限、uniform:下限:上限、int:下限:上限、logint:下限:上限 或 choice:A,B,…；双击修改</translation>
    </message>
    <message>
        <source>Parameters to vary</source>
        <translation>要改变的参数</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Sobol</source>
        <translation>Sobol</translation>
    </message>
    <message>
        <source>Bayesian</source>
        <translation>贝叶斯</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Median rule</source>
        <translation>中位数规则</translation>
    </message>
    <message>
        <source>ASHA</source>
        <translation>ASHA</translation>
    </message>
    <message>
        <source>Hyperband</source>
        <translation>Hyperband</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Early stopping</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>同时</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>one per processor</source>
        <translation>每个处理器一个</translation>
    </message>
    <message>
        <source>as the document</source>
        <translation>与文档相同</translation>
    </message>
    <message>
        <source>Start sweep</source>
        <translation>开始扫描</translation>
    </message>
</context>
<context>
    <name>weft::app::TaskPlaces</name>
    <message>
        <source>Showing the tasks of the traced step</source>
        <translation>显示所记录步骤的任务</translation>
    </message>
    <message>
        <source>Showing the devices of nodes</source>
        <translation>正在显示节点的设备</translation>
    </message>
</context>
<context>
    <name>weft::app::TaskPopup</name>
    <message>
        <source>Running tasks</source>
        <translation>正在运行的任务</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>没有任务在运行。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel %1</source>
        <translation>取消 %1</translation>
    </message>
</context>
<context>
    <name>weft::app::TensorDetail</name>
    <message>
        <source>Nothing is selected</source>
        <translation>没有选中内容</translation>
    </message>
    <message>
        <source>Choose a variable above to see its values as a table, a heat map and a histogram.</source>
        <translation>在上方选择一个变量，这里就以表格、热图和直方图显示它的值。</translation>
    </message>
    <message>
        <source>The values cannot be read</source>
        <translation>无法读取数值</translation>
    </message>
    <message>
        <source>Reading the values</source>
        <translation>正在读取数值</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>这里</translation>
    </message>
    <message>
        <source>There</source>
        <translation>那里</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>The values of %1</source>
        <translation>%1 中的值</translation>
    </message>
    <message>
        <source>%1 minus %2</source>
        <translation>%1 减去 %2</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>并列</translation>
    </message>
    <message>
        <source>Shows values as images, their difference, histogram and place in the graph on one page; otherwise the numbers</source>
        <translation>在一页上并列显示数值的图像、差值、直方图及其在图中的位置；关闭则显示数值</translation>
    </message>
    <message>
        <source>All on one page</source>
        <translation>并列在一页上</translation>
    </message>
    <message>
        <source>Choose an array above to see its values as a table, a heat map and a histogram.</source>
        <translation>在上方选择一个数组，这里就以表格、热图和直方图显示它的值。</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Shows the samples as a waveform; otherwise as values</source>
        <translation>把样本显示为波形；否则显示数值</translation>
    </message>
    <message>
        <source>Shows the pixels as pictures; otherwise as values</source>
        <translation>把像素显示为图片；否则显示数值</translation>
    </message>
</context>
<context>
    <name>weft::app::TensorDock</name>
    <message>
        <source>No values yet</source>
        <translation>还没有值</translation>
    </message>
    <message>
        <source>While the debugger is paused, the values of the selected node appear here as a table, heat map, image, histogram or curve.</source>
        <translation>调试器停住时，这里以表格、热图、图像、直方图或曲线显示所选节点的值。</translation>
    </message>
    <message>
        <source>No value</source>
        <translation>没有值</translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation>第 %1 次迭代</translation>
    </message>
    <message>
        <source>current value</source>
        <translation>当前值</translation>
    </message>
    <message>
        <source>previous iteration&apos;s value</source>
        <translation>上一次迭代的值</translation>
    </message>
    <message>
        <source>previous step&apos;s value</source>
        <translation>上一步的值</translation>
    </message>
    <message>
        <source>change since previous iteration</source>
        <translation>与上一次迭代相比的变化</translation>
    </message>
    <message>
        <source>change since previous step</source>
        <translation>与上一步相比的变化</translation>
    </message>
    <message>
        <source>tensor, e.g. conv1/Relu:0</source>
        <translation>张量，例如 conv1/Relu:0</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>The tensor that is shown</source>
        <translation>显示的张量</translation>
    </message>
    <message>
        <source>Which value to show</source>
        <translation>哪个值</translation>
    </message>
    <message>
        <source>The current value, an earlier one, or the change since then</source>
        <translation>现在的值、先前的值，或两者之间的变化</translation>
    </message>
    <message>
        <source>Keep this tensor when the selection changes</source>
        <translation>无论选中什么都保持显示此张量</translation>
    </message>
    <message>
        <source>The debugger is at %1, not at the current graph; its values are shown there.</source>
        <translation>调试器位于 %1，而不是最前面的文档：它的值在那里显示。</translation>
    </message>
    <message>
        <source>Values can be changed while the debugger is paused.</source>
        <translation>调试器停在某处时才能修改值。</translation>
    </message>
    <message>
        <source>Only the present value can be changed: choose it above.</source>
        <translation>只能修改当前值：请在上方选择它。</translation>
    </message>
    <message>
        <source>Only numbers of a training step can be followed back.</source>
        <translation>只有训练步中的数才能追溯。</translation>
    </message>
</context>
<context>
    <name>weft::app::TensorMedia</name>
    <message>
        <source>%1 Hz</source>
        <translation>%1 Hz</translation>
    </message>
    <message numerus="yes">
        <source>%n channel(s)</source>
        <translation>
            <numerusform>%n 个声道</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 bit</source>
        <translation>%1 位</translation>
    </message>
    <message>
        <source>Waveform</source>
        <translation>波形</translation>
    </message>
    <message>
        <source>The wheel zooms, dragging moves, double-click shows everything</source>
        <translation>滚轮缩放，拖动平移，双击显示全部</translation>
    </message>
</context>
<context>
    <name>weft::app::TensorTable</name>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>%1 differ</source>
        <translation>%1 个不同</translation>
    </message>
    <message>
        <source>only here</source>
        <translation>只有这里有</translation>
    </message>
    <message>
        <source>only there</source>
        <translation>只有那里有</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 个元素</translation>
    </message>
    <message numerus="yes">
        <source>saved in %n part(s)</source>
        <translation>
            <numerusform>分 %n 部分保存</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 values differ
‖Δ‖/‖W‖ %3 · max |Δ| %4 · max |Δ|/|w| %5 · cosine %6</source>
        <translation>%2 个值中有 %1 个不同
‖Δ‖/‖W‖ %3 · 最大 |Δ| %4 · 最大 |Δ|/|w| %5 · 余弦 %6</translation>
    </message>
    <message>
        <source>here %1 %2, there %3 %4</source>
        <translation>这里 %1 %2，那里 %3 %4</translation>
    </message>
    <message>
        <source>Distribution of the values from minimum to maximum</source>
        <translation>值从最小到最大的分布</translation>
    </message>
    <message>
        <source>Share of values that are exactly zero</source>
        <translation>恰好为零的值所占比例</translation>
    </message>
    <message>
        <source>Number of NaN or infinite values</source>
        <translation>NaN 或无穷大的个数</translation>
    </message>
    <message>
        <source>Norm of the difference relative to the norm of the values: ‖Δ‖/‖W‖</source>
        <translation>差值的范数除以自身的范数：‖Δ‖/‖W‖</translation>
    </message>
    <message>
        <source>Largest difference between corresponding values</source>
        <translation>同一位置上两个值的最大差</translation>
    </message>
    <message>
        <source>Cosine similarity; 1 means the same direction</source>
        <translation>两者夹角的余弦：1 表示方向相同</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零值</translation>
    </message>
    <message>
        <source>NaN/Inf</source>
        <translation>NaN/Inf</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Change ‖Δ‖/‖W‖</source>
        <translation>相对变化 ‖Δ‖/‖W‖</translation>
    </message>
    <message>
        <source>Max |Δ|</source>
        <translation>最大 |Δ|</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>variable %1</source>
        <translation>变量 %1</translation>
    </message>
    <message>
        <source>Array</source>
        <translation>数组</translation>
    </message>
</context>
<context>
    <name>weft::app::TensorTogether</name>
    <message>
        <source>%1, slice %2</source>
        <translation>%1，切片 %2</translation>
    </message>
    <message>
        <source>Difference, %1 minus %2</source>
        <translation>差值，%1 减 %2</translation>
    </message>
    <message>
        <source>Histogram of the values</source>
        <translation>值的直方图</translation>
    </message>
    <message>
        <source>All %1 elements</source>
        <translation>全部 %1 个元素</translation>
    </message>
    <message>
        <source>here</source>
        <translation>此文件</translation>
    </message>
    <message>
        <source>there</source>
        <translation>另一文件</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零值</translation>
    </message>
    <message>
        <source>NaN and infinite</source>
        <translation>NaN 与无穷大</translation>
    </message>
    <message>
        <source>change ‖Δ‖/‖W‖</source>
        <translation>相对变化 ‖Δ‖/‖W‖</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>The graph around the variable: %1</source>
        <translation>变量周围的计算图：%1</translation>
    </message>
    <message>
        <source>No op reads it.</source>
        <translation>没有 op 用它计算。</translation>
    </message>
    <message>
        <source>%1 reads it.</source>
        <translation>由 %1 读取。</translation>
    </message>
    <message numerus="yes">
        <source>%1 reads it, and %n more.</source>
        <translation>
            <numerusform>由 %1 及另外 %n 个 op 读取。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 updates it in each step.</source>
        <translation>每一步由 %1 更新。</translation>
    </message>
</context>
<context>
    <name>weft::app::TensorsPage</name>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n 个变量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n variable(s)</source>
        <translation>
            <numerusform>%n 个变量中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differ(s)</source>
        <translation>
            <numerusform>%n 个有差异</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 个元素</translation>
    </message>
    <message>
        <source>Stop statistics (%1 of %2)</source>
        <translation>停止统计（%1/%2）</translation>
    </message>
    <message>
        <source>Compute statistics</source>
        <translation>计算统计量</translation>
    </message>
    <message>
        <source>Compared with %1; click to end the comparison</source>
        <translation>正在与 %1 比较；单击结束比较</translation>
    </message>
    <message>
        <source>Name, shape:5×5, type:float, size&gt;1k, has:nan</source>
        <translation>名称、shape:5×5、type:float、size&gt;1k、has:nan</translation>
    </message>
    <message>
        <source>Table filter</source>
        <translation>表的筛选</translation>
    </message>
    <message>
        <source>Variables and arrays of this file</source>
        <translation>此文件的变量与数组</translation>
    </message>
    <message>
        <source>Kinds of variables to show</source>
        <translation>哪一类变量</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>所有种类</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Optimizer slots</source>
        <translation>优化器槽</translation>
    </message>
    <message>
        <source>Moving averages</source>
        <translation>滑动平均</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>与…比较</translation>
    </message>
    <message>
        <source>Compares each variable with the one of the same name in another file</source>
        <translation>把每个变量与另一个文件中同名的变量比较</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>只看有差异</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message numerus="yes">
        <source>%n array(s)</source>
        <translation>
            <numerusform>%n 个数组</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n array(s)</source>
        <translation>
            <numerusform>%n 个数组中的 %1 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::app::TextView</name>
    <message>
        <source>No texts or audio yet</source>
        <translation>还没有文本或声音</translation>
    </message>
    <message>
        <source>Data of text and audio summaries appears here during training or from event files.</source>
        <translation>图用文本和音频摘要记录的内容会出现在这里，来自训练或事件文件。</translation>
    </message>
    <message>
        <source>Open event files…</source>
        <translation>打开事件文件…</translation>
    </message>
</context>
<context>
    <name>weft::app::TimelineDock</name>
    <message numerus="yes">
        <source>%n slice(s)</source>
        <translation>
            <numerusform>%n 个片段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>No trace yet</source>
        <translation>尚无 trace</translation>
    </message>
    <message>
        <source>A trace shows when each op of a step ran, on which device, and what was in memory. To open one from a file, use Run ▸ Open trace.</source>
        <translation>trace 显示一步中各 op 何时在哪个设备上运行，以及内存中有什么。也可用“运行 ▸ 打开 trace”从文件打开。</translation>
    </message>
    <message>
        <source>Trace 10 steps</source>
        <translation>记录 10 步</translation>
    </message>
    <message>
        <source>Find slice ( / )</source>
        <translation>查找片段 ( / )</translation>
    </message>
    <message>
        <source>Find slice</source>
        <translation>查找片段</translation>
    </message>
    <message>
        <source>Matches slices whose names contain this text; Enter goes to the next, Shift+Enter to the previous one</source>
        <translation>名称包含此文字的片段；Enter 转到下一个，Shift+Enter 转到上一个</translation>
    </message>
    <message>
        <source>Timeline of the trace</source>
        <translation>trace 的时间线</translation>
    </message>
    <message>
        <source>op category</source>
        <translation>op 类别</translation>
    </message>
    <message>
        <source>op type</source>
        <translation>op 类型</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Slice colours</source>
        <translation>片段的颜色</translation>
    </message>
    <message>
        <source>What the colours of the slices mean</source>
        <translation>片段颜色的含义</translation>
    </message>
    <message>
        <source>with problems</source>
        <translation>并非全部正常</translation>
    </message>
    <message numerus="yes">
        <source>%n arrow(s)</source>
        <translation>
            <numerusform>%n 个箭头</numerusform>
        </translation>
    </message>
    <message>
        <source>too many arrows; measure less</source>
        <translation>箭头过多；请测量较短的区间</translation>
    </message>
    <message>
        <source>Highlights on the canvas what ran at the time under the pointer</source>
        <translation>在画布上点亮指针所在时刻运行的 op</translation>
    </message>
    <message>
        <source>Show running ops</source>
        <translation>点亮正在运行的 op</translation>
    </message>
    <message>
        <source>%1 slices, %2 nodes; median step %3, 99th percentile %4</source>
        <translation>%1 个时间片，%2 个节点；步的中位数 %3，99 % 的步不超过 %4</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>slowest</source>
        <translation>最慢</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>∂ others</source>
        <translation>∂ 其他</translation>
    </message>
    <message>
        <source>%1, %2 % of the step&apos;s work</source>
        <translation>%1，占这一步工作量的 %2 %</translation>
    </message>
    <message numerus="yes">
        <source>%n op(s), slowest: %1</source>
        <translation>
            <numerusform>%n 个 op，最耗时的是 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>median of %n step(s)</source>
        <translation>
            <numerusform>%n 步的中位数</numerusform>
        </translation>
    </message>
    <message>
        <source>Time of each layer in the forward and backward passes</source>
        <translation>每一层前向与反向的用时</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>各层的前向与反向</translation>
    </message>
    <message>
        <source>Traced step</source>
        <translation>所记录的步</translation>
    </message>
    <message>
        <source>Traced step to show</source>
        <translation>显示所记录的哪一步</translation>
    </message>
    <message>
        <source>W S zoom · A D pan · F focus · M mark · G idle · drag measures</source>
        <translation>W S 缩放 · A D 平移 · F 聚焦 · M 标记 · G 空闲 · 拖动测量</translation>
    </message>
    <message>
        <source>Hatches idle times, coloured by what was waited for (G and Shift+G go from one to the next)</source>
        <translation>用斜线标出空闲时间，颜色表示在等什么（G 和 Shift+G 逐段移动）</translation>
    </message>
    <message>
        <source>Show idle times</source>
        <translation>显示空闲时间</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
</context>
<context>
    <name>weft::app::Tour</name>
    <message>
        <source>End the tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
</context>
<context>
    <name>weft::app::TraceQuestions</name>
    <message>
        <source>Finding idle times</source>
        <translation>查找空闲时间</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Predicting a step</source>
        <translation>预测一步</translation>
    </message>
</context>
<context>
    <name>weft::app::TrainStrip</name>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message numerus="yes">
        <source>%n variable(s)</source>
        <translation>
            <numerusform>%n 个变量</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: norm of the gradient applied by a step</source>
        <translation>%1：一步所应用的梯度的大小</translation>
    </message>
    <message>
        <source>The input data of a step</source>
        <translation>每一步读入的数据</translation>
    </message>
    <message>
        <source>Layers that do not fit: make the window wider</source>
        <translation>这里放不下的层：把窗口拉宽一些</translation>
    </message>
    <message>
        <source>The quantity that training minimises, over all steps</source>
        <translation>训练要减小的量，画出全部步数</translation>
    </message>
    <message>
        <source>Accuracy on the batch of the newest step</source>
        <translation>最新一步的批次中答对的比例</translation>
    </message>
    <message>
        <source>The ops that update the variables in each step</source>
        <translation>每一步由什么改变变量</translation>
    </message>
</context>
<context>
    <name>weft::app::UnsavedDialog</name>
    <message>
        <source>Unsaved work</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation>%1 有未保存的修改。</translation>
    </message>
    <message numerus="yes">
        <source>%n documents have unsaved changes. Ticked ones are saved, the others are discarded.</source>
        <translation>
            <numerusform>%n 个文档有未保存的修改。勾选的将保存，其余放弃。</numerusform>
        </translation>
    </message>
    <message>
        <source>Documents with unsaved changes</source>
        <translation>有未保存修改的文档</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>weft::app::ValueLens</name>
    <message>
        <source>unknown shape</source>
        <translation>形状未知</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>The value of run %1: %2</source>
        <translation>第 %1 次运行的值：%2</translation>
    </message>
    <message>
        <source>The program has not fetched it.</source>
        <translation>程序没有取回过它。</translation>
    </message>
    <message>
        <source>P hides its value next to the node.</source>
        <translation>按 P 隐藏节点旁的值。</translation>
    </message>
    <message>
        <source>P shows its value next to the node.</source>
        <translation>按 P 在节点旁显示它的值。</translation>
    </message>
    <message>
        <source>reading its value…</source>
        <translation>正在读取它的值…</translation>
    </message>
</context>
<context>
    <name>weft::app::ViewChooser</name>
    <message>
        <source>%1 is not a view of the graph; there are scopes, layers, ops, devices, depth N and text.</source>
        <translation>没有名为 %1 的视图；有 scopes、layers、ops、devices、depth N 和 text。</translation>
    </message>
    <message>
        <source>%1 is not a level: expected a number from 1 to %2.</source>
        <translation>%1 不是级数：应为 1 到 %2 之间的数。</translation>
    </message>
    <message>
        <source>View of the graph</source>
        <translation>图的视图</translation>
    </message>
    <message>
        <source>What each box of the drawing stands for. Each view keeps its own positions.</source>
        <translation>画面中的框是什么。每个视图都记住自己的位置；回来时一切都在原处。</translation>
    </message>
    <message>
        <source>by scope</source>
        <translation>按作用域</translation>
    </message>
    <message>
        <source>by layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>by op type</source>
        <translation>按 op 类型</translation>
    </message>
    <message>
        <source>by device</source>
        <translation>按设备</translation>
    </message>
    <message>
        <source>down to level %1</source>
        <translation>展开到第 %1 级</translation>
    </message>
    <message>
        <source>as text, beside</source>
        <translation>文本，在旁边</translation>
    </message>
</context>
<context>
    <name>weft::app::ViewNote</name>
    <message numerus="yes">
        <source>%n layer(s), one box each</source>
        <translation>
            <numerusform>共 %n 层，每层一个框</numerusform>
        </translation>
    </message>
    <message>
        <source>There are no layers: no scope of this graph contains weights</source>
        <translation>这里没有层：图中没有带权重的作用域</translation>
    </message>
    <message numerus="yes">
        <source>%n op type(s), one box each</source>
        <translation>
            <numerusform>共 %n 种 op，每种一个框</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s), one box each</source>
        <translation>
            <numerusform>共 %n 个设备，每个一个框</numerusform>
        </translation>
    </message>
    <message>
        <source>No node requests a device: TensorFlow chooses where each one runs</source>
        <translation>没有节点指定设备：由 TensorFlow 决定各节点在哪里运行</translation>
    </message>
    <message>
        <source>Scopes are open down to level %1 of %2</source>
        <translation>作用域展开到第 %1 级，共 %2 级</translation>
    </message>
    <message>
        <source>back to scopes</source>
        <translation>回到作用域</translation>
    </message>
    <message>
        <source>This view is read-only: move nodes and draw wires in the view by scope</source>
        <translation>这个视图只供阅读：移动节点与画连线请在按作用域的视图中进行</translation>
    </message>
</context>
<context>
    <name>weft::app::WatchView</name>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Watch list</source>
        <translation>监视列表</translation>
    </message>
    <message>
        <source>Double-click a value to change it; Delete removes a row</source>
        <translation>双击值可修改；Delete 删除一行</translation>
    </message>
    <message>
        <source>New expression</source>
        <translation>新表达式</translation>
    </message>
    <message>
        <source>A tensor, one of its elements, or min, max, mean, std, norm, nans … of it</source>
        <translation>一个张量、它的某个元素，或它的 min、max、mean、std、norm、nans……</translation>
    </message>
    <message>
        <source>%1: set by hand</source>
        <translation>%1：手动设置</translation>
    </message>
    <message>
        <source>name:0 or mean(name:0)</source>
        <translation>name:0 或 mean(name:0)</translation>
    </message>
    <message>
        <source>Nothing is watched</source>
        <translation>没有监视任何值</translation>
    </message>
    <message>
        <source>Expressions added below are shown here whenever the debugger stops. Their values can be changed.</source>
        <translation>在下方写入名称，调试器每次停住时这里显示其值，并可修改。</translation>
    </message>
</context>
<context>
    <name>weft::app::WhatIfPage</name>
    <message>
        <source>then only</source>
        <translation>仅那时</translation>
    </message>
    <message>
        <source>now only</source>
        <translation>仅现在</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>then</source>
        <translation>那时</translation>
    </message>
    <message>
        <source>on the path</source>
        <translation>在路径上</translation>
    </message>
    <message numerus="yes">
        <source>%n execution(s) per step change, which take %1.</source>
        <translation>
            <numerusform>每步有 %n 次执行改变，它们用时 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The model reproduces the measured step.</source>
        <translation>模型再现了实测的一步。</translation>
    </message>
    <message>
        <source>The model&apos;s step without changes differs by %1 % from the measured one; the prediction is corrected by that.</source>
        <translation>模型中未改变的一步与实测相差 %1 %，预测已按此修正。</translation>
    </message>
    <message>
        <source>Where such predictions were checked by measuring, they were off by up to %1 %.</source>
        <translation>凡经实测验证的此类预测，误差不超过 %1 %。</translation>
    </message>
    <message>
        <source>How fast an op is on another device is your assumption; each value that crosses takes 10 µs and its bytes at 12 GB/s. This has not been checked by measuring.</source>
        <translation>op 在另一设备上有多快是您的假设；每个跨设备的值按 10 µs 加上 12 GB/s 的传输计算。这没有经过实测验证。</translation>
    </message>
    <message>
        <source>A fused op is taken to cost nothing of its own, which is the most that fusing can gain. This has not been checked by measuring.</source>
        <translation>融合的 op 按自身不花时间计算，这是融合最多能得到的。这没有经过实测验证。</translation>
    </message>
    <message>
        <source>Threads keep their ops in their order; a real scheduler may do better.</source>
        <translation>各线程保持其 op 的次序；真正的调度器可能做得更好。</translation>
    </message>
    <message>
        <source>%1: %2 times as fast</source>
        <translation>%1：速度为 %2 倍</translation>
    </message>
    <message>
        <source>%1: takes %2 times as long</source>
        <translation>%1：用时为 %2 倍</translation>
    </message>
    <message>
        <source>%1: not executed</source>
        <translation>%1：不执行</translation>
    </message>
    <message>
        <source>%1: fused with %2</source>
        <translation>%1：与 %2 融合</translation>
    </message>
    <message>
        <source>%1: on %2, %3 times as fast</source>
        <translation>%1：在 %2 上，速度为 %3 倍</translation>
    </message>
    <message>
        <source>No prediction</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>Predicting…</source>
        <translation>正在预测…</translation>
    </message>
    <message>
        <source>What if an op were faster?</source>
        <translation>假如某个 op 更快？</translation>
    </message>
    <message>
        <source>The prediction was cancelled</source>
        <translation>预测已取消</translation>
    </message>
    <message>
        <source>Choose an op type, a scope or a node and what would change. The traced steps are replayed with it.</source>
        <translation>选择 op 类型、作用域或节点以及要改变什么。将按此重放所记录的步骤。</translation>
    </message>
    <message>
        <source>no gain: other ops decide when the step ends</source>
        <translation>没有收益：一步何时结束由其他 op 决定</translation>
    </message>
    <message>
        <source>%1 times as fast</source>
        <translation>速度为 %1 倍</translation>
    </message>
    <message>
        <source>takes %1 times as long</source>
        <translation>用时为 %1 倍</translation>
    </message>
    <message>
        <source>critical path of step %1: %2 → %3</source>
        <translation>第 %1 步的关键路径：%2 → %3</translation>
    </message>
    <message>
        <source>No trace yet</source>
        <translation>还没有 trace</translation>
    </message>
    <message>
        <source>From traced steps, Weft predicts how long a step would take if an op were faster, gone, fused, or on another device.</source>
        <translation>Weft 根据所记录的步骤，预测某个 op 更快、不执行、融合或在另一设备上时一步需要多久。</translation>
    </message>
    <message>
        <source>Trace 10 steps</source>
        <translation>记录 10 步</translation>
    </message>
    <message>
        <source>is faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>is not executed</source>
        <translation>不执行</translation>
    </message>
    <message>
        <source>is fused with its input</source>
        <translation>与其输入融合</translation>
    </message>
    <message>
        <source>runs on another device</source>
        <translation>在另一设备上运行</translation>
    </message>
    <message>
        <source>What would change</source>
        <translation>改变什么</translation>
    </message>
    <message>
        <source>An op type such as MatMul, a scope such as conv1/, or a node</source>
        <translation>op 类型（如 MatMul）、作用域（如 conv1/）或节点</translation>
    </message>
    <message>
        <source>op type, scope/ or node</source>
        <translation>op 类型、作用域/ 或节点</translation>
    </message>
    <message>
        <source>How it would change</source>
        <translation>怎样改变</translation>
    </message>
    <message>
        <source>How many times as fast</source>
        <translation>速度的倍数</translation>
    </message>
    <message>
        <source>How many times as fast; below 1, slower</source>
        <translation>速度的倍数；小于 1 则更慢</translation>
    </message>
    <message>
        <source>of type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Type of the input</source>
        <translation>输入的类型</translation>
    </message>
    <message>
        <source>The op type that computes the input: each op that reads one is computed with it</source>
        <translation>计算输入的 op 类型：读取它的每个 op 与它一起计算</translation>
    </message>
    <message>
        <source>on</source>
        <translation>于</translation>
    </message>
    <message>
        <source>Other device</source>
        <translation>另一设备</translation>
    </message>
    <message>
        <source>A device of the trace or of this machine; another name counts as a device of its own</source>
        <translation>trace 中或本机的设备；其他名称视为单独的设备</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Adds this change and predicts the step (Enter)</source>
        <translation>加入这个改变并预测一步（Enter）</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>改变</translation>
    </message>
    <message>
        <source>Removes the selected change (Delete)</source>
        <translation>删除所选的改变（Delete）</translation>
    </message>
    <message>
        <source>Critical path now and then</source>
        <translation>现在和那时的关键路径</translation>
    </message>
    <message>
        <source>Predicted step</source>
        <translation>预测的一步</translation>
    </message>
</context>
<context>
    <name>weft::app::WhyStore</name>
    <message>
        <source>Nothing has been trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>The steps of this training are not recorded; see Recorded steps in the settings.</source>
        <translation>这次训练的步没有被记录；见设置中的“记录的步”。</translation>
    </message>
    <message>
        <source>Steps of this training cannot be computed again: %1.</source>
        <translation>这次训练的步不能重新计算：%1。</translation>
    </message>
    <message>
        <source>No step is recorded yet.</source>
        <translation>还没有记录任何一步。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Why %1</source>
        <translation>为什么 %1</translation>
    </message>
    <message>
        <source>Rows behind %1</source>
        <translation>%1 背后的数据行</translation>
    </message>
    <message>
        <source>Comparing step %1 with step %2</source>
        <translation>正在比较第 %1 步和第 %2 步</translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation>与 %1 比较</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1，改为 %2</translation>
    </message>
    <message>
        <source>Training %1 to compare</source>
        <translation>训练 %1 以便比较</translation>
    </message>
</context>
<context>
    <name>weft::app::WhyView</name>
    <message>
        <source>While a graph trains, its last steps are recorded. Any number in them can then be followed back to the data.</source>
        <translation>图在训练时，最近的步会被记录。其中任何一个数都可以追溯到数据。</translation>
    </message>
    <message numerus="yes">
        <source>Steps %1 to %2 are recorded, with %n copies of the variables (%3)</source>
        <translation>
            <numerusform>记录了第 %1 到 %2 步，有 %n 份变量副本（%3）</numerusform>
        </translation>
    </message>
    <message>
        <source>Steps are computed again…</source>
        <translation>正在重新计算…</translation>
    </message>
    <message>
        <source>All %1 values are the same.</source>
        <translation>全部 %1 个值都相同。</translation>
    </message>
    <message>
        <source>%1 of %2 values differ. Bold: everything that they are computed from is equal.</source>
        <translation>%2 个值中有 %1 个不同。粗体：计算它们所用的一切都相同。</translation>
    </message>
    <message>
        <source>Answered in %1</source>
        <translation>用时 %1</translation>
    </message>
    <message>
        <source>Name a tensor or a variable, such as fc1/weights[3,5].</source>
        <translation>写出张量或变量，例如 fc1/weights[3,5]。</translation>
    </message>
    <message>
        <source>What each row of the batch contributes.</source>
        <translation>批次中每一行的贡献。</translation>
    </message>
    <message>
        <source>It depends on one row of the batch.</source>
        <translation>它只取决于批次中的一行。</translation>
    </message>
    <message>
        <source>%1 is the mean of what each row gives alone.</source>
        <translation>%1 是各行单独结果的平均。</translation>
    </message>
    <message>
        <source>%1 is the sum of what each row gives alone.</source>
        <translation>%1 是各行单独结果之和。</translation>
    </message>
    <message>
        <source>Rows act on each other in %1, so that their contributions are not known.</source>
        <translation>在 %1 中各行互相影响，所以不知道它们各自的贡献。</translation>
    </message>
    <message>
        <source>Why is this number what it is?</source>
        <translation>这个数为什么是这样？</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Tensor or variable, such as fc1/weights[3,5]</source>
        <translation>张量或变量，例如 fc1/weights[3,5]</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>An element of a tensor or variable; without an index, its largest element</source>
        <translation>张量或变量的一个元素；没有下标时取绝对值最大的</translation>
    </message>
    <message>
        <source>in step</source>
        <translation>在步</translation>
    </message>
    <message>
        <source>A recorded step of the training</source>
        <translation>训练中被记录的一步</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一个步</translation>
    </message>
    <message>
        <source>Second step</source>
        <translation>第二个步</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Follows the number back to the data</source>
        <translation>把这个数追溯到数据</translation>
    </message>
    <message>
        <source>and step</source>
        <translation>和步</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Computes both steps again and compares all their values</source>
        <translation>重新计算两步并比较其中的所有值</translation>
    </message>
    <message>
        <source>Computed from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Rows of data</source>
        <translation>数据行</translation>
    </message>
    <message>
        <source>Earlier values</source>
        <translation>更早的值</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1，%2。</translation>
    </message>
    <message>
        <source>%1 = %2, %3.</source>
        <translation>%1 = %2，%3。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>another step of this training</source>
        <translation>这次训练的另一步</translation>
    </message>
    <message>
        <source>this training with another setting…</source>
        <translation>改变设置后的本次训练…</translation>
    </message>
    <message>
        <source>a training of %1</source>
        <translation>%1 的训练</translation>
    </message>
    <message>
        <source>first to differ</source>
        <translation>最先不同</translation>
    </message>
    <message>
        <source>No step that is recorded of both trainings differs.</source>
        <translation>两次训练都有记录的步没有不同。</translation>
    </message>
    <message>
        <source>Step %1 of %2 and of %3.</source>
        <translation>%2 与 %3 的第 %1 步。</translation>
    </message>
    <message>
        <source>Two steps of this training, or a step of two trainings, value by value.</source>
        <translation>逐个值比较这次训练的两步，或两次训练的同一步。</translation>
    </message>
    <message>
        <source>What to compare with</source>
        <translation>与什么比较</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>The setting, live scalar or tensor that is changed</source>
        <translation>要改变的设置、可调标量或张量</translation>
    </message>
    <message>
        <source>Value of the setting</source>
        <translation>设置的值</translation>
    </message>
    <message>
        <source>Its value in the other training, which is computed for the comparison; nothing is saved</source>
        <translation>它在另一次训练中的值；那次训练专为比较而计算，不保存任何文件</translation>
    </message>
    <message>
        <source>Another step, an earlier training, this training with another setting, or a training of another document</source>
        <translation>另一步、较早的训练、改变设置后的本次训练，或另一文档的训练</translation>
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
        <source>Creating %1</source>
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
        <source>%1: %2, read in %3 ms</source>
        <translation>%1：%2，读取用时 %3 毫秒</translation>
    </message>
    <message>
        <source>%1 was not saved as %2: that file is open in another tab. Close that tab first, or choose another name.</source>
        <translation>%1 未保存为 %2：该文件已在另一个标签页中打开。请先关闭那个标签页，或另选名称。</translation>
    </message>
    <message>
        <source>%1 was not saved: another program or window has changed it since it was opened.</source>
        <translation>%1 未保存：自此处读取以来，另一个程序或窗口更改了它。</translation>
    </message>
    <message>
        <source>Still saving in the background.</source>
        <translation>仍在后台保存。</translation>
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
    <name>weft::widgets::AddMenu</name>
    <message>
        <source>Add to the graph</source>
        <translation>添加到图中</translation>
    </message>
    <message>
        <source>What to add</source>
        <translation>要添加的内容</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>合适的条目</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Enter adds · Shift+Enter keeps this open</source>
        <translation>Enter 添加 · Shift+Enter 保持打开</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>没有符合的名称</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>entries listed of all</comment>
        <translation>第 %1 次，共 %2 次</translation>
    </message>
    <message>
        <source>Add a layer or an op: dense 10 relu</source>
        <translation>添加层或 op：dense 10 relu</translation>
    </message>
    <message>
        <source>Enter adds it with %1</source>
        <translation>按 Enter 添加，取值 %1</translation>
    </message>
</context>
<context>
    <name>weft::widgets::CardGrid</name>
    <message>
        <source>A regular expression; (groups) in it name the groups of cards.</source>
        <translation>正则表达式；其中（括号）匹配到的内容作为卡片的分组名。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::CardPanel</name>
    <message>
        <source>Tag filter</source>
        <translation>标签筛选</translation>
    </message>
    <message>
        <source>Filter tags</source>
        <translation>筛选标签</translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation>在图中显示</translation>
    </message>
</context>
<context>
    <name>weft::widgets::ExpressionCompleter</name>
    <message>
        <source>Names and functions</source>
        <translation>名称和函数</translation>
    </message>
</context>
<context>
    <name>weft::widgets::FilterMosaic</name>
    <message numerus="yes">
        <source>%n filter(s) of %1</source>
        <translation>
            <numerusform>%n 个 %1 滤波器</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n filter(s) of %1 over %2 channels</source>
        <translation>
            <numerusform>%2 个通道上的 %n 个 %1 滤波器</numerusform>
        </translation>
    </message>
    <message>
        <source>the first %1 × %2 are shown</source>
        <translation>显示前 %1 × %2 个</translation>
    </message>
    <message>
        <source>One image per filter; its three channels are shown as red, green and blue.</source>
        <translation>每个滤波器一幅图；三个通道以红、绿、蓝显示。</translation>
    </message>
    <message>
        <source>One column per filter, one row per channel, all on the same scale.</source>
        <translation>每列一个滤波器，每行一个通道，全部使用同一标度。</translation>
    </message>
    <message>
        <source>One image per filter, all on the same scale.</source>
        <translation>每个滤波器一幅图，全部使用同一标度。</translation>
    </message>
    <message>
        <source>filter %1</source>
        <translation>滤波器 %1</translation>
    </message>
</context>
<context>
    <name>weft::widgets::FindBar</name>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n 处匹配</numerusform>
        </translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Aa</source>
        <translation>Aa</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一处匹配（Shift+Enter）</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一处匹配（Enter）</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Replaces this match and goes to the next</source>
        <translation>替换此处并转到下一处</translation>
    </message>
    <message>
        <source>Replaces all matches in one step</source>
        <translation>一步替换所有匹配</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
</context>
<context>
    <name>weft::widgets::FoldingBar</name>
    <message>
        <source>More controls</source>
        <translation>更多控件</translation>
    </message>
</context>
<context>
    <name>weft::widgets::FrameViewer</name>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 张，共 %2 张</translation>
    </message>
    <message>
        <source>at %1 s, for %2 ms</source>
        <translation>始于 %1 秒，显示 %2 毫秒</translation>
    </message>
    <message>
        <source>Previous picture (←)</source>
        <translation>上一张（←）</translation>
    </message>
    <message>
        <source>Next picture (→)</source>
        <translation>下一张（→）</translation>
    </message>
    <message>
        <source>Stop (Space)</source>
        <translation>停止（空格）</translation>
    </message>
    <message>
        <source>Play (Space)</source>
        <translation>播放（空格）</translation>
    </message>
    <message>
        <source>Picture to show</source>
        <translation>要显示的图片</translation>
    </message>
    <message>
        <source>All pictures</source>
        <translation>所有图片</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>The wheel zooms, dragging moves, double-click shows the whole picture</source>
        <translation>滚轮缩放，拖动平移，双击显示整张图片</translation>
    </message>
</context>
<context>
    <name>weft::widgets::GraphView</name>
    <message>
        <source>loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>conditional</source>
        <translation>条件分支</translation>
    </message>
    <message>
        <source>if true</source>
        <translation>为真时</translation>
    </message>
    <message>
        <source>if false</source>
        <translation>为假时</translation>
    </message>
    <message>
        <source>unplaced</source>
        <translation>未指定设备</translation>
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
    <message>
        <source>other types</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>New text</source>
        <translation>新文字</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>nothing is connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>This would create a cycle: %1 is computed from %2.</source>
        <translation>这会形成环：%1 由 %2 计算而来。</translation>
    </message>
    <message>
        <source>%1 has no inputs.</source>
        <translation>%1 没有输入。</translation>
    </message>
    <message>
        <source>%1 has no outputs.</source>
        <translation>%1 没有输出。</translation>
    </message>
    <message>
        <source>Control dependencies: the sources run first, no data is passed.</source>
        <translation>多条控制边：它们的来源先运行；没有值流过。</translation>
    </message>
    <message>
        <source>Several tensors: expand the scopes to see each.</source>
        <translation>多个张量：展开作用域可以逐一查看。</translation>
    </message>
    <message>
        <source>control dependency: runs first, no data passed</source>
        <translation>控制边：来源先运行；没有值流过</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n alike</source>
        <translation>
            <numerusform>%1 · %n 个相同</numerusform>
        </translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>initializers</source>
        <translation>初始化</translation>
    </message>
    <message>
        <source>save and restore</source>
        <translation>保存与恢复</translation>
    </message>
    <message>
        <source>summaries</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>step counter</source>
        <translation>步数计数器</translation>
    </message>
    <message>
        <source>optimizer slots</source>
        <translation>优化器槽变量</translation>
    </message>
    <message>
        <source>moving averages</source>
        <translation>滑动平均</translation>
    </message>
    <message>
        <source>queues</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>helpers</source>
        <translation>辅助节点</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alike</source>
        <translation>
            <numerusform>%n 个相同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wire(s) drawn on demand</source>
        <translation>
            <numerusform>%n 条连线平时不画出</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Click: hide them again</source>
        <translation>单击：重新隐藏</translation>
    </message>
    <message>
        <source>Click: keep them shown</source>
        <translation>单击：一直画出</translation>
    </message>
    <message>
        <source>no device</source>
        <translation>未指定设备</translation>
    </message>
    <message>
        <source>constants not read</source>
        <translation>未被读取的常量</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors run along it: expand the scopes to see each.</source>
        <translation>
            <numerusform>沿此连线有 %n 个张量：展开作用域可逐个查看。</numerusform>
        </translation>
    </message>
    <message>
        <source>from task to task, %1 per step</source>
        <translation>任务之间，每步 %1</translation>
    </message>
    <message>
        <source>from task to task</source>
        <translation>任务之间</translation>
    </message>
</context>
<context>
    <name>weft::widgets::HistogramGrid</name>
    <message>
        <source>histograms</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>错位</translation>
    </message>
    <message>
        <source>Slices one behind the other, newest in front</source>
        <translation>各步的切片前后排开，最新的在最前</translation>
    </message>
    <message>
        <source>overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Slices on top of each other, newest most opaque</source>
        <translation>各步叠画在一起，最新的最醒目</translation>
    </message>
    <message>
        <source>heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Density of the values over all steps</source>
        <translation>所有步的取值，以颜色表示密度</translation>
    </message>
    <message>
        <source>distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Minimum, median, maximum and 0.5, 1 and 1.5 standard deviations over all steps</source>
        <translation>所有步的最小值、中位数、最大值，以及 0.5、1 和 1.5 个标准差</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>over training steps</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>over time since the first value</source>
        <translation>按距第一个值的时间</translation>
    </message>
    <message>
        <source>wall</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>over wall-clock time</source>
        <translation>按时刻</translation>
    </message>
    <message>
        <source>Histograms of %1</source>
        <translation>%1 的直方图</translation>
    </message>
    <message>
        <source>saturated units</source>
        <translation>饱和单元</translation>
    </message>
    <message>
        <source>During training, shows the share of inactive units of each activation</source>
        <translation>训练时：每个激活中已不起作用的比例</translation>
    </message>
</context>
<context>
    <name>weft::widgets::HistogramPlot</name>
    <message>
        <source>All runs are hidden</source>
        <translation>所有运行都已隐藏</translation>
    </message>
    <message>
        <source>%1 values, mean %2, deviation %3</source>
        <translation>%1 个值，均值 %2，标准差 %3</translation>
    </message>
    <message>
        <source>min %1, median %2, max %3</source>
        <translation>最小 %1，中位 %2，最大 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), none dropped</source>
        <translation>
            <numerusform>%n 步，一步不少</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 drawn</source>
        <translation>画出 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>All values are NaN or infinite</source>
        <translation>所有值都是 NaN 或无穷大</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) with NaN or infinite numbers</source>
        <translation>
            <numerusform>%n 步含有 NaN 或无穷大</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::ImageCard</name>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 次，共 %2 次</translation>
    </message>
    <message>
        <source>Double-click to enlarge</source>
        <translation>双击细看</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), none dropped</source>
        <translation>
            <numerusform>%n 步，一步不少</numerusform>
        </translation>
    </message>
    <message>
        <source>This image cannot be decoded.</source>
        <translation>无法解码此图像。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::ImageGrid</name>
    <message>
        <source>zoom %1 %</source>
        <translation>缩放 %1 %</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size of the cards</source>
        <translation>卡片大小</translation>
    </message>
    <message>
        <source>brightness</source>
        <translation>亮度</translation>
    </message>
    <message>
        <source>Brightness of all images</source>
        <translation>所有图像的亮度</translation>
    </message>
    <message>
        <source>contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Contrast of all images</source>
        <translation>所有图像的对比度</translation>
    </message>
    <message>
        <source>Brightness and contrast as logged</source>
        <translation>恢复记录时的亮度和对比度</translation>
    </message>
    <message>
        <source>First image</source>
        <translation>第一幅图像</translation>
    </message>
    <message>
        <source>Second image</source>
        <translation>第二幅图像</translation>
    </message>
    <message>
        <source>wipe</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Both images with a movable divider</source>
        <translation>两幅并列，分界线可以拖动</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Pixel-by-pixel difference</source>
        <translation>逐像素显示两者之差</translation>
    </message>
    <message>
        <source>Fit (F)</source>
        <translation>适合窗口 (F)</translation>
    </message>
    <message>
        <source>Actual pixels (1); zoom in to see their values</source>
        <translation>原始大小 (1)；继续放大可看到像素值</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Enlarged image</source>
        <translation>放大的图像</translation>
    </message>
    <message>
        <source>images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>细看</translation>
    </message>
    <message>
        <source>Compare with enlarged image</source>
        <translation>与放大的图像比较</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>存为 PNG…</translation>
    </message>
    <message>
        <source>Save as PNG</source>
        <translation>存为 PNG</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::ImportanceBars</name>
    <message>
        <source>↗ with it</source>
        <translation>↗ 随之上升</translation>
    </message>
    <message>
        <source>↘ against it</source>
        <translation>↘ 随之下降</translation>
    </message>
</context>
<context>
    <name>weft::widgets::IterationStrip</name>
    <message>
        <source>iteration %1 of 0 to %2</source>
        <translation>0 至 %2 中的第 %1 次迭代</translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation>第 %1 次迭代</translation>
    </message>
    <message>
        <source>Not reached yet: click to run to it.</source>
        <translation>尚未到达：单击即运行到那里。</translation>
    </message>
    <message>
        <source>Values not kept: click to recompute them.</source>
        <translation>它的值没有保留：单击即重新计算。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::MediaList</name>
    <message>
        <source>texts and audio</source>
        <translation>文本与声音</translation>
    </message>
    <message>
        <source>Save as WAV…</source>
        <translation>存为 WAV…</translation>
    </message>
    <message>
        <source>Save as text…</source>
        <translation>存为文本…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), none dropped</source>
        <translation>
            <numerusform>%n 步，一步不少</numerusform>
        </translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Renders texts as Markdown; otherwise shows plain text</source>
        <translation>按 Markdown 显示文本；否则逐字显示</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>%1 无法写入。</translation>
    </message>
    <message>
        <source>No program on this desktop plays WAV files. Save the file and open it with a program of your choice.</source>
        <translation>本桌面没有能播放 WAV 文件的程序。请保存后用您选择的程序打开。</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message numerus="yes">
        <source>%1 Hz, %n channel(s), %2</source>
        <translation>
            <numerusform>%1 Hz，%n 个声道，%2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::MemoryMap</name>
    <message>
        <source>%1 at %2 of the arena</source>
        <translation>%1，位于内存池 %2 处</translation>
    </message>
    <message>
        <source>used in step %1: %2</source>
        <translation>第 %1 步需要：%2</translation>
    </message>
    <message>
        <source>used in %1 steps: from %2 (%3) to %4 (%5)</source>
        <translation>%1 步需要：从第 %2 步（%3）到第 %4 步（%5）</translation>
    </message>
    <message>
        <source>step %1: %2
%3 in use</source>
        <translation>第 %1 步：%2
已用 %3</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>lower bound: %1</source>
        <translation>最少需要：%1</translation>
    </message>
    <message>
        <source>arena: %1</source>
        <translation>内存池：%1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步骤</translation>
    </message>
</context>
<context>
    <name>weft::widgets::MeshGrid</name>
    <message>
        <source>Meshes</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Batch index</source>
        <translation>批内序号</translation>
    </message>
    <message>
        <source>Which mesh of the batch all cards show</source>
        <translation>所有卡片显示批中的哪个网格</translation>
    </message>
    <message numerus="yes">
        <source>%n vertex(es)</source>
        <translation>
            <numerusform>%n 个顶点</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message numerus="yes">
        <source>%n face(s)</source>
        <translation>
            <numerusform>%n 个面</numerusform>
        </translation>
    </message>
    <message>
        <source>All runs with the mesh %1 are hidden.</source>
        <translation>含有网格 %1 的运行都已隐藏。</translation>
    </message>
    <message>
        <source>There is no mesh %1; there are %2.</source>
        <translation>没有网格 %1；现有 %2。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::MeshPlot</name>
    <message>
        <source>vertex %1
x %2, y %3, z %4</source>
        <translation>顶点 %1
x %2，y %3，z %4</translation>
    </message>
    <message>
        <source>colour %1, %2, %3</source>
        <translation>颜色 %1，%2，%3</translation>
    </message>
    <message>
        <source>No vertices were logged.</source>
        <translation>没有记录顶点。</translation>
    </message>
    <message>
        <source>The mesh is empty.</source>
        <translation>网格是空的。</translation>
    </message>
    <message>
        <source>%1 % drawn</source>
        <translation>已画出 %1%</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PaletteModel</name>
    <message>
        <source>Favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PaletteView</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the palette</source>
        <translation>筛选组件面板</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>组件面板</translation>
    </message>
    <message>
        <source>No matches. The search includes words of the documentation.</source>
        <translation>没有这个名称；文档中的词也已查找。</translation>
    </message>
    <message>
        <source>Add to the graph</source>
        <translation>添加到图中</translation>
    </message>
    <message>
        <source>Remove from favourites</source>
        <translation>从收藏中移除</translation>
    </message>
    <message>
        <source>Add to favourites</source>
        <translation>加入收藏</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PassStrip</name>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 层</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PlotCard</name>
    <message>
        <source>Maximize</source>
        <translation>最大化</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Unpin from overview</source>
        <translation>从概览中取下</translation>
    </message>
    <message>
        <source>Pin to overview</source>
        <translation>固定到概览</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PrGrid</name>
    <message>
        <source>PR curves</source>
        <translation>PR 曲线</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message numerus="yes">
        <source>%n threshold(s)</source>
        <translation>
            <numerusform>%n 个阈值</numerusform>
        </translation>
    </message>
    <message>
        <source>area %1</source>
        <translation>面积 %1</translation>
    </message>
    <message>
        <source>There is no PR curve %1; there are %2.</source>
        <translation>没有 PR 曲线 %1；有的是 %2。</translation>
    </message>
    <message>
        <source>All runs with the PR curve %1 are hidden.</source>
        <translation>含有 PR 曲线 %1 的运行都已隐藏。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PrPlot</name>
    <message>
        <source>threshold %1
precision %2, recall %3
true positives %4, false positives %5
true negatives %6, false negatives %7</source>
        <translation>阈值 %1
精确率 %2，召回率 %3
真正例 %4，假正例 %5
真负例 %6，假负例 %7</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精确率</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PropertyEditor</name>
    <message>
        <source>several values</source>
        <translation>多个值</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>A number is required.</source>
        <translation>缺少一个数。</translation>
    </message>
    <message>
        <source>fx</source>
        <translation>fx</translation>
    </message>
    <message>
        <source>%1 follows an expression. Type a value to end that.</source>
        <translation>%1 跟随表达式。输入一个值即可结束跟随。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::PropertySheet</name>
    <message>
        <source>Reset to default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认值：%1</translation>
    </message>
    <message>
        <source>The default value.</source>
        <translation>这是默认值，未另行给出。</translation>
    </message>
    <message>
        <source>Enter an expression</source>
        <translation>输入表达式</translation>
    </message>
    <message>
        <source>Follows the expression %1.</source>
        <translation>跟随表达式 %1。</translation>
    </message>
    <message>
        <source>Type = for an expression, such as =2*width.</source>
        <translation>输入 = 开始表达式，例如 =2*width。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::RooflinePlot</name>
    <message>
        <source>%1 GFLOP/s at %2 FLOP per byte, %3 % of the time</source>
        <translation>%1 GFLOP/s，每字节 %2 FLOP，占时间的 %3 %</translation>
    </message>
    <message>
        <source>%1 % of the memory bandwidth limit</source>
        <translation>达到内存带宽所允许的 %1 %</translation>
    </message>
    <message>
        <source>%1 % of the best rate</source>
        <translation>达到最高速率的 %1 %</translation>
    </message>
    <message>
        <source>FLOP per byte moved</source>
        <translation>每搬运一字节的 FLOP</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>This machine&apos;s roofline: %1 GB/s of memory up to %2 FLOP per byte, %3 GFLOP/s beyond</source>
        <translation>本机的上限：每字节不超过 %2 FLOP 时受限于 %1 GB/s 的内存带宽，之后为 %3 GFLOP/s</translation>
    </message>
</context>
<context>
    <name>weft::widgets::RunCardPanel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
</context>
<context>
    <name>weft::widgets::RunList</name>
    <message>
        <source>Only these</source>
        <translation>只看这些</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Hide all</source>
        <translation>全部隐藏</translation>
    </message>
    <message>
        <source>Remove from the panels</source>
        <translation>移出面板</translation>
    </message>
    <message>
        <source>Run filter</source>
        <translation>运行筛选</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>A regular expression; (groups) in it name groups of runs, each with its own mean.</source>
        <translation>正则表达式；其中（括号）所匹配的内容给运行分组，每组各有均值。</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
</context>
<context>
    <name>weft::widgets::SaturationList</name>
    <message>
        <source>%1 % %2</source>
        <translation>%1 % %2</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Over steps</source>
        <translation>随步数</translation>
    </message>
    <message>
        <source>Inactive</source>
        <translation>不起作用</translation>
    </message>
    <message>
        <source>Relu: units that are zero for every sample; tanh and sigmoid: outputs close to an end of their range</source>
        <translation>Relu：对所有样本都为零的单元；tanh 与 sigmoid：几乎到达取值范围两端的输出</translation>
    </message>
    <message>
        <source>Saturated units</source>
        <translation>饱和单元</translation>
    </message>
</context>
<context>
    <name>weft::widgets::ScalarGrid</name>
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
        <translation>对数 y</translation>
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
        <source>Exclude outliers from the y range</source>
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
    <message>
        <source>Values of the series</source>
        <translation>各序列的值</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>对数 x</translation>
    </message>
    <message>
        <source>Logarithmic x axis for all cards</source>
        <translation>所有卡片使用对数 x 轴</translation>
    </message>
    <message>
        <source>mean ± σ</source>
        <translation>均值 ± σ</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Minimum, maximum and last values of all series</source>
        <translation>所有序列的最小、最大和最后的值</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>List of runs</source>
        <translation>运行列表</translation>
    </message>
    <message>
        <source>EMA</source>
        <translation>EMA</translation>
    </message>
    <message>
        <source>EMA over time</source>
        <translation>按时间 EMA</translation>
    </message>
    <message>
        <source>running average</source>
        <translation>滑动平均</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>高斯</translation>
    </message>
    <message>
        <source>Smoothing: exponential moving average by step, as in TensorBoard, or by time; moving average or Gaussian</source>
        <translation>曲线的平滑方式：按步的指数滑动平均（与 TensorBoard 相同）或按时间；前后邻近点的均值或高斯加权</translation>
    </message>
    <message>
        <source>Smoothing method</source>
        <translation>平滑方式</translation>
    </message>
    <message>
        <source>Strength: the weight of the exponential average; the other methods remove as much noise at the same strength</source>
        <translation>强度：指数平均的权重；强度相同时，其他方式去除同样多的噪声</translation>
    </message>
    <message>
        <source>Mean and standard deviation over the visible runs; (groups) in the run filter name groups with a mean each</source>
        <translation>可见运行的均值和标准差；运行筛选框中（括号）所匹配的内容划分出各有均值的组</translation>
    </message>
    <message>
        <source>events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Checkpoints and edits of live values as vertical lines</source>
        <translation>用竖线标出检查点和实时值的改动</translation>
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
        <translation>对数 y</translation>
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
    <message>
        <source>Logarithmic x axis</source>
        <translation>对数 x 轴</translation>
    </message>
    <message>
        <source>Mean and spread of the runs</source>
        <translation>各运行的均值与离散程度</translation>
    </message>
    <message>
        <source>Range of the y axis…</source>
        <translation>y 轴范围…</translation>
    </message>
    <message>
        <source>Range of the y axis</source>
        <translation>y 轴范围</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>± σ</source>
        <translation>± σ</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>log x</source>
        <translation>对数 x</translation>
    </message>
    <message>
        <source>Checkpoints and edits</source>
        <translation>检查点与改动</translation>
    </message>
    <message>
        <source>all at one step: choose wall, or write them with their step</source>
        <translation>都在同一步：请选择 wall，或写入时给出步数</translation>
    </message>
    <message>
        <source>Enter two numbers, the first below the second, with decimal points.</source>
        <translation>需要两个数，第一个小于第二个；小数用点，不用逗号。</translation>
    </message>
    <message>
        <source>All values are NaN or infinite</source>
        <translation>所有值都是 NaN 或无穷大</translation>
    </message>
    <message>
        <source>No value is above 0, so there is nothing to show on a logarithmic axis</source>
        <translation>没有大于 0 的值，无法在对数轴上显示</translation>
    </message>
    <message>
        <source>%1 ends at %2</source>
        <translation>%1（止于%2）</translation>
    </message>
    <message>
        <source>%1 begins at %2</source>
        <translation>%1（始于%2）</translation>
    </message>
    <message>
        <source>max %1 · %2</source>
        <translation>最大 %1 · %2</translation>
    </message>
</context>
<context>
    <name>weft::widgets::ScalarTableModel</name>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>minimum</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>at step</source>
        <translation>在第几步</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>points</source>
        <translation>点数</translation>
    </message>
</context>
<context>
    <name>weft::widgets::StepSlider</name>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step to show; the right end always shows the newest</source>
        <translation>所显示的步；在最右端时总是最新的一步</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>最新</translation>
    </message>
</context>
<context>
    <name>weft::widgets::TensorView</name>
    <message numerus="yes">
        <source>%n cell(s)</source>
        <translation>
            <numerusform>%n 个单元格</numerusform>
        </translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>+inf / −inf</source>
        <translation>+inf / −inf</translation>
    </message>
    <message>
        <source>Position on axis %1, of %2</source>
        <translation>第 %1 轴上的位置，共 %2</translation>
    </message>
    <message>
        <source>Position on axis %1</source>
        <translation>第 %1 轴上的位置</translation>
    </message>
    <message>
        <source>Expected &gt; 3, &lt;= -1, |x| &gt; 3, [-1, 1], nan or inf.</source>
        <translation>应为 &gt; 3、&lt;= -1、|x| &gt; 3、[-1, 1]、nan 或 inf。</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>The values as numbers</source>
        <translation>值本身</translation>
    </message>
    <message>
        <source>The values as colours</source>
        <translation>以颜色表示的值</translation>
    </message>
    <message>
        <source>The values as grey levels</source>
        <translation>以灰度表示的值</translation>
    </message>
    <message>
        <source>Frequency of the values</source>
        <translation>各个值出现的频次</translation>
    </message>
    <message>
        <source>Minimum, mean and maximum over the iterations of the loop</source>
        <translation>循环各次迭代中的最小值、均值与最大值</translation>
    </message>
    <message>
        <source>go to [i, j]</source>
        <translation>转到 [i, j]</translation>
    </message>
    <message>
        <source>Go to position</source>
        <translation>转到位置</translation>
    </message>
    <message>
        <source>Goes to the cell at this position and marks it</source>
        <translation>显示并标出该位置的单元格</translation>
    </message>
    <message>
        <source>slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>One entry per axis; : for the one or two axes that are shown</source>
        <translation>每个轴一项；显示的一个或两个轴写 :</translation>
    </message>
    <message>
        <source>Mark values</source>
        <translation>标出值</translation>
    </message>
    <message>
        <source>Marks cells whose value lies in a range: &gt; 3, &lt;= -1, |x| &gt; 3, [-1, 1], nan, inf</source>
        <translation>标出值在某个范围内的单元格：&gt; 3、&lt;= -1、|x| &gt; 3、[-1, 1]、nan、inf</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Values as colours</source>
        <translation>以颜色表示的值</translation>
    </message>
    <message>
        <source>Histogram of the values</source>
        <translation>值的直方图</translation>
    </message>
    <message>
        <source>Values over iterations</source>
        <translation>随迭代变化的值</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>mark |x| &gt; 3</source>
        <translation>标出 |x| &gt; 3</translation>
    </message>
    <message>
        <source>Why is this number what it is?</source>
        <translation>这个数为什么是这样？</translation>
    </message>
    <message>
        <source>Follows it back to the data, the settings and earlier values</source>
        <translation>把它追溯到数据、设置和更早的值</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
</context>
<context>
    <name>weft::widgets::TimelineView</name>
    <message>
        <source>%1 visible</source>
        <translation>可见 %1</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>%1
%2 long, from %3 on</source>
        <translation>%1
时长 %2，自 %3 起</translation>
    </message>
    <message numerus="yes">
        <source>%n transfer(s) in view: zoom in to see their arrows</source>
        <translation>
            <numerusform>视野内有 %n 次传输：放大后可看到箭头</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weft::widgets::ValueCurve</name>
    <message>
        <source>Values of a loop are plotted here over its iterations. This value is not in a loop.</source>
        <translation>循环中的值在这里按迭代画成曲线。这个值不在循环中。</translation>
    </message>
</context>
<context>
    <name>weft::widgets::Waveform</name>
    <message>
        <source>No audio</source>
        <translation>没有声音</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
</TS>
