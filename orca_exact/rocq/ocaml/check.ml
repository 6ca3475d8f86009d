(* The driver of the extracted checker: CERT.json in, a verdict out.

   It reads the file, refuses what docs/certificate.md does not allow, checks the domains of the points and
   the bounds of lambda, and passes the numbers to [Verified.check]. This file, json.ml, numbers.ml and
   lambda.ml are not verified. The digest sha256 is not checked here.

   Exit codes: 0 accepted, 1 rejected, 2 usage, 3 not covered by the theorems or too large, 4 not a
   certificate. *)

module V = Verified
open Json

exception Rejected of string * string
exception Not_covered of string

let size, items, degree, most_bits = 1 lsl 26, 1 lsl 20, 1000, 1 lsl 14
let require holds message = if not holds then raise (Rejected ("format", message))
let refuse place = raise (Rejected ("format", place ^ " does not have the form that is required"))

(* The shapes of values. *)

let fields place ?(may_miss = []) required = function
  | Object given ->
    let known (key, _) = List.mem key required || List.mem key may_miss in
    require (List.for_all known given && List.for_all (fun key -> List.mem_assoc key given) required)
      (place ^ " has missing or unknown fields");
    (fun key -> List.assoc key given)
  | _ -> require false (place ^ " must be an object"); assert false
let list place read = function
  | List given ->
    require (List.length given <= items) (place ^ " has too many items");
    List.map (read place) given
  | _ -> require false (place ^ " must be a list"); assert false
let one_or_list place count read = function
  | List _ as given ->
    let found = list place read given in
    require (List.length found = count) (place ^ " has the wrong number of items");
    found
  | given -> let one = read place given in List.init count (fun _ -> one)
let limited place limit text =
  require (Numbers.bits text <= limit) (place ^ " is too long");
  text
let read_or_refuse place read text = try read text with Numbers.Error _ | Invalid_argument _ | Failure _ -> refuse place
let number place = function
  | String text -> read_or_refuse place Numbers.rational (limited place Numbers.short text)
  | Number text when Numbers.is_integer text ->
    let z = Z.of_string text in
    require (Z.numbits z <= Numbers.short) (place ^ " is too long");
    Q.of_bigint z
  | Number text -> read_or_refuse place Numbers.of_json text
  | _ -> refuse place
let long_number place = function
  | String text -> read_or_refuse place Numbers.rational (limited place Numbers.long text)
  | _ -> refuse place
let quotient place = function
  | String text ->
    let p, q = read_or_refuse place Numbers.quotient (limited place Numbers.longest text) in
    { V.qnum = p; qden = q }
  | _ -> refuse place
let integer place = function
  | Number text when Numbers.is_integer text ->
    let z = Z.of_string text in
    require (Z.numbits z <= Numbers.short) (place ^ " is too long");
    z
  | _ -> refuse place
let small place most given =
  let z = integer place given in
  require (Z.leq Z.zero z && Z.leq z (Z.of_int most)) (Printf.sprintf "%s must be from 0 to %d" place most);
  Z.to_int z
let flag place = function Bool b -> b | _ -> refuse place
let claimed place = function Null -> None | given -> Some (flag place given)
let text place = function String s -> s | _ -> refuse place
let fraction x = { V.qnum = Q.num x; qden = Q.den x }
let rational (x : V.q) = Q.make x.V.qnum x.V.qden

(* The problem. *)

let parameter place given =
  let x = number place given in
  require (Q.gt x Q.minus_one && Q.leq x (Q.of_int degree)) (Printf.sprintf "%s must lie in (-1, %d]" place degree);
  x
let measure place given =
  let family = match given with Object f -> (try List.assoc "family" f with Not_found -> Null) | _ -> Null in
  match family with
  | String "hermite" -> ignore (fields place ["family"] given); Lambda.Hermite
  | String "laguerre" ->
    let get = fields place ["family"; "alpha"] given in
    Lambda.Laguerre (parameter (place ^ ".alpha") (get "alpha"))
  | String "discrete" ->
    let get = fields place ["family"; "nodes"; "weights"] given in
    let nodes = list (place ^ ".nodes") number (get "nodes") in
    let weights = list (place ^ ".weights") number (get "weights") in
    require (List.length nodes = List.length weights && nodes <> []) "there must be as many weights as nodes";
    let distinct = List.length (List.sort_uniq Q.compare nodes) = List.length nodes in
    require (distinct && List.for_all (fun w -> Q.sign w > 0) weights)
      "a node occurs twice, or a weight is not positive";
    Lambda.Discrete (List.combine nodes weights)
  | _ ->
    let get = fields place ["family"; "alpha"; "beta"] given in
    require (get "family" = String "jacobi") (place ^ ".family is not known");
    Lambda.Jacobi (parameter (place ^ ".alpha") (get "alpha"), parameter (place ^ ".beta") (get "beta"))

