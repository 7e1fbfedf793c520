
A
	FakeParam	FakeParam*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
2
ShapeShape	FakeParam*
T0*
out_type0
6
FakeParam_1	FakeParam*
dtype0*
shape:
5
Shape_1Const*
dtype0*
valueB:
4
FakeParam_2	FakeParam*
dtype0*
shape:
6
Shape_2ShapeFakeParam_2*
T0*
out_type0"†