; RULE native_loops.enters_together
; RULE native_loops.late_counter
; When ops run, as numbers: a, b are two values that enter, x what leaves by a's exit, y by b's; w waits for x; v reads y.
(set-logic QF_LIA)
(declare-fun a () Int) (declare-fun b () Int) (declare-fun x () Int) (declare-fun y () Int) (declare-fun w () Int) (declare-fun v () Int) (declare-fun op () Int)
; The frame: an exit comes after its own value. One op: both come after both.
(define-fun frame () Bool (and (< a x) (< b y) (< x w) (< y v)))
(define-fun one () Bool (and (< a op) (< b op) (= x op) (= y op) (< x w) (< y v)))
(push)
; expect unsat: a frame whose b comes after w can be run, as one op it cannot
(assert (and one (< w b)))
(check-sat)
(pop)
(push)
; expect sat: as a frame
(assert (and frame (< w b)))
(check-sat)
(pop)
(push)
; expect sat: nothing that enters waits for what leaves
(assert one)
(check-sat)
(pop)
; b is a constant: when it comes nobody can tell. It enters at once, and v, the only reader of what became of it, waits for w.
(push)
; expect sat: it can be run
(assert (and one (< w v)))
(check-sat)
(pop)
(push)
; expect unsat: in the frame v ran after w, too
(assert (and frame (< w b) (not (< w v))))
(check-sat)
(pop)
(push)
; expect sat: without the moved wait v may come first
(assert (and one (not (< w v))))
(check-sat)
(pop)