let same_measure a b = match a, b with
  | Lambda.Jacobi (a, b), Lambda.Jacobi (c, d) -> Q.equal a c && Q.equal b d
  | Lambda.Hermite, Lambda.Hermite -> true
  | Lambda.Laguerre a, Lambda.Laguerre b -> Q.equal a b
  | Lambda.Discrete s, Lambda.Discrete t ->
    List.length s = List.length t
    && List.for_all2 (fun (x, v) (z, w) -> Q.equal x z && Q.equal v w) s t
  | _ -> false

type problem = {
  points : Q.t list list; labels : Z.t list; boxes : Q.t list; scale : bool;
  measures : Lambda.measure list; degrees : int list; order : int }

let read_problem version given =
  let common = ["schema"; "X"; "y"; "rescale"; "C"] in
  let schema = match given with Object f -> (try List.assoc "schema" f with Not_found -> Null) | _ -> Null in
  let which = match schema, version with
    | String "orca-exact/problem/1", 1 -> 1 | String "orca-exact/problem/2", 1 -> 2
    | String "orca-exact/problem/3", 2 -> 3
    | _ -> require false "the problem is not of a schema that this certificate may have"; 0 in
  let get = match which with
    | 1 -> fields "problem" ~may_miss:["id"] ("n" :: "alpha" :: "beta" :: common) given
    | 2 -> fields "problem" ~may_miss:["id"; "names"] ("n" :: "measures" :: common) given
    | _ -> fields "problem" ~may_miss:["id"; "names"; "under"] ("kernel" :: common) given in
  let points = list "X" (fun place -> list place number) (get "X") in
  let labels = list "y" number (get "y") in
  let m = List.length points in
  require (m = List.length labels) "X and y have different lengths";
  let is y = List.exists (Q.equal y) labels in
  let one y = Q.equal y Q.one || Q.equal y Q.minus_one in
  require (List.for_all one labels && is Q.one && is Q.minus_one) "the labels must be 1 and -1, both present";
  let d = List.length (List.hd points) in
  require (d > 0 && List.for_all (fun x -> List.length x = d) points) "the points have different dimensions";
  let kernel = if which < 3 then get else
      let family = match get "kernel" with Object f -> (try List.assoc "family" f with Not_found -> Null) | _ -> Null in
      match family with
      | String ("linear" | "polynomial" | "rbf" as name) ->
        raise (Not_covered (Printf.sprintf "the theorems are about kernels of orthogonal polynomials, not about %s kernels" name))
      | _ ->
        let get = fields "kernel" ~may_miss:["order"] ["family"; "n"; "measures"] (get "kernel") in
        require (get "family" = String "orthogonal") "kernel.family is not known";
        get in
  let measures = if which = 1 then
      one_or_list "alpha" d (fun _ _ -> Lambda.Jacobi (parameter "alpha" (get "alpha"), parameter "beta" (get "beta"))) Null
    else one_or_list "measures" d measure (kernel "measures") in
  let degrees = if which = 1 then one_or_list "n" d (fun place -> small place degree) (match get "n" with List _ -> Null | n -> n)
    else one_or_list "n" d (fun place -> small place degree) (kernel "n") in
  List.iter2 (fun mu n -> match mu with
      | Lambda.Discrete nodes -> require (List.length nodes > n) "there must be more nodes than n"
      | _ -> ()) measures degrees;
  let order = match (if which < 3 then Null else try kernel "order" with Not_found -> Null) with
    | Null -> d
    | given ->
      let q = small "order" d given in
      require (q >= 1) (Printf.sprintf "order must be an integer from 1 to %d, or null" d);
      q in
  (match if which < 3 then None else try Some (get "under") with Not_found -> None with
   | None -> ()
   | Some given ->
     let found = one_or_list "under" d measure given in
     require (List.for_all2 same_measure found measures) "under must be the measures of the kernel, or be left out");
  let boxes = match which, get "C" with
    | 1, List _ -> refuse "C"
    | _, given -> one_or_list "C" m number given in
  require (List.for_all (fun c -> Q.sign c > 0) boxes) "C must be positive, one or one per point";
  let scale = flag "rescale" (get "rescale") in
  { points; labels = List.map Q.num labels; boxes; scale; measures; degrees; order }

