(* A potential that every step of the product graph respects bounds the policy's cost by c = p/q times the other schedule's, for
   every sequence of steps of any length that ends where the potential is not above its start. *)
From Coq Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.
Section Potential.
Variable state : Type.
Variable step : state -> Z -> Z -> state -> Prop.   (* from, cost of the policy, cost of the other, to *)
Variable phi : state -> Z.
Variables p q : Z.
Hypothesis respected : forall s a o t, step s a o t -> q * a - p * o + phi s <= phi t.
Inductive walk : state -> Z -> Z -> state -> Prop :=
| stay : forall s, walk s 0 0 s
| go : forall s a o t A O u, step s a o t -> walk t A O u -> walk s (a + A) (o + O) u.
Lemma telescopes : forall s A O u, walk s A O u -> q * A - p * O + phi s <= phi u.
Proof. induction 1; [lia | apply respected in H; nia]. Qed.
Theorem ratio : forall s A O u, walk s A O u -> phi u <= phi s -> q * A <= p * O.
Proof. intros s A O u w e. apply telescopes in w. lia. Qed.
End Potential.
