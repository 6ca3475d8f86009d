(* A strict reader of JSON. Numbers keep their text; an object with a field given twice is refused. *)

type t =
  | Null | Bool of bool | Number of string | String of string | List of t list | Object of (string * t) list

exception Error of string

let deepest = 20 (* nested lists and objects, as for the checker in Python *)

(* The bytes of a Unicode code point in UTF-8. *)
let utf8 code =
  let b = Buffer.create 4 in
  let tail shift = Buffer.add_char b (Char.chr (0x80 lor ((code lsr shift) land 0x3f))) in
  if code < 0x80 then Buffer.add_char b (Char.chr code)
  else if code < 0x800 then (Buffer.add_char b (Char.chr (0xc0 lor (code lsr 6))); tail 0)
  else (Buffer.add_char b (Char.chr (0xe0 lor (code lsr 12))); tail 6; tail 0);
  Buffer.contents b

(* Whether the text is UTF-8, without surrogates and in shortest form. *)
let is_utf8 text =
  let n = String.length text in
  let byte i = if i < n then Char.code text.[i] else 0 in
  let tail i = byte i land 0xc0 = 0x80 in
  let rec loop i =
    i >= n ||
    let c = byte i and d = byte (i + 1) in
    if c < 0x80 then loop (i + 1)
    else if c >= 0xc2 && c <= 0xdf then tail (i + 1) && loop (i + 2)
    else if c land 0xf0 = 0xe0 then
      tail (i + 1) && tail (i + 2) && (c <> 0xe0 || d >= 0xa0) && (c <> 0xed || d < 0xa0) && loop (i + 3)
    else
      c >= 0xf0 && c <= 0xf4 && tail (i + 1) && tail (i + 2) && tail (i + 3)
      && (c <> 0xf0 || d >= 0x90) && (c <> 0xf4 || d < 0x90) && loop (i + 4) in
  loop 0

let read text =
  if not (is_utf8 text) then raise (Error "the text is not UTF-8");
  let n = String.length text and at = ref 0 in
  let fail what = raise (Error (Printf.sprintf "%s at byte %d" what !at)) in
  let peek () = if !at < n then text.[!at] else '\000' in
  let blank c = c = ' ' || c = '\t' || c = '\n' || c = '\r' in
  let skip () = while blank (peek ()) do incr at done in
  let expect c = if peek () = c && !at < n then incr at else fail (Printf.sprintf "%C expected" c) in
  let word w value =
    let k = String.length w in
    if !at + k <= n && String.sub text !at k = w then (at := !at + k; value) else fail "a value expected" in
  let digits () =
    let start = !at in
    while peek () >= '0' && peek () <= '9' do incr at done;
    if !at = start then fail "a digit expected" in
  let number () =
    let start = !at in
    if peek () = '-' then incr at;
    if peek () = '0' then incr at else digits ();
    let whole = !at - start in
    if peek () = '.' then (incr at; digits ());
    if peek () = 'e' || peek () = 'E' then begin
      incr at;
      if peek () = '+' || peek () = '-' then incr at;
      digits ()
    end;
    if !at - start = whole && whole > 4300 then fail "an integer of more than 4300 digits";
    Number (String.sub text start (!at - start)) in
  let string () =
    expect '"';
    let b = Buffer.create 16 in
    let rec loop () =
      if !at >= n then fail "a string is not closed";
      let c = text.[!at] in
      incr at;
      if c = '\\' then begin
        let e = peek () in
        incr at;
        (match e with
         | '"' | '\\' | '/' -> Buffer.add_char b e
         | 'b' -> Buffer.add_char b '\b' | 'f' -> Buffer.add_char b '\012' | 'n' -> Buffer.add_char b '\n'
         | 'r' -> Buffer.add_char b '\r' | 't' -> Buffer.add_char b '\t'
         | 'u' ->
           let hex c = match c with '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false in
           if !at + 4 > n then fail "an escape is not complete";
           let code = String.sub text !at 4 in
           String.iter (fun c -> if not (hex c) then fail "a hexadecimal digit expected") code;
           at := !at + 4;
           Buffer.add_string b (utf8 (int_of_string ("0x" ^ code)))
         | _ -> fail "an unknown escape");
        loop ()
      end
      else if c < ' ' then fail "a control character in a string"
      else if c <> '"' then (Buffer.add_char b c; loop ()) in
    loop ();
    Buffer.contents b in
  let rec value depth =
    skip ();
    if depth >= deepest && (peek () = '{' || peek () = '[') then fail "too many nested lists and objects";
    let v = match peek () with
      | '{' ->
        let known = Hashtbl.create 16 in
        Object (items depth '}' (fun () ->
          let key = (skip (); string ()) in
          if Hashtbl.mem known key then fail (Printf.sprintf "the field %S occurs twice" key);
          Hashtbl.add known key ();
          skip (); expect ':';
          (key, value (depth + 1))))
      | '[' -> List (items depth ']' (fun () -> value (depth + 1)))
      | '"' -> String (string ())
      | 't' -> word "true" (Bool true) | 'f' -> word "false" (Bool false) | 'n' -> word "null" Null
      | 'N' -> word "NaN" (Number "nan") | 'I' -> word "Infinity" (Number "inf")
      | '-' when !at + 1 < n && text.[!at + 1] = 'I' -> word "-Infinity" (Number "-inf")
      | _ -> number () in
    skip (); v
  and items : 'a. int -> char -> (unit -> 'a) -> 'a list = fun _ close item ->
    incr at; skip ();
    if peek () = close then (incr at; [])
    else
      let rec loop found =
        let found = item () :: found in
        skip ();
        if peek () = ',' then (incr at; loop found) else (expect close; List.rev found) in
      loop [] in
  let v = value 0 in
  if !at < n then fail "the end of the file expected";
  v

let rec holds_number_not_finite = function
  | Number ("nan" | "inf" | "-inf") -> true
  | List l -> List.exists holds_number_not_finite l
  | Object o -> List.exists (fun (_, v) -> holds_number_not_finite v) o
  | _ -> false
