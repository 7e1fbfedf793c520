<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Records</name>
    <message>
        <source>Gradient of Rsqrt: -0.5 * dy * y³.</source>
        <translation>-0.5 * dy * y³，即倒数平方根的梯度。</translation>
    </message>
    <message>
        <source>Sign, element-wise: -1, 0 or 1; complex numbers are divided by their magnitude.</source>
        <translation>按元素的符号得 -1、0 或 1；复数则除以其模。</translation>
    </message>
    <message>
        <source>Decodes a JPEG image; also accepts PNG and GIF.</source>
        <translation>把 JPEG 图像解码为张量；PNG 和 GIF 也能识别。</translation>
    </message>
    <message>
        <source>Decodes a PNG image; also accepts JPEG and GIF.</source>
        <translation>把 PNG 图像解码为张量；JPEG 和 GIF 也能识别。</translation>
    </message>
    <message>
        <source>A Python function declares no gradient.</source>
        <translation>Python 函数没有声明梯度。</translation>
    </message>
    <message>
        <source>Extracts a contiguous slice of a tensor.</source>
        <translation>张量中的一块。</translation>
    </message>
    <message>
        <source>Random sampling has no gradient.</source>
        <translation>随机的选择没有梯度。</translation>
    </message>
    <message>
        <source>Selection by index is not differentiable.</source>
        <translation>按编号选择不可微。</translation>
    </message>
    <message>
        <source>Elements of a data set are inputs; no gradient flows through it.</source>
        <translation>数据集只描述元素，梯度不经过它。</translation>
    </message>
    <message>
        <source>Converts a sparse tensor to a dense one, with a default value elsewhere.</source>
        <translation>若干位置有值、其余为默认值的稠密张量。</translation>
    </message>
    <message>
        <source>Creates a first-in, first-out queue that pads elements to a common shape when dequeuing a batch.</source>
        <translation>先进先出的队列，成批时把元素补齐到共同的形状。</translation>
    </message>
    <message>
        <source>A handle has no inputs.</source>
        <translation>句柄没有输入。</translation>
    </message>
    <message>
        <source>Handles are not differentiable.</source>
        <translation>句柄不可微。</translation>
    </message>
    <message>
        <source>Handle of a resource variable.</source>
        <translation>变量的句柄。</translation>
    </message>
    <message>
        <source>It creates a list; its arguments are not differentiable.</source>
        <translation>列表在这里新建，没有梯度流回其形状。</translation>
    </message>
    <message>
        <source>A lock carries no value.</source>
        <translation>锁没有值。</translation>
    </message>
    <message>
        <source>A matrix, [batch, all other dimensions].</source>
        <translation>矩阵：[批, 其余全部]。</translation>
    </message>
    <message>
        <source>A matrix with one row per sample.</source>
        <translation>矩阵：每个样本一行。</translation>
    </message>
    <message>
        <source>A new array has no values yet.</source>
        <translation>新数组还没有值。</translation>
    </message>
    <message>
        <source>A count is not differentiable.</source>
        <translation>计数不可微。</translation>
    </message>
    <message>
        <source>Creates a queue that dequeues elements in random order.</source>
        <translation>随机给出任一元素的队列。</translation>
    </message>
    <message>
        <source>Creates a first-in, first-out queue.</source>
        <translation>按到达顺序给出元素的队列。</translation>
    </message>
    <message>
        <source>Creates a reader whose records are the lines of text files.</source>
        <translation>读取文本文件各行的读取器。</translation>
    </message>
    <message>
        <source>Creates a reader whose records are those of TFRecord files.</source>
        <translation>读取 TFRecord 文件中记录的读取器。</translation>
    </message>
    <message>
        <source>Creates a reader whose records are whole files.</source>
        <translation>把整个文件作为一条记录的读取器。</translation>
    </message>
    <message>
        <source>A boolean scalar that decides in each run.</source>
        <translation>在每次运行中决定开关的布尔标量。</translation>
    </message>
    <message>
        <source>A scalar in [0, 1].</source>
        <translation>[0, 1] 内的标量。</translation>
    </message>
    <message>
        <source>A scalar, also added to the collection `losses`.</source>
        <translation>标量，同时加入集合 `losses`。</translation>
    </message>
    <message>
        <source>A scalar.</source>
        <translation>标量。</translation>
    </message>
    <message>
        <source>Scaled exponential linear unit: an elu scaled so that activations keep mean 0 and variance 1.</source>
        <translation>缩放的指数线性单元：缩放过的 elu，使激活保持均值 0、方差 1。</translation>
    </message>
    <message>
        <source>Serialized Summary message; a scalar.</source>
        <translation>序列化的 Summary 消息；标量。</translation>
    </message>
    <message>
        <source>A serialized Summary, added to the collection `summaries`.</source>
        <translation>序列化的 Summary，并加入集合 `summaries`。</translation>
    </message>
    <message>
        <source>A serialized Summary; nothing if there are no summaries.</source>
        <translation>序列化的 Summary；没有摘要时为空。</translation>
    </message>
    <message>
        <source>A shape does not depend on values.</source>
        <translation>形状不依赖数值。</translation>
    </message>
    <message>
        <source>A shape is not differentiable.</source>
        <translation>形状没有梯度。</translation>
    </message>
    <message>
        <source>The size does not depend on values.</source>
        <translation>大小不依赖数值。</translation>
    </message>
    <message>
        <source>log(1 + e^x), a smooth version of relu.</source>
        <translation>log(1 + e^x)，平滑的 relu。</translation>
    </message>
    <message>
        <source>A stack carries values of the forward pass; no gradient flows through it.</source>
        <translation>栈保存前向过程的值，梯度不经过它。</translation>
    </message>
    <message>
        <source>A summary is a serialized message.</source>
        <translation>摘要是序列化的消息。</translation>
    </message>
    <message>
        <source>Creates a lookup table that is initialized once, from tensors or a text file, and read-only afterwards.</source>
        <translation>只填充一次（来自张量或文本文件）、此后只读的表。</translation>
    </message>
    <message>
        <source>Splits a tensor along an axis into pieces of given sizes.</source>
        <translation>沿某轴切成给定长度的若干块。</translation>
    </message>
    <message>
        <source>Splits a tensor along an axis into equal pieces.</source>
        <translation>沿某轴切成等长的若干块。</translation>
    </message>
    <message>
        <source>A tensor in the shape of the input.</source>
        <translation>与输入形状相同的张量。</translation>
    </message>
    <message>
        <source>A tensor in the shape of the inputs.</source>
        <translation>与输入形状相同的张量。</translation>
    </message>
    <message>
        <source>A tensor of shape [batch, units].</source>
        <translation>形状为 [批, 单元数] 的张量。</translation>
    </message>
    <message>
        <source>The tensor in the requested shape.</source>
        <translation>所要求形状的张量。</translation>
    </message>
    <message>
        <source>The tensor in the requested type.</source>
        <translation>所要求类型的张量。</translation>
    </message>
    <message>
        <source>Diagonal tensor of twice the rank: the input&apos;s elements where both halves of the index are equal, zeros elsewhere.</source>
        <translation>秩加倍的张量：下标前后两半相等处为给定元素，其余为零。</translation>
    </message>
    <message>
        <source>Creates a tensor filled with one value.</source>
        <translation>所有元素为同一个值的张量。</translation>
    </message>
    <message>
        <source>An input that may be fed; otherwise it passes on its default.</source>
        <translation>运行时可以给出的张量；不给出时即为输入。</translation>
    </message>
    <message>
        <source>An input that must be fed in every run (older form).</source>
        <translation>每次运行都必须给出的张量（旧形式）。</translation>
    </message>
    <message>
        <source>An input that must be fed in every run.</source>
        <translation>每次运行都必须给出的张量。</translation>
    </message>
    <message>
        <source>The concatenated tensor.</source>
        <translation>拼接后的张量。</translation>
    </message>
    <message>
        <source>Creates a variable: a tensor that keeps its value between runs and can be updated in place.</source>
        <translation>在各次运行之间保持其值、可就地修改的张量。</translation>
    </message>
    <message>
        <source>The transposed tensor.</source>
        <translation>维度重排后的张量。</translation>
    </message>
    <message>
        <source>A constant tensor stored in the graph.</source>
        <translation>作为图的一部分的值。</translation>
    </message>
    <message>
        <source>A variable has no inputs.</source>
        <translation>变量没有输入。</translation>
    </message>
    <message>
        <source>Summary with a whole tensor, a tag and plugin metadata.</source>
        <translation>整个张量，带标签和显示设置。</translation>
    </message>
    <message>
        <source>Summary with a whole tensor.</source>
        <translation>整个张量。</translation>
    </message>
    <message>
        <source>Absolute value, element-wise.</source>
        <translation>每个元素的绝对值。</translation>
    </message>
    <message>
        <source>Small constant added to the average, to avoid division by zero.</source>
        <translation>加在平均值上的小常数，防止除以零。</translation>
    </message>
    <message>
        <source>Constant added to the bias of the forget gate.</source>
        <translation>加在遗忘门偏置上的常数。</translation>
    </message>
    <message>
        <source>Small constant added to the denominator.</source>
        <translation>加在分母上的小常数。</translation>
    </message>
    <message>
        <source>Small constant added to the variance to avoid division by zero.</source>
        <translation>加在方差上的小常数，防止除以零。</translation>
    </message>
    <message>
        <source>Small constant added to the variance.</source>
        <translation>加在方差上的小常数。</translation>
    </message>
    <message>
        <source>Adds a value to a variable.</source>
        <translation>给变量加上一个值。</translation>
    </message>
    <message>
        <source>Adds a bias vector along the channel dimension.</source>
        <translation>在每个位置上给各通道加上偏置。</translation>
    </message>
    <message>
        <source>Adds the op that initializes all variables.</source>
        <translation>添加初始化所有变量的 op。</translation>
    </message>
    <message>
        <source>Adds the ops that save and restore all variables.</source>
        <translation>添加保存和恢复所有变量的 op。</translation>
    </message>
    <message>
        <source>Adds updates to rows of a variable by index.</source>
        <translation>按下标给变量的行加上值。</translation>
    </message>
    <message>
        <source>Bitwise NOT, element-wise.</source>
        <translation>把每个整数的所有二进制位取反。</translation>
    </message>
    <message>
        <source>Skips the first `count` elements of a data set.</source>
        <translation>跳过数据集开头的 `count` 个元素。</translation>
    </message>
    <message>
        <source>LSTM over a whole sequence.</source>
        <translation>处理整个序列的 LSTM。</translation>
    </message>
    <message>
        <source>Creates a TensorArray: an array of tensors that lives for one run and whose elements are written once.</source>
        <translation>存活于一次运行、每个元素只写一次的张量数组。</translation>
    </message>
    <message>
        <source>Creates an iterator over the data set returned by a function; it needs no initialization and runs once.</source>
        <translation>遍历函数所得数据集的迭代器；无需初始化，只走一遍。</translation>
    </message>
    <message>
        <source>Creates an iterator; MakeIterator attaches a data set to it.</source>
        <translation>迭代器，由 MakeIterator 给它一个数据集。</translation>
    </message>
    <message>
        <source>Arctangent in (-π/2, π/2), element-wise.</source>
        <translation>正切等于各元素的角，在 (-π/2, π/2) 内。</translation>
    </message>
    <message>
        <source>Arcsine in [-π/2, π/2], element-wise.</source>
        <translation>正弦等于各元素的角，在 [-π/2, π/2] 内。</translation>
    </message>
    <message>
        <source>Arccosine in [0, π], element-wise.</source>
        <translation>余弦等于各元素的角，在 [0, π] 内。</translation>
    </message>
    <message>
        <source>Angle of the point (y, x), element-wise, in (-π, π]; the first operand is the vertical coordinate.</source>
        <translation>点 (y, x) 的角度，逐元素，在 (-π, π] 内；第一个操作数是纵坐标。</translation>
    </message>
    <message>
        <source>Any tensor.</source>
        <translation>任意张量。</translation>
    </message>
    <message>
        <source>Activation function of the output; empty: none.</source>
        <translation>作用于结果的激活函数；留空则没有。</translation>
    </message>
    <message>
        <source>Area under the ROC curve, over all batches.</source>
        <translation>ROC 曲线下面积，累计所有批。</translation>
    </message>
    <message>
        <source>Gradient arrays have no gradients of their own.</source>
        <translation>梯度数组自身没有梯度。</translation>
    </message>
    <message>
        <source>As for StridedSlice.</source>
        <translation>同 StridedSlice。</translation>
    </message>
    <message>
        <source>Average pooling: keeps the mean of each window.</source>
        <translation>平均池化：保留每个窗口的平均值。</translation>
    </message>
    <message>
        <source>Axes to reduce, a scalar or vector; negative values count from the end.</source>
        <translation>要归约的轴，标量或向量；负数从最后一维数起。</translation>
    </message>
    <message>
        <source>Batches elements of equal shape along a new first dimension.</source>
        <translation>成批：形状相同的元素沿新的第一维拼成一批。</translation>
    </message>
    <message>
        <source>Biases, [4 * cells].</source>
        <translation>偏置，[4 × 细胞]。</translation>
    </message>
    <message>
        <source>Bit i set: entry i inserts a dimension of size 1.</source>
        <translation>第 i 位为 1：第 i 项增加一个长度为 1 的维。</translation>
    </message>
    <message>
        <source>Bit i set: entry i ignores `begin` and starts at the first element.</source>
        <translation>第 i 位为 1：第 i 项忽略 `begin`，从第一个元素开始。</translation>
    </message>
    <message>
        <source>Bit i set: entry i ignores `end` and runs to the last element.</source>
        <translation>第 i 位为 1：第 i 项忽略 `end`，到最后一个元素为止。</translation>
    </message>
    <message>
        <source>Bit i set: entry i is a single index and its dimension is removed.</source>
        <translation>第 i 位为 1：第 i 项是一个位置，该维消失。</translation>
    </message>
    <message>
        <source>Bit i set: entry i is an ellipsis, which covers as many full dimensions as needed; at most one bit.</source>
        <translation>第 i 位为 1：第 i 项代表其余所有完整的维；至多一位。</translation>
    </message>
    <message>
        <source>Bit patterns are not differentiable.</source>
        <translation>二进制位模式不可微。</translation>
    </message>
    <message>
        <source>The result is made of bits.</source>
        <translation>结果由二进制位组成。</translation>
    </message>
    <message>
        <source>Rearranges blocks of pixels into channels.</source>
        <translation>像素块变成通道。</translation>
    </message>
    <message>
        <source>Moves blocks of the spatial dimensions into the batch: each position within a block becomes a separate batch entry.</source>
        <translation>把空间切成块放入批维：块内的每个位置成为批的一部分。</translation>
    </message>
    <message>
        <source>Boxes overwrite pixels; TensorFlow defines no gradient.</source>
        <translation>边框覆盖了像素；TensorFlow 没有定义梯度。</translation>
    </message>
    <message>
        <source>Crops boxes from images and resizes them to a common size.</source>
        <translation>从图像中裁出各边框并缩放到同一大小。</translation>
    </message>
    <message>
        <source>Passes a value into a frame (the context in which a loop&apos;s iterations run).</source>
        <translation>把值带入一个帧，即循环体的各次执行。</translation>
    </message>
    <message>
        <source>Batch normalization: normalizes each channel over the batch to mean 0 and variance 1, then applies a learned scale and offset.</source>
        <translation>批归一化：在一批数据上把每个通道归一化为均值 0、方差 1，再应用学得的缩放与偏移。</translation>
    </message>
    <message>
        <source>Layer normalization: normalizes each sample to mean 0 and variance 1 over its features.</source>
        <translation>层归一化：在各特征上把每个样本归一化为均值 0、方差 1。</translation>
    </message>
    <message>
        <source>Encoded files are not differentiable.</source>
        <translation>编码后的文件不可微。</translation>
    </message>
    <message>
        <source>While loop: calls `body` as long as `cond` returns true.</source>
        <translation>while 循环：只要 `cond` 返回真，就调用 `body`。</translation>
    </message>
    <message>
        <source>Calls a stateless function.</source>
        <translation>调用一个函数，其 op 不保留状态。</translation>
    </message>
    <message>
        <source>Calls a function.</source>
        <translation>调用一个函数。</translation>
    </message>
    <message>
        <source>Calls one of several functions, selected by index.</source>
        <translation>从若干函数中调用一个。</translation>
    </message>
    <message>
        <source>Calls one of two functions, depending on a condition.</source>
        <translation>从两个函数中调用一个。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of AdaMax.</source>
        <translation>用一步 AdaMax 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of Adadelta.</source>
        <translation>用一步 Adadelta 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of Adagrad dual averaging.</source>
        <translation>用一步 Adagrad 对偶平均 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of proximal Adagrad (L1 and L2 regularization).</source>
        <translation>用一步近端 Adagrad（L1、L2 正则化）更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of Adagrad with an epsilon in the denominator.</source>
        <translation>用一步分母带 epsilon 的 Adagrad更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of Adagrad.</source>
        <translation>用一步 Adagrad 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of Adam with AMSGrad.</source>
        <translation>用一步带 AMSGrad 的 Adam更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of Adam.</source>
        <translation>用一步 Adam 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of AddSign.</source>
        <translation>用一步 AddSign 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of FTRL-proximal with L2 shrinkage.</source>
        <translation>用一步带 L2 收缩的 FTRL-proximal 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of FTRL-proximal.</source>
        <translation>用一步 FTRL-proximal 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of PowerSign.</source>
        <translation>用一步 PowerSign 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of RMSProp.</source>
        <translation>用一步 RMSProp 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of centered RMSProp.</source>
        <translation>用一步中心化的 RMSProp 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of proximal gradient descent (L1 and L2 regularization).</source>
        <translation>用一步近端梯度下降（L1、L2 正则化）更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of gradient descent with momentum, with the learning rate applied inside the momentum.</source>
        <translation>用一步学习率计入动量的带动量梯度下降更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of gradient descent with momentum.</source>
        <translation>用一步带动量的梯度下降 更新变量。</translation>
    </message>
    <message>
        <source>Updates a variable by one step of gradient descent.</source>
        <translation>用一步梯度下降 更新变量。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of Adadelta.</source>
        <translation>用一步 Adadelta 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of Adagrad dual averaging.</source>
        <translation>用一步 Adagrad 对偶平均 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of proximal Adagrad (L1 and L2 regularization).</source>
        <translation>用一步近端 Adagrad（L1、L2 正则化）更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of Adagrad with an epsilon in the denominator.</source>
        <translation>用一步分母带 epsilon 的 Adagrad更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of Adagrad.</source>
        <translation>用一步 Adagrad 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of FTRL-proximal with L2 shrinkage.</source>
        <translation>用一步带 L2 收缩的 FTRL-proximal 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of FTRL-proximal.</source>
        <translation>用一步 FTRL-proximal 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of RMSProp.</source>
        <translation>用一步 RMSProp 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of centered RMSProp.</source>
        <translation>用一步中心化的 RMSProp 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of proximal gradient descent (L1 and L2 regularization).</source>
        <translation>用一步近端梯度下降（L1、L2 正则化）更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of gradient descent with momentum, with the learning rate applied inside the momentum.</source>
        <translation>用一步学习率计入动量的带动量梯度下降更新变量的若干行。</translation>
    </message>
    <message>
        <source>Updates rows of a variable by one step of gradient descent with momentum.</source>
        <translation>用一步带动量的梯度下降 更新变量的若干行。</translation>
    </message>
    <message>
        <source>Rearranges channels into blocks of pixels.</source>
        <translation>通道变成像素块。</translation>
    </message>
    <message>
        <source>Number of checkpoints to keep.</source>
        <translation>保留的检查点个数。</translation>
    </message>
    <message>
        <source>Class indices or one-hot rows.</source>
        <translation>类别编号，或 one-hot 行。</translation>
    </message>
    <message>
        <source>Samples classes from categorical distributions given by logits.</source>
        <translation>按 logits 抽取类别。</translation>
    </message>
    <message>
        <source>Complex conjugate, element-wise.</source>
        <translation>每个元素的共轭复数。</translation>
    </message>
    <message>
        <source>Builds complex numbers from their real and imaginary parts.</source>
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
        <source>Resource container that holds the object; empty: the default container.</source>
        <translation>它所在的会话对象容器；留空为默认容器。</translation>
    </message>
    <message>
        <source>Depthwise convolution: each input channel is convolved with its own filters.</source>
        <translation>图像的每个通道用各自的滤波器做卷积。</translation>
    </message>
    <message>
        <source>2-D convolution of a batch of images with a bank of filters.</source>
        <translation>用一组滤波器对图像做卷积。</translation>
    </message>
    <message>
        <source>3-D convolution of a batch of volumes with a bank of filters.</source>
        <translation>用一组滤波器对体数据做卷积。</translation>
    </message>
    <message>
        <source>Cosine, element-wise; x in radians.</source>
        <translation>每个元素的余弦，以弧度计。</translation>
    </message>
    <message>
        <source>Counts are not differentiable.</source>
        <translation>计数不可微。</translation>
    </message>
    <message>
        <source>Softmax cross entropy between logits and class indices, with its gradient.</source>
        <translation>类别编号与得分的 softmax 之间的交叉熵，及其梯度。</translation>
    </message>
    <message>
        <source>Softmax cross entropy between logits and class probabilities, with its gradient.</source>
        <translation>给定概率与得分的 softmax 之间的交叉熵，及其梯度。</translation>
    </message>
    <message>
        <source>Softmax cross entropy with class indices as labels.</source>
        <translation>以类别编号为标签的 softmax 交叉熵。</translation>
    </message>
    <message>
        <source>Softmax cross entropy with class probabilities as labels.</source>
        <translation>以类别概率为标签的 softmax 交叉熵。</translation>
    </message>
    <message>
        <source>Sigmoid cross entropy with independent binary labels.</source>
        <translation>独立二元标签的 sigmoid 交叉熵。</translation>
    </message>
    <message>
        <source>Log loss: binary cross entropy of probabilities.</source>
        <translation>对数损失：概率的二元交叉熵。</translation>
    </message>
    <message>
        <source>min(max(x, 0), 6), element-wise.</source>
        <translation>逐元素的 min(max(x, 0), 6)。</translation>
    </message>
    <message>
        <source>max(x, 0), element-wise.</source>
        <translation>逐元素的 max(x, 0)。</translation>
    </message>
    <message>
        <source>Decay rate of the gradient&apos;s moving average.</source>
        <translation>梯度滑动平均的衰减率。</translation>
    </message>
    <message>
        <source>Decay rate of the squared gradient&apos;s moving average.</source>
        <translation>梯度平方滑动平均的衰减率。</translation>
    </message>
    <message>
        <source>x - y, element-wise.</source>
        <translation>逐元素的差。</translation>
    </message>
    <message>
        <source>Discrete Fourier transform along the last dimension.</source>
        <translation>沿最后一维的离散傅里叶变换。</translation>
    </message>
    <message>
        <source>Dilation of the filter along each dimension of the input.</source>
        <translation>滤波器各元素沿输入各维的间距。</translation>
    </message>
    <message>
        <source>Does nothing, but stays live even if its control inputs are dead; used where the control flow of a loop meets.</source>
        <translation>什么都不做，但即使控制输入是死的也照常执行：用在循环控制流的汇合处。</translation>
    </message>
    <message>
        <source>Does nothing; serves to group control dependencies.</source>
        <translation>什么都不做；别的 op 等它，它也等别的 op。</translation>
    </message>
    <message>
        <source>Sampling is not differentiable.</source>
        <translation>抽样不可微。</translation>
    </message>
    <message>
        <source>Local response normalization across channels.</source>
        <translation>每个通道除以其邻近通道平方和的某次幂。</translation>
    </message>
    <message>
        <source>Clamps each element to [clip_value_min, clip_value_max].</source>
        <translation>把每个元素限制在两个值之间。</translation>
    </message>
    <message>
        <source>x raised to the power y, element-wise.</source>
        <translation>逐元素的幂：x 的 y 次方。</translation>
    </message>
    <message>
        <source>x², element-wise.</source>
        <translation>每个元素与自身相乘。</translation>
    </message>
    <message>
        <source>-x, element-wise.</source>
        <translation>每个元素变号。</translation>
    </message>
    <message>
        <source>Graphs are differentiated before they are divided among devices.</source>
        <translation>图在分给各个设备之前就已求导。</translation>
    </message>
    <message>
        <source>Logical NOT, element-wise.</source>
        <translation>对每个元素取逻辑非。</translation>
    </message>
    <message>
        <source>Eigenvalues and eigenvectors of symmetric (Hermitian) matrices, in ascending order of eigenvalue; reads only the lower triangle.</source>
        <translation>对称（厄米）矩阵按升序的特征值与特征向量；只看下三角部分。</translation>
    </message>
    <message>
        <source>Converts elements to another type.</source>
        <translation>把元素转换为另一种类型。</translation>
    </message>
    <message>
        <source>Number of elements per batch.</source>
        <translation>每批的元素数。</translation>
    </message>
    <message>
        <source>Combines the elements of several data sets into tuples; ends with the shortest.</source>
        <translation>由各数据集各取一个元素组成的元素，直到其中之一结束。</translation>
    </message>
    <message>
        <source>Selects elements of `t` where `condition` is true and elements of `e` elsewhere; all three are broadcast.</source>
        <translation>`condition` 为真处取 `t` 的元素，否则取 `e` 的；三者可广播。</translation>
    </message>
    <message>
        <source>Selects elements of `t` where `condition` is true and elements of `e` elsewhere.</source>
        <translation>`condition` 为真处取 `t` 的元素，否则取 `e` 的。</translation>
    </message>
    <message>
        <source>Elements of a data set are inputs; no gradient flows through an iterator.</source>
        <translation>数据集的元素是输入，梯度不经过迭代器。</translation>
    </message>
    <message>
        <source>Closes a queue: further enqueues fail, and so do dequeues once it is empty.</source>
        <translation>关闭队列：不再接收元素，取空之后出队即失败。</translation>
    </message>
    <message>
        <source>Fails the run unless a condition is true.</source>
        <translation>条件不成立时以错误结束运行。</translation>
    </message>
    <message>
        <source>Evenly spaced numbers from start to stop, both included.</source>
        <translation>从首到尾均匀分布的数，两端都包含。</translation>
    </message>
    <message>
        <source>Hold the variable&apos;s lock during the update.</source>
        <translation>更新期间排除对该变量的其他更新。</translation>
    </message>
    <message>
        <source>Hold the variables&apos; locks during the update.</source>
        <translation>更新期间排除对这些变量的其他更新。</translation>
    </message>
    <message>
        <source>Exponential function e^x, element-wise.</source>
        <translation>每个元素的指数函数。</translation>
    </message>
    <message>
        <source>Softmax over the last dimension: exponentials scaled to sum to 1.</source>
        <translation>最后一维的指数，缩放到和为 1。</translation>
    </message>
    <message>
        <source>Features are not differentiable.</source>
        <translation>特征不可微。</translation>
    </message>
    <message>
        <source>Files are not differentiable.</source>
        <translation>文件不可微。</translation>
    </message>
    <message>
        <source>Output feature maps, [batch, out height, out width, out channels].</source>
        <translation>输出特征图，[批, 输出高, 输出宽, 输出通道]。</translation>
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
        <source>Depthwise convolution followed by a 1×1 convolution; has far fewer parameters than a full convolution.</source>
        <translation>深度卷积后接 1×1 卷积；参数远少于普通卷积。</translation>
    </message>
    <message>
        <source>Depthwise filters per input channel.</source>
        <translation>每个输入通道的深度滤波器个数。</translation>
    </message>
    <message>
        <source>Fingerprints are not differentiable.</source>
        <translation>指纹不可微。</translation>
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
        <source>Dimension i of the result is dimension perm[i] of the input.</source>
        <translation>结果的第 i 维是输入的第 perm[i] 维。</translation>
    </message>
    <message>
        <source>One-hot encoding: on_value at each index, off_value elsewhere.</source>
        <translation>为每个下标给出一个向量，下标处为一个值，其余处为另一个值。</translation>
    </message>
    <message>
        <source>Forget gate activations.</source>
        <translation>遗忘门。</translation>
    </message>
    <message>
        <source>Gauss error function, element-wise.</source>
        <translation>每个元素的高斯误差函数。</translation>
    </message>
    <message>
        <source>Assigns a value to a variable.</source>
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
        <source>Gradient of Conv2D with respect to its input; on its own, a transposed convolution.</source>
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
        <source>Gradient of DepthwiseConv2dNative with respect to its input.</source>
        <translation>DepthwiseConv2dNative 对图像的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Dilation2D with respect to its filter.</source>
        <translation>Dilation2D 对滤波器的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Dilation2D with respect to its input.</source>
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
        <source>Gradient of StridedSlice: zeros with the slice&apos;s gradient at the slice&apos;s position.</source>
        <translation>StridedSlice 的梯度：全零，切片处为其梯度。</translation>
    </message>
    <message>
        <source>Gradient of BlockLSTM.</source>
        <translation>处理整个序列的 LSTM 的梯度。</translation>
    </message>
    <message>
        <source>Gradient with respect to the output feature maps.</source>
        <translation>滤波后图像的梯度。</translation>
    </message>
    <message>
        <source>Gradient with respect to the filters.</source>
        <translation>滤波器的梯度。</translation>
    </message>
    <message>
        <source>Gradient with respect to the images.</source>
        <translation>图像的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the input.</source>
        <translation>输入的梯度。</translation>
    </message>
    <message>
        <source>Gradient with respect to the output.</source>
        <translation>结果的梯度。</translation>
    </message>
    <message>
        <source>Gradient with respect to the input.</source>
        <translation>对参数的梯度。</translation>
    </message>
    <message>
        <source>Gradients of batch normalization with respect to its input, scale and offset.</source>
        <translation>批归一化对输入、缩放和平移的梯度。</translation>
    </message>
    <message>
        <source>Half the sum of squares: sum(t²) / 2.</source>
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
        <source>Passes a value to the next iteration of its frame.</source>
        <translation>把值交给所在帧的下一次迭代。</translation>
    </message>
    <message>
        <source>Height and width of the window.</source>
        <translation>窗口的高与宽。</translation>
    </message>
    <message>
        <source>CTC loss: negative log-likelihood of label sequences whose alignment with the inputs is unknown.</source>
        <translation>CTC 损失：与输入的对齐未知时，标签序列的负对数似然。</translation>
    </message>
    <message>
        <source>Maximum number of boxes to select; a scalar.</source>
        <translation>最多选出多少个。</translation>
    </message>
    <message>
        <source>Number of classes to sample.</source>
        <translation>抽取多少个类别。</translation>
    </message>
    <message>
        <source>Number of distinct ids.</source>
        <translation>不同编号的总数。</translation>
    </message>
    <message>
        <source>Number of elements of a TensorArray.</source>
        <translation>数组有多少元素。</translation>
    </message>
    <message>
        <source>Number of elements in a queue.</source>
        <translation>队列中有多少元素。</translation>
    </message>
    <message>
        <source>Maximum number of images of the batch to record.</source>
        <translation>记录一批中的多少幅图像。</translation>
    </message>
    <message>
        <source>Number of segments.</source>
        <translation>段的个数。</translation>
    </message>
    <message>
        <source>Number of tensors.</source>
        <translation>张量的个数。</translation>
    </message>
    <message>
        <source>Number of filters (output channels).</source>
        <translation>滤波器（输出通道）的个数。</translation>
    </message>
    <message>
        <source>Number of values per row.</source>
        <translation>每行的个数。</translation>
    </message>
    <message>
        <source>Number of top classes.</source>
        <translation>得分最高的类别的个数。</translation>
    </message>
    <message>
        <source>Number of data sets.</source>
        <translation>数据集的个数。</translation>
    </message>
    <message>
        <source>Number of threads.</source>
        <translation>线程的个数。</translation>
    </message>
    <message>
        <source>Number of elements per row.</source>
        <translation>每行的元素个数。</translation>
    </message>
    <message>
        <source>Number of values; a scalar.</source>
        <translation>数值的个数；标量。</translation>
    </message>
    <message>
        <source>Number of elements; a scalar.</source>
        <translation>元素的个数；标量。</translation>
    </message>
    <message>
        <source>Expected number of times each sampled class is sampled.</source>
        <translation>每个抽取类别的期望次数。</translation>
    </message>
    <message>
        <source>[batch, num_true]: expected number of times each true class is sampled.</source>
        <translation>每个正确类别在抽取结果中的期望次数。</translation>
    </message>
    <message>
        <source>Counts how often each integer occurs, or sums the weights of its occurrences.</source>
        <translation>各整数出现的次数，或其权重之和。</translation>
    </message>
    <message>
        <source>Decay rate of the moving average.</source>
        <translation>滑动平均的衰减率。</translation>
    </message>
    <message>
        <source>Momentum of the moving averages.</source>
        <translation>滑动平均的动量。</translation>
    </message>
    <message>
        <source>Momentum of the moving averages; closer to 1 is slower.</source>
        <translation>滑动平均的动量；越接近 1 变化越慢。</translation>
    </message>
    <message>
        <source>Summary with a histogram of a tensor&apos;s elements.</source>
        <translation>张量各元素的分布。</translation>
    </message>
    <message>
        <source>Hyperbolic cosine, element-wise.</source>
        <translation>每个元素的双曲余弦。</translation>
    </message>
    <message>
        <source>Hyperbolic sine, element-wise.</source>
        <translation>每个元素的双曲正弦。</translation>
    </message>
    <message>
        <source>Hyperbolic tangent, element-wise.</source>
        <translation>每个元素的双曲正切。</translation>
    </message>
    <message>
        <source>Images [batch, height, width, channels].</source>
        <translation>图像 [批, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>Draws bounding boxes on images.</source>
        <translation>画上边框的图像。</translation>
    </message>
    <message>
        <source>Summary with images, each rescaled to [0, 255] and encoded as PNG.</source>
        <translation>图像，各自缩放到字节范围并编码为 PNG。</translation>
    </message>
    <message>
        <source>Imaginary part of each element.</source>
        <translation>每个元素的虚部。</translation>
    </message>
    <message>
        <source>Index vectors, along the last dimension.</source>
        <translation>沿最后一维的下标向量。</translation>
    </message>
    <message>
        <source>Indices are not differentiable.</source>
        <translation>下标不可微。</translation>
    </message>
    <message>
        <source>Input gate activations.</source>
        <translation>输入门。</translation>
    </message>
    <message>
        <source>Selecting boxes is not differentiable.</source>
        <translation>选择边框不可微。</translation>
    </message>
    <message>
        <source>It compares class ids.</source>
        <translation>它比较类别编号。</translation>
    </message>
    <message>
        <source>An edit count is not differentiable.</source>
        <translation>编辑次数不可微。</translation>
    </message>
    <message>
        <source>It has no differentiable inputs.</source>
        <translation>它不依赖任何可微的量。</translation>
    </message>
    <message>
        <source>It gathers integer ids.</source>
        <translation>它收集整数编号。</translation>
    </message>
    <message>
        <source>It has no inputs.</source>
        <translation>没有输入。</translation>
    </message>
    <message>
        <source>It carries no value.</source>
        <translation>它没有值。</translation>
    </message>
    <message>
        <source>The result is piecewise constant, so its gradient is zero almost everywhere.</source>
        <translation>结果分段为常数，梯度几乎处处为零。</translation>
    </message>
    <message>
        <source>It exists to block gradients.</source>
        <translation>它的作用就是阻断梯度。</translation>
    </message>
    <message>
        <source>It only observes a tensor.</source>
        <translation>它只是观察张量。</translation>
    </message>
    <message>
        <source>It operates on booleans.</source>
        <translation>它处理真假值。</translation>
    </message>
    <message>
        <source>It operates on integers.</source>
        <translation>它处理整数。</translation>
    </message>
    <message>
        <source>Its arguments are indices.</source>
        <translation>它的参数是位置。</translation>
    </message>
    <message>
        <source>The result does not depend on the input&apos;s values.</source>
        <translation>结果不依赖输入的值。</translation>
    </message>
    <message>
        <source>It compares elements; the result is not differentiable.</source>
        <translation>结果由比较得出。</translation>
    </message>
    <message>
        <source>The result is an index.</source>
        <translation>结果是位置。</translation>
    </message>
    <message>
        <source>The result is a shape or an index.</source>
        <translation>结果是形状或位置。</translation>
    </message>
    <message>
        <source>The result is boolean.</source>
        <translation>结果是布尔值。</translation>
    </message>
    <message>
        <source>Merges summaries into one; each tag may occur only once.</source>
        <translation>把若干摘要合并为一个；每个标签只能出现一次。</translation>
    </message>
    <message>
        <source>Merges the checkpoints written by several shards into one.</source>
        <translation>把若干分片的检查点合并为一个。</translation>
    </message>
    <message>
        <source>Max pooling: keeps the largest value of each window.</source>
        <translation>最大池化：保留每个窗口中的最大值。</translation>
    </message>
    <message>
        <source>Ignored.</source>
        <translation>不起作用。</translation>
    </message>
    <message>
        <source>Key of the tuple; a scalar.</source>
        <translation>元组的键；标量。</translation>
    </message>
    <message>
        <source>Labels are integers: decoding is not differentiable.</source>
        <translation>标签是整数，解码不可微。</translation>
    </message>
    <message>
        <source>max(x, y), element-wise.</source>
        <translation>每对元素中较大的一个。</translation>
    </message>
    <message>
        <source>Maximum of elements along axes.</source>
        <translation>沿各轴的最大元素。</translation>
    </message>
    <message>
        <source>Maximum global norm of the gradients; 0: no clipping.</source>
        <translation>梯度全局范数的上限；0 表示不裁剪。</translation>
    </message>
    <message>
        <source>Rounds down to the nearest integer, element-wise.</source>
        <translation>不大于各元素的最大整数。</translation>
    </message>
    <message>
        <source>Size of an embedding vector.</source>
        <translation>嵌入向量的长度。</translation>
    </message>
    <message>
        <source>Initializes an iterator with a data set; it starts at the first element.</source>
        <translation>让迭代器从数据集的第一个元素开始。</translation>
    </message>
    <message>
        <source>log(|Γ(x)|), element-wise.</source>
        <translation>每个元素的伽马函数绝对值的对数。</translation>
    </message>
    <message>
        <source>Log-softmax over the last dimension.</source>
        <translation>最后一维的 softmax 的对数。</translation>
    </message>
    <message>
        <source>Logistic sigmoid 1 / (1 + exp(-x)), element-wise.</source>
        <translation>每个元素的逻辑函数 1 / (1 + exp(-x))。</translation>
    </message>
    <message>
        <source>Use Nesterov momentum.</source>
        <translation>使用 Nesterov 动量。</translation>
    </message>
    <message>
        <source>Looks up an embedding vector for each integer id.</source>
        <translation>为每个整数编号查出嵌入向量。</translation>
    </message>
    <message>
        <source>Absolute value of each complex element.</source>
        <translation>每个元素的模。</translation>
    </message>
    <message>
        <source>Flattens each sample to one row.</source>
        <translation>把每个样本展平成一行。</translation>
    </message>
    <message>
        <source>Softmax over the last dimension: turns logits into probabilities.</source>
        <translation>最后一维上的 softmax：把 logits 变成概率。</translation>
    </message>
    <message>
        <source>Matrices in the last two dimensions.</source>
        <translation>最后两维上的矩阵。</translation>
    </message>
    <message>
        <source>Matrices with the given main diagonals and zeros elsewhere.</source>
        <translation>以给定元素为主对角线、其余为零的矩阵。</translation>
    </message>
    <message>
        <source>Sets the elements of each matrix outside a band around the main diagonal to zero.</source>
        <translation>主对角线附近的带之外为零的矩阵。</translation>
    </message>
    <message>
        <source>3-D max pooling: the maximum of each window of a volume.</source>
        <translation>体数据每个窗口的最大值。</translation>
    </message>
    <message>
        <source>Max pooling: the maximum of each window of an image.</source>
        <translation>图像每个窗口的最大值。</translation>
    </message>
    <message>
        <source>3-D average pooling: the mean of each window of a volume; padding does not count.</source>
        <translation>三维平均池化：体数据每个窗口的平均；补边不计入。</translation>
    </message>
    <message>
        <source>Average pooling: the mean of each window of an image; padding does not count.</source>
        <translation>平均池化：图像每个窗口的平均；补边不计入。</translation>
    </message>
    <message>
        <source>Averages selected rows by segment.</source>
        <translation>所选各行按段求平均。</translation>
    </message>
    <message>
        <source>Mean absolute error.</source>
        <translation>平均绝对误差。</translation>
    </message>
    <message>
        <source>Mean of elements along axes; integer means are truncated towards zero.</source>
        <translation>沿各轴的平均；整数向零取整。</translation>
    </message>
    <message>
        <source>Averages the rows of each segment.</source>
        <translation>每段各行的平均。</translation>
    </message>
    <message>
        <source>Mean squared error.</source>
        <translation>均方误差。</translation>
    </message>
    <message>
        <source>Mean over all batches.</source>
        <translation>所有批的平均。</translation>
    </message>
    <message>
        <source>Set members are not differentiable.</source>
        <translation>集合的成员不可微。</translation>
    </message>
    <message>
        <source>Dot-product attention: averages values, weighted by how well their keys match a query.</source>
        <translation>点积注意力：按键与查询的匹配程度对各值加权平均。</translation>
    </message>
    <message>
        <source>Maximum number of bytes; 0: unlimited.</source>
        <translation>暂存区最多容纳的字节数；0 表示不限。</translation>
    </message>
    <message>
        <source>Maximum number of elements; negative: unlimited.</source>
        <translation>最多容纳的元素数；负数表示不限。</translation>
    </message>
    <message>
        <source>Maximum number of tuples; 0: unlimited.</source>
        <translation>暂存区最多容纳的元组数；0 表示不限。</translation>
    </message>
    <message>
        <source>Element-wise product of the inputs.</source>
        <translation>各输入逐元素的积。</translation>
    </message>
    <message>
        <source>Must be -1; waiting ends with the run&apos;s own timeout.</source>
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
        <source>Name of the scope; empty: the layer type, made unique.</source>
        <translation>作用域名称；留空则取层的种类名，并保证不重名。</translation>
    </message>
    <message>
        <source>Name of the training op.</source>
        <translation>训练 op 的名称。</translation>
    </message>
    <message>
        <source>Ops with the same shared name use one object; empty: this node has its own.</source>
        <translation>节点共享同一对象所用的名称；留空则为本节点独有。</translation>
    </message>
    <message>
        <source>Natural logarithm, element-wise.</source>
        <translation>每个元素的自然对数。</translation>
    </message>
    <message>
        <source>Rounds to the nearest integer, element-wise; halves are rounded to even.</source>
        <translation>离各元素最近的整数；一半时取偶数。</translation>
    </message>
    <message>
        <source>Cell input (candidate state).</source>
        <translation>细胞的新输入。</translation>
    </message>
    <message>
        <source>A resource is not differentiable.</source>
        <translation>资源不传递梯度。</translation>
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
        <source>Number of units (outputs).</source>
        <translation>单元（输出）的个数。</translation>
    </message>
    <message>
        <source>Converts numbers and booleans to strings.</source>
        <translation>把数和真假值写成文本。</translation>
    </message>
    <message>
        <source>Uniformly distributed random numbers in [0, 1).</source>
        <translation>[0, 1) 上均匀分布的随机数。</translation>
    </message>
    <message>
        <source>Random numbers from the standard normal distribution (mean 0, standard deviation 1).</source>
        <translation>均值 0、标准差 1 的正态分布随机数。</translation>
    </message>
    <message>
        <source>Random numbers from the standard normal distribution, redrawn if beyond two standard deviations.</source>
        <translation>标准正态分布的随机数；超出两倍标准差的重新抽取。</translation>
    </message>
    <message>
        <source>Evenly spaced numbers from start (included) to limit (excluded).</source>
        <translation>从起点向终点等间隔的数，不含终点。</translation>
    </message>
    <message>
        <source>Numbers of any shape.</source>
        <translation>任意形状的数。</translation>
    </message>
    <message>
        <source>Summary with scalar values, one per tag.</source>
        <translation>带标签的数，画成随步数变化的曲线。</translation>
    </message>
    <message>
        <source>The embeddings; shape ids.shape + [output_dim].</source>
        <translation>嵌入向量；形状为 ids.shape + [output_dim]。</translation>
    </message>
    <message>
        <source>1 / x, element-wise.</source>
        <translation>一除以每个元素。</translation>
    </message>
    <message>
        <source>1 / sqrt(x), element-wise.</source>
        <translation>一除以各元素的平方根。</translation>
    </message>
    <message>
        <source>A data set with one element for each row of the given tensors.</source>
        <translation>给定张量的每一行为一个元素。</translation>
    </message>
    <message>
        <source>A data set with one element: the given tensors.</source>
        <translation>一个元素：给定的张量。</translation>
    </message>
    <message>
        <source>Complementary error function 1 - erf(x), element-wise.</source>
        <translation>一减去每个元素的高斯误差函数。</translation>
    </message>
    <message>
        <source>Logits, one row per sample.</source>
        <translation>Logits，每个样本一行。</translation>
    </message>
    <message>
        <source>One row per segment, up to the last id.</source>
        <translation>每段一行，直到最后的段号。</translation>
    </message>
    <message>
        <source>One row per segment.</source>
        <translation>每段一行。</translation>
    </message>
    <message>
        <source>One row per segment; zeros for empty segments.</source>
        <translation>每段一行；没有行的段为零。</translation>
    </message>
    <message>
        <source>One time step of an LSTM cell.</source>
        <translation>LSTM 的一步。</translation>
    </message>
    <message>
        <source>Merges all summaries of the graph into one.</source>
        <translation>把已有的所有摘要合并为一个。</translation>
    </message>
    <message>
        <source>One value per key.</source>
        <translation>每个键一个值。</translation>
    </message>
    <message>
        <source>Ones in the shape and type of another tensor.</source>
        <translation>与另一张量同形状同类型的全 1 张量。</translation>
    </message>
    <message>
        <source>Order of the dimensions: [batch, depth, height, width, channels], or channels second.</source>
        <translation>维度的顺序：批、深、高、宽、通道，或通道在第二位。</translation>
    </message>
    <message>
        <source>Order of the dimensions: [batch, height, width, channels] or [batch, channels, height, width].</source>
        <translation>维度的顺序：批、高、宽、通道，或通道在第二位。</translation>
    </message>
    <message>
        <source>Flow to later ops on the array; orders them after this op.</source>
        <translation>使后面的 op 排在它之后。</translation>
    </message>
    <message>
        <source>Flow from an earlier op on the array; orders this op after it.</source>
        <translation>使该 op 排在产生此标量的 op 之后。</translation>
    </message>
    <message>
        <source>Output of the previous step, [batch, cells].</source>
        <translation>先前的输出，[批, 细胞]。</translation>
    </message>
    <message>
        <source>Output gate activations.</source>
        <translation>输出门。</translation>
    </message>
    <message>
        <source>Cell output.</source>
        <translation>输出。</translation>
    </message>
    <message>
        <source>Serialized tensors are not differentiable.</source>
        <translation>序列化的张量不可微。</translation>
    </message>
    <message>
        <source>For EXPLICIT: padding before and after each dimension.</source>
        <translation>EXPLICIT 时各维前后的补边数。</translation>
    </message>
    <message>
        <source>Parameter beta; a scalar.</source>
        <translation>参数 beta；标量。</translation>
    </message>
    <message>
        <source>Parameter beta1; a scalar.</source>
        <translation>参数 beta1；标量。</translation>
    </message>
    <message>
        <source>Parameter beta1_power; a scalar.</source>
        <translation>参数 beta1_power；标量。</translation>
    </message>
    <message>
        <source>Parameter beta2; a scalar.</source>
        <translation>参数 beta2；标量。</translation>
    </message>
    <message>
        <source>Parameter beta2_power; a scalar.</source>
        <translation>参数 beta2_power；标量。</translation>
    </message>
    <message>
        <source>Parameter epsilon; a scalar.</source>
        <translation>参数 epsilon；标量。</translation>
    </message>
    <message>
        <source>Parameter global_step; a scalar.</source>
        <translation>参数 global_step；标量。</translation>
    </message>
    <message>
        <source>Parameter l1; a scalar.</source>
        <translation>参数 l1；标量。</translation>
    </message>
    <message>
        <source>Parameter l2; a scalar.</source>
        <translation>参数 l2；标量。</translation>
    </message>
    <message>
        <source>Parameter l2_shrinkage; a scalar.</source>
        <translation>参数 l2_shrinkage；标量。</translation>
    </message>
    <message>
        <source>Parameter logbase; a scalar.</source>
        <translation>参数 logbase；标量。</translation>
    </message>
    <message>
        <source>Parameter lr_power; a scalar.</source>
        <translation>参数 lr_power；标量。</translation>
    </message>
    <message>
        <source>Parameter momentum; a scalar.</source>
        <translation>参数 momentum；标量。</translation>
    </message>
    <message>
        <source>Parameter rho; a scalar.</source>
        <translation>参数 rho；标量。</translation>
    </message>
    <message>
        <source>Parameter sign_decay; a scalar.</source>
        <translation>参数 sign_decay；标量。</translation>
    </message>
    <message>
        <source>Momentum coefficient.</source>
        <translation>动量系数。</translation>
    </message>
    <message>
        <source>Fraction of the values to drop.</source>
        <translation>被置零的比例。</translation>
    </message>
    <message>
        <source>Forwards whichever of its inputs is live.</source>
        <translation>把输入中活着的那个传下去。</translation>
    </message>
    <message>
        <source>Resizes images with nearest-neighbour interpolation.</source>
        <translation>缩放图像；新像素取最近的像素。</translation>
    </message>
    <message>
        <source>Resizes images with bilinear interpolation.</source>
        <translation>缩放图像；新像素由四个相邻像素混合而成。</translation>
    </message>
    <message>
        <source>Resizes images with bicubic interpolation.</source>
        <translation>缩放图像；新像素由十六个相邻像素混合而成。</translation>
    </message>
    <message>
        <source>Images in the last three dimensions.</source>
        <translation>最后三维上的图像。</translation>
    </message>
    <message>
        <source>Images or sequences.</source>
        <translation>图像或序列。</translation>
    </message>
    <message>
        <source>Feature maps with `filters` channels.</source>
        <translation>具有 `filters` 个通道的特征图。</translation>
    </message>
    <message>
        <source>Adjusts the contrast of images.</source>
        <translation>改变图像的对比度。</translation>
    </message>
    <message>
        <source>Adjusts the hue of RGB images.</source>
        <translation>改变图像的色相。</translation>
    </message>
    <message>
        <source>Adjusts the saturation of RGB images.</source>
        <translation>增强或减弱图像的色彩。</translation>
    </message>
    <message>
        <source>Images, [batch, height, width, channels].</source>
        <translation>图像：[批, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>Converts RGB pixels to HSV.</source>
        <translation>把红、绿、蓝表示的像素变为色相、饱和度、明度。</translation>
    </message>
    <message>
        <source>Index of the largest element along an axis.</source>
        <translation>沿某轴最大元素的位置。</translation>
    </message>
    <message>
        <source>Index of the smallest element along an axis.</source>
        <translation>沿某轴最小元素的位置。</translation>
    </message>
    <message>
        <source>Predicted probabilities of the positive class, from 0 to 1.</source>
        <translation>正类的预测概率，从 0 到 1。</translation>
    </message>
    <message>
        <source>Product of a sparse and a dense matrix.</source>
        <translation>稀疏矩阵与稠密矩阵的乘积。</translation>
    </message>
    <message>
        <source>Product of a sparse and a dense matrix; the result is dense.</source>
        <translation>稀疏矩阵与稠密矩阵的乘积。</translation>
    </message>
    <message>
        <source>Product of elements along axes.</source>
        <translation>沿各轴的乘积。</translation>
    </message>
    <message>
        <source>x * y, element-wise.</source>
        <translation>逐元素的乘积。</translation>
    </message>
    <message>
        <source>Matrix product for matrices that may contain many zeros.</source>
        <translation>两个可能含大量零的矩阵的乘积。</translation>
    </message>
    <message>
        <source>Matrix product of two matrices, either of which may be transposed.</source>
        <translation>两个矩阵的乘积，各自可按转置读取。</translation>
    </message>
    <message>
        <source>Matrix products over the last two dimensions; leading dimensions are broadcast.</source>
        <translation>最后两维上的矩阵乘积；两个输入的前导维可广播。</translation>
    </message>
    <message>
        <source>Matrix products over the last two dimensions; leading dimensions must be equal.</source>
        <translation>最后两维上的矩阵乘积；两个输入的前导维相同。</translation>
    </message>
    <message>
        <source>Enqueues one element; waits while the queue is full.</source>
        <translation>把一个元素放入队列；队列满时等待。</translation>
    </message>
    <message>
        <source>Concatenates tensors along a dimension.</source>
        <translation>把张量并排拼接。</translation>
    </message>
    <message>
        <source>Enqueues each row of the given tensors as one element; waits while the queue is full.</source>
        <translation>把张量的各行逐个放入队列；队列满时等待。</translation>
    </message>
    <message>
        <source>QR decomposition of each matrix: A = Q R with orthonormal columns in Q and upper triangular R.</source>
        <translation>列向量正交归一的 Q 与上三角的 R，满足 Q R = A。</translation>
    </message>
    <message>
        <source>x / y rounded down, element-wise, like Python&apos;s //.</source>
        <translation>商向下取整，同 Python 的 //。</translation>
    </message>
    <message>
        <source>x / y, element-wise; 0 where `y` is 0.</source>
        <translation>逐元素的商，`y` 为零处得零。</translation>
    </message>
    <message>
        <source>x / y, element-wise.</source>
        <translation>逐元素的商。</translation>
    </message>
    <message>
        <source>x / y, element-wise; integer division truncates towards zero.</source>
        <translation>逐元素的商；整数向零取整。</translation>
    </message>
    <message>
        <source>Random numbers do not depend on differentiable inputs.</source>
        <translation>随机数不依赖任何可微的量。</translation>
    </message>
    <message>
        <source>Learning rate; a scalar.</source>
        <translation>学习率；标量。</translation>
    </message>
    <message>
        <source>LSTM (long short-term memory): processes a sequence step by step.</source>
        <translation>LSTM（长短期记忆）：逐步处理序列。</translation>
    </message>
    <message>
        <source>GRU (gated recurrent unit): processes a sequence step by step.</source>
        <translation>GRU（门控循环单元）：逐步处理序列。</translation>
    </message>
    <message>
        <source>Reads an element of a TensorArray.</source>
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
        <source>Serialized records are not differentiable.</source>
        <translation>序列化的记录不可微。</translation>
    </message>
    <message>
        <source>Records a histogram of a tensor&apos;s values.</source>
        <translation>记录张量各值的直方图。</translation>
    </message>
    <message>
        <source>Records a scalar.</source>
        <translation>记录一个标量。</translation>
    </message>
    <message>
        <source>Records images.</source>
        <translation>记录图像。</translation>
    </message>
    <message>
        <source>Remainder of floor division, element-wise, like Python&apos;s %: the result has the sign of `y`.</source>
        <translation>向下取整的除法的余数，同 Python 的 %：与 `y` 同号。</translation>
    </message>
    <message>
        <source>Remainder of truncated division, element-wise: the result has the sign of `x`.</source>
        <translation>向零取整的除法的余数：与 `x` 同号。</translation>
    </message>
    <message>
        <source>Replaces rows of a variable by index.</source>
        <translation>按下标替换变量的行。</translation>
    </message>
    <message>
        <source>True classes per example.</source>
        <translation>每个样本的正确类别数。</translation>
    </message>
    <message>
        <source>Shuffles a tensor randomly along its first dimension.</source>
        <translation>行的随机顺序。</translation>
    </message>
    <message>
        <source>Gathers rows of a tensor by index.</source>
        <translation>按下标取出张量的行。</translation>
    </message>
    <message>
        <source>Gathers rows of a variable by index.</source>
        <translation>按下标取出变量的行。</translation>
    </message>
    <message>
        <source>Interleaves the rows of several tensors into one tensor by index.</source>
        <translation>把若干张量的行按下标合并成一个。</translation>
    </message>
    <message>
        <source>Row indices into the variable, one per row of the gradient; a vector.</source>
        <translation>梯度的各行对应变量的哪些行；向量。</translation>
    </message>
    <message>
        <source>Partitions the rows of a tensor into several tensors by partition index.</source>
        <translation>按每行的编号把行分到若干张量。</translation>
    </message>
    <message>
        <source>Cumulative product along an axis.</source>
        <translation>沿某轴的累积乘积。</translation>
    </message>
    <message>
        <source>Cumulative sum along an axis.</source>
        <translation>沿某轴的累积和。</translation>
    </message>
    <message>
        <source>SAME: padded so that the output has size ceil(input / stride). VALID: no padding. EXPLICIT: as in explicit_paddings.</source>
        <translation>SAME：补边，使输出大小为 ceil(输入 / 步幅)。VALID：不补边。EXPLICIT：按 explicit_paddings 补边。</translation>
    </message>
    <message>
        <source>SAME: padded so that the output has size ceil(input / stride). VALID: no padding.</source>
        <translation>SAME：补边，使输出大小为 ceil(输入 / 步幅)。VALID：不补边。</translation>
    </message>
    <message>
        <source>Samples per second.</source>
        <translation>每秒采样数。</translation>
    </message>
    <message>
        <source>Second argument; its shape must be broadcastable with that of the first.</source>
        <translation>第二个参数，形状可与第一个广播。</translation>
    </message>
    <message>
        <source>Second operand; its shape must be broadcastable with that of `x`.</source>
        <translation>第二个操作数，形状可与 `x` 广播。</translation>
    </message>
    <message>
        <source>Second seed; distinguishes ops that share a graph-level seed.</source>
        <translation>第二个种子，使同一图种子下的各 op 互不相同。</translation>
    </message>
    <message>
        <source>Second seed.</source>
        <translation>第二个种子。</translation>
    </message>
    <message>
        <source>Seed; if both seeds are 0, each session draws different classes.</source>
        <translation>图或 op 的种子；两者皆为 0 时每个会话抽取不同的类别。</translation>
    </message>
    <message>
        <source>Seed; if both seeds are 0, each session draws different numbers.</source>
        <translation>图或 op 的种子；两者皆为 0 时每个会话抽取不同的数。</translation>
    </message>
    <message>
        <source>Segment id of each row; must not decrease.</source>
        <translation>每行所属的段；段号不得减小。</translation>
    </message>
    <message>
        <source>Forwards its input to one of two outputs; the other output is dead in this step.</source>
        <translation>把输入送往两个输出之一；另一个在本步中是死的。</translation>
    </message>
    <message>
        <source>Sequences: [batch, time, features].</source>
        <translation>序列：[批, 时间, 特征]。</translation>
    </message>
    <message>
        <source>Dropout: sets a random fraction of the values to zero and scales the others up.</source>
        <translation>Dropout：随机将一部分值置零，并放大其余的值。</translation>
    </message>
    <message>
        <source>Dropout: sets a random fraction of the values to zero during training and scales the others up.</source>
        <translation>Dropout：训练时随机将一部分值置零，并放大其余的值。</translation>
    </message>
    <message>
        <source>Passes several tensors through as a group.</source>
        <translation>若干张量，一并原样传递。</translation>
    </message>
    <message>
        <source>Shape of an element: a vector with -1 for unknown dimensions, or the scalar -1 for unknown rank.</source>
        <translation>元素的形状：向量，未知的维为 -1；或标量 -1。</translation>
    </message>
    <message>
        <source>Shape of the result.</source>
        <translation>结果的形状。</translation>
    </message>
    <message>
        <source>Shapes of an element&apos;s components, as far as they are known statically.</source>
        <translation>元素各分量的形状，以已知者为限。</translation>
    </message>
    <message>
        <source>Shapes of the results, if known.</source>
        <translation>结果的形状（若已知）。</translation>
    </message>
    <message>
        <source>Fraction of samples whose largest logit is the true class.</source>
        <translation>最大 logit 恰为正确类别的样本所占比例。</translation>
    </message>
    <message>
        <source>Recall over all batches: the fraction of positive labels that are predicted.</source>
        <translation>召回率，累计所有批：正类标签中被预测出的比例。</translation>
    </message>
    <message>
        <source>Precision over all batches: the fraction of positive predictions that are true.</source>
        <translation>精确率，累计所有批：预测为正类者中正确的比例。</translation>
    </message>
    <message>
        <source>Batch normalization per channel, using the batch&apos;s statistics (training) or given ones (inference).</source>
        <translation>用本批或给定的统计量，把各通道平移缩放到给定的均值和方差。</translation>
    </message>
    <message>
        <source>Side length of a block.</source>
        <translation>块的边长。</translation>
    </message>
    <message>
        <source>Sine, element-wise; x in radians.</source>
        <translation>每个元素的正弦，以弧度计。</translation>
    </message>
    <message>
        <source>Singular value decomposition A = U diag(S) Vᴴ of each matrix, singular values in descending order.</source>
        <translation>按降序的奇异值与奇异向量：A = U diag(S) Vᴴ。</translation>
    </message>
    <message>
        <source>Step size.</source>
        <translation>步长。</translation>
    </message>
    <message>
        <source>Number of units (size of the state).</source>
        <translation>单元的个数（状态的大小）。</translation>
    </message>
    <message>
        <source>Window size along each dimension of the input.</source>
        <translation>窗口沿输入各维的大小。</translation>
    </message>
    <message>
        <source>Gathers slices of a tensor along an axis by index.</source>
        <translation>沿某轴按下标取出张量的切片。</translation>
    </message>
    <message>
        <source>Gathers slices of a tensor by index vectors.</source>
        <translation>取出张量的切片，每个由一个下标向量指定。</translation>
    </message>
    <message>
        <source>Scatters slices into a tensor of zeros by index vectors; slices with the same index are added.</source>
        <translation>把切片按下标向量放入全零张量；同一位置的相加。</translation>
    </message>
    <message>
        <source>2-D convolution: slides a bank of filters over images.</source>
        <translation>二维卷积：让一组滤波器在图像上滑动。</translation>
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
        <source>min(x, y), element-wise.</source>
        <translation>每对元素中较小的一个。</translation>
    </message>
    <message>
        <source>Smaller images.</source>
        <translation>更小的图像。</translation>
    </message>
    <message>
        <source>Adagrad: smaller steps for parameters whose past gradients were large.</source>
        <translation>Adagrad：过去梯度较大的参数步长较小。</translation>
    </message>
    <message>
        <source>Minimum of elements along axes.</source>
        <translation>沿各轴的最小元素。</translation>
    </message>
    <message>
        <source>Rounds up to the nearest integer, element-wise.</source>
        <translation>不小于各元素的最小整数。</translation>
    </message>
    <message>
        <source>Exponential linear unit: x where x &gt; 0, otherwise e^x - 1.</source>
        <translation>指数线性单元：x &gt; 0 处为 x，否则为 e^x - 1。</translation>
    </message>
    <message>
        <source>Summary with audio clips, each encoded as a WAV file.</source>
        <translation>声音，每段写成一个 WAV 文件。</translation>
    </message>
    <message>
        <source>(x - y)², element-wise.</source>
        <translation>元素之差的平方。</translation>
    </message>
    <message>
        <source>Square root, element-wise.</source>
        <translation>每个元素的平方根。</translation>
    </message>
    <message>
        <source>Huber loss: quadratic for small differences, linear for large ones.</source>
        <translation>Huber 损失：差较小处为二次，较大处为线性。</translation>
    </message>
    <message>
        <source>x / (1 + |x|), element-wise: like tanh, but approaches its limits more slowly.</source>
        <translation>逐元素的 x / (1 + |x|)：类似 tanh，但更慢地接近极限。</translation>
    </message>
    <message>
        <source>Stacks elements of a TensorArray along a new first dimension.</source>
        <translation>把数组的元素沿新的第一维堆叠。</translation>
    </message>
    <message>
        <source>Cell state of the previous step, [batch, cells].</source>
        <translation>细胞先前的状态，[批, 细胞]。</translation>
    </message>
    <message>
        <source>Cell state.</source>
        <translation>细胞的状态。</translation>
    </message>
    <message>
        <source>Stride of the window in height and width.</source>
        <translation>窗口在高与宽方向上的步长。</translation>
    </message>
    <message>
        <source>Plain gradient descent.</source>
        <translation>普通梯度下降。</translation>
    </message>
    <message>
        <source>Adam: steps from moving averages of the gradient and of its square.</source>
        <translation>Adam：由梯度及其平方的滑动平均得出步长。</translation>
    </message>
    <message>
        <source>RMSProp: steps divided by a moving average of the gradient&apos;s magnitude.</source>
        <translation>RMSProp：步长除以梯度大小的滑动平均。</translation>
    </message>
    <message>
        <source>Stride of the window along each dimension of the input.</source>
        <translation>窗口沿输入各维的步长。</translation>
    </message>
    <message>
        <source>Gradient descent with momentum.</source>
        <translation>带动量的梯度下降。</translation>
    </message>
    <message>
        <source>Subtracts a value from a variable.</source>
        <translation>从变量中减去一个值。</translation>
    </message>
    <message>
        <source>Sums selected rows by segment.</source>
        <translation>所选各行按段求和。</translation>
    </message>
    <message>
        <source>Element-wise sum of N tensors of the same shape.</source>
        <translation>若干形状相同的张量之和。</translation>
    </message>
    <message>
        <source>Initial value of the accumulated squared gradients.</source>
        <translation>累积梯度平方的初值。</translation>
    </message>
    <message>
        <source>Sum of elements along axes.</source>
        <translation>沿各轴的和。</translation>
    </message>
    <message>
        <source>x + y, element-wise.</source>
        <translation>逐元素求和。</translation>
    </message>
    <message>
        <source>x + y, element-wise; strings are concatenated.</source>
        <translation>逐元素求和；字符串则首尾相接。</translation>
    </message>
    <message>
        <source>Sums the rows of each segment.</source>
        <translation>每段各行的和。</translation>
    </message>
    <message>
        <source>Gradient of BiasAdd with respect to the bias: the incoming gradient summed over all dimensions but the channels.</source>
        <translation>把梯度在所有位置上求和，得到偏置的梯度。</translation>
    </message>
    <message>
        <source>Element-wise sum of the inputs.</source>
        <translation>各输入逐元素的和。</translation>
    </message>
    <message>
        <source>Tag of the summary.</source>
        <translation>摘要的标签。</translation>
    </message>
    <message>
        <source>Dequeues n elements as a batch; waits until there are enough.</source>
        <translation>从队列取出若干元素并拼成一批；不够时等待。</translation>
    </message>
    <message>
        <source>Passes a value out of its frame when the loop ends.</source>
        <translation>循环结束时把值带出其帧。</translation>
    </message>
    <message>
        <source>The first input minus all others, element-wise.</source>
        <translation>第一个输入逐元素减去其余各输入。</translation>
    </message>
    <message>
        <source>Dequeues one element; waits while the queue is empty.</source>
        <translation>从队列取出一个元素；没有时等待。</translation>
    </message>
    <message>
        <source>Tangent, element-wise; x in radians.</source>
        <translation>每个元素的正切，以弧度计。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 defines no gradient for it.</source>
        <translation>TensorFlow 1.15 没有它的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 defines no gradient for this op; tf.einsum is composed of other ops.</source>
        <translation>TensorFlow 1.15 没有该 op 的梯度；tf.einsum 由其他 op 组成。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 defines no second derivative for it.</source>
        <translation>TensorFlow 1.15 没有它的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow 1.15 defines no gradient with respect to the variable.</source>
        <translation>TensorFlow 1.15 没有对变量一侧的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative of Softsign.</source>
        <translation>TensorFlow 没有定义 Softsign 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative for calls.</source>
        <translation>TensorFlow 没有定义函数调用的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no third derivative of MaxPoolV2.</source>
        <translation>TensorFlow 没有定义 MaxPoolV2 的三阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no gradient for calls to other devices.</source>
        <translation>TensorFlow 没有为对其他设备的调用定义梯度。</translation>
    </message>
    <message>
        <source>TensorFlow defines no gradient for it.</source>
        <translation>TensorFlow 没有定义它的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow defines no gradient: the number of values is discrete.</source>
        <translation>TensorFlow 不对它求导：值的个数是跳变的。</translation>
    </message>
    <message>
        <source>TensorFlow defines gradients for its successor only.</source>
        <translation>TensorFlow 只为取代它的新 op 定义了梯度。</translation>
    </message>
    <message>
        <source>TensorFlow defines gradients for the second version only.</source>
        <translation>TensorFlow 只有第二版的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative with respect to `a`.</source>
        <translation>TensorFlow 没有对 `a` 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative with respect to `alpha`.</source>
        <translation>TensorFlow 没有对 `alpha` 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative for Dilation2D.</source>
        <translation>TensorFlow 没有 Dilation2D 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative for LRN.</source>
        <translation>TensorFlow 没有 LRN 的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no second derivative for it.</source>
        <translation>TensorFlow 没有它的二阶导数。</translation>
    </message>
    <message>
        <source>TensorFlow defines no gradient in three dimensions.</source>
        <translation>TensorFlow 没有三维的梯度。</translation>
    </message>
    <message>
        <source>TensorFlow defines no gradient for it; FloorMod has one.</source>
        <translation>TensorFlow 没有给出它的梯度；FloorMod 有。</translation>
    </message>
    <message>
        <source>TensorFlow&apos;s layers call the gradient op directly.</source>
        <translation>TensorFlow 的层直接调用梯度 op。</translation>
    </message>
    <message>
        <source>Concatenates tensors along an axis.</source>
        <translation>沿某轴拼接的张量。</translation>
    </message>
    <message>
        <source>Stacks tensors of the same shape along a new axis.</source>
        <translation>把形状相同的张量沿新轴堆叠。</translation>
    </message>
    <message>
        <source>Tensors captured by the function.</source>
        <translation>函数捕获的张量。</translation>
    </message>
    <message>
        <source>Strings are not differentiable.</source>
        <translation>字符串不可微。</translation>
    </message>
    <message>
        <source>Splits strings at delimiter characters into a sparse matrix of pieces.</source>
        <translation>切分的文本，以稀疏矩阵表示。</translation>
    </message>
    <message>
        <source>Joins strings element-wise.</source>
        <translation>逐元素连接的文本。</translation>
    </message>
    <message>
        <source>Strings.</source>
        <translation>文本。</translation>
    </message>
    <message>
        <source>Solves the linear systems A X = B.</source>
        <translation>满足 A X = B 的 X。</translation>
    </message>
    <message>
        <source>The accumulator.</source>
        <translation>累加器。</translation>
    </message>
    <message>
        <source>The element-wise result, in the broadcast shape.</source>
        <translation>每对元素的判断，为共同的形状。</translation>
    </message>
    <message>
        <source>Creates, or finds, the gradient array of a TensorArray.</source>
        <translation>与某个数组对应的梯度数组。</translation>
    </message>
    <message>
        <source>For two broadcast operands, the axes over which their gradients must be summed.</source>
        <translation>两个广播操作数的梯度需要求和的轴。</translation>
    </message>
    <message>
        <source>The axis, a scalar; negative values count from the end.</source>
        <translation>轴，标量；负数从最后一维数起。</translation>
    </message>
    <message>
        <source>The axis; negative values count from the end.</source>
        <translation>轴；负数从最后一维数起。</translation>
    </message>
    <message>
        <source>The barrier.</source>
        <translation>屏障。</translation>
    </message>
    <message>
        <source>Reverses the first seq_lengths[i] elements of each sequence.</source>
        <translation>把每个序列开头的 seq_lengths[i] 个元素反过来。</translation>
    </message>
    <message>
        <source>Greedy non-maximum suppression: selects the best-scoring boxes that do not overlap a selected one too much.</source>
        <translation>得分最高且与更好者重叠不多的边框。</translation>
    </message>
    <message>
        <source>Reinterprets the bytes of a tensor as another type.</source>
        <translation>把张量的字节按另一种类型解读。</translation>
    </message>
    <message>
        <source>Reinterprets the bytes of strings as numbers.</source>
        <translation>把文本的字节读作数。</translation>
    </message>
    <message>
        <source>Contents of the file; a scalar.</source>
        <translation>文件的字节；标量。</translation>
    </message>
    <message>
        <source>The encoded file; a scalar.</source>
        <translation>字节。</translation>
    </message>
    <message>
        <source>The decoded strings.</source>
        <translation>字节。</translation>
    </message>
    <message>
        <source>The adjusted images.</source>
        <translation>修改后的图像。</translation>
    </message>
    <message>
        <source>Parses CSV records into one tensor per column.</source>
        <translation>逗号分隔记录的各列。</translation>
    </message>
    <message>
        <source>A loop&apos;s condition is not differentiable.</source>
        <translation>循环的条件不可微。</translation>
    </message>
    <message>
        <source>The input data set.</source>
        <translation>元素来自的数据集。</translation>
    </message>
    <message>
        <source>The data set.</source>
        <translation>数据集。</translation>
    </message>
    <message>
        <source>Determinant of each square matrix.</source>
        <translation>每个矩阵的行列式。</translation>
    </message>
    <message>
        <source>Distinct elements of a vector, in order of first occurrence.</source>
        <translation>向量中各不相同的元素，按首次出现的顺序。</translation>
    </message>
    <message>
        <source>Dimension along which to concatenate.</source>
        <translation>拼接所沿的维度。</translation>
    </message>
    <message>
        <source>Target shape; one dimension may be -1 and is inferred.</source>
        <translation>目标形状；可有一维为 -1，由其余各维推出。</translation>
    </message>
    <message>
        <source>The sampled classes.</source>
        <translation>抽取的类别。</translation>
    </message>
    <message>
        <source>x where x &gt; 0, otherwise alpha * x.</source>
        <translation>x &gt; 0 处为 x，否则为 alpha * x。</translation>
    </message>
    <message>
        <source>The element&apos;s components.</source>
        <translation>元素的各分量。</translation>
    </message>
    <message>
        <source>Repeats a data set.</source>
        <translation>反复给出这些元素。</translation>
    </message>
    <message>
        <source>Shuffles a data set with a buffer.</source>
        <translation>从缓冲区中随机取出的元素顺序。</translation>
    </message>
    <message>
        <source>Diagonal part of a tensor: the elements whose index has two equal halves.</source>
        <translation>张量中下标前后两半相等的元素。</translation>
    </message>
    <message>
        <source>Maps each element to a data set and concatenates these data sets.</source>
        <translation>函数由每个元素得出一个数据集，依次给出各数据集的元素。</translation>
    </message>
    <message>
        <source>Keeps the elements for which a predicate is true.</source>
        <translation>使函数为真的那些元素。</translation>
    </message>
    <message>
        <source>The elements.</source>
        <translation>元素。</translation>
    </message>
    <message>
        <source>Elements of the diagonals.</source>
        <translation>元素。</translation>
    </message>
    <message>
        <source>The k largest elements.</source>
        <translation>元素。</translation>
    </message>
    <message>
        <source>Parses a batch of serialized tf.train.Example records into tensors.</source>
        <translation>一批 tf.train.Example 记录的各特征，解析为张量。</translation>
    </message>
    <message>
        <source>Parses one serialized tf.train.Example record into tensors.</source>
        <translation>一条 tf.train.Example 记录的各特征，解析为张量。</translation>
    </message>
    <message>
        <source>The fed tensor.</source>
        <translation>馈送的张量。</translation>
    </message>
    <message>
        <source>The first `count` elements of a data set.</source>
        <translation>数据集开头的 `count` 个元素。</translation>
    </message>
    <message>
        <source>The activations, in the shape of `features`.</source>
        <translation>激活值，形状同 `features`。</translation>
    </message>
    <message>
        <source>The function.</source>
        <translation>函数。</translation>
    </message>
    <message>
        <source>Gradient of Cholesky.</source>
        <translation>Cholesky 的梯度。</translation>
    </message>
    <message>
        <source>The gradient.</source>
        <translation>梯度。</translation>
    </message>
    <message>
        <source>Upper end of the range.</source>
        <translation>最大的值。</translation>
    </message>
    <message>
        <source>Inverse of each square matrix.</source>
        <translation>每个矩阵的逆。</translation>
    </message>
    <message>
        <source>The k largest elements along the last dimension, in descending order; ties keep their order.</source>
        <translation>最后一维上最大的 k 个元素，按降序；相等时先出现者在前。</translation>
    </message>
    <message>
        <source>The keys.</source>
        <translation>键。</translation>
    </message>
    <message>
        <source>Element-wise maximum of the inputs.</source>
        <translation>各输入逐元素的最大值。</translation>
    </message>
    <message>
        <source>Global max pooling: the maximum of each channel over all positions.</source>
        <translation>全局最大池化：每个通道在所有位置上的最大值。</translation>
    </message>
    <message>
        <source>Lower end of the range.</source>
        <translation>最小的值。</translation>
    </message>
    <message>
        <source>The lines of text files, without their line ends.</source>
        <translation>文本文件的各行，不含行尾符。</translation>
    </message>
    <message>
        <source>The list.</source>
        <translation>列表。</translation>
    </message>
    <message>
        <source>Cholesky decomposition A = L Lᴴ of symmetric positive definite matrices.</source>
        <translation>满足 L Lᴴ = A 的下三角矩阵 L，要求矩阵对称且正定。</translation>
    </message>
    <message>
        <source>The maxima.</source>
        <translation>最大值。</translation>
    </message>
    <message>
        <source>Global average pooling: the mean of each channel over all positions.</source>
        <translation>全局平均池化：每个通道在所有位置上的平均值。</translation>
    </message>
    <message>
        <source>Element-wise mean of the inputs.</source>
        <translation>各输入逐元素的平均值。</translation>
    </message>
    <message>
        <source>The resulting list.</source>
        <translation>新列表。</translation>
    </message>
    <message>
        <source>The next element of an iterator.</source>
        <translation>迭代器的下一个元素。</translation>
    </message>
    <message>
        <source>Reads the next record; takes the next file from the queue when the current one is finished.</source>
        <translation>下一条记录；一个文件读完后接着读队列中的下一个。</translation>
    </message>
    <message>
        <source>Number of dimensions of a tensor.</source>
        <translation>张量的维数。</translation>
    </message>
    <message>
        <source>Number of elements of a tensor.</source>
        <translation>张量的元素个数。</translation>
    </message>
    <message>
        <source>The integers from start (included) to stop (excluded).</source>
        <translation>从 start 到 stop 的数，不含 stop。</translation>
    </message>
    <message>
        <source>The numbers.</source>
        <translation>数。</translation>
    </message>
    <message>
        <source>The floats.</source>
        <translation>数。</translation>
    </message>
    <message>
        <source>The training op, which performs one step.</source>
        <translation>执行一步更新的 op。</translation>
    </message>
    <message>
        <source>The op that restores all variables.</source>
        <translation>恢复全部变量的 op。</translation>
    </message>
    <message>
        <source>The op.</source>
        <translation>该 op。</translation>
    </message>
    <message>
        <source>Transposed 2-D convolution, which enlarges images.</source>
        <translation>转置二维卷积，把图像放大。</translation>
    </message>
    <message>
        <source>Inverse of a permutation.</source>
        <translation>抵消另一个排列的排列。</translation>
    </message>
    <message>
        <source>Coordinates of the elements that are true or nonzero.</source>
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
        <source>The element-wise result, in the shape of `x`.</source>
        <translation>每个元素的结果，形状同 `x`。</translation>
    </message>
    <message>
        <source>Output of the pooling.</source>
        <translation>池化的结果。</translation>
    </message>
    <message>
        <source>[batch, num_true]: the true classes of each example.</source>
        <translation>每个样本的正确类别，各占一行。</translation>
    </message>
    <message>
        <source>The rows.</source>
        <translation>各行。</translation>
    </message>
    <message>
        <source>The same as a scalar tensor, which can be fed.</source>
        <translation>同上，但为可馈送的标量张量。</translation>
    </message>
    <message>
        <source>Changes the shape of a tensor and keeps its elements in order.</source>
        <translation>同样的元素、同样的顺序，换成另一种形状。</translation>
    </message>
    <message>
        <source>Prefetches elements in TensorFlow; here, passes them through.</source>
        <translation>同样的元素；TensorFlow 会提前计算其中一些。</translation>
    </message>
    <message>
        <source>The pushed tensor.</source>
        <translation>同一张量。</translation>
    </message>
    <message>
        <source>The input, unchanged.</source>
        <translation>同一张量。</translation>
    </message>
    <message>
        <source>Converts a tensor to another type.</source>
        <translation>把张量转换为另一种类型。</translation>
    </message>
    <message>
        <source>Permutes the dimensions of a tensor.</source>
        <translation>同样的值，维度顺序不同。</translation>
    </message>
    <message>
        <source>Scalar loss to minimize.</source>
        <translation>要最小化的标量损失。</translation>
    </message>
    <message>
        <source>Scaled exponential linear unit: an Elu scaled so that activations keep mean 0 and variance 1.</source>
        <translation>自归一化指数单元：缩放过的 Elu，保持均值 0、方差 1。</translation>
    </message>
    <message>
        <source>Shape of a tensor, as a vector.</source>
        <translation>张量的形状，以向量表示。</translation>
    </message>
    <message>
        <source>Shape of a variable&apos;s value.</source>
        <translation>变量的值的形状。</translation>
    </message>
    <message>
        <source>Shape to which two shapes broadcast.</source>
        <translation>两个形状广播后的形状。</translation>
    </message>
    <message>
        <source>Shapes of several tensors, each as a vector.</source>
        <translation>若干张量的形状，各为一个向量。</translation>
    </message>
    <message>
        <source>The size of a set is not differentiable.</source>
        <translation>集合的大小不可微。</translation>
    </message>
    <message>
        <source>Unstacks a tensor along an axis into tensors of one rank less.</source>
        <translation>张量沿某轴的各切片，各成一个张量。</translation>
    </message>
    <message>
        <source>Element-wise minimum of the inputs.</source>
        <translation>各输入逐元素的最小值。</translation>
    </message>
    <message>
        <source>The table.</source>
        <translation>表。</translation>
    </message>
    <message>
        <source>Passes its input through unchanged.</source>
        <translation>原样的张量。</translation>
    </message>
    <message>
        <source>Passes its input through; requesting a gradient through it is an error.</source>
        <translation>原样的张量；求穿过它的梯度会报错。</translation>
    </message>
    <message>
        <source>Passes its input through; blocks gradients, which treat it as a constant.</source>
        <translation>原样的张量；求梯度时视为常量。</translation>
    </message>
    <message>
        <source>Passes its input through; fails if it contains NaN or infinity.</source>
        <translation>张量本身；含 NaN 或无穷时报错。</translation>
    </message>
    <message>
        <source>Repeats a tensor along each of its dimensions.</source>
        <translation>沿各维重复的张量。</translation>
    </message>
    <message>
        <source>Broadcasts a tensor to a given shape.</source>
        <translation>按广播规则把张量重复成给定形状。</translation>
    </message>
    <message>
        <source>The tensor to reduce.</source>
        <translation>要归约的张量。</translation>
    </message>
    <message>
        <source>Pads a tensor with a constant value.</source>
        <translation>四周补某个值的张量。</translation>
    </message>
    <message>
        <source>Pads a tensor with mirrored copies of its elements.</source>
        <translation>张量四周加上其镜像。</translation>
    </message>
    <message>
        <source>Inserts a dimension of size 1.</source>
        <translation>张量增加一个长度为 1 的维度。</translation>
    </message>
    <message>
        <source>Reverses a tensor along some of its dimensions.</source>
        <translation>某些维度反向的张量。</translation>
    </message>
    <message>
        <source>Pads a tensor with zeros.</source>
        <translation>四周补零的张量。</translation>
    </message>
    <message>
        <source>Removes dimensions of size 1.</source>
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
        <source>Tensors to concatenate.</source>
        <translation>各张量。</translation>
    </message>
    <message>
        <source>The expected type.</source>
        <translation>类型。</translation>
    </message>
    <message>
        <source>Target type.</source>
        <translation>类型。</translation>
    </message>
    <message>
        <source>Reads the value of a variable.</source>
        <translation>变量的值。</translation>
    </message>
    <message>
        <source>The value over the batches so far, and the op that updates it with this batch and returns the new value.</source>
        <translation>到目前为止各批的值，以及计入本批并返回新值的 op。</translation>
    </message>
    <message>
        <source>Looks up the values of keys in a table.</source>
        <translation>各键对应的值。</translation>
    </message>
    <message>
        <source>The values.</source>
        <translation>值。</translation>
    </message>
    <message>
        <source>The updated variable.</source>
        <translation>修改之后的变量。</translation>
    </message>
    <message>
        <source>The variable.</source>
        <translation>变量。</translation>
    </message>
    <message>
        <source>Extracts sliding windows of images and flattens each to a vector (im2col).</source>
        <translation>把图像的各窗口变成向量。</translation>
    </message>
    <message>
        <source>Their values.</source>
        <translation>它们的值。</translation>
    </message>
    <message>
        <source>The corresponding values.</source>
        <translation>它们的值。</translation>
    </message>
    <message>
        <source>It has no outputs.</source>
        <translation>没有输出。</translation>
    </message>
    <message>
        <source>Threads are not differentiable.</source>
        <translation>线程没有梯度。</translation>
    </message>
    <message>
        <source>Decision trees are not differentiable.</source>
        <translation>决策树不可微。</translation>
    </message>
    <message>
        <source>Two integers; the same seed always gives the same result.</source>
        <translation>两个数；相同的数总是给出相同的结果。</translation>
    </message>
    <message>
        <source>Two or more tensors of the same shape.</source>
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
        <source>Type of the logits.</source>
        <translation>得分的类型。</translation>
    </message>
    <message>
        <source>Type of the seed.</source>
        <translation>种子的类型。</translation>
    </message>
    <message>
        <source>Type of the segment ids.</source>
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
        <source>Type of `num`.</source>
        <translation>`num` 的类型。</translation>
    </message>
    <message>
        <source>Type of `num_segments`.</source>
        <translation>`num_segments` 的类型。</translation>
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
        <source>Types of the captured tensors.</source>
        <translation>函数捕获的张量的类型。</translation>
    </message>
    <message>
        <source>Inverse of SpaceToBatchND: moves batch entries back to positions within spatial blocks.</source>
        <translation>SpaceToBatchND 的逆：批中的各部分变成空间块内的位置。</translation>
    </message>
    <message>
        <source>Variable updates are not differentiable.</source>
        <translation>变量的更新不可微。</translation>
    </message>
    <message>
        <source>Values.</source>
        <translation>数值。</translation>
    </message>
    <message>
        <source>Values; the last dimension is normalized.</source>
        <translation>数值；对最后一维归一化。</translation>
    </message>
    <message>
        <source>Volumes [batch, depth, height, width, channels].</source>
        <translation>体数据 [批, 深, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>Fully connected layer: each unit computes a weighted sum of all inputs.</source>
        <translation>全连接层：每个单元计算所有输入的加权和。</translation>
    </message>
    <message>
        <source>Weights, [inputs + cells, 4 * cells].</source>
        <translation>权重，[输入 + 细胞, 4 × 细胞]。</translation>
    </message>
    <message>
        <source>Extracts a strided slice, like Python&apos;s x[begin:end:stride, …].</source>
        <translation>带步长的切片，同 Python 的 x[begin:end:stride, …]。</translation>
    </message>
    <message>
        <source>Applies a function to each element, in order.</source>
        <translation>函数由每个元素得出的结果，按顺序给出。</translation>
    </message>
    <message>
        <source>Applies a function to each element.</source>
        <translation>函数由每个元素得出的结果。</translation>
    </message>
    <message>
        <source>Accumulated gradients come from other runs; no gradient flows through the accumulator.</source>
        <translation>累加器中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>Queries, [batch, query time, features].</source>
        <translation>查询，[批, 查询时间, 特征]。</translation>
    </message>
    <message>
        <source>Values to average.</source>
        <translation>被平均的值。</translation>
    </message>
    <message>
        <source>Keys, compared with the query; the values if not given.</source>
        <translation>键，与查询比较；不给出时即为值本身。</translation>
    </message>
    <message>
        <source>Reads the contents of a file.</source>
        <translation>文件的内容。</translation>
    </message>
    <message>
        <source>Tensors kept between runs are not differentiable.</source>
        <translation>在各次运行之间保留的内容不求导。</translation>
    </message>
    <message>
        <source>Shape of the fed tensor; ? for dimensions of any size.</source>
        <translation>所馈送张量的形状；? 表示任意大小的维。</translation>
    </message>
    <message>
        <source>Values, [batch, time, features].</source>
        <translation>值，[批, 时间, 特征]。</translation>
    </message>
    <message>
        <source>The value to pass through.</source>
        <translation>传下去的值。</translation>
    </message>
    <message>
        <source>Records read from files are not differentiable.</source>
        <translation>从文件读入的内容不求导。</translation>
    </message>
    <message>
        <source>Tensor to record.</source>
        <translation>要记录的张量。</translation>
    </message>
    <message>
        <source>Truth sequences.</source>
        <translation>正确答案。</translation>
    </message>
    <message>
        <source>True counts.</source>
        <translation>正确答案。</translation>
    </message>
    <message>
        <source>The true labels.</source>
        <translation>真实标签。</translation>
    </message>
    <message>
        <source>Labels; 0 is negative, anything else positive.</source>
        <translation>标签；0 为负，其余为正。</translation>
    </message>
    <message>
        <source>Quantized integers are not differentiable.</source>
        <translation>量化整数不可微。</translation>
    </message>
    <message>
        <source>Elements of a barrier come from other runs; no gradient flows through it.</source>
        <translation>屏障中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>Tensors in the map come from other runs; no gradient flows through it.</source>
        <translation>映射中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>Queue elements come from other runs; no gradient flows through a queue.</source>
        <translation>队列中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>Staged tensors come from other runs; no gradient flows through a staging area.</source>
        <translation>暂存区中的内容来自其他运行，梯度不经过它。</translation>
    </message>
    <message>
        <source>Table contents are not differentiable.</source>
        <translation>表中的内容不求导。</translation>
    </message>
    <message>
        <source>Input of the layer.</source>
        <translation>该层的输入。</translation>
    </message>
    <message>
        <source>Outputs of the network before softmax or sigmoid (logits).</source>
        <translation>softmax 或 sigmoid 之前的网络输出（logits）。</translation>
    </message>
    <message>
        <source>Outputs of the network.</source>
        <translation>网络的输出。</translation>
    </message>
    <message>
        <source>Predictions; 0 is negative, anything else positive.</source>
        <translation>预测；0 为负，其余为正。</translation>
    </message>
    <message>
        <source>Input of the pooling.</source>
        <translation>池化的输入。</translation>
    </message>
    <message>
        <source>A checkpoint&apos;s contents do not depend on inputs.</source>
        <translation>保存下来的值不依赖于任何输入。</translation>
    </message>
    <message>
        <source>Offset of each of several tensors in their concatenation.</source>
        <translation>各张量在拼接结果中的起点。</translation>
    </message>
    <message>
        <source>Difference at which the loss changes from quadratic to linear.</source>
        <translation>损失由二次转为线性处的差。</translation>
    </message>
    <message>
        <source>Position of the channel dimension.</source>
        <translation>通道所在的维。</translation>
    </message>
    <message>
        <source>Marks a loop&apos;s condition, which controls the loop&apos;s Switch ops.</source>
        <translation>标记循环的条件，它控制循环的各 Switch op。</translation>
    </message>
    <message>
        <source>Whether a variable is initialized.</source>
        <translation>变量是否有值。</translation>
    </message>
    <message>
        <source>Whether to add a bias vector.</source>
        <translation>结果是否加上偏置向量。</translation>
    </message>
    <message>
        <source>Logical AND of elements along axes.</source>
        <translation>沿各轴的元素是否全为真。</translation>
    </message>
    <message>
        <source>Logical OR of elements along axes.</source>
        <translation>沿各轴的元素是否有任何一个为真。</translation>
    </message>
    <message>
        <source>Logical OR, element-wise.</source>
        <translation>是否至少有一个为真。</translation>
    </message>
    <message>
        <source>Logical AND, element-wise.</source>
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
        <source>Whether each element is NaN.</source>
        <translation>每个元素是否为 NaN。</translation>
    </message>
    <message>
        <source>Whether each step increments global_step.</source>
        <translation>每一步是否让 global_step 加一。</translation>
    </message>
    <message>
        <source>Sample without replacement: all sampled classes differ.</source>
        <translation>是否不允许重复抽取同一类别。</translation>
    </message>
    <message>
        <source>Keep reduced axes with length 1.</source>
        <translation>归约的轴是否保留，长度为 1。</translation>
    </message>
    <message>
        <source>Whether to divide scores by the square root of the number of features.</source>
        <translation>得分是否除以特征数的平方根。</translation>
    </message>
    <message>
        <source>valid: no padding; same: zero padding, so that the output has size ceil(input / stride).</source>
        <translation>valid：不补零；same：补零，使输出大小为 ceil(输入 / 步幅)。</translation>
    </message>
    <message>
        <source>x == y, element-wise.</source>
        <translation>x == y，逐元素。</translation>
    </message>
    <message>
        <source>x != y, element-wise.</source>
        <translation>元素是否不同。</translation>
    </message>
    <message>
        <source>x &gt;= y, element-wise.</source>
        <translation>第一个元素是否更大或相等。</translation>
    </message>
    <message>
        <source>x &gt; y, element-wise.</source>
        <translation>第一个元素是否更大。</translation>
    </message>
    <message>
        <source>x &lt;= y, element-wise.</source>
        <translation>第一个元素是否更小或相等。</translation>
    </message>
    <message>
        <source>x &lt; y, element-wise.</source>
        <translation>第一个元素是否更小。</translation>
    </message>
    <message>
        <source>Return the output of every step instead of only the last.</source>
        <translation>返回每一步的输出，而不只是最后一步的。</translation>
    </message>
    <message>
        <source>For each example, whether the target class is among the k highest scores.</source>
        <translation>每个样本的正确类别是否在得分最高的 k 个之中。</translation>
    </message>
    <message>
        <source>Use the statistics of the batch (true) or the given ones (false).</source>
        <translation>统计量是否取自本批。</translation>
    </message>
    <message>
        <source>Whether a value is present is not differentiable.</source>
        <translation>是否有值不可微。</translation>
    </message>
    <message>
        <source>Whether to drop values.</source>
        <translation>是否置零。</translation>
    </message>
    <message>
        <source>Use the batch&apos;s own mean and variance instead of the moving averages.</source>
        <translation>使用本批自身的均值与方差，而不用滑动平均。</translation>
    </message>
    <message>
        <source>The choice of the nearest centre is not differentiable.</source>
        <translation>最近中心的选择不可微。</translation>
    </message>
    <message>
        <source>Indices of the components, ascending.</source>
        <translation>哪些分量，升序。</translation>
    </message>
    <message>
        <source>Indices of the selected rows.</source>
        <translation>取哪些行。</translation>
    </message>
    <message>
        <source>Row indices, in any shape.</source>
        <translation>哪些行；任意形状。</translation>
    </message>
    <message>
        <source>The result is an integer count or index.</source>
        <translation>输出是整数，无可求导。</translation>
    </message>
    <message>
        <source>Uniformly distributed random integers in [minval, maxval).</source>
        <translation>[minval, maxval) 上均匀分布的随机整数。</translation>
    </message>
    <message>
        <source>Integers have no gradient.</source>
        <translation>整数没有梯度。</translation>
    </message>
    <message>
        <source>Integers; the shape must be broadcastable with that of `x`.</source>
        <translation>整数，形状可与 `x` 广播。</translation>
    </message>
    <message>
        <source>Non-negative integers.</source>
        <translation>整数。</translation>
    </message>
    <message>
        <source>Integers.</source>
        <translation>整数。</translation>
    </message>
    <message>
        <source>If there is no shared name, share the table by the node&apos;s name.</source>
        <translation>没有共享名时，其他图中的同名节点共享它。</translation>
    </message>
    <message>
        <source>Vocabularies are not differentiable.</source>
        <translation>词汇表不可微。</translation>
    </message>
    <message>
        <source>Writes a string to a file; creates missing folders.</source>
        <translation>写文件；缺少的文件夹会被创建。</translation>
    </message>
    <message>
        <source>Prints a string.</source>
        <translation>写出一段文本。</translation>
    </message>
    <message>
        <source>Writes an element of a TensorArray.</source>
        <translation>写入数组的一个元素。</translation>
    </message>
    <message>
        <source>Writes tensors to a checkpoint.</source>
        <translation>把张量写入检查点。</translation>
    </message>
    <message>
        <source>Prints tensors to stderr and passes its input through.</source>
        <translation>把张量写到错误流，并把输入原样传下去。</translation>
    </message>
    <message>
        <source>Writes the rows of a tensor to elements of a TensorArray.</source>
        <translation>把张量的各行写入数组的元素。</translation>
    </message>
    <message>
        <source>Variable assignments are not differentiable.</source>
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
        <source>[batch, height, width, channels], with 1, 3 or 4 channels.</source>
        <translation>[批, 高, 宽, 1、3 或 4 个通道]。</translation>
    </message>
    <message>
        <source>[batch, height, width, channels].</source>
        <translation>[批, 高, 宽, 通道]。</translation>
    </message>
    <message>
        <source>[batch, query time, features], and the attention weights.</source>
        <translation>[批, 查询时间, 特征]，以及注意力权重。</translation>
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
        <source>Gradient of Tanh: dy * (1 - y²).</source>
        <translation>dy * (1 - y²)，即双曲正切的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Sqrt: dy * 0.5 / y.</source>
        <translation>dy * 0.5 / y，即平方根的梯度。</translation>
    </message>
    <message>
        <source>Gradient of Sigmoid: dy * y * (1 - y).</source>
        <translation>dy * y * (1 - y)，即逻辑函数的梯度。</translation>
    </message>
    <message>
        <source>exp(x) - 1, element-wise, accurate for x near zero.</source>
        <translation>exp(x) - 1，x 接近零时也精确。</translation>
    </message>
    <message>
        <source>log(1 + e^x), a smooth version of Relu.</source>
        <translation>log(1 + e^x)，平滑的 Relu。</translation>
    </message>
    <message>
        <source>log(1 + x), element-wise, accurate for x near zero.</source>
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
        <source>LSTM as a while loop: processes sequences of any length.</source>
        <translation>以 while 循环实现的 LSTM：处理任意长度的序列。</translation>
    </message>
    <message>
        <source>Scope of the variables to train; empty: all trainable variables.</source>
        <translation>要训练的变量所在的作用域；留空则为全部可训练变量。</translation>
    </message>
    <message>
        <source>tf.nn.dynamic_rnn with tf.nn.rnn_cell.LSTMCell of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.nn.dynamic_rnn 与 tf.nn.rnn_cell.LSTMCell</translation>
    </message>
    <message>
        <source>A tensor.</source>
        <translation>一个张量。</translation>
    </message>
    <message>
        <source>A boolean scalar: whether the network is being trained.</source>
        <translation>布尔标量：网络是否正在训练。</translation>
    </message>
    <message>
        <source>Activation function of the output.</source>
        <translation>输出的激活函数。</translation>
    </message>
    <message>
        <source>Whether a training changes the variables.</source>
        <translation>训练是否改变这些变量。</translation>
    </message>
    <message>
        <source>Which dimension of the input is the channels.</source>
        <translation>输入的哪一维是通道。</translation>
    </message>
    <message>
        <source>Scope of the layer whose variables this one uses; empty: it has variables of its own.</source>
        <translation>本层所用变量属于哪个层的作用域；留空表示使用自己的变量。</translation>
    </message>
    <message>
        <source>Applies an activation function.</source>
        <translation>应用激活函数。</translation>
    </message>
    <message>
        <source>x where it is positive, otherwise alpha times x.</source>
        <translation>x 为正时取 x，否则取 alpha 乘 x。</translation>
    </message>
    <message>
        <source>Slope below zero.</source>
        <translation>小于零部分的斜率。</translation>
    </message>
    <message>
        <source>Exponential linear unit: x where it is positive, otherwise alpha (e^x - 1).</source>
        <translation>指数线性单元：x 为正时取 x，否则取 alpha (e^x - 1)。</translation>
    </message>
    <message>
        <source>Factor of the negative part.</source>
        <translation>负值部分的系数。</translation>
    </message>
    <message>
        <source>x where it is larger than theta, otherwise 0.</source>
        <translation>x 大于 theta 时取 x，否则取 0。</translation>
    </message>
    <message>
        <source>The threshold.</source>
        <translation>阈值。</translation>
    </message>
    <message>
        <source>Rectified linear unit with a maximum, a slope and a threshold.</source>
        <translation>带最大值、斜率和阈值的线性整流单元。</translation>
    </message>
    <message>
        <source>The largest output; negative: none.</source>
        <translation>输出的最大值；负数表示不限。</translation>
    </message>
    <message>
        <source>Slope below the threshold.</source>
        <translation>低于阈值部分的斜率。</translation>
    </message>
    <message>
        <source>Values below it count as negative.</source>
        <translation>低于它的值视为负值。</translation>
    </message>
    <message>
        <source>x where it is positive, otherwise a learned slope times x.</source>
        <translation>x 为正时取 x，否则取学习得到的斜率乘 x。</translation>
    </message>
    <message>
        <source>Dimensions along which the slope is the same.</source>
        <translation>斜率在其上保持相同的维。</translation>
    </message>
    <message>
        <source>Turns the values along a dimension into probabilities.</source>
        <translation>把沿某一维的值变成概率。</translation>
    </message>
    <message>
        <source>The dimension.</source>
        <translation>该维的序号。</translation>
    </message>
    <message>
        <source>Looks up a vector for each integer id.</source>
        <translation>为每个整数编号查出一个向量。</translation>
    </message>
    <message>
        <source>Normalizes each channel over the batch while training, by moving averages otherwise; then applies a learned scale and offset.</source>
        <translation>训练时按批次归一化每个通道，其他时候按滑动平均归一化；然后应用学习得到的缩放和偏移。</translation>
    </message>
    <message>
        <source>Dimension of the channels.</source>
        <translation>通道所在的维。</translation>
    </message>
    <message>
        <source>Whether to add a learned offset.</source>
        <translation>是否加上学习得到的偏移。</translation>
    </message>
    <message>
        <source>Whether to multiply by a learned scale.</source>
        <translation>是否乘以学习得到的缩放。</translation>
    </message>
    <message>
        <source>Normalizes each sample over the given dimensions, then applies a learned scale and offset.</source>
        <translation>在给定的维上归一化每个样本，然后应用学习得到的缩放和偏移。</translation>
    </message>
    <message>
        <source>The dimensions.</source>
        <translation>这些维的序号。</translation>
    </message>
    <message>
        <source>Sets a random fraction of the values to zero while training and scales the others up.</source>
        <translation>训练时把随机的一部分值置零，并相应放大其余的值。</translation>
    </message>
    <message>
        <source>Drops whole channels of sequences while training.</source>
        <translation>训练时丢弃序列的整个通道。</translation>
    </message>
    <message>
        <source>Drops whole channels of images while training.</source>
        <translation>训练时丢弃图像的整个通道。</translation>
    </message>
    <message>
        <source>Adds normally distributed noise while training.</source>
        <translation>训练时加上正态分布的噪声。</translation>
    </message>
    <message>
        <source>Standard deviation of the noise.</source>
        <translation>噪声的标准差。</translation>
    </message>
    <message>
        <source>Multiplies by normally distributed noise around 1 while training.</source>
        <translation>训练时乘以均值为 1 的正态分布噪声。</translation>
    </message>
    <message>
        <source>The first input minus the second, element-wise.</source>
        <translation>第一个输入减第二个输入，逐元素。</translation>
    </message>
    <message>
        <source>Dot products of the samples of two tensors.</source>
        <translation>两个张量中对应样本的点积。</translation>
    </message>
    <message>
        <source>Dimensions that are summed over.</source>
        <translation>在其上求和的维。</translation>
    </message>
    <message>
        <source>Whether to scale the vectors to length 1 first.</source>
        <translation>是否先把向量缩放到长度 1。</translation>
    </message>
    <message>
        <source>Two tensors.</source>
        <translation>两个张量。</translation>
    </message>
    <message>
        <source>How many zeros before and after each dimension.</source>
        <translation>每一维前后各补多少个零。</translation>
    </message>
    <message>
        <source>How many values to cut off before and after each dimension.</source>
        <translation>每一维前后各切去多少个值。</translation>
    </message>
    <message>
        <source>How often each row and column is repeated.</source>
        <translation>每行每列重复多少次。</translation>
    </message>
    <message>
        <source>Changes the shape of each sample.</source>
        <translation>改变每个样本的形状。</translation>
    </message>
    <message>
        <source>Shape of a sample; one dimension may be -1 and is inferred.</source>
        <translation>样本的形状；可以有一维为 -1，由其余的维推出。</translation>
    </message>
    <message>
        <source>Permutes the dimensions of each sample.</source>
        <translation>调换每个样本各维的次序。</translation>
    </message>
    <message>
        <source>Dimension i of the result is dimension dims[i] of the input, from 1 on.</source>
        <translation>结果的第 i 维是输入的第 dims[i] 维，从 1 算起。</translation>
    </message>
    <message>
        <source>Repeats each row as a sequence.</source>
        <translation>把每一行重复成一个序列。</translation>
    </message>
    <message>
        <source>How often.</source>
        <translation>次数。</translation>
    </message>
    <message>
        <source>Puts zeros around sequences.</source>
        <translation>在序列两端补零。</translation>
    </message>
    <message>
        <source>Puts zeros around images.</source>
        <translation>在图像四周补零。</translation>
    </message>
    <message>
        <source>Cuts off the ends of sequences.</source>
        <translation>切去序列的两端。</translation>
    </message>
    <message>
        <source>Cuts off the borders of images.</source>
        <translation>切去图像的边缘。</translation>
    </message>
    <message>
        <source>Repeats the steps of sequences.</source>
        <translation>重复序列的各步。</translation>
    </message>
    <message>
        <source>Enlarges images by whole factors.</source>
        <translation>把图像放大整数倍。</translation>
    </message>
    <message>
        <source>How values in between are found.</source>
        <translation>中间的值如何得到。</translation>
    </message>
    <message>
        <source>valid: no padding; same: zero padding.</source>
        <translation>valid：不填充；same：补零。</translation>
    </message>
    <message>
        <source>Whether the pooled dimensions stay, with size 1.</source>
        <translation>池化后的维是否保留，大小为 1。</translation>
    </message>
    <message>
        <source>Size of the window.</source>
        <translation>窗口的大小。</translation>
    </message>
    <message>
        <source>Stride of the window; empty: its size.</source>
        <translation>窗口的步幅；留空则等于窗口大小。</translation>
    </message>
    <message>
        <source>Keeps the largest value of each window of a sequence.</source>
        <translation>保留序列每个窗口中的最大值。</translation>
    </message>
    <message>
        <source>Keeps the largest value of each window of an image.</source>
        <translation>保留图像每个窗口中的最大值。</translation>
    </message>
    <message>
        <source>Keeps the mean of each window of a sequence.</source>
        <translation>保留序列每个窗口的平均值。</translation>
    </message>
    <message>
        <source>Keeps the mean of each window of an image.</source>
        <translation>保留图像每个窗口的平均值。</translation>
    </message>
    <message>
        <source>The maximum of each channel over a sequence.</source>
        <translation>每个通道在整个序列上的最大值。</translation>
    </message>
    <message>
        <source>The maximum of each channel over an image.</source>
        <translation>每个通道在整幅图像上的最大值。</translation>
    </message>
    <message>
        <source>The mean of each channel over a sequence.</source>
        <translation>每个通道在整个序列上的平均值。</translation>
    </message>
    <message>
        <source>The mean of each channel over an image.</source>
        <translation>每个通道在整幅图像上的平均值。</translation>
    </message>
    <message>
        <source>Stride of the window.</source>
        <translation>窗口的步幅。</translation>
    </message>
    <message>
        <source>Distance of the window's values.</source>
        <translation>窗口内各值的间距。</translation>
    </message>
    <message>
        <source>valid: no padding; same: zero padding; causal: zeros before the sequence.</source>
        <translation>valid：不填充；same：补零；causal：在序列之前补零。</translation>
    </message>
    <message>
        <source>Convolution over sequences.</source>
        <translation>对序列作卷积。</translation>
    </message>
    <message>
        <source>Convolution over images.</source>
        <translation>对图像作卷积。</translation>
    </message>
    <message>
        <source>Convolves each channel of images by itself.</source>
        <translation>对图像的每个通道单独作卷积。</translation>
    </message>
    <message>
        <source>Depthwise convolution over sequences followed by one of windows of size 1.</source>
        <translation>对序列作深度卷积，再作窗口大小为 1 的卷积。</translation>
    </message>
    <message>
        <source>Depthwise convolution over images followed by one of windows of size 1.</source>
        <translation>对图像作深度卷积，再作窗口大小为 1 的卷积。</translation>
    </message>
    <message>
        <source>Transposed convolution, which enlarges images.</source>
        <translation>转置卷积，用于放大图像。</translation>
    </message>
    <message>
        <source>Rows and columns to add to the output; empty: none.</source>
        <translation>输出要增加的行数和列数；留空表示不增加。</translation>
    </message>
    <message>
        <source>Activation function of the gates.</source>
        <translation>门的激活函数。</translation>
    </message>
    <message>
        <source>Return the last state too.</source>
        <translation>同时返回最后的状态。</translation>
    </message>
    <message>
        <source>Process the sequence from its end.</source>
        <translation>从末尾开始处理序列。</translation>
    </message>
    <message>
        <source>Recurrent layer: the output of a step is an input of the next.</source>
        <translation>循环层：一步的输出是下一步的输入。</translation>
    </message>
    <message>
        <source>Whether the bias of the forget gate starts at 1.</source>
        <translation>遗忘门的偏置是否从 1 开始。</translation>
    </message>
    <message>
        <source>Whether the reset gate is applied after the product with the kernel.</source>
        <translation>重置门是否在与核相乘之后应用。</translation>
    </message>
    <message>
        <source>The layer within, such as LSTM(units=32,return_sequences=true).</source>
        <translation>内部的层，例如 LSTM(units=32,return_sequences=true)。</translation>
    </message>
    <message>
        <source>Processes sequences in both directions and merges the results.</source>
        <translation>双向处理序列，并合并结果。</translation>
    </message>
    <message>
        <source>How the results are merged; none: both are outputs.</source>
        <translation>结果如何合并；none 表示两者都作为输出。</translation>
    </message>
    <message>
        <source>Name of the layer that reads forwards; empty: after its kind.</source>
        <translation>正向读取的层的名称；留空则按其种类命名。</translation>
    </message>
    <message>
        <source>Name of the layer that reads backwards; empty: after its kind.</source>
        <translation>反向读取的层的名称；留空则按其种类命名。</translation>
    </message>
    <message>
        <source>Applies a layer to every step of sequences.</source>
        <translation>把一个层应用于序列的每一步。</translation>
    </message>
    <message>
        <source>Factor of this loss.</source>
        <translation>此损失的系数。</translation>
    </message>
    <message>
        <source>Whether the predictions are logits instead of probabilities.</source>
        <translation>预测值是否为 logits 而非概率。</translation>
    </message>
    <message>
        <source>Share of each label that is spread over all classes.</source>
        <translation>每个标签中平摊到所有类别的份额。</translation>
    </message>
    <message>
        <source>Cross entropy with class indices as labels.</source>
        <translation>以类别序号为标签的交叉熵。</translation>
    </message>
    <message>
        <source>Cross entropy with class probabilities as labels.</source>
        <translation>以类别概率为标签的交叉熵。</translation>
    </message>
    <message>
        <source>Cross entropy with independent binary labels.</source>
        <translation>以相互独立的二值标签计算的交叉熵。</translation>
    </message>
    <message>
        <source>The loss of that name of tf.keras.losses.</source>
        <translation>tf.keras.losses 中同名的损失。</translation>
    </message>
    <message>
        <source>Fraction of the samples that are classified correctly.</source>
        <translation>分类正确的样本所占的比例。</translation>
    </message>
    <message>
        <source>What the labels are.</source>
        <translation>标签的形式。</translation>
    </message>
    <message>
        <source>Of binary labels: the prediction from which on it means yes.</source>
        <translation>二值标签：预测值超过此值即表示“是”。</translation>
    </message>
    <message>
        <source>tf.keras.layers.Subtract of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Subtract</translation>
    </message>
    <message>
        <source>tf.keras.layers.SpatialDropout1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.SpatialDropout1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.Activation of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Activation</translation>
    </message>
    <message>
        <source>tf.keras.layers.LeakyReLU of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.LeakyReLU</translation>
    </message>
    <message>
        <source>tf.keras.metrics.accuracy of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.metrics.accuracy</translation>
    </message>
    <message>
        <source>tf.keras.layers.Cropping1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Cropping1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.SpatialDropout2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.SpatialDropout2D</translation>
    </message>
    <message>
        <source>tf.keras.losses.logcosh of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.logcosh</translation>
    </message>
    <message>
        <source>tf.keras.losses.kullback_leibler_divergence of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.kullback_leibler_divergence</translation>
    </message>
    <message>
        <source>tf.keras.losses.categorical_crossentropy of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.categorical_crossentropy</translation>
    </message>
    <message>
        <source>tf.keras.losses.binary_crossentropy of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.binary_crossentropy</translation>
    </message>
    <message>
        <source>tf.keras.layers.GaussianNoise of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.GaussianNoise</translation>
    </message>
    <message>
        <source>tf.keras.losses.squared_hinge of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.squared_hinge</translation>
    </message>
    <message>
        <source>tf.keras.losses.mean_squared_logarithmic_error of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.mean_squared_logarithmic_error</translation>
    </message>
    <message>
        <source>tf.keras.layers.Minimum of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Minimum</translation>
    </message>
    <message>
        <source>tf.keras.layers.SimpleRNN of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.SimpleRNN</translation>
    </message>
    <message>
        <source>tf.keras.losses.hinge of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.hinge</translation>
    </message>
    <message>
        <source>tf.keras.layers.Add of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Add</translation>
    </message>
    <message>
        <source>tf.keras.layers.Multiply of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Multiply</translation>
    </message>
    <message>
        <source>tf.keras.layers.MaxPooling1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.MaxPooling1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.AveragePooling1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.AveragePooling1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.MaxPooling2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.MaxPooling2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.Dense of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Dense</translation>
    </message>
    <message>
        <source>tf.keras.layers.Conv2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Conv2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.GlobalAveragePooling1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.GlobalAveragePooling1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.Concatenate of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Concatenate</translation>
    </message>
    <message>
        <source>tf.keras.layers.Average of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Average</translation>
    </message>
    <message>
        <source>tf.keras.layers.Cropping2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Cropping2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.Bidirectional of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Bidirectional</translation>
    </message>
    <message>
        <source>tf.keras.layers.ZeroPadding1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.ZeroPadding1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.ELU of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.ELU</translation>
    </message>
    <message>
        <source>tf.keras.losses.categorical_hinge of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.categorical_hinge</translation>
    </message>
    <message>
        <source>tf.keras.layers.Reshape of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Reshape</translation>
    </message>
    <message>
        <source>tf.keras.layers.SeparableConv1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.SeparableConv1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.Softmax of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Softmax</translation>
    </message>
    <message>
        <source>tf.keras.layers.Dropout of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Dropout</translation>
    </message>
    <message>
        <source>tf.keras.layers.Dot of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Dot</translation>
    </message>
    <message>
        <source>tf.keras.layers.UpSampling1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.UpSampling1D</translation>
    </message>
    <message>
        <source>tf.keras.losses.mean_squared_error of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.mean_squared_error</translation>
    </message>
    <message>
        <source>tf.keras.losses.cosine_similarity of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.cosine_similarity</translation>
    </message>
    <message>
        <source>tf.keras.layers.GRU of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.GRU</translation>
    </message>
    <message>
        <source>tf.keras.layers.ZeroPadding2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.ZeroPadding2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.PReLU of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.PReLU</translation>
    </message>
    <message>
        <source>tf.keras.layers.RepeatVector of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.RepeatVector</translation>
    </message>
    <message>
        <source>tf.keras.layers.LSTM of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.LSTM</translation>
    </message>
    <message>
        <source>tf.keras.losses.mean_absolute_percentage_error of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.mean_absolute_percentage_error</translation>
    </message>
    <message>
        <source>tf.keras.layers.Conv1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Conv1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.DepthwiseConv2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.DepthwiseConv2D</translation>
    </message>
    <message>
        <source>tf.keras.losses.poisson of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.poisson</translation>
    </message>
    <message>
        <source>tf.keras.layers.SeparableConv2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.SeparableConv2D</translation>
    </message>
    <message>
        <source>tf.keras.losses.huber_loss of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.huber_loss</translation>
    </message>
    <message>
        <source>tf.keras.layers.BatchNormalization of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.BatchNormalization</translation>
    </message>
    <message>
        <source>tf.keras.layers.ReLU of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.ReLU</translation>
    </message>
    <message>
        <source>tf.keras.layers.UpSampling2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.UpSampling2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.Permute of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Permute</translation>
    </message>
    <message>
        <source>tf.keras.layers.Flatten of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Flatten</translation>
    </message>
    <message>
        <source>tf.keras.losses.mean_absolute_error of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.mean_absolute_error</translation>
    </message>
    <message>
        <source>tf.keras.layers.TimeDistributed of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.TimeDistributed</translation>
    </message>
    <message>
        <source>tf.keras.layers.AveragePooling2D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.AveragePooling2D</translation>
    </message>
    <message>
        <source>tf.keras.layers.GlobalMaxPooling1D of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.GlobalMaxPooling1D</translation>
    </message>
    <message>
        <source>tf.keras.layers.ThresholdedReLU of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.ThresholdedReLU</translation>
    </message>
    <message>
        <source>tf.keras.layers.Conv2DTranspose of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Conv2DTranspose</translation>
    </message>
    <message>
        <source>tf.keras.layers.GaussianDropout of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.GaussianDropout</translation>
    </message>
    <message>
        <source>tf.keras.layers.Maximum of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.layers.Maximum</translation>
    </message>
    <message>
        <source>tf.keras.losses.sparse_categorical_crossentropy of TensorFlow 1.15</source>
        <translation>TensorFlow 1.15 的 tf.keras.losses.sparse_categorical_crossentropy</translation>
    </message>
    <message>
        <source>Statistics are not differentiable.</source>
        <translation>统计数据不可微。</translation>
    </message>
</context>
</TS>
