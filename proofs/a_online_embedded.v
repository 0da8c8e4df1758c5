(* A_online on the embedded instance `day`, computed by Coq: of each list its chunks, each with its job and its slots. The lists of the
   cloud follow those of the edge. tests/proofs/test_a_online.py compares the data with the instance, and the slots with the policy's. *)
From Schedproof Require Import a_online.
From Coq Require Import List.
Import ListNotations.

Definition day := [
  Build_job 0 3 5 5 5 5 [Some 1; Some 1; None; Some 2] (Some 9);
  Build_job 1 2 1 1 1 1 [Some 1; Some 1; Some 1; Some 1] (Some 8);
  Build_job 2 2 10 6 10 6 [Some 2; Some 2; None; Some 1] (Some 7);
  Build_job 4 1 2 2 2 2 [Some 1; Some 1; Some 1; Some 1] (None);
  Build_job 5 2 4 3 4 3 [Some 1; Some 1; None; Some 1] (Some 9)].
Theorem day_run : map (map (fun c => (owner c, rev (ran c)))) (a_online residual 4 day) = [[(0, [1; 3; 4; 5; 6]); (1, [2]); (4, [7; 8; 9; 10])];
  [(0, [1; 2; 3; 4; 5]); (4, [6; 7; 8; 9])]; [(1, [2]); (3, [5; 6])]; [(0, [2; 3; 4; 5; 6])]; [(2, [9; 10; 11; 12; 13; 14])]; [(2, [9; 10; 11; 12; 13; 14])]].
Proof. vm_compute. reflexivity. Qed.
