<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Records</name>
    <message>
        <source>-0.5 * dy * y³, the gradient of a reciprocal square root.</source>
        <translation>-0.5 * dy * y³，即倒数平方根的梯度。</translation>
    </message>
    <message>
        <source>-1, 0 or 1 after the sign of each element; complex numbers are divided by their magnitude.</source>
        <translation>按元素的符号得 -1、0 或 1；复数则除以其模。</translation>
    </message>
    <message>
        <source>A JPEG picture as a tensor; PNG and GIF pictures are understood too.</source>
        <translation>把 JPEG 图像解码为张量；PNG 和 GIF 也能识别。</translation>
    </message>
    <message>
        <source>A PNG picture as a tensor; JPEG and GIF pictures are understood too.</source>
        <translation>把 PNG 图像解码为张量；JPEG 和 GIF 也能识别。</translation>
    </message>
    <message>
        <source>A Python function says nothing about its derivatives.</source>
        <translation>Python 函数没有说明它的导数。</translation>
    </message>
    <message>
        <source>A box of a tensor.</source>
        <translation>张量中的一块。</translation>
    </message>
    <message>
        <source>A choice by chance has no gradient.</source>
        <translation>随机的选择没有梯度。</translation>
    </message>
    <message>
        <source>A choice by index is not differentiable.</source>
        <translation>按编号选择不可微。</translation>
    </message>
    <message>
        <source>A data set describes elements; gradients do not flow through it.</source>
        <translation>数据集只描述元素，梯度不经过它。</translation>
    </message>
    <message>
        <source>A dense tensor with some values in their places and a default elsewhere.</source>
        <translation>若干位置有值、其余为默认值的稠密张量。</translation>
    </message>
    <message>
        <source>A first-in, first-out queue that pads its elements to a common shape when it joins them to a batch.</source>
        <translation>先进先出的队列，成批时把元素补齐到共同的形状。</translation>
    </message>
    <message>
        <source>A handle has no inputs.</source>
        <translation>句柄没有输入。</translation>
    </message>
    <message>
        <source>A handle is no number.</source>
        <translation>句柄不是数。</translation>
    </message>
    <message>
        <source>A handle to a variable.</source>
        <translation>变量的句柄。</translation>
    </message>
    <message>
        <source>A list is made anew here; nothing flows back into its shape.</source>
        <translation>列表在这里新建，没有梯度流回其形状。</translation>
    </message>
    <message>
        <source>A lock has no value.</source>
        <translation>锁没有值。</translation>
    </message>
    <message>
        <source>A matrix: [batch, everything else].</source>
        <translation>矩阵：[批, 其余全部]。</translation>
    </message>
    <message>
        <source>A matrix: one row for each sample.</source>
        <translation>矩阵：每个样本一行。</translation>
    </message>
    <message>
        <source>A new array has no values yet.</source>
        <translation>新数组还没有值。</translation>
    </message>
    <message>
        <source>A number of elements does not change smoothly.</source>
        <translation>元素个数不是连续变化的。</translation>
    </message>
    <message>
        <source>A number of elements has no gradient.</source>
        <translation>元素个数没有梯度。</translation>
    </message>
    <message>
        <source>A queue that gives any of its elements, chosen at random.</source>
        <translation>随机给出任一元素的队列。</translation>
    </message>
    <message>
        <source>A queue that gives its elements in the order in which they came.</source>
        <translation>按到达顺序给出元素的队列。</translation>
    </message>
    <message>
        <source>A reader whose records are lines of text files.</source>
        <translation>读取文本文件各行的读取器。</translation>
    </message>
    <message>
        <source>A reader whose records are those of TFRecord files.</source>
        <translation>读取 TFRecord 文件中记录的读取器。</translation>
    </message>
    <message>
        <source>A reader whose records are whole files.</source>
        <translation>把整个文件作为一条记录的读取器。</translation>
    </message>
    <message>
        <source>A scalar bool that decides in every run.</source>
        <translation>在每次运行中决定开关的布尔标量。</translation>
    </message>
    <message>
        <source>A scalar in [0, 1].</source>
        <translation>[0, 1] 内的标量。</translation>
    </message>
    <message>
        <source>A scalar, joined to the collection losses.</source>
        <translation>标量，并加入集合 losses。</translation>
    </message>
    <message>
        <source>A scalar.</source>
        <translation>标量。</translation>
    </message>
    <message>
        <source>A self-normalising elu.</source>
        <translation>自归一化的 elu。</translation>
    </message>
    <message>
        <source>A serialised Summary message; a scalar.</source>
        <translation>序列化的 Summary 消息；标量。</translation>
    </message>
    <message>
        <source>A serialised Summary, added to the collection `summaries`.</source>
        <translation>序列化的 Summary，并加入集合 `summaries`。</translation>
    </message>
    <message>
        <source>A serialised Summary; nothing if there are none.</source>
        <translation>序列化的 Summary；没有摘要时为空。</translation>
    </message>
    <message>
        <source>A shape does not depend on values.</source>
        <translation>形状不依赖数值。</translation>
    </message>
    <message>
        <source>A shape has no gradient.</source>
        <translation>形状没有梯度。</translation>
    </message>
    <message>
        <source>A size does not depend on values.</source>
        <translation>大小不依赖数值。</translation>
    </message>
    <message>
        <source>A smooth relu.</source>
        <translation>平滑的 relu。</translation>
    </message>
    <message>
        <source>A stack carries values of the forward pass; gradients do not flow through it.</source>
        <translation>栈保存前向过程的值，梯度不经过它。</translation>
    </message>
    <message>
        <source>A summary is text, not numbers.</source>
        <translation>摘要是文本，不是数。</translation>
    </message>
    <message>
        <source>A table that is filled once, from tensors or a text file, and only read after that.</source>
        <translation>只填充一次（来自张量或文本文件）、此后只读的表。</translation>
    </message>
    <message>
        <source>A tensor cut along an axis into pieces of given lengths.</source>
        <translation>沿某轴切成给定长度的若干块。</translation>
    </message>
    <message>
        <source>A tensor cut along an axis into pieces of one length.</source>
        <translation>沿某轴切成等长的若干块。</translation>
    </message>
    <message>
        <source>A tensor like the input.</source>
        <translation>与输入形状相同的张量。</translation>
    </message>
    <message>
        <source>A tensor like the inputs.</source>
        <translation>与输入形状相同的张量。</translation>
    </message>
    <message>
        <source>A tensor of shape [batch, units].</source>
        <translation>形状为 [批, 单元数] 的张量。</translation>
    </message>
    <message>
        <source>A tensor of the shape asked for.</source>
        <translation>所要求形状的张量。</translation>
    </message>
    <message>
        <source>A tensor of the type asked for.</source>
        <translation>所要求类型的张量。</translation>
    </message>
    <message>
        <source>A tensor of twice the rank with the given elements where both halves of its indices are equal, and zeros elsewhere.</source>
        <translation>秩加倍的张量：下标前后两半相等处为给定元素，其余为零。</translation>
    </message>
    <message>
        <source>A tensor of which all elements are one value.</source>
        <translation>所有元素为同一个值的张量。</translation>
    </message>
    <message>
        <source>A tensor that a run may be given; else it is the input.</source>
        <translation>运行时可以给出的张量；不给出时即为输入。</translation>
    </message>
    <message>
        <source>A tensor that every run must be given (old form).</source>
        <translation>每次运行都必须给出的张量（旧形式）。</translation>
    </message>
    <message>
        <source>A tensor that every run must be given.</source>
        <translation>每次运行都必须给出的张量。</translation>
    </message>
    <message>
        <source>A tensor that is longer along `axis`.</source>
        <translation>沿 `axis` 变长的张量。</translation>
    </message>
    <message>
        <source>A tensor that keeps its value between runs and can be changed in place.</source>
        <translation>在各次运行之间保持其值、可就地修改的张量。</translation>
    </message>
    <message>
        <source>A tensor with permuted dimensions.</source>
        <translation>维度重排后的张量。</translation>
    </message>
    <message>
        <source>A value that is part of the graph.</source>
        <translation>作为图的一部分的值。</translation>
    </message>
    <message>
        <source>A variable has no inputs.</source>
        <translation>变量没有输入。</translation>
    </message>
    <message>
        <source>A whole tensor with a tag and settings for what displays it.</source>
        <translation>整个张量，带标签和显示设置。</translation>
    </message>
    <message>
        <source>A whole tensor.</source>
        <translation>整个张量。</translation>
    </message>
    <message>
        <source>Absolute value of each element.</source>
        <translation>每个元素的绝对值。</translation>
    </message>
    <message>
        <source>Added to the average.</source>
        <translation>加在平均值上的小量。</translation>
    </message>
    <message>
        <source>Added to the gate that keeps the memory.</source>
        <translation>加在遗忘门上的偏置。</translation>
    </message>
    <message>
        <source>Added to the root.</source>
        <translation>加在平方根上的小量。</translation>
    </message>
    <message>
        <source>Added to the variance, against division by zero.</source>
        <translation>加在方差上，防止除以零。</translation>
    </message>
    <message>
        <source>Added to the variance.</source>
        <translation>加在方差上的小量。</translation>
    </message>
    <message>
        <source>Adds a value to a variable.</source>
        <translation>给变量加上一个值。</translation>
    </message>
    <message>
        <source>Adds one bias per channel at every position.</source>
        <translation>在每个位置上给各通道加上偏置。</translation>
    </message>
    <message>
        <source>Adds the op that initialises all variables.</source>
        <translation>添加初始化所有变量的 op。</translation>
    </message>
    <message>
        <source>Adds the ops that save and restore all variables.</source>
        <translation>添加保存和恢复所有变量的 op。</translation>
    </message>
    <message>
        <source>Adds to rows of a variable, picked by index.</source>
        <translation>按下标给变量的行加上值。</translation>
    </message>
    <message>
        <source>All bits of each whole number turned over.</source>
        <translation>把每个整数的所有二进制位取反。</translation>
    </message>
    <message>
        <source>All elements but the first.</source>
        <translation>除开头若干个之外的所有元素。</translation>
    </message>
    <message>
        <source>An LSTM over a whole sequence.</source>
        <translation>处理整个序列的 LSTM。</translation>
    </message>
    <message>
        <source>An array of tensors that lives for one run and whose elements are written once.</source>
        <translation>存活于一次运行、每个元素只写一次的张量数组。</translation>
    </message>
    <message>
        <source>An input that is fed in every run.</source>
        <translation>每次运行时馈送的输入。</translation>
    </message>
    <message>
        <source>An iterator over the data set that a function makes; it needs no initialisation and goes through it once.</source>
        <translation>遍历函数所得数据集的迭代器；无需初始化，只走一遍。</translation>
    </message>
    <message>
        <source>An iterator, which MakeIterator gives a data set.</source>
        <translation>迭代器，由 MakeIterator 给它一个数据集。</translation>
    </message>
    <message>
        <source>Angle in (-π/2, π/2) whose tangent is each element.</source>
        <translation>正切等于各元素的角，在 (-π/2, π/2) 内。</translation>
    </message>
    <message>
        <source>Angle in [-π/2, π/2] whose sine is each element.</source>
        <translation>正弦等于各元素的角，在 [-π/2, π/2] 内。</translation>
    </message>
    <message>
        <source>Angle in [0, π] whose cosine is each element.</source>
        <translation>余弦等于各元素的角，在 [0, π] 内。</translation>
    </message>
    <message>
        <source>Angle of the point (`y`, `x`) in the plane, in (-π, π]; the first operand is the ordinate.</source>
        <translation>平面上点 (`y`, `x`) 的角度，在 (-π, π] 内；第一个操作数是纵坐标。</translation>
    </message>
    <message>
        <source>Any tensor.</source>
        <translation>任意张量。</translation>
    </message>
    <message>
        <source>Applied to the result; empty: none.</source>
        <translation>作用于结果的激活函数；留空则没有。</translation>
    </message>
    <message>
        <source>Area under the ROC curve, over all batches.</source>
        <translation>ROC 曲线下面积，累计所有批。</translation>
    </message>
    <message>
        <source>Arrays of gradients have no gradients of their own.</source>
        <translation>梯度数组自身没有梯度。</translation>
    </message>
    <message>
        <source>As for StridedSlice.</source>
        <translation>同 StridedSlice。</translation>
    </message>
    <message>
        <source>Averages each window.</source>
        <translation>对每个窗口取平均。</translation>
    </message>
    <message>
        <source>Axes to reduce, a scalar or vector; negative ones count from the last.</source>
        <translation>要归约的轴，标量或向量；负数从最后一维数起。</translation>
    </message>
    <message>
        <source>Batches: elements of one shape, joined along a new first dimension.</source>
        <translation>成批：形状相同的元素沿新的第一维拼成一批。</translation>
    </message>
    <message>
        <source>Biases, [4 * cells].</source>
        <translation>偏置，[4 × 细胞]。</translation>
    </message>
    <message>
        <source>Bit i set: entry i adds a dimension of length 1.</source>
        <translation>第 i 位为 1：第 i 项增加一个长度为 1 的维。</translation>
    </message>
    <message>
        <source>Bit i set: entry i begins at the start of its dimension.</source>
        <translation>第 i 位为 1：第 i 项从该维的开头开始。</translation>
    </message>
    <message>
        <source>Bit i set: entry i ends at the end of its dimension.</source>
        <translation>第 i 位为 1：第 i 项到该维的末尾为止。</translation>
    </message>
    <message>
        <source>Bit i set: entry i is one position and its dimension disappears.</source>
        <translation>第 i 位为 1：第 i 项是一个位置，该维消失。</translation>
    </message>
    <message>
        <source>Bit i set: entry i stands for as many whole dimensions as are left; at most one bit.</source>
        <translation>第 i 位为 1：第 i 项代表其余所有完整的维；至多一位。</translation>
    </message>
    <message>
        <source>Bits are not numbers to differentiate.</source>
        <translation>二进制位不是可求导的数。</translation>
    </message>
    <message>
        <source>Bits do not change smoothly.</source>
        <translation>位不是连续变化的。</translation>
    </message>
    <message>
        <source>Blocks of pixels become channels.</source>
        <translation>像素块变成通道。</translation>
    </message>
    <message>
        <source>Blocks of space cut out and laid into the batch: each position within the block becomes a part of the batch.</source>
        <translation>把空间切成块放入批维：块内的每个位置成为批的一部分。</translation>
    </message>
    <message>
        <source>Boxes cover what is below them.</source>
        <translation>边框遮住了下面的内容。</translation>
    </message>
    <message>
        <source>Boxes cut out of pictures and brought to one size.</source>
        <translation>从图像中裁出各边框并缩放到同一大小。</translation>
    </message>
    <message>
        <source>Brings a value into a frame: the executions of a loop&apos;s body.</source>
        <translation>把值带入一个帧，即循环体的各次执行。</translation>
    </message>
    <message>
        <source>Brings each channel to mean 0 and variance 1 over the batch.</source>
        <translation>在一批数据上把每个通道调整为均值 0、方差 1。</translation>
    </message>
    <message>
        <source>Brings each sample to mean 0 and variance 1 over its features.</source>
        <translation>在各特征上把每个样本调整为均值 0、方差 1。</translation>
    </message>
    <message>
        <source>Bytes of a file have no gradient.</source>
        <translation>文件的字节没有梯度。</translation>
    </message>
    <message>
        <source>Calls a function again and again, as long as a condition holds.</source>
        <translation>条件成立时反复调用函数。</translation>
    </message>
    <message>
        <source>Calls a function whose ops keep no state.</source>
        <translation>调用一个函数，其 op 不保留状态。</translation>
    </message>
    <message>
        <source>Calls a function.</source>
        <translation>调用一个函数。</translation>
    </message>
    <message>
        <source>Calls one of several functions.</source>
        <translation>从若干函数中调用一个。</translation>
    </message>
    <message>
        <source>Calls one of two functions.</source>
        <translation>从两个函数中调用一个。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of AdaMax.</source>
        <translation>用一步 AdaMax 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of Adadelta.</source>
        <translation>用一步 Adadelta 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of Adagrad dual averaging.</source>
        <translation>用一步 Adagrad 对偶平均 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of Adagrad with L1 and L2 shrinkage.</source>
        <translation>用一步带 L1、L2 收缩的 Adagrad 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of Adagrad with epsilon.</source>
        <translation>用一步带 epsilon 的 Adagrad 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of Adagrad.</source>
        <translation>用一步 Adagrad 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of Adam in its AMSGrad variant.</source>
        <translation>用一步 Adam in its AMSGrad variant 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of Adam.</source>
        <translation>用一步 Adam 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of AddSign.</source>
        <translation>用一步 AddSign 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of FTRL-proximal with L2 shrinkage.</source>
        <translation>用一步带 L2 收缩的 FTRL-proximal 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of FTRL-proximal.</source>
        <translation>用一步 FTRL-proximal 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of PowerSign.</source>
        <translation>用一步 PowerSign 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of RMSProp.</source>
        <translation>用一步 RMSProp 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of centered RMSProp.</source>
        <translation>用一步中心化的 RMSProp 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of gradient descent with L1 and L2 shrinkage.</source>
        <translation>用一步带 L1、L2 收缩的梯度下降 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of gradient descent with momentum, the rate inside of it.</source>
        <translation>用一步 gradient descent with momentum, the rate inside of it 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of gradient descent with momentum.</source>
        <translation>用一步带动量的梯度下降 更新变量。</translation>
    </message>
    <message>
        <source>Changes a variable by one step of gradient descent.</source>
        <translation>用一步梯度下降 更新变量。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of Adadelta.</source>
        <translation>用一步 Adadelta 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of Adagrad dual averaging.</source>
        <translation>用一步 Adagrad 对偶平均 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of Adagrad with L1 and L2 shrinkage.</source>
        <translation>用一步带 L1、L2 收缩的 Adagrad 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of Adagrad with epsilon.</source>
        <translation>用一步带 epsilon 的 Adagrad 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of Adagrad.</source>
        <translation>用一步 Adagrad 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of FTRL-proximal with L2 shrinkage.</source>
        <translation>用一步带 L2 收缩的 FTRL-proximal 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of FTRL-proximal.</source>
        <translation>用一步 FTRL-proximal 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of RMSProp.</source>
        <translation>用一步 RMSProp 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of centered RMSProp.</source>
        <translation>用一步中心化的 RMSProp 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of gradient descent with L1 and L2 shrinkage.</source>
        <translation>用一步带 L1、L2 收缩的梯度下降 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of gradient descent with momentum, the rate inside of it.</source>
        <translation>用一步 gradient descent with momentum, the rate inside of it 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Changes rows of a variable by one step of gradient descent with momentum.</source>
        <translation>用一步带动量的梯度下降 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Channels become blocks of pixels.</source>
        <translation>通道变成像素块。</translation>
    </message>
    <message>
        <source>Checkpoints that are kept.</source>
        <translation>保留的检查点个数。</translation>
    </message>
    <message>
        <source>Classes as numbers, or one-hot rows.</source>
        <translation>类别编号，或 one-hot 行。</translation>
    </message>
    <message>
        <source>Classes drawn by their logits.</source>
        <translation>按 logits 抽取类别。</translation>
    </message>
    <message>
        <source>Complex conjugate of each element.</source>
        <translation>每个元素的共轭复数。</translation>
    </message>
    <message>
        <source>Complex numbers from their real and imaginary parts.</source>
        <translation>由实部和虚部组成的复数。</translation>
    </message>
    <message>
        <source>Complex numbers of any shape.</source>
        <translation>任意形状的复数。</translation>
    </message>
    <message>
        <source>Complex numbers.</source>
        <translation>复数。</translation>
    </message>
    <message>
        <source>Constants have no gradient.</source>
        <translation>常量没有梯度。</translation>
    </message>
    <message>
        <source>Container of the session&apos;s objects that it lies in; empty: the default one.</source>
        <translation>它所在的会话对象容器；留空为默认容器。</translation>
    </message>
    <message>
        <source>Convolution of each channel of images with filters of its own.</source>
        <translation>图像的每个通道用各自的滤波器做卷积。</translation>
    </message>
    <message>
        <source>Convolution of images with a bank of filters.</source>
        <translation>用一组滤波器对图像做卷积。</translation>
    </message>
    <message>
        <source>Convolution of volumes with a bank of filters.</source>
        <translation>用一组滤波器对体数据做卷积。</translation>
    </message>
    <message>
        <source>Cosine of each element, in radians.</source>
        <translation>每个元素的余弦，以弧度计。</translation>
    </message>
    <message>
        <source>Counts have no gradient.</source>
        <translation>计数没有梯度。</translation>
    </message>
    <message>
        <source>Cross entropy between class indices and the softmax of scores, with its gradient.</source>
        <translation>类别编号与得分的 softmax 之间的交叉熵，及其梯度。</translation>
    </message>
    <message>
        <source>Cross entropy between given probabilities and the softmax of scores, with its gradient.</source>
        <translation>给定概率与得分的 softmax 之间的交叉熵，及其梯度。</translation>
    </message>
    <message>
        <source>Cross entropy of classes given as numbers.</source>
        <translation>类别以编号给出时的交叉熵。</translation>
    </message>
    <message>
        <source>Cross entropy of classes given as probabilities.</source>
        <translation>类别以概率给出时的交叉熵。</translation>
    </message>
    <message>
        <source>Cross entropy of independent yes and no.</source>
        <translation>相互独立的是/否判断的交叉熵。</translation>
    </message>
    <message>
        <source>Cross entropy of probabilities.</source>
        <translation>概率的交叉熵。</translation>
    </message>
    <message>
        <source>Cuts off what is below zero or above six.</source>
        <translation>截去零以下和六以上的部分。</translation>
    </message>
    <message>
        <source>Cuts off what is below zero.</source>
        <translation>截去零以下的部分。</translation>
    </message>
    <message>
        <source>Decay of the mean.</source>
        <translation>均值的衰减率。</translation>
    </message>
    <message>
        <source>Decay of the square.</source>
        <translation>平方的衰减率。</translation>
    </message>
    <message>
        <source>Difference of the elements.</source>
        <translation>逐元素的差。</translation>
    </message>
    <message>
        <source>Discrete Fourier transform along the last dimension.</source>
        <translation>沿最后一维的离散傅里叶变换。</translation>
    </message>
    <message>
        <source>Distance of the filter&apos;s elements along each dim of the input.</source>
        <translation>滤波器各元素沿输入各维的间距。</translation>
    </message>
    <message>
        <source>Does nothing, but lives even where its control inputs are dead: used where a loop&apos;s control flow meets.</source>
        <translation>什么都不做，但即使控制输入是死的也照常执行：用在循环控制流的汇合处。</translation>
    </message>
    <message>
        <source>Does nothing; others wait for it, and it waits for others.</source>
        <translation>什么都不做；别的 op 等它，它也等别的 op。</translation>
    </message>
    <message>
        <source>Drawing classes is not differentiable.</source>
        <translation>抽取类别不可微。</translation>
    </message>
    <message>
        <source>Each channel divided by a power of the summed squares of the channels around it.</source>
        <translation>每个通道除以其邻近通道平方和的某次幂。</translation>
    </message>
    <message>
        <source>Each element held between two values.</source>
        <translation>把每个元素限制在两个值之间。</translation>
    </message>
    <message>
        <source>Each element of `x` to the power of the one of `y`.</source>
        <translation>`x` 的各元素以 `y` 的对应元素为指数的幂。</translation>
    </message>
    <message>
        <source>Each element times itself.</source>
        <translation>每个元素与自身相乘。</translation>
    </message>
    <message>
        <source>Each element with its sign changed.</source>
        <translation>每个元素变号。</translation>
    </message>
    <message>
        <source>Graphs are differentiated before they are divided among devices.</source>
        <translation>图在分给各个设备之前就已求导。</translation>
    </message>
    <message>
        <source>Logical NOT of each element.</source>
        <translation>对每个元素取逻辑非。</translation>
    </message>
    <message>
        <source>Eigenvalues in ascending order and eigenvectors of symmetric (Hermitian) matrices; only their lower triangle is looked at.</source>
        <translation>对称（厄米）矩阵按升序的特征值与特征向量；只看下三角部分。</translation>
    </message>
    <message>
        <source>Elements converted to another type.</source>
        <translation>把元素转换为另一种类型。</translation>
    </message>
    <message>
        <source>Elements in a batch.</source>
        <translation>每批的元素数。</translation>
    </message>
    <message>
        <source>Elements made of one element of each data set, until one ends.</source>
        <translation>由各数据集各取一个元素组成的元素，直到其中之一结束。</translation>
    </message>
    <message>
        <source>Elements of `t` where the condition holds, of `e` elsewhere, with broadcasting among all three.</source>
        <translation>条件成立处取 `t` 的元素，否则取 `e` 的，三者可广播。</translation>
    </message>
    <message>
        <source>Elements of `t` where the condition holds, of `e` elsewhere.</source>
        <translation>条件成立处取 `t` 的元素，否则取 `e` 的。</translation>
    </message>
    <message>
        <source>Elements of a data set are inputs; gradients do not flow through an iterator.</source>
        <translation>数据集的元素是输入，梯度不经过迭代器。</translation>
    </message>
    <message>
        <source>Ends a queue: nothing comes in any more, and when it is empty dequeues fail.</source>
        <translation>关闭队列：不再接收元素，取空之后出队即失败。</translation>
    </message>
    <message>
        <source>Ends the run with an error unless a condition holds.</source>
        <translation>条件不成立时以错误结束运行。</translation>
    </message>
    <message>
        <source>Evenly spaced numbers from a first to a last one, both included.</source>
        <translation>从首到尾均匀分布的数，两端都包含。</translation>
    </message>
    <message>
        <source>Exclude other updates of the variable meanwhile.</source>
        <translation>更新期间排除对该变量的其他更新。</translation>
    </message>
    <message>
        <source>Exclude other updates of the variables meanwhile.</source>
        <translation>更新期间排除对这些变量的其他更新。</translation>
    </message>
    <message>
        <source>Exponential function of each element.</source>
        <translation>每个元素的指数函数。</translation>
    </message>
    <message>
        <source>Exponentials of the last dim, scaled so that they sum to 1.</source>
        <translation>最后一维的指数，缩放到和为 1。</translation>
    </message>
    <message>
        <source>Features are not numbers to differentiate.</source>
        <translation>特征不是可求导的数。</translation>
    </message>
    <message>
        <source>Files are not differentiable.</source>
        <translation>文件不可微。</translation>
    </message>
    <message>
        <source>Files are not differentiated.</source>
        <translation>文件不求导。</translation>
    </message>
    <message>
        <source>Files have no gradient.</source>
        <translation>文件没有梯度。</translation>
    </message>
    <message>
        <source>Filtered images.</source>
        <translation>滤波后的图像。</translation>
    </message>
    <message>
        <source>Filters [depth, height, width, in channels, out channels].</source>
        <translation>滤波器 [深, 高, 宽, 输入通道, 输出通道]。</translation>
    </message>
    <message>
        <source>Filters [height, width, in channels, out channels].</source>
        <translation>滤波器 [高, 宽, 输入通道, 输出通道]。</translation>
    </message>
    <message>
        <source>Filters each channel by itself, then mixes the channels: far fewer parameters than a convolution.</source>
        <translation>先对每个通道单独滤波，再混合各通道：参数远少于普通卷积。</translation>
    </message>
    <message>
        <source>Filters for each channel, before they are mixed.</source>
        <translation>混合之前每个通道的滤波器个数。</translation>
    </message>
    <message>
        <source>Fingerprints are not numbers to differentiate.</source>
        <translation>指纹不是可求导的数。</translation>
    </message>
    <message>
        <source>First argument.</source>
        <translation>第一个参数。</translation>
    </message>
    <message>
        <source>First operand.</source>
        <translation>第一个操作数。</translation>
    </message>
    <message>
        <source>For each dimension of the result the one it was.</source>
        <translation>结果的每一维对应原来的哪一维。</translation>
    </message>
    <message>
        <source>For each index a vector that holds one value at the index and another elsewhere.</source>
        <translation>为每个下标给出一个向量，下标处为一个值，其余处为另一个值。</translation>
    </message>
    <message>
        <source>Forget gate.</source>
        <translation>遗忘门。</translation>
    </message>
    <message>
        <source>Gauss error function of each element.</source>
        <translation>每个元素的高斯误差函数。</translation>
    </message>
    <message>
        <source>Gives a variable a new value.</source>
        <translation>给变量赋新值。</translation>
    </message>
    <message>
        <source>Gradient of AvgPool with respect to its input.</source>
        <translation>AvgPool 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of AvgPool3D with respect to its input.</source>
        <translation>AvgPool3D 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of BatchNormWithGlobalNormalization.</source>
        <translation>BatchNormWithGlobalNormalization 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Conv2D with respect to its filters.</source>
        <translation>Conv2D 对滤波器的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Conv2D with respect to its images; as an op of its own, a transposed convolution.</source>
        <translation>Conv2D 对图像的梯度；单独使用时即转置卷积。</translation>
    </message>
    <message>
        <source>Gradient of Conv3D with respect to its filters.</source>
        <translation>Conv3D 对滤波器的梯度。</translation>
    </message>
    <message>
        <source>Gradient of DepthwiseConv2dNative with respect to its filters.</source>
        <translation>DepthwiseConv2dNative 对滤波器的梯度。</translation>
    </message>
    <message>
        <source>Gradient of DepthwiseConv2dNative with respect to its images.</source>
        <translation>DepthwiseConv2dNative 对图像的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Dilation2D with respect to its filter.</source>
        <translation>Dilation2D 对滤波器的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Dilation2D with respect to its images.</source>
        <translation>Dilation2D 对图像的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Elu with respect to its input.</source>
        <translation>Elu 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of LRN.</source>
        <translation>LRN 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of LeakyRelu with respect to its input.</source>
        <translation>LeakyRelu 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of MaxPool: each window&apos;s gradient goes to its first maximum.</source>
        <translation>MaxPool 的梯度：每个窗口的梯度归于其第一个最大值。</translation>
    </message>
    <message>
        <source>Gradient of Relu with respect to its input.</source>
        <translation>Relu 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Relu6 with respect to its input.</source>
        <translation>Relu6 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of ResizeBicubic.</source>
        <translation>ResizeBicubic 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of ResizeBilinear.</source>
        <translation>ResizeBilinear 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of ResizeNearestNeighbor.</source>
        <translation>ResizeNearestNeighbor 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of ScaleAndTranslate.</source>
        <translation>ScaleAndTranslate 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Selu with respect to its input.</source>
        <translation>Selu 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Softplus with respect to its input.</source>
        <translation>Softplus 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Softsign with respect to its input.</source>
        <translation>Softsign 对输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of SparseAdd.</source>
        <translation>SparseAdd 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of SparseFillEmptyRows.</source>
        <translation>SparseFillEmptyRows 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of SparseSegmentMean.</source>
        <translation>SparseSegmentMean 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of SparseSegmentSqrtN.</source>
        <translation>SparseSegmentSqrtN 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of SparseSlice.</source>
        <translation>SparseSlice 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of StridedSlice: zeros with the slice&apos;s gradient in its place.</source>
        <translation>StridedSlice 的梯度：全零，切片处为其梯度。</translation>
    </message>
    <message>
        <source>Gradient of an LSTM over a whole sequence.</source>
        <translation>处理整个序列的 LSTM 的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the filtered images.</source>
        <translation>滤波后图像的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the filters.</source>
        <translation>滤波器的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the images.</source>
        <translation>图像的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the input.</source>
        <translation>输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the result.</source>
        <translation>结果的梯度。</translation>
    </message>
    <message>
        <source>Gradient with respect to that result.</source>
        <translation>对该结果的梯度。</translation>
    </message>
    <message>
        <source>Gradient with respect to the argument.</source>
        <translation>对参数的梯度。</translation>
    </message>
    <message>
        <source>Gradients of batch normalization with respect to its input, scale and offset.</source>
        <translation>批归一化对输入、缩放和平移的梯度。</translation>
    </message>
    <message>
        <source>Half the sum of the squares of all elements.</source>
        <translation>所有元素平方和的一半。</translation>
    </message>
    <message>
        <source>Handle of the array.</source>
        <translation>数组的句柄。</translation>
    </message>
    <message>
        <source>Handle of the iterator.</source>
        <translation>迭代器的句柄。</translation>
    </message>
    <message>
        <source>Handle of the stack.</source>
        <translation>栈的句柄。</translation>
    </message>
    <message>
        <source>Handle of the variable.</source>
        <translation>变量的句柄。</translation>
    </message>
    <message>
        <source>Hands a value to the next iteration of its frame.</source>
        <translation>把值交给所在帧的下一次迭代。</translation>
    </message>
    <message>
        <source>Height and width of the window.</source>
        <translation>窗口的高与宽。</translation>
    </message>
    <message>
        <source>How improbable a sequence of labels is where it is not known when each label occurs.</source>
        <translation>标签出现时刻未知时，一个标签序列的不可能程度。</translation>
    </message>
    <message>
        <source>How many are chosen at most.</source>
        <translation>最多选出多少个。</translation>
    </message>
    <message>
        <source>How many classes to draw.</source>
        <translation>抽取多少个类别。</translation>
    </message>
    <message>
        <source>How many different numbers there are.</source>
        <translation>不同编号的总数。</translation>
    </message>
    <message>
        <source>How many elements an array has.</source>
        <translation>数组有多少元素。</translation>
    </message>
    <message>
        <source>How many elements lie in a queue.</source>
        <translation>队列中有多少元素。</translation>
    </message>
    <message>
        <source>How many pictures of the batch.</source>
        <translation>记录一批中的多少幅图像。</translation>
    </message>
    <message>
        <source>How many segments there are.</source>
        <translation>段的个数。</translation>
    </message>
    <message>
        <source>How many tensors.</source>
        <translation>张量的个数。</translation>
    </message>
    <message>
        <source>How many.</source>
        <translation>多少个。</translation>
    </message>
    <message>
        <source>Expected number of times that each drawn class is drawn.</source>
        <translation>每个抽取类别的期望次数。</translation>
    </message>
    <message>
        <source>How often each right class was to be expected among the drawn ones.</source>
        <translation>每个正确类别在抽取结果中的期望次数。</translation>
    </message>
    <message>
        <source>How often each whole number occurs, or the sum of the weights with which it does.</source>
        <translation>各整数出现的次数，或其权重之和。</translation>
    </message>
    <message>
        <source>How slowly the average follows.</source>
        <translation>平均值跟随的快慢，越接近 1 越慢。</translation>
    </message>
    <message>
        <source>How slowly the moving averages follow.</source>
        <translation>滑动平均跟随的快慢，越接近 1 越慢。</translation>
    </message>
    <message>
        <source>How the elements of a tensor are distributed.</source>
        <translation>张量各元素的分布。</translation>
    </message>
    <message>
        <source>Hyperbolic cosine of each element.</source>
        <translation>每个元素的双曲余弦。</translation>
    </message>
    <message>
        <source>Hyperbolic sine of each element.</source>
        <translation>每个元素的双曲正弦。</translation>
    </message>
    <message>
        <source>Hyperbolic tangent of each element.</source>
        <translation>每个元素的双曲正切。</translation>
    </message>
    <message>
        <source>Images [batch, height, width, channels].</source>
        <translation>图像 [批, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>Images with boxes drawn into them.</source>
        <translation>画上边框的图像。</translation>
    </message>
    <message>
        <source>Images, each scaled to the range of bytes and encoded as PNG.</source>
        <translation>图像，各自缩放到字节范围并编码为 PNG。</translation>
    </message>
    <message>
        <source>Imaginary part of each element.</source>
        <translation>每个元素的虚部。</translation>
    </message>
    <message>
        <source>Index vectors along the last dimension.</source>
        <translation>沿最后一维的下标向量。</translation>
    </message>
    <message>
        <source>Indices are not numbers to differentiate.</source>
        <translation>下标不是可求导的数。</translation>
    </message>
    <message>
        <source>Input gate.</source>
        <translation>输入门。</translation>
    </message>
    <message>
        <source>It chooses boxes.</source>
        <translation>它挑选边框。</translation>
    </message>
    <message>
        <source>It compares classes.</source>
        <translation>它比较类别。</translation>
    </message>
    <message>
        <source>It counts changes.</source>
        <translation>它统计改动的次数。</translation>
    </message>
    <message>
        <source>It depends on nothing differentiable.</source>
        <translation>它不依赖任何可微的量。</translation>
    </message>
    <message>
        <source>It gathers numbers of words.</source>
        <translation>它收集单词的编号。</translation>
    </message>
    <message>
        <source>It has no inputs.</source>
        <translation>没有输入。</translation>
    </message>
    <message>
        <source>It has no value.</source>
        <translation>它没有值。</translation>
    </message>
    <message>
        <source>It is constant almost everywhere: no gradient flows through it.</source>
        <translation>它几乎处处为常数，梯度不经过它。</translation>
    </message>
    <message>
        <source>It is there to stop gradients.</source>
        <translation>它的作用就是阻断梯度。</translation>
    </message>
    <message>
        <source>It only watches.</source>
        <translation>它只是观察。</translation>
    </message>
    <message>
        <source>It works on truth values.</source>
        <translation>它处理真假值。</translation>
    </message>
    <message>
        <source>It works on whole numbers.</source>
        <translation>它处理整数。</translation>
    </message>
    <message>
        <source>Its arguments are positions.</source>
        <translation>它的参数是位置。</translation>
    </message>
    <message>
        <source>Its result does not depend on the values of its input.</source>
        <translation>结果不依赖输入的值。</translation>
    </message>
    <message>
        <source>Its results are found by comparing.</source>
        <translation>结果由比较得出。</translation>
    </message>
    <message>
        <source>Its results are positions.</source>
        <translation>结果是位置。</translation>
    </message>
    <message>
        <source>Its results are shapes or positions.</source>
        <translation>结果是形状或位置。</translation>
    </message>
    <message>
        <source>Its results are truth values.</source>
        <translation>结果是真假值。</translation>
    </message>
    <message>
        <source>Joins summaries into one; each tag may occur once.</source>
        <translation>把若干摘要合并为一个；每个标签只能出现一次。</translation>
    </message>
    <message>
        <source>Joins the checkpoints of several shards into one.</source>
        <translation>把若干分片的检查点合并为一个。</translation>
    </message>
    <message>
        <source>Keeps the largest value of each window.</source>
        <translation>保留每个窗口中的最大值。</translation>
    </message>
    <message>
        <source>Kept, not read.</source>
        <translation>保留，不读取。</translation>
    </message>
    <message>
        <source>Key of the tuple; a scalar.</source>
        <translation>元组的键；标量。</translation>
    </message>
    <message>
        <source>Labels are whole numbers: decoding is not differentiable.</source>
        <translation>标签是整数，解码不可微。</translation>
    </message>
    <message>
        <source>Larger one of each pair of elements.</source>
        <translation>每对元素中较大的一个。</translation>
    </message>
    <message>
        <source>Largest element along axes.</source>
        <translation>沿各轴的最大元素。</translation>
    </message>
    <message>
        <source>Largest norm of all gradients together; 0: any.</source>
        <translation>全部梯度的最大范数；0 表示不限。</translation>
    </message>
    <message>
        <source>Largest whole number that is not above each element.</source>
        <translation>不大于各元素的最大整数。</translation>
    </message>
    <message>
        <source>Length of a row.</source>
        <translation>每行的长度。</translation>
    </message>
    <message>
        <source>Lets an iterator begin with the first element of a data set.</source>
        <translation>让迭代器从数据集的第一个元素开始。</translation>
    </message>
    <message>
        <source>Logarithm of the absolute value of the Gamma function of each element.</source>
        <translation>每个元素的伽马函数绝对值的对数。</translation>
    </message>
    <message>
        <source>Logarithm of the softmax of the last dim.</source>
        <translation>最后一维的 softmax 的对数。</translation>
    </message>
    <message>
        <source>Log-softmax over the last dimension.</source>
        <translation>对最后一维取 log-softmax。</translation>
    </message>
    <message>
        <source>Logistic function 1 / (1 + exp(-x)) of each element.</source>
        <translation>每个元素的逻辑函数 1 / (1 + exp(-x))。</translation>
    </message>
    <message>
        <source>Looks ahead by one step.</source>
        <translation>向前多看一步。</translation>
    </message>
    <message>
        <source>Looks up a row of weights for each number.</source>
        <translation>为每个编号查出一行权重。</translation>
    </message>
    <message>
        <source>Magnitude of each element.</source>
        <translation>每个元素的模。</translation>
    </message>
    <message>
        <source>Makes one row of each sample.</source>
        <translation>把每个样本展平成一行。</translation>
    </message>
    <message>
        <source>Makes probabilities of the last dimension.</source>
        <translation>把最后一维变成概率。</translation>
    </message>
    <message>
        <source>Matrices in the last two dimensions.</source>
        <translation>最后两维上的矩阵。</translation>
    </message>
    <message>
        <source>Matrices with given main diagonals and zeros elsewhere.</source>
        <translation>以给定元素为主对角线、其余为零的矩阵。</translation>
    </message>
    <message>
        <source>Matrices with zeros outside a band around the main diagonal.</source>
        <translation>主对角线附近的带之外为零的矩阵。</translation>
    </message>
    <message>
        <source>Maximum of each window of a volume.</source>
        <translation>体数据每个窗口的最大值。</translation>
    </message>
    <message>
        <source>Maximum of each window of an image.</source>
        <translation>图像每个窗口的最大值。</translation>
    </message>
    <message>
        <source>Mean of each window of a volume; what lies outside does not count.</source>
        <translation>体数据每个窗口的平均；之外的部分不计入。</translation>
    </message>
    <message>
        <source>Mean of each window of an image; what lies outside the image does not count.</source>
        <translation>图像每个窗口的平均；图像之外的部分不计入。</translation>
    </message>
    <message>
        <source>Mean of picked rows for each segment.</source>
        <translation>所选各行按段求平均。</translation>
    </message>
    <message>
        <source>Mean of the absolute differences.</source>
        <translation>绝对差的平均。</translation>
    </message>
    <message>
        <source>Mean of the elements along axes; of whole numbers cut towards zero.</source>
        <translation>沿各轴的平均；整数向零取整。</translation>
    </message>
    <message>
        <source>Mean of the rows of each segment.</source>
        <translation>每段各行的平均。</translation>
    </message>
    <message>
        <source>Mean of the squared differences.</source>
        <translation>平方差的平均。</translation>
    </message>
    <message>
        <source>Mean over all batches.</source>
        <translation>所有批的平均。</translation>
    </message>
    <message>
        <source>Members of sets are not numbers to differentiate.</source>
        <translation>集合的成员不是可求导的数。</translation>
    </message>
    <message>
        <source>Mixes values by how well their keys answer a query.</source>
        <translation>按键与查询的匹配程度混合各个值。</translation>
    </message>
    <message>
        <source>Most bytes that the area holds; 0: any number.</source>
        <translation>暂存区最多容纳的字节数；0 表示不限。</translation>
    </message>
    <message>
        <source>Most elements that it holds; negative: any number.</source>
        <translation>最多容纳的元素数；负数表示不限。</translation>
    </message>
    <message>
        <source>Most tuples that the area holds; 0: any number.</source>
        <translation>暂存区最多容纳的元组数；0 表示不限。</translation>
    </message>
    <message>
        <source>Multiplies tensors of one shape.</source>
        <translation>把形状相同的张量相乘。</translation>
    </message>
    <message>
        <source>Must be -1: waiting ends with the run&apos;s timeout.</source>
        <translation>必须为 -1：等待随运行的超时结束。</translation>
    </message>
    <message>
        <source>Name of the node.</source>
        <translation>节点名称。</translation>
    </message>
    <message>
        <source>Name of the scope.</source>
        <translation>作用域名称。</translation>
    </message>
    <message>
        <source>Name of the scope; empty: the kind of layer, made unique.</source>
        <translation>作用域名称；留空则取层的种类名，并保证不重名。</translation>
    </message>
    <message>
        <source>Name of the training op.</source>
        <translation>训练 op 的名称。</translation>
    </message>
    <message>
        <source>Name under which nodes share one object; empty: it is this node&apos;s own.</source>
        <translation>节点共享同一对象所用的名称；留空则为本节点独有。</translation>
    </message>
    <message>
        <source>Natural logarithm of each element.</source>
        <translation>每个元素的自然对数。</translation>
    </message>
    <message>
        <source>Nearest whole number to each element; halves go to the even one.</source>
        <translation>离各元素最近的整数；一半时取偶数。</translation>
    </message>
    <message>
        <source>New input of the cells.</source>
        <translation>细胞的新输入。</translation>
    </message>
    <message>
        <source>Nothing flows through a resource.</source>
        <translation>资源不传递梯度。</translation>
    </message>
    <message>
        <source>Number of channels that come out.</source>
        <translation>输出的通道数。</translation>
    </message>
    <message>
        <source>Number of classes.</source>
        <translation>类别数。</translation>
    </message>
    <message>
        <source>Number of outputs.</source>
        <translation>输出的个数。</translation>
    </message>
    <message>
        <source>Numbers and truth values as text.</source>
        <translation>把数和真假值写成文本。</translation>
    </message>
    <message>
        <source>Numbers drawn evenly from [0, 1).</source>
        <translation>[0, 1) 上均匀分布的随机数。</translation>
    </message>
    <message>
        <source>Numbers drawn from the normal distribution with mean 0 and deviation 1.</source>
        <translation>均值 0、标准差 1 的正态分布随机数。</translation>
    </message>
    <message>
        <source>Numbers drawn from the unit normal distribution; those beyond two deviations are drawn anew.</source>
        <translation>标准正态分布的随机数；超出两倍标准差的重新抽取。</translation>
    </message>
    <message>
        <source>Numbers from a start towards a limit, which is not among them, in equal steps.</source>
        <translation>从起点向终点等间隔的数，不含终点。</translation>
    </message>
    <message>
        <source>Numbers of any shape.</source>
        <translation>任意形状的数。</translation>
    </message>
    <message>
        <source>Numbers with their tags, for a curve over the steps.</source>
        <translation>带标签的数，画成随步数变化的曲线。</translation>
    </message>
    <message>
        <source>One dimension more than the input.</source>
        <translation>比输入多一个维度。</translation>
    </message>
    <message>
        <source>One divided by each element.</source>
        <translation>一除以每个元素。</translation>
    </message>
    <message>
        <source>One divided by the square root of each element.</source>
        <translation>一除以各元素的平方根。</translation>
    </message>
    <message>
        <source>One element for each row of the given tensors.</source>
        <translation>给定张量的每一行为一个元素。</translation>
    </message>
    <message>
        <source>One element: the given tensors.</source>
        <translation>一个元素：给定的张量。</translation>
    </message>
    <message>
        <source>One minus the Gauss error function of each element.</source>
        <translation>一减去每个元素的高斯误差函数。</translation>
    </message>
    <message>
        <source>One row for each sample.</source>
        <translation>每个样本一行。</translation>
    </message>
    <message>
        <source>One row for each segment, up to the last number.</source>
        <translation>每段一行，直到最后的段号。</translation>
    </message>
    <message>
        <source>One row for each segment.</source>
        <translation>每段一行。</translation>
    </message>
    <message>
        <source>One row for each segment; zeros for those without rows.</source>
        <translation>每段一行；没有行的段为零。</translation>
    </message>
    <message>
        <source>One step of an LSTM.</source>
        <translation>LSTM 的一步。</translation>
    </message>
    <message>
        <source>One summary of all that were made.</source>
        <translation>把已有的所有摘要合并为一个。</translation>
    </message>
    <message>
        <source>One value for each key.</source>
        <translation>每个键一个值。</translation>
    </message>
    <message>
        <source>Ones in the shape and type of another tensor.</source>
        <translation>与另一张量同形状同类型的全 1 张量。</translation>
    </message>
    <message>
        <source>Order of the dims: batch, depth, height, width, channels, or channels second.</source>
        <translation>维度的顺序：批、深、高、宽、通道，或通道在第二位。</translation>
    </message>
    <message>
        <source>Order of the dims: batch, height, width, channels, or channels second.</source>
        <translation>维度的顺序：批、高、宽、通道，或通道在第二位。</translation>
    </message>
    <message>
        <source>Orders later ops after this one.</source>
        <translation>使后面的 op 排在它之后。</translation>
    </message>
    <message>
        <source>Orders the op after the one that made this scalar.</source>
        <translation>使该 op 排在产生此标量的 op 之后。</translation>
    </message>
    <message>
        <source>Output before, [batch, cells].</source>
        <translation>先前的输出，[批, 细胞]。</translation>
    </message>
    <message>
        <source>Output gate.</source>
        <translation>输出门。</translation>
    </message>
    <message>
        <source>Output.</source>
        <translation>输出。</translation>
    </message>
    <message>
        <source>Packed tensors are not numbers to differentiate.</source>
        <translation>打包的张量不是可求导的数。</translation>
    </message>
    <message>
        <source>Padding before and after each dim, for EXPLICIT.</source>
        <translation>EXPLICIT 时各维前后的补边数。</translation>
    </message>
    <message>
        <source>Parameter beta of the method; a scalar.</source>
        <translation>该方法的参数 beta；标量。</translation>
    </message>
    <message>
        <source>Parameter beta1 of the method; a scalar.</source>
        <translation>该方法的参数 beta1；标量。</translation>
    </message>
    <message>
        <source>Parameter beta1_power of the method; a scalar.</source>
        <translation>该方法的参数 beta1_power；标量。</translation>
    </message>
    <message>
        <source>Parameter beta2 of the method; a scalar.</source>
        <translation>该方法的参数 beta2；标量。</translation>
    </message>
    <message>
        <source>Parameter beta2_power of the method; a scalar.</source>
        <translation>该方法的参数 beta2_power；标量。</translation>
    </message>
    <message>
        <source>Parameter epsilon of the method; a scalar.</source>
        <translation>该方法的参数 epsilon；标量。</translation>
    </message>
    <message>
        <source>Parameter global_step of the method; a scalar.</source>
        <translation>该方法的参数 global_step；标量。</translation>
    </message>
    <message>
        <source>Parameter l1 of the method; a scalar.</source>
        <translation>该方法的参数 l1；标量。</translation>
    </message>
    <message>
        <source>Parameter l2 of the method; a scalar.</source>
        <translation>该方法的参数 l2；标量。</translation>
    </message>
    <message>
        <source>Parameter l2_shrinkage of the method; a scalar.</source>
        <translation>该方法的参数 l2_shrinkage；标量。</translation>
    </message>
    <message>
        <source>Parameter logbase of the method; a scalar.</source>
        <translation>该方法的参数 logbase；标量。</translation>
    </message>
    <message>
        <source>Parameter lr_power of the method; a scalar.</source>
        <translation>该方法的参数 lr_power；标量。</translation>
    </message>
    <message>
        <source>Parameter momentum of the method; a scalar.</source>
        <translation>该方法的参数 momentum；标量。</translation>
    </message>
    <message>
        <source>Parameter rho of the method; a scalar.</source>
        <translation>该方法的参数 rho；标量。</translation>
    </message>
    <message>
        <source>Parameter sign_decay of the method; a scalar.</source>
        <translation>该方法的参数 sign_decay；标量。</translation>
    </message>
    <message>
        <source>Part of the speed that is kept.</source>
        <translation>保留的速度比例。</translation>
    </message>
    <message>
        <source>Part of the values that is dropped.</source>
        <translation>被置零的比例。</translation>
    </message>
    <message>
        <source>Passes on whichever of its inputs is alive.</source>
        <translation>把输入中活着的那个传下去。</translation>
    </message>
    <message>
        <source>Pictures in another size; each new pixel is its nearest neighbour.</source>
        <translation>缩放图像；新像素取最近的像素。</translation>
    </message>
    <message>
        <source>Pictures in another size; new pixels are mixed from their four neighbours.</source>
        <translation>缩放图像；新像素由四个相邻像素混合而成。</translation>
    </message>
    <message>
        <source>Pictures in another size; new pixels are mixed from their sixteen neighbours.</source>
        <translation>缩放图像；新像素由十六个相邻像素混合而成。</translation>
    </message>
    <message>
        <source>Pictures in the last three dimensions.</source>
        <translation>最后三维上的图像。</translation>
    </message>
    <message>
        <source>Pictures or sequences.</source>
        <translation>图像或序列。</translation>
    </message>
    <message>
        <source>Pictures with `filters` channels.</source>
        <translation>具有 `filters` 个通道的图像。</translation>
    </message>
    <message>
        <source>Pictures with another contrast.</source>
        <translation>改变图像的对比度。</translation>
    </message>
    <message>
        <source>Pictures with another hue.</source>
        <translation>改变图像的色相。</translation>
    </message>
    <message>
        <source>Pictures with stronger or weaker colours.</source>
        <translation>增强或减弱图像的色彩。</translation>
    </message>
    <message>
        <source>Pictures: [batch, height, width, channels].</source>
        <translation>图像：[批, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>Pixels given as red, green and blue, as hue, saturation and value.</source>
        <translation>把红、绿、蓝表示的像素变为色相、饱和度、明度。</translation>
    </message>
    <message>
        <source>Position of the largest element along an axis.</source>
        <translation>沿某轴最大元素的位置。</translation>
    </message>
    <message>
        <source>Position of the smallest element along an axis.</source>
        <translation>沿某轴最小元素的位置。</translation>
    </message>
    <message>
        <source>Probabilities of yes, from 0 to 1.</source>
        <translation>“是”的概率，从 0 到 1。</translation>
    </message>
    <message>
        <source>Product of a sparse and a dense matrix.</source>
        <translation>稀疏矩阵与稠密矩阵的乘积。</translation>
    </message>
    <message>
        <source>Product of the elements along axes.</source>
        <translation>沿各轴的乘积。</translation>
    </message>
    <message>
        <source>Product of the elements.</source>
        <translation>逐元素的乘积。</translation>
    </message>
    <message>
        <source>Product of two matrices that may hold many zeros.</source>
        <translation>两个可能含大量零的矩阵的乘积。</translation>
    </message>
    <message>
        <source>Product of two matrices, each of which may be read transposed.</source>
        <translation>两个矩阵的乘积，各自可按转置读取。</translation>
    </message>
    <message>
        <source>Products of matrices in the last two dims; the leading dims of both inputs are broadcast.</source>
        <translation>最后两维上的矩阵乘积；两个输入的前导维可广播。</translation>
    </message>
    <message>
        <source>Products of matrices in the last two dims; the leading dims of both inputs are the same.</source>
        <translation>最后两维上的矩阵乘积；两个输入的前导维相同。</translation>
    </message>
    <message>
        <source>Puts an element into a queue; waits while it is full.</source>
        <translation>把一个元素放入队列；队列满时等待。</translation>
    </message>
    <message>
        <source>Puts tensors side by side.</source>
        <translation>把张量并排拼接。</translation>
    </message>
    <message>
        <source>Puts the rows of tensors into a queue, one element each; waits while it is full.</source>
        <translation>把张量的各行逐个放入队列；队列满时等待。</translation>
    </message>
    <message>
        <source>Q with orthonormal columns and an upper triangular R with Q R = A.</source>
        <translation>列向量正交归一的 Q 与上三角的 R，满足 Q R = A。</translation>
    </message>
    <message>
        <source>Quotient of the elements rounded down, as Python&apos;s //.</source>
        <translation>商向下取整，同 Python 的 //。</translation>
    </message>
    <message>
        <source>Quotient of the elements, zero where `y` is zero.</source>
        <translation>逐元素的商，`y` 为零处得零。</translation>
    </message>
    <message>
        <source>Quotient of the elements.</source>
        <translation>逐元素的商。</translation>
    </message>
    <message>
        <source>Quotient of the elements; whole numbers are cut towards zero.</source>
        <translation>逐元素的商；整数向零取整。</translation>
    </message>
    <message>
        <source>Quotient of whole numbers cut towards zero; other numbers are divided plainly.</source>
        <translation>整数的商向零取整；其他数直接相除。</translation>
    </message>
    <message>
        <source>Random numbers do not depend on anything differentiable.</source>
        <translation>随机数不依赖任何可微的量。</translation>
    </message>
    <message>
        <source>Random numbers do not depend on anything.</source>
        <translation>随机数不依赖于任何输入。</translation>
    </message>
    <message>
        <source>Rate; a scalar.</source>
        <translation>学习率；标量。</translation>
    </message>
    <message>
        <source>Reads a sequence step by step and remembers by gates.</source>
        <translation>逐步读入序列，用门控制记忆。</translation>
    </message>
    <message>
        <source>A gated recurrent unit (GRU): reads a sequence step by step.</source>
        <translation>门控循环单元（GRU）：逐步读入序列。</translation>
    </message>
    <message>
        <source>Reads an element of an array.</source>
        <translation>读取数组的一个元素。</translation>
    </message>
    <message>
        <source>Reads tensors from a checkpoint.</source>
        <translation>从检查点读取张量。</translation>
    </message>
    <message>
        <source>Real numbers.</source>
        <translation>实数。</translation>
    </message>
    <message>
        <source>Real part of each element.</source>
        <translation>每个元素的实部。</translation>
    </message>
    <message>
        <source>Records are not numbers to differentiate.</source>
        <translation>记录不是可求导的数。</translation>
    </message>
    <message>
        <source>Records how values are distributed.</source>
        <translation>记录数值的分布。</translation>
    </message>
    <message>
        <source>Records one number.</source>
        <translation>记录一个数。</translation>
    </message>
    <message>
        <source>Records pictures.</source>
        <translation>记录图像。</translation>
    </message>
    <message>
        <source>Remainder of a division that rounds down, as Python&apos;s %: it has the sign of `y`.</source>
        <translation>向下取整的除法的余数，同 Python 的 %：与 `y` 同号。</translation>
    </message>
    <message>
        <source>Remainder of a division towards zero: it has the sign of `x`.</source>
        <translation>向零取整的除法的余数：与 `x` 同号。</translation>
    </message>
    <message>
        <source>Replaces rows of a variable, picked by index.</source>
        <translation>按下标替换变量的行。</translation>
    </message>
    <message>
        <source>Right classes per example.</source>
        <translation>每个样本的正确类别数。</translation>
    </message>
    <message>
        <source>Rows in a random order.</source>
        <translation>行的随机顺序。</translation>
    </message>
    <message>
        <source>Rows of a tensor chosen by indices.</source>
        <translation>按下标取出张量的行。</translation>
    </message>
    <message>
        <source>Rows of a variable, picked by index.</source>
        <translation>按下标取出变量的行。</translation>
    </message>
    <message>
        <source>Rows of several tensors put into one, each at its index.</source>
        <translation>把若干张量的行按下标合并成一个。</translation>
    </message>
    <message>
        <source>Rows of the variable that the gradient&apos;s rows belong to; a vector.</source>
        <translation>梯度的各行对应变量的哪些行；向量。</translation>
    </message>
    <message>
        <source>Rows sorted into several tensors by a number for each.</source>
        <translation>按每行的编号把行分到若干张量。</translation>
    </message>
    <message>
        <source>Running product along an axis.</source>
        <translation>沿某轴的累积乘积。</translation>
    </message>
    <message>
        <source>Running sum along an axis.</source>
        <translation>沿某轴的累积和。</translation>
    </message>
    <message>
        <source>SAME pads so that each stride has an output; VALID does not pad; EXPLICIT pads as listed.</source>
        <translation>SAME 补边，使每一步都有输出；VALID 不补边；EXPLICIT 按列出的数补边。</translation>
    </message>
    <message>
        <source>SAME pads so that each stride has an output; VALID uses only windows inside the image.</source>
        <translation>SAME 补边，使每一步都有输出；VALID 只用完全位于图像内的窗口。</translation>
    </message>
    <message>
        <source>SAME pads so that each stride has an output; VALID uses only windows inside the volume.</source>
        <translation>SAME 补边，使每一步都有输出；VALID 只用完全位于体数据内的窗口。</translation>
    </message>
    <message>
        <source>Samples per second.</source>
        <translation>每秒采样数。</translation>
    </message>
    <message>
        <source>Second argument, of a shape that broadcasts with that of the first.</source>
        <translation>第二个参数，形状可与第一个广播。</translation>
    </message>
    <message>
        <source>Second operand, of a shape that broadcasts with that of `x`.</source>
        <translation>第二个操作数，形状可与 `x` 广播。</translation>
    </message>
    <message>
        <source>Second seed, so that ops of one graph seed differ.</source>
        <translation>第二个种子，使同一图种子下的各 op 互不相同。</translation>
    </message>
    <message>
        <source>Second seed.</source>
        <translation>第二个种子。</translation>
    </message>
    <message>
        <source>Seed of the graph or the op; with both 0 each session draws other classes.</source>
        <translation>图或 op 的种子；两者皆为 0 时每个会话抽取不同的类别。</translation>
    </message>
    <message>
        <source>Seed of the graph or the op; with both 0 each session draws other numbers.</source>
        <translation>图或 op 的种子；两者皆为 0 时每个会话抽取不同的数。</translation>
    </message>
    <message>
        <source>Segment of each row; the numbers must not decrease.</source>
        <translation>每行所属的段；段号不得减小。</translation>
    </message>
    <message>
        <source>Sends its input to one of two outputs; the other one is dead in this step.</source>
        <translation>把输入送往两个输出之一；另一个在本步中是死的。</translation>
    </message>
    <message>
        <source>Sequences: [batch, time, features].</source>
        <translation>序列：[批, 时间, 特征]。</translation>
    </message>
    <message>
        <source>Sets a random part of the values to zero and scales the others up.</source>
        <translation>随机将一部分值置零，并放大其余的值。</translation>
    </message>
    <message>
        <source>Sets a random part of the values to zero while training.</source>
        <translation>训练时随机将一部分值置零。</translation>
    </message>
    <message>
        <source>Several tensors, handed on together.</source>
        <translation>若干张量，一并原样传递。</translation>
    </message>
    <message>
        <source>Shape of an element: a vector with -1 where a dim is not known, or the scalar -1.</source>
        <translation>元素的形状：向量，未知的维为 -1；或标量 -1。</translation>
    </message>
    <message>
        <source>Shape of the result.</source>
        <translation>结果的形状。</translation>
    </message>
    <message>
        <source>Shapes of an element&apos;s components, as far as they are known.</source>
        <translation>元素各分量的形状，以已知者为限。</translation>
    </message>
    <message>
        <source>Shapes of the results, if they are known.</source>
        <translation>结果的形状（若已知）。</translation>
    </message>
    <message>
        <source>Share of samples whose largest logit is the right class.</source>
        <translation>最大 logit 恰为正确类别的样本所占比例。</translation>
    </message>
    <message>
        <source>Share of what is yes that was said to be, over all batches.</source>
        <translation>确实为“是”的样本中被判为“是”的比例，累计所有批。</translation>
    </message>
    <message>
        <source>Share of what was said to be yes that is yes, over all batches.</source>
        <translation>被判为“是”的样本中确实为“是”的比例，累计所有批。</translation>
    </message>
    <message>
        <source>Shifts and scales each channel to given mean and variance, using the statistics of the batch or given ones.</source>
        <translation>用本批或给定的统计量，把各通道平移缩放到给定的均值和方差。</translation>
    </message>
    <message>
        <source>Side of the block.</source>
        <translation>块的边长。</translation>
    </message>
    <message>
        <source>Sine of each element, in radians.</source>
        <translation>每个元素的正弦，以弧度计。</translation>
    </message>
    <message>
        <source>Singular values in descending order and singular vectors: A = U diag(S) Vᴴ.</source>
        <translation>按降序的奇异值与奇异向量：A = U diag(S) Vᴴ。</translation>
    </message>
    <message>
        <source>Size of a step.</source>
        <translation>步子的大小。</translation>
    </message>
    <message>
        <source>Size of the memory.</source>
        <translation>记忆的大小。</translation>
    </message>
    <message>
        <source>Size of the window along each dim of the input.</source>
        <translation>窗口沿输入各维的大小。</translation>
    </message>
    <message>
        <source>Slices of a tensor along an axis, chosen by indices.</source>
        <translation>沿某轴按下标取出张量的切片。</translation>
    </message>
    <message>
        <source>Slices of a tensor, each picked by an index vector.</source>
        <translation>取出张量的切片，每个由一个下标向量指定。</translation>
    </message>
    <message>
        <source>Slices put into a tensor of zeros where index vectors say; slices for one place are added.</source>
        <translation>把切片按下标向量放入全零张量；同一位置的相加。</translation>
    </message>
    <message>
        <source>Slides small filters over pictures.</source>
        <translation>让小滤波器在图像上滑动。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: accum.</source>
        <translation>与变量配套的槽：accum。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: accum_update.</source>
        <translation>与变量配套的槽：accum_update。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: gradient_accumulator.</source>
        <translation>与变量配套的槽：gradient_accumulator。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: gradient_squared_accumulator.</source>
        <translation>与变量配套的槽：gradient_squared_accumulator。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: linear.</source>
        <translation>与变量配套的槽：linear。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: m.</source>
        <translation>与变量配套的槽：m。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: mg.</source>
        <translation>与变量配套的槽：mg。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: mom.</source>
        <translation>与变量配套的槽：mom。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: ms.</source>
        <translation>与变量配套的槽：ms。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: v.</source>
        <translation>与变量配套的槽：v。</translation>
    </message>
    <message>
        <source>Slot that goes with the variable: vhat.</source>
        <translation>与变量配套的槽：vhat。</translation>
    </message>
    <message>
        <source>Smaller one of each pair of elements.</source>
        <translation>每对元素中较小的一个。</translation>
    </message>
    <message>
        <source>Smaller pictures.</source>
        <translation>更小的图像。</translation>
    </message>
    <message>
        <source>Smaller steps where gradients were large.</source>
        <translation>梯度大的地方步子更小。</translation>
    </message>
    <message>
        <source>Smallest element along axes.</source>
        <translation>沿各轴的最小元素。</translation>
    </message>
    <message>
        <source>Smallest whole number that is not below each element.</source>
        <translation>不小于各元素的最小整数。</translation>
    </message>
    <message>
        <source>Smooth below zero, straight above.</source>
        <translation>零以下平滑，零以上为线性。</translation>
    </message>
    <message>
        <source>Sounds, each as a WAV file.</source>
        <translation>声音，每段写成一个 WAV 文件。</translation>
    </message>
    <message>
        <source>Square of the difference of the elements.</source>
        <translation>元素之差的平方。</translation>
    </message>
    <message>
        <source>Square root of each element.</source>
        <translation>每个元素的平方根。</translation>
    </message>
    <message>
        <source>Squared where differences are small, straight where they are large.</source>
        <translation>差较小处取平方，较大处取线性。</translation>
    </message>
    <message>
        <source>Squeezes into -1 to 1, more gently than tanh.</source>
        <translation>压缩到 -1 至 1，比 tanh 更平缓。</translation>
    </message>
    <message>
        <source>Squeezes into -1 to 1.</source>
        <translation>压缩到 -1 至 1。</translation>
    </message>
    <message>
        <source>Squeezes into 0 to 1.</source>
        <translation>压缩到 0 至 1。</translation>
    </message>
    <message>
        <source>Stacks elements of an array along a new first dimension.</source>
        <translation>把数组的元素沿新的第一维堆叠。</translation>
    </message>
    <message>
        <source>State of the cells before, [batch, cells].</source>
        <translation>细胞先前的状态，[批, 细胞]。</translation>
    </message>
    <message>
        <source>State of the cells.</source>
        <translation>细胞的状态。</translation>
    </message>
    <message>
        <source>Step of the window in height and width.</source>
        <translation>窗口在高与宽方向上的步长。</translation>
    </message>
    <message>
        <source>Steps against the gradient.</source>
        <translation>沿梯度反方向迈步。</translation>
    </message>
    <message>
        <source>Steps by running averages of the gradient and of its square.</source>
        <translation>按梯度及其平方的滑动平均迈步。</translation>
    </message>
    <message>
        <source>Steps divided by the recent size of the gradient.</source>
        <translation>步子除以近期梯度的大小。</translation>
    </message>
    <message>
        <source>Steps of the window along each dim of the input.</source>
        <translation>窗口沿输入各维的步长。</translation>
    </message>
    <message>
        <source>Steps that keep part of their speed.</source>
        <translation>保留一部分速度的步子。</translation>
    </message>
    <message>
        <source>Subtracts a value from a variable.</source>
        <translation>从变量中减去一个值。</translation>
    </message>
    <message>
        <source>Sum of picked rows for each segment.</source>
        <translation>所选各行按段求和。</translation>
    </message>
    <message>
        <source>Sum of several tensors of one shape.</source>
        <translation>若干形状相同的张量之和。</translation>
    </message>
    <message>
        <source>Sum of squares at the start.</source>
        <translation>平方和的初值。</translation>
    </message>
    <message>
        <source>Sum of the elements along axes.</source>
        <translation>沿各轴的和。</translation>
    </message>
    <message>
        <source>Sum of the elements.</source>
        <translation>逐元素求和。</translation>
    </message>
    <message>
        <source>Sum of the elements; of strings, one after the other.</source>
        <translation>逐元素求和；字符串则首尾相接。</translation>
    </message>
    <message>
        <source>Sum of the rows of each segment.</source>
        <translation>每段各行的和。</translation>
    </message>
    <message>
        <source>Sums a gradient over all positions, giving that of the biases.</source>
        <translation>把梯度在所有位置上求和，得到偏置的梯度。</translation>
    </message>
    <message>
        <source>Sums tensors of one shape.</source>
        <translation>把形状相同的张量相加。</translation>
    </message>
    <message>
        <source>Tag under which it is shown.</source>
        <translation>显示时所用的标签。</translation>
    </message>
    <message>
        <source>Takes a number of elements from a queue and joins them to a batch; waits until there are so many.</source>
        <translation>从队列取出若干元素并拼成一批；不够时等待。</translation>
    </message>
    <message>
        <source>Takes a value out of its frame when the loop ends.</source>
        <translation>循环结束时把值带出其帧。</translation>
    </message>
    <message>
        <source>Takes all further tensors from the first one.</source>
        <translation>从第一个张量中减去其余各张量。</translation>
    </message>
    <message>
        <source>Takes an element from a queue; waits for one if there is none.</source>
        <translation>从队列取出一个元素；没有时等待。</translation>
    </message>
    <message>
        <source>Tangent of each element, in radians.</source>
        <translation>每个元素的正切，以弧度计。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 has no gradient for it.</source>
        <translation>TensorFlow 1.15 没有它的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 has no gradient of the op; tf.einsum is made of others.</source>
        <translation>TensorFlow 1.15 没有该 op 的梯度；tf.einsum 由其他 op 组成。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 has no second derivative of it.</source>
        <translation>TensorFlow 1.15 没有它的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 has none for the variable&apos;s side.</source>
        <translation>TensorFlow 1.15 没有对变量一侧的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 has none.</source>
        <translation>TensorFlow 1.15 没有。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative of Softsign.</source>
        <translation>TensorFlow 没有定义 Softsign 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative of a call.</source>
        <translation>TensorFlow 没有定义函数调用的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no third derivative of MaxPoolV2.</source>
        <translation>TensorFlow 没有定义 MaxPoolV2 的三阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines none for calls to other devices.</source>
        <translation>TensorFlow 没有为对其他设备的调用定义梯度。</translation>
    </message>
    <message>
        <source>TensorFlow defines none.</source>
        <translation>TensorFlow 没有定义。</translation>
    </message>
    <message>
        <source>TensorFlow does not differentiate it.</source>
        <translation>TensorFlow 不对它求导。</translation>
    </message>
    <message>
        <source>TensorFlow does not differentiate it: the number of values changes in steps.</source>
        <translation>TensorFlow 不对它求导：值的个数是跳变的。</translation>
    </message>
    <message>
        <source>TensorFlow has gradients for its successor only.</source>
        <translation>TensorFlow 只为取代它的新 op 定义了梯度。</translation>
    </message>
    <message>
        <source>TensorFlow has gradients of the second version only.</source>
        <translation>TensorFlow 只有第二版的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow has no gradient for it.</source>
        <translation>TensorFlow 没有它的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow has no second derivative with respect to `a`.</source>
        <translation>TensorFlow 没有对 `a` 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow has no second derivative by `alpha`.</source>
        <translation>TensorFlow 没有对 `alpha` 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow has no second derivative of Dilation2D.</source>
        <translation>TensorFlow 没有 Dilation2D 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow has no second derivative of LRN.</source>
        <translation>TensorFlow 没有 LRN 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow has no second derivative of it.</source>
        <translation>TensorFlow 没有它的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow has none in three dimensions.</source>
        <translation>TensorFlow 没有三维的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow has not implemented it.</source>
        <translation>TensorFlow 没有实现。</translation>
    </message>
    <message>
        <source>TensorFlow states no gradient for it; FloorMod has one.</source>
        <translation>TensorFlow 没有给出它的梯度；FloorMod 有。</translation>
    </message>
    <message>
        <source>TensorFlow&apos;s layers call the gradient op themselves.</source>
        <translation>TensorFlow 的层自己调用梯度 op。</translation>
    </message>
    <message>
        <source>Tensors joined along an axis.</source>
        <translation>沿某轴拼接的张量。</translation>
    </message>
    <message>
        <source>Tensors of one shape stacked along a new axis.</source>
        <translation>把形状相同的张量沿新轴堆叠。</translation>
    </message>
    <message>
        <source>Tensors that the function captures.</source>
        <translation>函数捕获的张量。</translation>
    </message>
    <message>
        <source>Texts are not numbers to differentiate.</source>
        <translation>文本不是可求导的数。</translation>
    </message>
    <message>
        <source>Splits texts at a delimiter; a sparse matrix of the pieces.</source>
        <translation>切分的文本，以稀疏矩阵表示。</translation>
    </message>
    <message>
        <source>Texts put together element by element.</source>
        <translation>逐元素连接的文本。</translation>
    </message>
    <message>
        <source>Texts.</source>
        <translation>文本。</translation>
    </message>
    <message>
        <source>The X with A X = B.</source>
        <translation>满足 A X = B 的 X。</translation>
    </message>
    <message>
        <source>The accumulator.</source>
        <translation>累加器。</translation>
    </message>
    <message>
        <source>The answer for each pair of elements, in the common shape.</source>
        <translation>每对元素的判断，为共同的形状。</translation>
    </message>
    <message>
        <source>The array of gradients that belongs to an array.</source>
        <translation>与某个数组对应的梯度数组。</translation>
    </message>
    <message>
        <source>The axes over which the gradients of two broadcast operands are to be summed.</source>
        <translation>两个广播操作数的梯度需要求和的轴。</translation>
    </message>
    <message>
        <source>The axis, a scalar; negative ones count from the last.</source>
        <translation>轴，标量；负数从最后一维数起。</translation>
    </message>
    <message>
        <source>The axis; negative ones count from the last.</source>
        <translation>轴；负数从最后一维数起。</translation>
    </message>
    <message>
        <source>The barrier.</source>
        <translation>屏障。</translation>
    </message>
    <message>
        <source>Reverses the first elements of each sequence, as many as `seq_lengths` says.</source>
        <translation>把每个序列开头的若干元素反过来，个数由 `seq_lengths` 给出。</translation>
    </message>
    <message>
        <source>The best boxes that do not overlap better ones too much.</source>
        <translation>得分最高且与更好者重叠不多的边框。</translation>
    </message>
    <message>
        <source>The bytes of a tensor read as another type.</source>
        <translation>把张量的字节按另一种类型解读。</translation>
    </message>
    <message>
        <source>The bytes of texts read as numbers.</source>
        <translation>把文本的字节读作数。</translation>
    </message>
    <message>
        <source>The bytes of the file; a scalar.</source>
        <translation>文件的字节；标量。</translation>
    </message>
    <message>
        <source>The bytes.</source>
        <translation>字节。</translation>
    </message>
    <message>
        <source>The changed pictures.</source>
        <translation>修改后的图像。</translation>
    </message>
    <message>
        <source>The columns of records of comma-separated values.</source>
        <translation>逗号分隔记录的各列。</translation>
    </message>
    <message>
        <source>The condition of a loop is not differentiable.</source>
        <translation>循环的条件不可微。</translation>
    </message>
    <message>
        <source>The data set that elements come from.</source>
        <translation>元素来自的数据集。</translation>
    </message>
    <message>
        <source>The data set.</source>
        <translation>数据集。</translation>
    </message>
    <message>
        <source>The determinant of each matrix.</source>
        <translation>每个矩阵的行列式。</translation>
    </message>
    <message>
        <source>The different elements of a vector, in order of their first occurrence.</source>
        <translation>向量中各不相同的元素，按首次出现的顺序。</translation>
    </message>
    <message>
        <source>The dimension that grows.</source>
        <translation>变长的维度。</translation>
    </message>
    <message>
        <source>The dimensions; -1 for one that follows from the others.</source>
        <translation>各维大小；-1 表示由其余各维推出。</translation>
    </message>
    <message>
        <source>The drawn classes.</source>
        <translation>抽取的类别。</translation>
    </message>
    <message>
        <source>The element cut off below 0 and above 6.</source>
        <translation>元素截在 0 与 6 之间。</translation>
    </message>
    <message>
        <source>The element where it is positive, else 0.</source>
        <translation>正的元素保持不变，否则为 0。</translation>
    </message>
    <message>
        <source>The element where it is positive, else e^x - 1.</source>
        <translation>正的元素保持不变，否则为 e^x - 1。</translation>
    </message>
    <message>
        <source>The element where it is positive, else the element times `alpha`.</source>
        <translation>正的元素保持不变，否则乘以 `alpha`。</translation>
    </message>
    <message>
        <source>The element&apos;s components.</source>
        <translation>元素的各分量。</translation>
    </message>
    <message>
        <source>The elements again and again.</source>
        <translation>反复给出这些元素。</translation>
    </message>
    <message>
        <source>The elements in random order, drawn from a buffer.</source>
        <translation>从缓冲区中随机取出的元素顺序。</translation>
    </message>
    <message>
        <source>The elements of a tensor for which both halves of the indices are equal.</source>
        <translation>张量中下标前后两半相等的元素。</translation>
    </message>
    <message>
        <source>The elements of the data sets that a function makes of each element, one data set after another.</source>
        <translation>函数由每个元素得出一个数据集，依次给出各数据集的元素。</translation>
    </message>
    <message>
        <source>The elements that a function says true of.</source>
        <translation>使函数为真的那些元素。</translation>
    </message>
    <message>
        <source>The elements.</source>
        <translation>元素。</translation>
    </message>
    <message>
        <source>The features of a batch of tf.train.Example records as tensors.</source>
        <translation>一批 tf.train.Example 记录的各特征，解析为张量。</translation>
    </message>
    <message>
        <source>The features of one tf.train.Example record as tensors.</source>
        <translation>一条 tf.train.Example 记录的各特征，解析为张量。</translation>
    </message>
    <message>
        <source>The fed tensor.</source>
        <translation>馈送的张量。</translation>
    </message>
    <message>
        <source>The first elements.</source>
        <translation>开头的若干元素。</translation>
    </message>
    <message>
        <source>The function of each element.</source>
        <translation>作用于每个元素的函数。</translation>
    </message>
    <message>
        <source>The function.</source>
        <translation>函数。</translation>
    </message>
    <message>
        <source>The gradient of Cholesky.</source>
        <translation>Cholesky 的梯度。</translation>
    </message>
    <message>
        <source>The gradient.</source>
        <translation>梯度。</translation>
    </message>
    <message>
        <source>The greatest value.</source>
        <translation>最大的值。</translation>
    </message>
    <message>
        <source>The inverse of each matrix.</source>
        <translation>每个矩阵的逆。</translation>
    </message>
    <message>
        <source>The k largest elements along the last dimension, in descending order; of equal ones the first comes first.</source>
        <translation>最后一维上最大的 k 个元素，按降序；相等时先出现者在前。</translation>
    </message>
    <message>
        <source>The keys.</source>
        <translation>键。</translation>
    </message>
    <message>
        <source>The largest of the values at each place.</source>
        <translation>每个位置上各值中的最大者。</translation>
    </message>
    <message>
        <source>The largest value of each channel over the whole picture.</source>
        <translation>每个通道在整幅图像上的最大值。</translation>
    </message>
    <message>
        <source>The least value.</source>
        <translation>最小的值。</translation>
    </message>
    <message>
        <source>The lines of text files, as strings without their ends.</source>
        <translation>文本文件的各行，不含行尾符。</translation>
    </message>
    <message>
        <source>The list.</source>
        <translation>列表。</translation>
    </message>
    <message>
        <source>The lower triangular matrix L with L Lᴴ = A, for matrices that are symmetric and positive.</source>
        <translation>满足 L Lᴴ = A 的下三角矩阵 L，要求矩阵对称且正定。</translation>
    </message>
    <message>
        <source>The maxima.</source>
        <translation>最大值。</translation>
    </message>
    <message>
        <source>The mean of each channel over the whole picture.</source>
        <translation>每个通道在整幅图像上的平均。</translation>
    </message>
    <message>
        <source>The mean of the values at each place.</source>
        <translation>每个位置上各值的平均。</translation>
    </message>
    <message>
        <source>The new list.</source>
        <translation>新列表。</translation>
    </message>
    <message>
        <source>The next element of an iterator.</source>
        <translation>迭代器的下一个元素。</translation>
    </message>
    <message>
        <source>The next record; a file whose records are used up is followed by the next one of the queue.</source>
        <translation>下一条记录；一个文件读完后接着读队列中的下一个。</translation>
    </message>
    <message>
        <source>The number of dimensions of a tensor.</source>
        <translation>张量的维数。</translation>
    </message>
    <message>
        <source>The number of elements of a tensor.</source>
        <translation>张量的元素个数。</translation>
    </message>
    <message>
        <source>The numbers from start to stop, stop left out.</source>
        <translation>从 start 到 stop 的数，不含 stop。</translation>
    </message>
    <message>
        <source>The numbers.</source>
        <translation>数。</translation>
    </message>
    <message>
        <source>The op that does one step.</source>
        <translation>执行一步更新的 op。</translation>
    </message>
    <message>
        <source>The op that restores all.</source>
        <translation>恢复全部变量的 op。</translation>
    </message>
    <message>
        <source>The op.</source>
        <translation>该 op。</translation>
    </message>
    <message>
        <source>The other way round of a convolution: makes pictures larger.</source>
        <translation>卷积的反方向：把图像放大。</translation>
    </message>
    <message>
        <source>The permutation that undoes another one.</source>
        <translation>抵消另一个排列的排列。</translation>
    </message>
    <message>
        <source>The positions of elements that are true or not zero.</source>
        <translation>为真或非零的元素的位置。</translation>
    </message>
    <message>
        <source>The queue.</source>
        <translation>队列。</translation>
    </message>
    <message>
        <source>The random numbers.</source>
        <translation>随机数。</translation>
    </message>
    <message>
        <source>The reader.</source>
        <translation>读取器。</translation>
    </message>
    <message>
        <source>The records of TFRecord files, as strings.</source>
        <translation>TFRecord 文件中的记录，为字符串。</translation>
    </message>
    <message>
        <source>The reduced tensor.</source>
        <translation>归约后的张量。</translation>
    </message>
    <message>
        <source>The result for each element, in the shape of `x`.</source>
        <translation>每个元素的结果，形状同 `x`。</translation>
    </message>
    <message>
        <source>The result for each pair of elements, in the common shape.</source>
        <translation>每对元素的结果，为共同的形状。</translation>
    </message>
    <message>
        <source>The result is a truth value.</source>
        <translation>结果是真假值。</translation>
    </message>
    <message>
        <source>The result is not a number.</source>
        <translation>结果不是数。</translation>
    </message>
    <message>
        <source>The result of the pooling.</source>
        <translation>池化的结果。</translation>
    </message>
    <message>
        <source>The right classes of each example, one row each.</source>
        <translation>每个样本的正确类别，各占一行。</translation>
    </message>
    <message>
        <source>The rows.</source>
        <translation>各行。</translation>
    </message>
    <message>
        <source>The same as a scalar tensor, to be fed.</source>
        <translation>同上，但为可馈送的标量张量。</translation>
    </message>
    <message>
        <source>The same elements, in order, under another shape.</source>
        <translation>同样的元素、同样的顺序，换成另一种形状。</translation>
    </message>
    <message>
        <source>The same elements; TensorFlow computes some of them ahead.</source>
        <translation>同样的元素；TensorFlow 会提前计算其中一些。</translation>
    </message>
    <message>
        <source>The same tensor.</source>
        <translation>同一张量。</translation>
    </message>
    <message>
        <source>The same values as another type.</source>
        <translation>同样的值，换成另一种类型。</translation>
    </message>
    <message>
        <source>The same values in another shape.</source>
        <translation>同样的值，换成另一种形状。</translation>
    </message>
    <message>
        <source>The same values with their dimensions in another order.</source>
        <translation>同样的值，维度顺序不同。</translation>
    </message>
    <message>
        <source>The same.</source>
        <translation>同上。</translation>
    </message>
    <message>
        <source>The scalar to be made small.</source>
        <translation>要使之变小的标量。</translation>
    </message>
    <message>
        <source>The self-normalising exponential unit: a scaled Elu that keeps mean 0 and variance 1.</source>
        <translation>自归一化指数单元：缩放过的 Elu，保持均值 0、方差 1。</translation>
    </message>
    <message>
        <source>The shape of a tensor, as a vector.</source>
        <translation>张量的形状，以向量表示。</translation>
    </message>
    <message>
        <source>The shape of a variable&apos;s value.</source>
        <translation>变量的值的形状。</translation>
    </message>
    <message>
        <source>The shape to which two shapes broadcast.</source>
        <translation>两个形状广播后的形状。</translation>
    </message>
    <message>
        <source>The shapes of several tensors, each as a vector.</source>
        <translation>若干张量的形状，各为一个向量。</translation>
    </message>
    <message>
        <source>The size of a set does not change smoothly.</source>
        <translation>集合的大小不会平滑变化。</translation>
    </message>
    <message>
        <source>The slices of a tensor along an axis, each as a tensor of its own.</source>
        <translation>张量沿某轴的各切片，各成一个张量。</translation>
    </message>
    <message>
        <source>The smallest of the values at each place.</source>
        <translation>每个位置上各值中的最小者。</translation>
    </message>
    <message>
        <source>The table.</source>
        <translation>表。</translation>
    </message>
    <message>
        <source>The tensor as it is.</source>
        <translation>原样的张量。</translation>
    </message>
    <message>
        <source>The tensor as it is; asking for a gradient through it is an error.</source>
        <translation>原样的张量；求穿过它的梯度会报错。</translation>
    </message>
    <message>
        <source>The tensor as it is; gradients take it for a constant.</source>
        <translation>原样的张量；求梯度时视为常量。</translation>
    </message>
    <message>
        <source>The tensor itself, or an error if it holds NaN or infinity.</source>
        <translation>张量本身；含 NaN 或无穷时报错。</translation>
    </message>
    <message>
        <source>The tensor repeated along each dimension.</source>
        <translation>沿各维重复的张量。</translation>
    </message>
    <message>
        <source>The tensor repeated to a given shape, as broadcasting does.</source>
        <translation>按广播规则把张量重复成给定形状。</translation>
    </message>
    <message>
        <source>The tensor to reduce.</source>
        <translation>要归约的张量。</translation>
    </message>
    <message>
        <source>The tensor with a value around it.</source>
        <translation>四周补某个值的张量。</translation>
    </message>
    <message>
        <source>The tensor with its dimensions in another order.</source>
        <translation>维度换了顺序的张量。</translation>
    </message>
    <message>
        <source>The tensor with its mirror images around it.</source>
        <translation>张量四周加上其镜像。</translation>
    </message>
    <message>
        <source>The tensor with one more dimension, of length 1.</source>
        <translation>张量增加一个长度为 1 的维度。</translation>
    </message>
    <message>
        <source>The tensor with some of its dimensions reversed.</source>
        <translation>某些维度反向的张量。</translation>
    </message>
    <message>
        <source>The tensor with zeros around it.</source>
        <translation>四周补零的张量。</translation>
    </message>
    <message>
        <source>The tensor without its dimensions of length 1.</source>
        <translation>去掉长度为 1 的维度。</translation>
    </message>
    <message>
        <source>The tensor.</source>
        <translation>张量。</translation>
    </message>
    <message>
        <source>The tensors.</source>
        <translation>各张量。</translation>
    </message>
    <message>
        <source>The type.</source>
        <translation>类型。</translation>
    </message>
    <message>
        <source>The value of a variable.</source>
        <translation>变量的值。</translation>
    </message>
    <message>
        <source>The value so far, and the same with this batch: what a summary is made of.</source>
        <translation>到目前为止的值，以及计入本批后的值：摘要由后者生成。</translation>
    </message>
    <message>
        <source>The values of keys.</source>
        <translation>各键对应的值。</translation>
    </message>
    <message>
        <source>The values.</source>
        <translation>值。</translation>
    </message>
    <message>
        <source>The variable, after it was changed.</source>
        <translation>修改之后的变量。</translation>
    </message>
    <message>
        <source>The variable.</source>
        <translation>变量。</translation>
    </message>
    <message>
        <source>The windows of images as vectors.</source>
        <translation>把图像的各窗口变成向量。</translation>
    </message>
    <message>
        <source>Their values.</source>
        <translation>它们的值。</translation>
    </message>
    <message>
        <source>There is no output.</source>
        <translation>没有输出。</translation>
    </message>
    <message>
        <source>Threads have no gradient.</source>
        <translation>线程没有梯度。</translation>
    </message>
    <message>
        <source>Time does not depend on values.</source>
        <translation>时间不依赖数值。</translation>
    </message>
    <message>
        <source>Trees do not change smoothly.</source>
        <translation>决策树不是连续变化的。</translation>
    </message>
    <message>
        <source>Truth values have no gradient.</source>
        <translation>真假值没有梯度。</translation>
    </message>
    <message>
        <source>Two numbers; the same ones give the same result, always.</source>
        <translation>两个数；相同的数总是给出相同的结果。</translation>
    </message>
    <message>
        <source>Two or more tensors of one shape.</source>
        <translation>两个或更多形状相同的张量。</translation>
    </message>
    <message>
        <source>Two or more tensors.</source>
        <translation>两个或更多张量。</translation>
    </message>
    <message>
        <source>Type of its elements.</source>
        <translation>其元素的类型。</translation>
    </message>
    <message>
        <source>Type of the axes.</source>
        <translation>轴的类型。</translation>
    </message>
    <message>
        <source>Type of the axis.</source>
        <translation>轴的类型。</translation>
    </message>
    <message>
        <source>Type of the elements.</source>
        <translation>元素的类型。</translation>
    </message>
    <message>
        <source>Type of the gradients.</source>
        <translation>梯度的类型。</translation>
    </message>
    <message>
        <source>Type of the images.</source>
        <translation>图像的类型。</translation>
    </message>
    <message>
        <source>Type of the indices.</source>
        <translation>下标的类型。</translation>
    </message>
    <message>
        <source>Type of the keys.</source>
        <translation>键的类型。</translation>
    </message>
    <message>
        <source>Type of the numbers.</source>
        <translation>数的类型。</translation>
    </message>
    <message>
        <source>Type of the operands.</source>
        <translation>操作数的类型。</translation>
    </message>
    <message>
        <source>Type of the pixels.</source>
        <translation>像素的类型。</translation>
    </message>
    <message>
        <source>Type of the positions.</source>
        <translation>位置的类型。</translation>
    </message>
    <message>
        <source>Type of the scores.</source>
        <translation>得分的类型。</translation>
    </message>
    <message>
        <source>Type of the seed.</source>
        <translation>种子的类型。</translation>
    </message>
    <message>
        <source>Type of the segments&apos; numbers.</source>
        <translation>段号的类型。</translation>
    </message>
    <message>
        <source>Type of the shape.</source>
        <translation>形状的类型。</translation>
    </message>
    <message>
        <source>Type of the values.</source>
        <translation>值的类型。</translation>
    </message>
    <message>
        <source>Type of their count.</source>
        <translation>其个数的类型。</translation>
    </message>
    <message>
        <source>Types of a tuple&apos;s components.</source>
        <translation>元组各分量的类型。</translation>
    </message>
    <message>
        <source>Types of an element&apos;s components.</source>
        <translation>元素各分量的类型。</translation>
    </message>
    <message>
        <source>Types of the arguments.</source>
        <translation>参数的类型。</translation>
    </message>
    <message>
        <source>Types of the components.</source>
        <translation>各分量的类型。</translation>
    </message>
    <message>
        <source>Types of the results.</source>
        <translation>结果的类型。</translation>
    </message>
    <message>
        <source>Types of what the function captures.</source>
        <translation>函数捕获的张量的类型。</translation>
    </message>
    <message>
        <source>Undoes SpaceToBatchND: parts of the batch become positions within blocks of space.</source>
        <translation>SpaceToBatchND 的逆：批中的各部分变成空间块内的位置。</translation>
    </message>
    <message>
        <source>Updates of variables are not differentiable.</source>
        <translation>变量的更新不可微。</translation>
    </message>
    <message>
        <source>Values.</source>
        <translation>数值。</translation>
    </message>
    <message>
        <source>Values; the last dimension is normalised.</source>
        <translation>数值；对最后一维归一化。</translation>
    </message>
    <message>
        <source>Volumes [batch, depth, height, width, channels].</source>
        <translation>体数据 [批, 深, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>Weighs and sums all inputs for each unit.</source>
        <translation>每个单元对所有输入加权求和。</translation>
    </message>
    <message>
        <source>Weights, [inputs + cells, 4 * cells].</source>
        <translation>权重，[输入 + 细胞, 4 × 细胞]。</translation>
    </message>
    <message>
        <source>A strided slice, like Python&apos;s x[begin:end:stride, …].</source>
        <translation>带步长的切片，同 Python 的 x[begin:end:stride, …]。</translation>
    </message>
    <message>
        <source>What a function makes of each element, in order.</source>
        <translation>函数由每个元素得出的结果，按顺序给出。</translation>
    </message>
    <message>
        <source>What a function makes of each element.</source>
        <translation>函数由每个元素得出的结果。</translation>
    </message>
    <message>
        <source>What an accumulator holds came from other runs; gradients do not flow through it.</source>
        <translation>累加器中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>What is asked: [batch, time, features].</source>
        <translation>查询：[批, 时间, 特征]。</translation>
    </message>
    <message>
        <source>What is averaged.</source>
        <translation>被平均的值。</translation>
    </message>
    <message>
        <source>What is compared with the query; the values themselves if not given.</source>
        <translation>与查询比较的键；不给出时即为值本身。</translation>
    </message>
    <message>
        <source>What is in a file.</source>
        <translation>文件的内容。</translation>
    </message>
    <message>
        <source>What is kept between runs is not differentiated.</source>
        <translation>在各次运行之间保留的内容不求导。</translation>
    </message>
    <message>
        <source>What is known of the shape; ? for any size.</source>
        <translation>已知的形状；? 表示任意大小。</translation>
    </message>
    <message>
        <source>What is mixed.</source>
        <translation>被混合的值。</translation>
    </message>
    <message>
        <source>What is passed on.</source>
        <translation>传下去的值。</translation>
    </message>
    <message>
        <source>What is read from files is not differentiated.</source>
        <translation>从文件读入的内容不求导。</translation>
    </message>
    <message>
        <source>What is recorded.</source>
        <translation>被记录的值。</translation>
    </message>
    <message>
        <source>What is right.</source>
        <translation>正确答案。</translation>
    </message>
    <message>
        <source>What is right: 0 for no, anything else for yes.</source>
        <translation>正确答案：0 为否，其余为是。</translation>
    </message>
    <message>
        <source>What is stored as integers is not trained.</source>
        <translation>以整数存储的内容不参与训练。</translation>
    </message>
    <message>
        <source>What lies in a barrier came from other runs; gradients do not flow through it.</source>
        <translation>屏障中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>What lies in a map came from other runs; gradients do not flow through it.</source>
        <translation>映射中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>What lies in a queue came from other runs; gradients do not flow through it.</source>
        <translation>队列中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>What lies in a staging area came from other runs; gradients do not flow through it.</source>
        <translation>暂存区中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>What lies in a table is not differentiated.</source>
        <translation>表中的内容不求导。</translation>
    </message>
    <message>
        <source>What the layer works on.</source>
        <translation>该层处理的张量。</translation>
    </message>
    <message>
        <source>What the network says, before softmax or sigmoid.</source>
        <translation>网络的输出，尚未经过 softmax 或 sigmoid。</translation>
    </message>
    <message>
        <source>What the network says.</source>
        <translation>网络的输出。</translation>
    </message>
    <message>
        <source>What the network says: 0 for no, anything else for yes.</source>
        <translation>网络的输出：0 为否，其余为是。</translation>
    </message>
    <message>
        <source>What was pooled.</source>
        <translation>池化的输入。</translation>
    </message>
    <message>
        <source>What was saved does not depend on anything.</source>
        <translation>保存下来的值不依赖于任何输入。</translation>
    </message>
    <message>
        <source>Where each of several tensors begins in their concatenation.</source>
        <translation>各张量在拼接结果中的起点。</translation>
    </message>
    <message>
        <source>Where it becomes straight.</source>
        <translation>转为线性的位置。</translation>
    </message>
    <message>
        <source>Where the channels are.</source>
        <translation>通道所在的维。</translation>
    </message>
    <message>
        <source>Whether a loop goes on: the pivot on which its Switch ops wait.</source>
        <translation>循环是否继续：各 Switch op 等待的枢轴。</translation>
    </message>
    <message>
        <source>Whether a variable has a value.</source>
        <translation>变量是否有值。</translation>
    </message>
    <message>
        <source>Whether a vector is added to the result.</source>
        <translation>结果是否加上偏置向量。</translation>
    </message>
    <message>
        <source>Whether all elements along axes are true.</source>
        <translation>沿各轴的元素是否全为真。</translation>
    </message>
    <message>
        <source>Whether any element along axes is true.</source>
        <translation>沿各轴的元素是否有任何一个为真。</translation>
    </message>
    <message>
        <source>Whether at least one is true.</source>
        <translation>是否至少有一个为真。</translation>
    </message>
    <message>
        <source>Whether both are true.</source>
        <translation>两者是否都为真。</translation>
    </message>
    <message>
        <source>Whether cuDNN may be used.</source>
        <translation>是否可以使用 cuDNN。</translation>
    </message>
    <message>
        <source>Whether each element is infinite.</source>
        <translation>每个元素是否为无穷。</translation>
    </message>
    <message>
        <source>Whether each element is neither infinite nor NaN.</source>
        <translation>每个元素是否既非无穷也非 NaN。</translation>
    </message>
    <message>
        <source>Whether each element is not a number.</source>
        <translation>每个元素是否为 NaN。</translation>
    </message>
    <message>
        <source>Whether each step counts up global_step.</source>
        <translation>每一步是否让 global_step 加一。</translation>
    </message>
    <message>
        <source>Whether no class may be drawn twice.</source>
        <translation>是否不允许重复抽取同一类别。</translation>
    </message>
    <message>
        <source>Whether reduced axes stay, with length 1.</source>
        <translation>归约的轴是否保留，长度为 1。</translation>
    </message>
    <message>
        <source>Whether scores are divided by the root of the number of features.</source>
        <translation>得分是否除以特征数的平方根。</translation>
    </message>
    <message>
        <source>Whether the axes stay with length 1.</source>
        <translation>各轴是否保留，长度为 1。</translation>
    </message>
    <message>
        <source>Whether the borders are filled with zeros.</source>
        <translation>边缘是否补零。</translation>
    </message>
    <message>
        <source>Whether the elements are equal.</source>
        <translation>元素是否相等。</translation>
    </message>
    <message>
        <source>Whether the elements differ.</source>
        <translation>元素是否不同。</translation>
    </message>
    <message>
        <source>Whether the first element is larger or equal.</source>
        <translation>第一个元素是否更大或相等。</translation>
    </message>
    <message>
        <source>Whether the first element is larger.</source>
        <translation>第一个元素是否更大。</translation>
    </message>
    <message>
        <source>Whether the first element is smaller or equal.</source>
        <translation>第一个元素是否更小或相等。</translation>
    </message>
    <message>
        <source>Whether the first element is smaller.</source>
        <translation>第一个元素是否更小。</translation>
    </message>
    <message>
        <source>Whether the output of every step goes on, or only that of the last one.</source>
        <translation>输出每一步的结果，还是只输出最后一步。</translation>
    </message>
    <message>
        <source>Whether the right class of each example is among the k with the highest scores.</source>
        <translation>每个样本的正确类别是否在得分最高的 k 个之中。</translation>
    </message>
    <message>
        <source>Whether the statistics are those of the batch.</source>
        <translation>统计量是否取自本批。</translation>
    </message>
    <message>
        <source>Whether there is a value does not change smoothly.</source>
        <translation>是否有值并不平滑变化。</translation>
    </message>
    <message>
        <source>Whether to drop at all.</source>
        <translation>是否启用置零。</translation>
    </message>
    <message>
        <source>Whether to use the batch&apos;s own mean and variance.</source>
        <translation>是否使用本批数据自身的均值与方差。</translation>
    </message>
    <message>
        <source>Which centre is nearest does not change smoothly.</source>
        <translation>哪个中心最近不是连续变化的。</translation>
    </message>
    <message>
        <source>Which components, ascending.</source>
        <translation>哪些分量，升序。</translation>
    </message>
    <message>
        <source>Which rows are taken.</source>
        <translation>取哪些行。</translation>
    </message>
    <message>
        <source>Which rows; any shape.</source>
        <translation>哪些行；任意形状。</translation>
    </message>
    <message>
        <source>Whole numbers come out: nothing to differentiate.</source>
        <translation>输出是整数，无可求导。</translation>
    </message>
    <message>
        <source>Whole numbers drawn evenly from [minval, maxval).</source>
        <translation>[minval, maxval) 上均匀分布的随机整数。</translation>
    </message>
    <message>
        <source>Whole numbers have no gradient.</source>
        <translation>整数没有梯度。</translation>
    </message>
    <message>
        <source>Whole numbers, of a shape that broadcasts with that of `x`.</source>
        <translation>整数，形状可与 `x` 广播。</translation>
    </message>
    <message>
        <source>Whole numbers.</source>
        <translation>整数。</translation>
    </message>
    <message>
        <source>Without a shared name, nodes of the same name in other graphs share it.</source>
        <translation>没有共享名时，其他图中的同名节点共享它。</translation>
    </message>
    <message>
        <source>Words have no gradient.</source>
        <translation>词语没有梯度。</translation>
    </message>
    <message>
        <source>Writes a file; folders that are missing are made.</source>
        <translation>写文件；缺少的文件夹会被创建。</translation>
    </message>
    <message>
        <source>Writes a text.</source>
        <translation>写出一段文本。</translation>
    </message>
    <message>
        <source>Writes an element of an array.</source>
        <translation>写入数组的一个元素。</translation>
    </message>
    <message>
        <source>Writes tensors to a checkpoint.</source>
        <translation>把张量写入检查点。</translation>
    </message>
    <message>
        <source>Writes tensors to the error stream and passes its input on.</source>
        <translation>把张量写到错误流，并把输入原样传下去。</translation>
    </message>
    <message>
        <source>Writes the rows of a tensor to elements of an array.</source>
        <translation>把张量的各行写入数组的元素。</translation>
    </message>
    <message>
        <source>Writing to a variable has no gradient.</source>
        <translation>写入变量没有梯度。</translation>
    </message>
    <message>
        <source>Zeros in the shape and type of another tensor.</source>
        <translation>与另一张量同形状同类型的全 0 张量。</translation>
    </message>
    <message>
        <source>[batch, channels]</source>
        <translation>[批, 通道]</translation>
    </message>
    <message>
        <source>[batch, height, width, 1, 3 or 4 channels].</source>
        <translation>[批, 高, 宽, 1、3 或 4 个通道]。</translation>
    </message>
    <message>
        <source>[batch, height, width, channels].</source>
        <translation>[批, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>[batch, query time, features], and the weights.</source>
        <translation>[批, 查询时间, 特征]，以及权重。</translation>
    </message>
    <message>
        <source>[batch, units], or [batch, time, units].</source>
        <translation>[批, 单元数]，或 [批, 时间, 单元数]。</translation>
    </message>
    <message>
        <source>[height, width, channels].</source>
        <translation>[高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>dy * (1 - y²), the gradient of the hyperbolic tangent.</source>
        <translation>dy * (1 - y²)，即双曲正切的梯度。</translation>
    </message>
    <message>
        <source>dy * 0.5 / y, the gradient of a square root.</source>
        <translation>dy * 0.5 / y，即平方根的梯度。</translation>
    </message>
    <message>
        <source>dy * y * (1 - y), the gradient of the logistic function.</source>
        <translation>dy * y * (1 - y)，即逻辑函数的梯度。</translation>
    </message>
    <message>
        <source>exp(x) - 1, exact also where x is near zero.</source>
        <translation>exp(x) - 1，x 接近零时也精确。</translation>
    </message>
    <message>
        <source>log(1 + e^x): a smooth Relu.</source>
        <translation>log(1 + e^x)：平滑的 Relu。</translation>
    </message>
    <message>
        <source>log(1 + x), exact also where x is near zero.</source>
        <translation>log(1 + x)，x 接近零时也精确。</translation>
    </message>
    <message>
        <source>tf.cast of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.cast</translation>
    </message>
    <message>
        <source>tf.concat of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.concat</translation>
    </message>
    <message>
        <source>tf.global_variables_initializer of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.global_variables_initializer</translation>
    </message>
    <message>
        <source>tf.keras.layers of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers</translation>
    </message>
    <message>
        <source>tf.keras.layers.Attention of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Attention</translation>
    </message>
    <message>
        <source>tf.keras.layers.Embedding of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Embedding</translation>
    </message>
    <message>
        <source>tf.keras.layers.GlobalAveragePooling2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.GlobalAveragePooling2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.GlobalMaxPooling2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.GlobalMaxPooling2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.LayerNormalization of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.LayerNormalization</translation>
    </message>
    <message>
        <source>tf.layers.average_pooling2d of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.average_pooling2d</translation>
    </message>
    <message>
        <source>tf.layers.batch_normalization of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.batch_normalization</translation>
    </message>
    <message>
        <source>tf.layers.conv2d of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.conv2d</translation>
    </message>
    <message>
        <source>tf.layers.conv2d_transpose of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.conv2d_transpose</translation>
    </message>
    <message>
        <source>tf.layers.dense of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.dense</translation>
    </message>
    <message>
        <source>tf.layers.dropout of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.dropout</translation>
    </message>
    <message>
        <source>tf.layers.flatten of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.flatten</translation>
    </message>
    <message>
        <source>tf.layers.max_pooling2d of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.max_pooling2d</translation>
    </message>
    <message>
        <source>tf.layers.separable_conv2d of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.layers.separable_conv2d</translation>
    </message>
    <message>
        <source>tf.losses.absolute_difference of TensorFlow 1.15, reduced by the mean</source>
        <translation>TensorFlow 1.15 的 tf.losses.absolute_difference，取平均</translation>
    </message>
    <message>
        <source>tf.losses.huber_loss of TensorFlow 1.15, reduced by the mean</source>
        <translation>TensorFlow 1.15 的 tf.losses.huber_loss，取平均</translation>
    </message>
    <message>
        <source>tf.losses.log_loss of TensorFlow 1.15, reduced by the mean</source>
        <translation>TensorFlow 1.15 的 tf.losses.log_loss，取平均</translation>
    </message>
    <message>
        <source>tf.losses.mean_squared_error of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.losses.mean_squared_error</translation>
    </message>
    <message>
        <source>tf.losses.sigmoid_cross_entropy of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.losses.sigmoid_cross_entropy</translation>
    </message>
    <message>
        <source>tf.losses.softmax_cross_entropy of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.losses.softmax_cross_entropy</translation>
    </message>
    <message>
        <source>tf.losses.sparse_softmax_cross_entropy of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.losses.sparse_softmax_cross_entropy</translation>
    </message>
    <message>
        <source>tf.metrics.accuracy_of_batch of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.metrics.accuracy_of_batch</translation>
    </message>
    <message>
        <source>tf.metrics.auc of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.metrics.auc</translation>
    </message>
    <message>
        <source>tf.metrics.mean of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.metrics.mean</translation>
    </message>
    <message>
        <source>tf.metrics.precision of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.metrics.precision</translation>
    </message>
    <message>
        <source>tf.metrics.recall of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.metrics.recall</translation>
    </message>
    <message>
        <source>tf.nn.dropout of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.dropout</translation>
    </message>
    <message>
        <source>tf.nn.elu of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.elu</translation>
    </message>
    <message>
        <source>tf.nn.log_softmax of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.log_softmax</translation>
    </message>
    <message>
        <source>tf.nn.relu of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.relu</translation>
    </message>
    <message>
        <source>tf.nn.relu6 of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.relu6</translation>
    </message>
    <message>
        <source>tf.nn.selu of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.selu</translation>
    </message>
    <message>
        <source>tf.nn.sigmoid of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.sigmoid</translation>
    </message>
    <message>
        <source>tf.nn.softmax of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.softmax</translation>
    </message>
    <message>
        <source>tf.nn.softplus of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.softplus</translation>
    </message>
    <message>
        <source>tf.nn.softsign of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.softsign</translation>
    </message>
    <message>
        <source>tf.nn.static_rnn with tf.nn.rnn_cell.GRUCell of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.static_rnn 与 tf.nn.rnn_cell.GRUCell</translation>
    </message>
    <message>
        <source>tf.nn.static_rnn with tf.nn.rnn_cell.LSTMCell of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.static_rnn 与 tf.nn.rnn_cell.LSTMCell</translation>
    </message>
    <message>
        <source>tf.nn.tanh of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.tanh</translation>
    </message>
    <message>
        <source>tf.placeholder of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.placeholder</translation>
    </message>
    <message>
        <source>tf.reshape of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.reshape</translation>
    </message>
    <message>
        <source>tf.summary.histogram of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.summary.histogram</translation>
    </message>
    <message>
        <source>tf.summary.image of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.summary.image</translation>
    </message>
    <message>
        <source>tf.summary.merge_all of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.summary.merge_all</translation>
    </message>
    <message>
        <source>tf.summary.scalar of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.summary.scalar</translation>
    </message>
    <message>
        <source>tf.train.AdagradOptimizer of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.train.AdagradOptimizer</translation>
    </message>
    <message>
        <source>tf.train.AdamOptimizer of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.train.AdamOptimizer</translation>
    </message>
    <message>
        <source>tf.train.GradientDescentOptimizer of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.train.GradientDescentOptimizer</translation>
    </message>
    <message>
        <source>tf.train.MomentumOptimizer of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.train.MomentumOptimizer</translation>
    </message>
    <message>
        <source>tf.train.RMSPropOptimizer of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.train.RMSPropOptimizer</translation>
    </message>
    <message>
        <source>tf.train.Saver of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.train.Saver</translation>
    </message>
    <message>
        <source>tf.transpose of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.transpose</translation>
    </message>
    <message>
        <source>Reads a sequence of any length in a loop and remembers by gates.</source>
        <translation>在循环中读取任意长度的序列，用门控制记忆。</translation>
    </message>
    <message>
        <source>Scope of the variables that it changes; empty: all that are trained.</source>
        <translation>它所改变的变量所在的作用域；留空则为全部可训练变量。</translation>
    </message>
    <message>
        <source>tf.nn.dynamic_rnn with tf.nn.rnn_cell.LSTMCell of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.dynamic_rnn 与 tf.nn.rnn_cell.LSTMCell</translation>
    </message>
</context>
</TS>