let verified_measure = function
  | Lambda.Jacobi (a, b) -> V.Jacobi (fraction a, fraction b)
  | Lambda.Hermite -> V.Hermite
  | Lambda.Laguerre a -> V.Laguerre (fraction a)
  | Lambda.Discrete nodes -> V.Discrete (List.map (fun (x, w) -> fraction x, fraction w) nodes)

(* The points in their domains. *)
let check_points p file =
  let column j rows = List.map (fun row -> List.nth row j) rows in
  let equal = function x :: rest -> List.for_all (Q.equal x) rest | [] -> true in
  List.iteri (fun j mu ->
      let jacobi = match mu with Lambda.Jacobi _ -> true | _ -> false in
      let constant = p.scale && jacobi && equal (column j p.points) in
      require (not constant) (Printf.sprintf "coordinate %d is constant and cannot be rescaled" (j + 1)))
    p.measures;
  let inside mu x = match mu with
    | Lambda.Jacobi _ -> Q.leq (Q.abs x) Q.one
    | Lambda.Laguerre _ -> Q.sign x >= 0
    | _ -> true in
  List.iter (fun row -> require (List.for_all2 inside p.measures (List.map rational row))
                "a point lies outside the domain of its measure")
    (V.points_of file)

(* A left inverse modulo a prime by elimination, or [] if there is none; [V.check] multiplies. *)
let inverse rows =
  let p = V.modulus in
  let k = List.length rows in
  let unit i = Array.init k (fun j -> if i = j then Z.one else Z.zero) in
  let a = Array.of_list (List.mapi (fun i row ->
      Array.append (Array.map (fun x -> Z.erem x p) (Array.of_list row)) (unit i)) rows) in
  try
    for c = 0 to k - 1 do
      let r = ref c in
      while Z.equal a.(!r).(c) Z.zero do incr r; if !r = k then raise Exit done;
      let row = a.(!r) in
      a.(!r) <- a.(c);
      let factor = Z.invert row.(c) p in
      a.(c) <- Array.map (fun x -> Z.erem (Z.mul factor x) p) row;
      Array.iteri (fun i other ->
          if i <> c && not (Z.equal other.(c) Z.zero) then
            let t = other.(c) in
            a.(i) <- Array.map2 (fun x z -> Z.erem (Z.sub x (Z.mul t z)) p) other a.(c))
        a
    done;
    Array.to_list (Array.map (fun row -> Array.to_list (Array.sub row k k)) a)
  with Exit -> []

(* The certificate. *)

let read_certificate version given =
  let get = fields "certificate"
      ["schema"; "problem"; "level"; "lambda"; "u"; "v"; "b"; "active"; "claims"; "versions"; "sha256"] given in
  let level = match get "level" with
    | String ("exact" | "ball" | "gap" as level) -> level
    | _ -> refuse "level" in
  let p = read_problem version (get "problem") in
  let lambda = fields "lambda" ["bits"; "lower"; "upper"] (get "lambda") in
  let bits = small "lambda.bits" most_bits (lambda "bits") in
  require (bits >= 1) "lambda.bits must be positive";
  let lower = long_number "lambda.lower" (lambda "lower") in
  let upper = long_number "lambda.upper" (lambda "upper") in
  let bias place given =
    let get = fields place ["u"; "v"] given in
    quotient (place ^ ".u") (get "u"), quotient (place ^ ".v") (get "v") in
  let b = match get "b" with
    | Object f when List.mem_assoc "lower" f ->
      let get = fields "b" ["lower"; "upper"] (Object f) in
      [bias "b.lower" (get "lower"); bias "b.upper" (get "upper")]
    | given -> [bias "b" given] in
  let active = fields "active" ["free"; "bound"] (get "active") in
  let indices key =
    let found = list ("active." ^ key) integer (active key) in
    require (List.for_all (fun i -> Z.sign i > 0) found) "active must have numbers of points";
    found in
  let claims = fields "claims"
      ["gap"; "w_error"; "norm2"; "alpha_unique"; "b_unique"; "hard_margin"] (get "claims") in
  let norm2 = fields "claims.norm2" ["lower"; "upper"] (claims "norm2") in
  let claim key = fraction (long_number ("claims." ^ key) (claims key)) in
  let file = {
    V.exact = level = "exact"; measures = List.map verified_measure p.measures;
    degrees = List.map Z.of_int p.degrees; order_of = Z.of_int p.order;
    rows = List.map (List.map fraction) p.points; rescale = p.scale; labels = p.labels;
    boxes = List.map fraction p.boxes; lambda_lower = fraction lower; lambda_upper = fraction upper;
    u_of = list "u" quotient (get "u"); v_of = list "v" quotient (get "v"); b_of = b;
    free_points = indices "free"; bound_points = indices "bound";
    claimed_gap = claim "gap"; claimed_error = claim "w_error";
    claimed_lower = fraction (long_number "claims.norm2.lower" (norm2 "lower"));
    claimed_upper = fraction (long_number "claims.norm2.upper" (norm2 "upper"));
    claimed_alpha_unique = claimed "claims.alpha_unique" (claims "alpha_unique");
    claimed_b_unique = claimed "claims.b_unique" (claims "b_unique");
    claimed_hard_margin = claimed "claims.hard_margin" (claims "hard_margin") } in
  check_points p file;
  (match Lambda.bounds p.measures bits with
   | Some (low, high) when Q.equal low lower && Q.equal high upper -> ()
   | _ -> raise (Rejected ("lambda", Printf.sprintf "these are not the bounds of prod 1/h_0 at %d bits" bits)));
  level, file

