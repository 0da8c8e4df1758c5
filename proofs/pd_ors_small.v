(* PD-ORS on a small instance, computed by Coq in rationals: of each job the workers and parameter servers in each slot, or None.
   Every use is a multiple of (1-x) C = 1, so that the prices are rational. tests/proofs/test_pd_ors.py compares the data with the
   instance, and the schedules with the policy's. *)
From Schedproof Require Import pd_ors.
From Coq Require Import QArith Qround List.
Import ListNotations.
Local Open Scope nat_scope.

Definition rationals : numbers := {| number := Q; zero := 0%Q; plus := fun a b => Qred (a + b); minus := fun a b => Qred (a - b);
  times := fun a b => Qred (a * b); at_most := Qle_bool; whole := fun n => inject_Z (Z.of_nat n) |}.
Definition of_table (l : list Q) (n : nat) : Q := nth n l 0%Q.
Definition small := Build_cluster rationals 3 1 2 (fun _ _ => 2%Q) (fun _ => 0%Q).
Definition job_of (first : nat) (samples : Q) (values : list Q) :=
  Build_ml_job rationals first samples 1 1 1%Q 1%Q 1%Q (of_table [1%Q; 0%Q]) (of_table [0%Q; 1%Q]) (of_table values).
Definition jobs := [
  job_of 0 2 [10; 10; 10; 7]%Q;
  job_of 0 2 [4; 4; 4; 3]%Q;
  job_of 0 1 [3; 3; 2; 2]%Q;
  job_of 2 1 [9; 9; 0; 0]%Q].
Definition L := (1 # 16)%Q.
Definition U := (10 # 1)%Q.
Definition price (s : spot) (rho : Q) : Q := Qred (L * Qpower (U / L) (Qfloor rho)).
Theorem small_run : pd_ors rationals small (1 # 2)%Q price (reserved small) jobs =
  [Some [[(1, 1)]; [(1, 1)]; [(0, 0)]]; None; Some [[(0, 0)]; [(0, 0)]; [(1, 1)]]; None].
Proof. vm_compute. reflexivity. Qed.
