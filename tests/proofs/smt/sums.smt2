; RULE product_sums.terms
; RULE native_loops.loop_products
; Sums are regrouped and their terms change places; a product over all rounds is the sum of those of the rounds. Exact over the reals; of floats
; that is what "changes rounding" says, so there the same must be refutable.
(set-logic ALL)
(declare-fun a () Real) (declare-fun b () Real) (declare-fun c () Real) (declare-fun d () Real)
(push)
; expect unsat: AddN(a, b, c, d) with products b and d: d + (b + (a + c))
(assert (not (= (+ (+ (+ a b) c) d) (+ (+ b (+ a c)) d))))
(check-sat)
(pop)
; Three rounds of two rows each: the rows of left and right operands, one column of each.
(declare-fun l (Int) Real) (declare-fun r (Int) Real)
(define-fun term ((i Int)) Real (* (l i) (r i)))
(push)
; expect unsat: v + round 0 + round 1 + round 2 = v + one product over the collected rows
(assert (not (= (+ (+ (+ a (+ (term 0) (term 1))) (+ (term 2) (term 3))) (+ (term 4) (term 5))) (+ a (+ (term 0) (term 1) (term 2) (term 3) (term 4) (term 5))))))
(check-sat)
(pop)
(push)
; expect sat: a round that is left out is seen
(assert (not (= (+ (+ a (+ (term 0) (term 1))) (+ (term 2) (term 3))) (+ a (+ (term 0) (term 1) (term 2))))))
(check-sat)
(pop)
; Floats, of eight bits so that an answer comes soon.
(define-sort F () (_ FloatingPoint 3 5))
(declare-fun x () F) (declare-fun y () F) (declare-fun z () F)
(define-fun plus ((u F) (v F)) F (fp.add roundNearestTiesToEven u v))
(push)
; expect sat: another order rounds otherwise
(assert (not (= (plus (plus x y) z) (plus x (plus y z)))))
(check-sat)
(pop)
(push)
; expect unsat: two terms may change places (all NaNs are one here)
(assert (not (= (plus x y) (plus y x))))
(check-sat)
(pop)