let condition = function
  | V.Format -> "format", "the numbers do not fit together"
  | V.DualFeasibility -> "dual feasibility", "an alpha_i is not in [0, C_i], or sum y_i a_i is not 0"
  | V.Stationarity -> "stationarity", "the active sets do not agree with u and v"
  | V.PrimalFeasibility -> "primal feasibility", "y_i g_i < 1 but alpha_i < C_i at a point"
  | V.Complementarity -> "complementarity", "y_i g_i is not 1 at a free point, or > 1 at a bound point, b is not \
                                             whole, or P - D is not proved to be at most claims.gap"
  | V.Claim -> "claims", "a claim is not proved"

let read_all channel =
  let b = Buffer.create 65536 and chunk = Bytes.create 65536 in
  let rec loop () =
    let n = input channel chunk 0 65536 in
    if n > 0 && Buffer.length b <= size then (Buffer.add_subbytes b chunk 0 n; loop ()) in
  loop ();
  if Buffer.length b > size then raise (Json.Error (Printf.sprintf "longer than %d bytes" size));
  let text = Buffer.contents b in
  let mark = "\xef\xbb\xbf" in
  if String.length text >= 3 && String.sub text 0 3 = mark then String.sub text 3 (String.length text - 3) else text

let run path =
  let text =
    if path = "-" then read_all stdin
    else let channel = open_in_bin path in Fun.protect ~finally:(fun () -> close_in channel) (fun () -> read_all channel) in
  let given = Json.read text in
  let version = match given with
    | Object f ->
      (match (try List.assoc "schema" f with Not_found -> Null) with
       | String "orca-exact/certificate/1" -> 1
       | String "orca-exact/certificate/2" -> 2
       | String "orca-exact/path/1" -> raise (Not_covered "the file is a path, and the theorems are about certificates")
       | _ -> raise (Json.Error "the field schema is not that of a certificate"))
    | _ -> raise (Json.Error "not an object") in
  require (not (Json.holds_number_not_finite given)) "the certificate is not JSON";
  let level, file = read_certificate version given in
  match V.check inverse file with
  | None ->
    let theorem = if file.V.exact then "exact_file_certified" else "gap_file_certified" in
    Printf.printf "accepted at level %s: %s of Extracted.v\n" level theorem;
    Printf.printf "assumed: lambda lies between the bounds that were computed\n"
  | Some failed -> let name, message = condition failed in raise (Rejected (name, message))

let () =
  let stop code message = prerr_endline message; exit code in
  match Sys.argv with
  | [| _; path |] ->
    (try run path with
     | Rejected (name, message) -> stop 1 (Printf.sprintf "rejected: %s: %s" name message)
     | Not_covered message -> stop 3 ("not covered: " ^ message)
     | Json.Error message | Sys_error message -> stop 4 (Printf.sprintf "%s: not a certificate: %s" path message)
     | Stack_overflow | Out_of_memory -> stop 3 "too large: the memory or the stack is too small for this file")
  | _ -> stop 2 "usage: orca-check CERT.json (- is standard input)"
