; RULE native_loops.live_when
; A node lives if all conditions of its list hold. Lists are sets of three predicates and their sides; c is what two inputs of a Merge share.
(set-logic QF_UF)
(declare-fun c () Bool) (declare-fun p () Bool) (declare-fun q () Bool) (declare-fun r () Bool)
(push)
; expect unsat: a Merge of the two sides of one branch lives when both sides share their conditions
(assert (not (= (or (and c p) (and c (not p))) c)))
(check-sat)
(pop)
(push)
; expect unsat: a Merge of inputs that live together lives with them
(assert (not (= (or c c) c)))
(check-sat)
(pop)
(push)
; expect sat: sides of two branches
(assert (not (= (or (and c p) (and c (not q))) c)))
(check-sat)
(pop)
(push)
; expect sat: two sides, one of which needs something more
(assert (not (= (or (and c p) (and c (not p) q)) c)))
(check-sat)
(pop)
; A branch by an Identity of a predicate is a branch by the predicate.
(define-fun q_is_p () Bool (= q p))
(push)
; expect unsat
(assert (and q_is_p (not (= (or (and c p q) (and c (not q))) c))))
(check-sat)
(pop)
; A Merge lives whatever its control inputs (r: one of them lives).
(push)
; expect sat: its list with those of its control inputs
(assert (not (= (or (and c p) (and c (not p))) (and c r))))
(check-sat)
(pop)
; An Exit of a loop that ends lives when what entered does; the condition "the loop around it goes on" (q) stays.
(push)
; expect unsat: p is "the loop goes on", which is false once
(assert (and (not p) (not (= (and c q (not p)) (and c q)))))
(check-sat)
(pop)
(push)
; expect sat: without q
(assert (and (not p) (not (= (and c q (not p)) c))))
(check-sat)
(pop)
