(* lambda = prod 1/h_0, computed from the measures; the theorems assume that it lies between its bounds.

   h_0 = r 2^s prod Gamma(f)^e with rational r, s and 0 < f < 1. lambda is rational if s is an integer and
   every e is 0. Otherwise it is enclosed by positive intervals with rational ends, rounded outwards. *)

type measure = Jacobi of Q.t * Q.t | Hermite | Laguerre of Q.t | Discrete of (Q.t * Q.t) list
type product = { r : Q.t; s : Q.t; gammas : (Q.t * int) list }

let power x e = if e >= 0 then List.fold_left Q.mul Q.one (List.init e (fun _ -> x))
  else Q.inv (List.fold_left Q.mul Q.one (List.init (-e) (fun _ -> x)))

(* Gamma(x)^e = ((f)_k Gamma(f))^e with x = f + k, 0 < f <= 1. *)
let times_gamma x e p =
  let k = Z.to_int (Z.pred (Z.cdiv (Q.num x) (Q.den x))) in
  let f = Q.sub x (Q.of_int k) in
  let rising = List.fold_left Q.mul Q.one (List.init k (fun j -> Q.add f (Q.of_int j))) in
  let old = try List.assoc f p.gammas with Not_found -> 0 in
  let gammas = if Q.equal f Q.one then p.gammas else (f, old + e) :: List.remove_assoc f p.gammas in
  { p with r = Q.mul p.r (power rising e); gammas }

let times_mass p = function
  | Jacobi (a, b) ->
    let two = Q.add Q.one (Q.add a b) in
    { p with s = Q.add p.s two }
    |> times_gamma (Q.add a Q.one) 1 |> times_gamma (Q.add b Q.one) 1
    |> times_gamma (Q.add two Q.one) (-1)
  | Hermite -> times_gamma (Q.of_ints 1 2) 1 { p with s = Q.add p.s (Q.of_ints 1 2) }
  | Laguerre a -> times_gamma (Q.add a Q.one) 1 p
  | Discrete nodes -> { p with r = List.fold_left (fun t (_, w) -> Q.add t w) Q.zero nodes |> Q.mul p.r }

(* The floor of x > 0 to so many significant bits, as n / 2^shift with 2^(bits-1) <= n < 2^bits. *)
let floor_bits bits x =
  let at shift = Z.fdiv (Z.shift_left (Q.num x) (max shift 0)) (Z.shift_left (Q.den x) (max (-shift) 0)) in
  let shift = bits - Z.numbits (Q.num x) + Z.numbits (Q.den x) in
  let n = at shift in
  if Z.numbits n > bits then at (shift - 1), shift - 1 else n, shift
let dyadic n shift =
  if shift >= 0 then Q.div_2exp (Q.of_bigint n) shift else Q.mul_2exp (Q.of_bigint n) (-shift)

(* Intervals (a, b) with 0 < a <= b. *)
let enclose prec p =
  let down x = let n, k = floor_bits prec x in dyadic n k in
  let up x = let n, k = floor_bits prec x in dyadic (Z.succ n) k in
  let wide (a, b) = down a, up b in
  let exactly x = x, x in
  let mul (a, b) (c, d) = wide (Q.mul a c, Q.mul b d) in
  let div (a, b) (c, d) = wide (Q.div a d, Q.div b c) in
  let add (a, b) (c, d) = wide (Q.add a c, Q.add b d) in
  let rec pow x e = if e = 0 then exactly Q.one else if e < 0 then div (exactly Q.one) (pow x (-e))
    else mul x (pow x (e - 1)) in
  (* first + ... + the last term before [stop], which is returned too *)
  let rec series next stop k term total =
    if stop k term then total, term else series next stop (k + 1) (next k term) (add total term) in
  let tiny = Q.div_2exp Q.one prec in
  let small _ (_, b) = Q.lt b tiny in
  (* The rest of a series is less than twice its first term. *)
  let with_rest ((a, b), (_, t)) = a, Q.add b (Q.mul (Q.of_int 2) t) in
  let start next stop = with_rest (series next stop 1 (next 0 (exactly Q.one)) (exactly Q.one)) in
  (* e^x: the series of e^(x / 2^h), squared h times *)
  let exp x =
    let h = max 0 (Z.numbits (Q.num (snd x)) - Z.numbits (Q.den (snd x)) + 1) in
    let y = Q.div_2exp (fst x) h, Q.div_2exp (snd x) h in
    let rec squared k z = if k = 0 then z else squared (k - 1) (mul z z) in
    squared h (start (fun k term -> div (mul term y) (exactly (Q.of_int (k + 1)))) small) in
  (* ln 2 = (2/3) sum_k 9^(-k) / (2k+1) *)
  let ln2 =
    mul (exactly (Q.of_ints 2 3))
      (start (fun k term -> div (mul term (exactly (Q.of_int (2 * k + 1))))
                 (exactly (Q.of_int (9 * (2 * k + 3))))) small) in
  let two_to x = if Q.sign x = 0 then exactly Q.one
    else let e = exp (mul (exactly (Q.abs x)) ln2) in
      if Q.sign x > 0 then e else div (exactly Q.one) e in
  (* Gamma(f) = T^f e^(-T) (sum_k T^k / (f)_(k+1) + at most 1/T), T = 2^j *)
  let gamma f =
    let j = Z.numbits (Z.of_int prec) in
    let t = 1 lsl j in
    let next k term = div (mul term (exactly (Q.of_int t))) (exactly (Q.add f (Q.of_int (k + 1)))) in
    let first = div (exactly Q.one) (exactly f) in
    let a, b = with_rest (series next (fun k _ -> k >= 4 * t) 1 (next 0 first) first) in
    let sum = a, Q.add b (Q.of_ints 1 t) in
    div (mul (two_to (Q.mul f (Q.of_int j))) sum) (exp (exactly (Q.of_int t))) in
  let mass = List.fold_left (fun x (f, e) -> if e = 0 then x else mul x (pow (gamma f) e))
      (mul (exactly p.r) (two_to p.s)) p.gammas in
  div (exactly Q.one) mass

(* The bounds of lambda: equal if it is rational, else neighbours with so many bits. *)
let bounds measures bits =
  let p = List.fold_left times_mass { r = Q.one; s = Q.zero; gammas = [] } measures in
  if Z.equal (Q.den p.s) Z.one && List.for_all (fun (_, e) -> e = 0) p.gammas then
    let s = Z.to_int (Q.num p.s) in
    let lam = Q.inv (if s >= 0 then Q.mul_2exp p.r s else Q.div_2exp p.r (-s)) in
    Some (lam, lam)
  else
    let attempt extra =
      let a, b = enclose (bits + extra) p in
      let n, shift = floor_bits bits a in
      let low = dyadic n shift and high = dyadic (Z.succ n) shift in
      if Q.lt low a && Q.lt b high then Some (low, high) else None in
    List.fold_left (fun found extra -> if found = None then attempt extra else found) None [64; 2048; 4096]
