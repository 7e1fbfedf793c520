; RULE pool_gradient_fusion.relu
; An element of the image gets the gradients of the windows of which it is the maximum; ReluGrad then keeps the sum if the feature f is positive. As one op,
; nothing is added where f is not. Floats of 32 bits; up to three windows, in any case the same for all of them, since f is the element's own.
(set-logic QF_FP)
(define-sort F () (_ FloatingPoint 8 24))
(declare-fun f () F) (declare-fun g1 () F) (declare-fun g2 () F) (declare-fun g3 () F)
(define-fun zero () F (_ +zero 8 24))
(define-fun plus ((u F) (v F)) F (fp.add roundNearestTiesToEven u v))
(declare-fun m1 () Bool) (declare-fun m2 () Bool) (declare-fun m3 () Bool) ; of which windows it is the maximum
(define-fun add ((u F) (m Bool) (g F)) F (ite m (plus u g) u))
(define-fun positive () Bool (fp.gt f zero)) ; false for NaN
(define-fun apart () F (ite positive (add (add (add zero m1 g1) m2 g2) m3 g3) zero))
(define-fun together () F (add (add (add zero (and m1 positive) g1) (and m2 positive) g2) (and m3 positive) g3))
(push)
; expect unsat: the same bits
(assert (not (= apart together)))
(check-sat)
(pop)
(push)
; expect sat: of other features than those that were pooled
(declare-fun other () F)
(assert (not (= (ite (fp.gt other zero) (add zero m1 g1) zero) (add zero (and m1 positive) g1))))
(check-sat)
(pop)
(push)
; expect sat: if what is not positive were multiplied by zero
(assert (not (= (fp.mul roundNearestTiesToEven (add zero m1 g1) (ite positive ((_ to_fp 8 24) roundNearestTiesToEven 1.0) zero)) together)))
(check-sat)
(pop)
