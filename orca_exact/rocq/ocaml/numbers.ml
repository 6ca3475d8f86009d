(* Exact numbers from their text: decimals, hexadecimal floats, quotients p/q, and JSON numbers. *)

let short, long, longest = 1 lsl 13, 1 lsl 18, 1 lsl 21 (* bits: of the problem; of a claim; of u, v, b *)

exception Error of string

let quotient_form = Str.regexp "\\([+-]?[0-9]+\\)\\(/\\(0*[1-9][0-9]*\\)\\)?$"
let decimal_form = Str.regexp
    "\\([+-]?\\)\\([0-9]*\\)\\(\\.\\([0-9]*\\)\\)?\\([eE]\\([+-]?\\)\\([0-9]+\\)\\)?$"
let hex_form = Str.regexp
    "\\([+-]?\\)0[xX]\\([0-9a-fA-F]+\\)\\(\\.\\([0-9a-fA-F]*\\)\\)?\\([pP]\\([+-]?\\)\\([0-9]+\\)\\)?$"
let exponent_form = Str.regexp ".*[eEpP][+-]?\\([0-9]+\\)$"

let matches form text =
  not (String.contains text '\n') && Str.string_match form text 0 && Str.match_end () = String.length text
let group k text = try Str.matched_group k text with Not_found -> ""

(* An upper bound of the bits of a number, found before it is read. *)
let bits text =
  let n = String.length text in
  let ending = String.sub text (max 0 (n - 8)) (min n 8) in
  let exponent = if matches exponent_form ending then group 1 ending else "" in
  4 * (n + if exponent = "" || String.length exponent > 5 then 0 else int_of_string exponent)

let integer text = Z.of_string (if text <> "" && text.[0] = '+' then String.sub text 1 (String.length text - 1) else text)

(* p and q of "p/q", which need not be reduced *)
let quotient text =
  if not (matches quotient_form text) then raise (Error text);
  let p = group 1 text and q = group 3 text in
  integer p, if q = "" then Z.one else Z.of_string q

(* digits with a fraction, times base^exponent *)
let scaled sign whole part base digit_base exponent =
  let read = Z.of_string_base digit_base (if whole ^ part = "" then raise (Error whole) else whole ^ part) in
  let value = Q.of_bigint (if sign = "-" then Z.neg read else read) in
  let scale = Q.of_bigint (Z.pow (Z.of_int base) (abs exponent)) in
  if exponent >= 0 then Q.mul value scale else Q.div value scale

let signed_exponent sign text =
  if String.length text > 5 then raise (Error text);
  if text = "" then 0 else if sign = "-" then - (int_of_string ("0u" ^ text)) else int_of_string ("0u" ^ text)

let rational text =
  if matches decimal_form text && (group 2 text <> "" || group 4 text <> "") then
    let part = group 4 text in
    let exponent = signed_exponent (group 6 text) (group 7 text) in
    scaled (group 1 text) (group 2 text) part 10 10 (exponent - String.length part)
  else if matches hex_form text then
    let part = group 4 text in
    let exponent = signed_exponent (group 6 text) (group 7 text) in
    scaled (group 1 text) (group 2 text) part 2 16 (exponent - 4 * String.length part)
  else let p, q = quotient text in Q.make p q

(* A JSON number: an integer, or the double nearest to a decimal. *)
let is_integer text = not (String.exists (fun c -> c = '.' || c = 'e' || c = 'E' || c = 'n' || c = 'i') text)
let of_json text =
  if is_integer text then Q.of_bigint (Z.of_string text)
  else
    let x = float_of_string text in
    if Float.is_integer x || Float.is_finite x then Q.of_float x else raise (Error text)
