; RULE native_loops.dies_together
; Two loop variables a and b and a value k that enters as constant; p and q are predicates outside of the loop, x one within the body. The frame runs at
; most three rounds. What TensorFlow's executor does with it, round by round, beside one op that lives if all that enters lives.
(set-logic QF_UF)
(declare-fun p () Bool) (declare-fun q () Bool)
; What is needed for each to enter: a set of p and q.
(declare-fun ap () Bool) (declare-fun aq () Bool)
(declare-fun bp () Bool) (declare-fun bq () Bool)
(declare-fun kp () Bool) (declare-fun kq () Bool)
(define-fun ea () Bool (and (=> ap p) (=> aq q)))
(define-fun eb () Bool (and (=> bp p) (=> bq q)))
(define-fun ek () Bool (and (=> kp p) (=> kq q)))
(define-fun allp () Bool (or ap bp kp))
(define-fun allq () Bool (or aq bq kq))
(define-fun all () Bool (and ea eb ek))          ; the op is alive
; What the condition reads, and what the next values of a and b and an effect are made of; each may also depend on the branch x.
(declare-fun ca () Bool) (declare-fun cb () Bool) (declare-fun ck () Bool)
(declare-fun na_a () Bool) (declare-fun na_b () Bool) (declare-fun na_k () Bool) (declare-fun na_x () Bool)
(declare-fun nb_a () Bool) (declare-fun nb_b () Bool) (declare-fun nb_k () Bool) (declare-fun nb_x () Bool)
(declare-fun w_a () Bool) (declare-fun w_b () Bool) (declare-fun w_k () Bool) (declare-fun w_x () Bool)
; Whether the effect stands in the condition (then it reads Merges) or in the body (then Switches).
(declare-fun w_in_condition () Bool)
; Values: whether the loop goes on, and which side of the branch is taken, in each round; in the fourth it ends.
(declare-fun g0 () Bool) (declare-fun g1 () Bool) (declare-fun g2 () Bool)
(declare-fun x0 () Bool) (declare-fun x1 () Bool) (declare-fun x2 () Bool)
; The frame. Round 0:
(define-fun c0 () Bool (and (=> ca ea) (=> cb eb) (=> ck ek)))
(define-fun sa0 () Bool (and ea c0 g0)) (define-fun sb0 () Bool (and eb c0 g0))
(define-fun ma1 () Bool (and (=> na_a sa0) (=> na_b sb0) (=> na_k ek) (=> na_x (and sa0 x0))))
(define-fun mb1 () Bool (and (=> nb_a sa0) (=> nb_b sb0) (=> nb_k ek) (=> nb_x (and sa0 x0))))
(define-fun w0 () Bool (ite w_in_condition (and (=> w_a ea) (=> w_b eb) (=> w_k ek)) (and (=> w_a sa0) (=> w_b sb0) (=> w_k ek) (=> w_x (and sa0 x0)))))
; Round 1: what a NextIteration did not bring is not there.
(define-fun c1 () Bool (and (=> ca ma1) (=> cb mb1) (=> ck ek)))
(define-fun sa1 () Bool (and ma1 c1 g1)) (define-fun sb1 () Bool (and mb1 c1 g1))
(define-fun ma2 () Bool (and (=> na_a sa1) (=> na_b sb1) (=> na_k ek) (=> na_x (and sa1 x1))))
(define-fun mb2 () Bool (and (=> nb_a sa1) (=> nb_b sb1) (=> nb_k ek) (=> nb_x (and sa1 x1))))
(define-fun w1 () Bool (and (or ma1 mb1) (ite w_in_condition (and (=> w_a ma1) (=> w_b mb1) (=> w_k ek)) (and (=> w_a sa1) (=> w_b sb1) (=> w_k ek) (=> w_x (and sa1 x1))))))
; Round 2, after which it ends.
(define-fun c2 () Bool (and (=> ca ma2) (=> cb mb2) (=> ck ek)))
(define-fun sa2 () Bool (and ma2 c2 g2)) (define-fun sb2 () Bool (and mb2 c2 g2))
(define-fun ma3 () Bool (and (=> na_a sa2) (=> na_b sb2) (=> na_k ek) (=> na_x (and sa2 x2))))
(define-fun mb3 () Bool (and (=> nb_a sa2) (=> nb_b sb2) (=> nb_k ek) (=> nb_x (and sa2 x2))))
(define-fun c3 () Bool (and (=> ca ma3) (=> cb mb3) (=> ck ek)))
(define-fun exit_a () Bool (or (and ea c0 (not g0)) (and ma1 c1 (not g1)) (and ma2 c2 (not g2)) (and ma3 c3)))
(define-fun exit_b () Bool (or (and eb c0 (not g0)) (and mb1 c1 (not g1)) (and mb2 c2 (not g2)) (and mb3 c3)))
(define-fun effect () Bool (or w0 w1))
; What the pass computes: sets, the body's with "the loop goes on" (g), and x.
(define-fun cp () Bool (or (and ca ap) (and cb bp) (and ck kp))) (define-fun cq () Bool (or (and ca aq) (and cb bq) (and ck kq)))
(define-fun nap () Bool (or (and (or na_a na_x) (or ap cp)) (and na_b (or bp cp)) (and na_k kp))) (define-fun naq () Bool (or (and (or na_a na_x) (or aq cq)) (and na_b (or bq cq)) (and na_k kq)))
(define-fun nbp () Bool (or (and (or nb_a nb_x) (or ap cp)) (and nb_b (or bp cp)) (and nb_k kp))) (define-fun nbq () Bool (or (and (or nb_a nb_x) (or aq cq)) (and nb_b (or bq cq)) (and nb_k kq)))
(define-fun wp () Bool (ite w_in_condition (or (and w_a ap) (and w_b bp) (and w_k kp)) (or (and (or w_a w_x) (or ap cp)) (and w_b (or bp cp)) (and w_k kp))))
(define-fun wq () Bool (ite w_in_condition (or (and w_a aq) (and w_b bq) (and w_k kq)) (or (and (or w_a w_x) (or aq cq)) (and w_b (or bq cq)) (and w_k kq))))
; Nothing is made of nothing: what a body or condition is made of lies in the frame, and what is made of constants alone is no variable's next value
; but by way of an Enter.
(assert (or ca cb ck)) (assert (or na_a na_b na_k na_x)) (assert (or nb_a nb_b nb_k nb_x)) (assert (or w_a w_b w_k w_x))
(assert (=> w_in_condition (not w_x)))
; The body's effects that hang on constants alone are refused where the body is found.
(assert (=> (not w_in_condition) (or w_a w_b w_x)))
(define-fun condition_or_same () Bool (or (and (= cp allp) (= cq allq)) (and (= ap bp kp) (= aq bq kq))))
(define-fun next_needs_all () Bool (and (= nap allp) (= naq allq) (= nbp allp) (= nbq allq)))
(define-fun next_needs_no_more () Bool (and (not na_x) (not nb_x)))
(define-fun effect_needs_all () Bool (and (= wp allp) (= wq allq)))
; One op: if it lives all exits live; if it does not, none does and nothing has an effect.
(define-fun told_apart () Bool (or (and all (or (not exit_a) (not exit_b))) (and (not all) (or exit_a exit_b effect))))
(push)
; expect unsat: the rule
(assert (and condition_or_same next_needs_all next_needs_no_more effect_needs_all told_apart))
(check-sat)
(pop)
(push)
; expect sat: without "C = E or each that enters needs E"
(assert (and next_needs_all next_needs_no_more effect_needs_all told_apart))
(check-sat)
(pop)
(push)
; expect sat: without E <= N(v)
(assert (and condition_or_same next_needs_no_more effect_needs_all told_apart))
(check-sat)
(pop)
(push)
; expect sat: without N(v) <= E + {the loop goes on}
(assert (and condition_or_same next_needs_all effect_needs_all told_apart))
(check-sat)
(pop)
(push)
; expect sat: without E <= W(i)
(assert (and condition_or_same next_needs_all next_needs_no_more told_apart))
(check-sat)
(pop)
(push)
; expect sat: a rule that looks only at what enters, what the condition reads, and one exit
(assert (and (= (or ap cp) allp) (= (or aq cq) allq) (or (and all (not exit_a)) (and (not all) exit_a))))
(check-sat)
(pop)
