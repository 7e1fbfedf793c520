"""Writes percentiles.inc: what TensorBoard 1.15.0 makes of some histograms. Run with TensorFlow 1.15."""
import numpy as np
from tensorboard.plugins.distribution import compressor
from tensorflow.core.framework.summary_pb2 import HistogramProto
rng=np.random.RandomState(3)
cases=[]
def case(name,limits,counts,mn,mx):
    h=HistogramProto(min=mn,max=mx,num=sum(counts),sum=0,sum_squares=0,bucket_limit=limits,bucket=counts)
    w=[v.value for v in compressor.compress_histogram_proto(h)]
    f=lambda xs:'QVector<double>{'+', '.join(repr(float(x)) for x in xs)+'}'
    print('    QTest::newRow("%s") << %s << %s << %r << %r\n        << %s;'%(name,f(limits),f(counts),float(mn),float(mx),f(w)))
case('empty',[0,1],[0,0],0,0)
case('one value',[0,1.5],[0,1],1,1)
case('two buckets',[1,2,3],[10,30,60],0.5,2.75)
case('gaps',[-2,-1,0,1,2],[5,0,0,20,1],-2.5,1.25)
case('empty ends',[-3,-2,-1,0,1,2],[0,0,7,9,0,0],-1.75,-0.25)
x=rng.randn(500)*0.3+0.1
lim=[]; v=1e-12
while v<1e20: lim.append(v); v*=1.1
lim=[-a for a in reversed(lim)]+[0]+lim
c,_=np.histogram(x,bins=[-1e300]+lim)
keep=[i for i in range(len(lim)) if c[i]>0]
lo,hi=keep[0]-1,keep[-1]
L=[];C=[]
i=lo
while i<=hi:
    if c[i]==0:
        while i+1<=hi and c[i+1]==0: i+=1
    L.append(lim[i]);C.append(int(c[i])); i+=1
case('normal numbers',L,C,x.min(),x.max())
case('heavy first',[0.1,5,6],[9990,5,5],0.0,6.0)
