(* Weak duality, and the account of what a feasible pair loses. *)
From Schedproof Require Import sums.

(* A linear program: at most b in each row, columns x >= 0, and multipliers y >= 0 that cover each column's value. *)
Section Linear.
Context {Row Col : Type} (rows : list Row) (cols : list Col).
Variables (a : Row -> Col -> R) (b : Row -> R) (c : Col -> R).

Definition feasible (x : Col -> R) :=
  (forall j, In j cols -> 0 <= x j) /\ (forall i, In i rows -> sum (fun j => a i j * x j) cols <= b i).
Definition dual_feasible (y : Row -> R) :=
  (forall i, In i rows -> 0 <= y i) /\ (forall j, In j cols -> c j <= sum (fun i => a i j * y i) rows).
Definition unused x y := sum (fun i => y i * (b i - sum (fun j => a i j * x j) cols)) rows.
Definition underpaid x y := sum (fun j => x j * (sum (fun i => a i j * y i) rows - c j)) cols.

(* the gap is what rows leave unused, at their prices, and what columns earn below their price *)
Theorem accounting x y :
  sum (fun i => y i * b i) rows - sum (fun j => c j * x j) cols = unused x y + underpaid x y.
Proof.
  unfold unused, underpaid.
  rewrite (sum_ext (fun i => y i * (b i - _)) (fun i => y i * b i - sum (fun j => y i * (a i j * x j)) cols))
    by (intros; rewrite sum_scal; lra).
  rewrite (sum_ext (fun j => x j * (_ - c j)) (fun j => sum (fun i => y i * (a i j * x j)) rows - c j * x j)).
  2: { intros. rewrite (sum_ext (fun i => y i * (a i a0 * x a0)) (fun i => x a0 * (a i a0 * y i))) by (intros; lra).
       rewrite sum_scal. lra. }
  rewrite !sum_minus, sum_swap. lra.
Qed.
Theorem parts_nonnegative x y : feasible x -> dual_feasible y -> 0 <= unused x y /\ 0 <= underpaid x y.
Proof.
  intros [X R] [Y C]. split; apply sum_nonneg; intros k K.
  - specialize (Y k K). specialize (R k K). nra.
  - specialize (X k K). specialize (C k K). nra.
Qed.
Theorem weak_duality x y : feasible x -> dual_feasible y ->
  sum (fun j => c j * x j) cols <= sum (fun i => y i * b i) rows.
Proof. intros X Y. pose proof (accounting x y). destruct (parts_nonnegative x y X Y). lra. Qed.
End Linear.
