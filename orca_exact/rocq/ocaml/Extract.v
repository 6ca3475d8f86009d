(* Extraction of the function [check] of Verdict.v to OCaml, with the integers of Zarith.

   Every "Extract Constant", here and in Coq's ExtrOcaml*.v, replaces a function of Coq by one of OCaml
   without a proof. Those here are the greatest common divisor and the equality of natural numbers. *)
From Coq Require Import ZArith QArith Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatBigInt.
From mathcomp Require Import ssreflect ssrbool eqtype ssrnat seq.
From Orca Require Import Files Verdict Extracted.

Extract Constant Pos.gcd => "Big_int_Z.gcd_big_int".
Extract Constant Pos.ggcd => "(fun a b -> let g = Big_int_Z.gcd_big_int a b in
  (g, (Big_int_Z.div_big_int a g, Big_int_Z.div_big_int b g)))".
Extract Constant Z.gcd => "Big_int_Z.gcd_big_int".
Extract Constant Z.of_nat => "(fun n -> n)".
Extract Constant ssrnat.eqn => "Big_int_Z.eq_big_int".
Set Warnings "-extraction-opaque-accessed,-extraction-reserved-identifier".
Extraction "verified.ml" check points_of.

Print Assumptions exact_file_certified.
Print Assumptions gap_file_certified.
