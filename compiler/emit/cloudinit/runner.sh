#!/bin/sh
# hotloom: runs this host's software steps at first boot, one after another, each under its time limit, and tells Heat
# how each went. Needs awk, and curl or GNU wget. Work: /var/lib/hotloom. Logs: /var/log/hotloom/HOST.COMPONENT.log
set -u
step_umask=$(umask)
umask 077
root=${HOTLOOM_ROOT:-}
work=$root/var/lib/hotloom
logs=$root/var/log/hotloom
tree=$work/tree # the program, a file for each value
limit=8192      # bytes of one input or output
mkdir -p "$work" "$logs"
cd "$work" || exit 1
rm -rf tree out http
mkdir tree out http

# What to do, rendered by Heat: one line of ASCII that begins with a brace, so it can not end this here-document.
cat >program <<'HOTLOOM_PROGRAM'
@hotloom-program@
HOTLOOM_PROGRAM

say() { printf 'hotloom: %s\n' "$*" >&2; }
now() { if read -r up _ </proc/uptime; then echo "${up%%.*}"; else date +%s; fi; } # by a clock that does not jump
get() { cat "$tree/$1"; }
started=$(now)

# unpack PREFIX: from JSON on stdin each value goes to a file tree/PREFIX.KEY.KEY, spelled as heat-config hands it to
# scripts: strings raw, True, False, None, numbers and collections as JSON. Below four keys nothing is taken apart.
# tree/steps.N.env sets the inputs of step N; tree/steps.N.refused tells what can not be an input.
unpack() {
	LC_ALL=C awk -v tree="$tree/" -v prefix="$1" -v limit="$limit" '
	function save(file, text) { print text >> (tree file); close(tree file) }
	function blank() { sub(/^[ \t\r\n]+/, "", s) }
	function hex(h,  i, v) {
		for (i = 1; i <= 4; i++) v = v * 16 + index("0123456789abcdef", tolower(substr(h, i, 1))) - 1
		return v
	}
	function char(  u, low) { # what \u stands for, as UTF-8
		u = hex(s); s = substr(s, 5)
		if (u >= 55296 && u < 56320 && substr(s, 1, 2) == "\\u") {
			low = hex(substr(s, 3))
			if (low >= 56320 && low < 57344) { s = substr(s, 7); u = 65536 + (u - 55296) * 1024 + low - 56320 }
		}
		if (u >= 55296 && u < 57344) u = 65533
		if (u == 0) { nul = 1; return "" }
		if (u < 128) return byte[u]
		if (u < 2048) return byte[192 + int(u / 64)] byte[128 + u % 64]
		if (u < 65536) return byte[224 + int(u / 4096)] byte[128 + int(u / 64) % 64] byte[128 + u % 64]
		return byte[240 + int(u / 262144)] byte[128 + int(u / 4096) % 64] byte[128 + int(u / 64) % 64] byte[128 + u % 64]
	}
	function string(  out, q, b, c) { # the rest of one, after its quote
		for (;;) {
			q = index(s, "\""); b = index(s, "\\")
			if (!q) exit 1
			if (!b || q < b) { out = out substr(s, 1, q - 1); s = substr(s, q + 1); return out }
			out = out substr(s, 1, b - 1); c = substr(s, b + 1, 1); s = substr(s, b + 2)
			out = out (c == "u" ? char() : (c in plain) ? plain[c] : c)
		}
	}
	function quoted(v,  n, i, part, out) {
		n = split(v, part, quote); out = part[1]
		for (i = 2; i <= n; i++) out = out quote "\\" quote quote part[i]
		return quote out quote
	}
	function put(path, depth, v,  step, name) {
		save(path, v)
		if (depth != 4 || path !~ /^steps\.[0-9]+\.inputs\./) return
		step = substr(path, 1, index(path, ".inputs.") - 1); name = substr(path, index(path, ".inputs.") + 8)
		save(step ".env", "export " name "=" quoted(v) "\n")
		if (nul) save(step ".refused", "input " name " holds a NUL character")
		if (length(v) > limit) save(step ".refused", "input " name " has " length(v) " bytes, more than " limit)
	}
	function value(path, depth,  c, start, n, key, v) {
		blank(); c = substr(s, 1, 1)
		if (depth == 4) { whole = path; leaves = 0; nul = 0 }
		if (c == "\"") {
			s = substr(s, 2); v = string()
			if (depth <= 4) put(path, depth, v); else save(whole ".leaf." ++leaves, v)
			return
		}
		if (c != "{" && c != "[") {
			if (!match(s, /^[-+.0-9A-Za-z]+/)) exit 1
			v = substr(s, 1, RLENGTH); s = substr(s, RLENGTH + 1)
			if (depth <= 4) put(path, depth, (v in spelled) ? spelled[v] : v)
			return
		}
		start = s; s = substr(s, 2); blank()
		for (n = 0; s !~ /^[]}]/; n++) {
			if (n) { if (s !~ /^,/) exit 1; s = substr(s, 2); blank() }
			key = n
			if (c == "{") { s = substr(s, 2); key = string(); blank(); s = substr(s, 2) }
			value(depth < 4 ? (path == "" ? key : path "." key) : path, depth + 1)
			blank()
		}
		s = substr(s, 2)
		if (depth == 4) put(path, depth, substr(start, 1, length(start) - length(s)))
	}
	BEGIN {
		ORS = ""; quote = sprintf("%c", 39)
		for (i = 1; i < 256; i++) byte[i] = sprintf("%c", i)
		plain["n"] = "\n"; plain["t"] = "\t"; plain["r"] = "\r"; plain["b"] = "\b"; plain["f"] = "\f"
		spelled["true"] = "True"; spelled["false"] = "False"; spelled["null"] = "None"
	}
	{ s = s $0 }
	END { value(prefix, prefix == "" ? 0 : 1) }'
}

# json: stdin as a JSON string. What is not UTF-8 becomes U+FFFD, which is what JSON has for it.
json() {
	{ cat && echo .; } | LC_ALL=C awk '
	function more(i, n, low, high,  k, b) { # whether n bytes continue the one at i, the first of them in low..high
		for (k = 1; k <= n; k++) {
			b = code[substr(s, i + k, 1)]
			if (b < (k == 1 ? low : 128) || b > (k == 1 ? high : 191)) return -1
		}
		return n
	}
	function follow(i, b) { # how many bytes follow in the character that begins at i with b, or -1
		if (b < 128) return 0
		if (b >= 194 && b < 224) return more(i, 1, 128, 191)
		if (b >= 224 && b < 240) return more(i, 2, b == 224 ? 160 : 128, b == 237 ? 159 : 191)
		if (b >= 240 && b < 245) return more(i, 3, b == 240 ? 144 : 128, b == 244 ? 143 : 191)
		return -1
	}
	BEGIN { ORS = ""; for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
	{ s = s (NR > 1 ? "\n" : "") $0 }
	END {
		n = length(s) - 1 # the mark that keeps a last newline
		print "\""
		for (i = 1; i <= n; i++) {
			c = substr(s, i, 1); b = code[c]; f = follow(i, b)
			if (f < 0) print "\\ufffd"
			else if (b < 32) print sprintf("\\u%04x", b)
			else if (c == "\"" || c == "\\") print "\\" c
			else { print substr(s, i, f + 1); i += f }
		}
		print "\""
	}'
}

# masked FILE: its text without the values of hidden inputs. Of a value with several lines each line is one.
masked() {
	set -- tree/mask.* "$1"
	[ -e "$1" ] || shift
	LC_ALL=C awk '
	FNR == 1 { file++ }
	FILENAME != ARGV[ARGC - 1] {
		if (FNR > 1 && length(secret[n]) < 4) secret[n--] = ""
		if ($0 == "" || (FNR > 1 || FILENAME ~ /\.leaf\./) && length($0) < 4) next
		for (i = ++n; i > 1 && length(secret[i - 1]) < length($0); i--) secret[i] = secret[i - 1]
		secret[i] = $0
		next
	}
	{
		for (i = 1; i <= n; i++) {
			out = ""
			while (at = index($0, secret[i])) { out = out substr($0, 1, at - 1) "******"; $0 = substr($0, at + length(secret[i])) }
			$0 = out $0
		}
		print
	}' "$@"
}

# post URL BODY [TOKEN]: sends the file BODY, prints the HTTP status (000: no answer), leaves the headers in
# http/headers. Tokens and passwords go by file: a command line can be read by every user of the machine.
post() {
	: >http/headers
	if command -v curl >/dev/null; then
		printf 'header = "%s"\n' 'Content-Type: application/json' ${3:+"X-Auth-Token: $(cat "$3")"} >http/options
		curl --silent --max-time 60 --config http/options --data-binary "@$2" --dump-header http/headers \
			--output http/answer --write-out '%{http_code}' "$1"
	else
		printf 'header = %s\n' 'Content-Type: application/json' ${3:+"X-Auth-Token: $(cat "$3")"} >http/options
		wget --config=http/options --tries=1 --timeout=60 --post-file="$2" --server-response \
			--output-document=http/answer --output-file=http/headers "$1"
		status=$(sed -n 's|^ *HTTP/[0-9.]* \([0-9]*\).*|\1|p' http/headers | tail -n 1)
		printf '%s' "${status:-000}"
	fi
}

# login HANDLE: a fresh token for the handle's own user, who may do nothing but signal it.
login() {
	[ -e "tree/handle.$1.auth_url" ] || get "handles.$1" | unpack "handle.$1"
	url=$(get "handle.$1.auth_url")
	url=${url%/}
	{
		printf '{"auth":{"identity":{"methods":["password"],"password":{"user":{"id":'
		get "handle.$1.user_id" | json
		printf ',"password":'
		get "handle.$1.password" | json
		printf '}}},"scope":{"project":{"id":'
		get "handle.$1.project_id" | json
		printf '}}}}'
	} >http/login
	answer=$(post "${url%/v3}/v3/auth/tokens" http/login)
	rm -f http/login
	[ "$answer" = 201 ] || return 1
	sed -n 's/^ *[Xx]-[Ss]ubject-[Tt]oken: *//p' http/headers | tr -d '\r\n' >"http/token.$1"
	: >http/headers
}

# signal HANDLE ID STATUS REASON DATA: tells Heat, DATA being JSON; again until Heat answers or the time is over at
# which the wait condition gives up, $deadline seconds from the start.
signal() {
	{
		printf '{"status":"%s","id":' "$3"
		printf '%s' "$2" | json
		printf ',"reason":'
		printf '%s' "$4" | json
		printf ',"data":%s}' "$5"
	} >http/body
	pause=1
	while :; do
		answer=000
		if [ -s "http/token.$1" ] || login "$1"; then
			answer=$(post "$(get "handle.$1.alarm_url")" http/body "http/token.$1")
		fi
		case $answer in
		2??) return 0 ;;
		401) rm -f "http/token.$1" ;;
		esac
		if [ $(($(now) - started + pause)) -ge "$deadline" ]; then
			say "$2: no signal reached Heat within $deadline s, the last answer was $answer"
			return 1
		fi
		say "$2: Heat did not take the signal (answer $answer), next try in $pause s"
		sleep "$pause"
		pause=$((pause < 16 ? pause * 2 : 30))
	done
}

# limited SECONDS: runs ./launch with its children as one process group, which is ended when the time is over.
limited() {
	rm -f late
	setsid sh ./launch </dev/null >out/stdout 2>out/stderr &
	child=$!
	(
		trap 'kill "$nap"; exit' TERM
		sleep "$1" &
		nap=$!
		wait "$nap"
		: >late
		kill -s TERM -- "-$child"
		sleep 10 &
		nap=$!
		wait "$nap"
		kill -s KILL -- "-$child"
	) >/dev/null 2>&1 &
	watch=$!
	wait "$child" 2>/dev/null
	code=$?
	kill "$watch" 2>/dev/null
	wait "$watch" 2>/dev/null
	[ ! -e late ] || code=124
}

# launch N: writes ./launch, which becomes the script of step N with its inputs as environment.
launch() {
	for file in "tree/steps.$1.local."*; do # inputs that are outputs of an earlier step of this host
		[ -e "$file" ] || continue
		name=${file##*.local.}
		from=out/$(cat "$file")
		[ -e "$from" ] || printf None >"$from"
		# shellcheck disable=SC2016 # launch expands it
		printf 'export %s="$(cat %s && echo .)"\nexport %s="${%s%%.}"\n' "$name" "$from" "$name" "$name"
		! grep -qsx "$name" tree/steps."$1".secret.* || cp "$from" "tree/mask.$1.$name"
	done
	cat "tree/steps.$1.env" 2>/dev/null
	printf "export heat_outputs_path='%s' deploy_server_id='%s' deploy_action=CREATE\n" "$work/out/$1" "$server"
	printf 'umask %s\nexec ./step.%s\n' "$step_umask" "$1"
}

# step N: runs it. Leaves its outputs in out/N.NAME, its exit code in $code and in $why what went wrong.
step() {
	code=1
	why=
	: >out/stdout
	: >out/stderr
	if [ -e "tree/steps.$1.refused" ]; then
		why=$(get "steps.$1.refused")
	else
		get "steps.$1.config" >"step.$1"
		chmod 700 "step.$1"
		launch "$1" >./launch
		limited "$(get "steps.$1.timeout")"
		rm -f launch
		case $code in
		0) ;;
		124) why="no end after $(get "steps.$1.timeout") s" ;;
		*) why="exit code $code" ;;
		esac
	fi
	last=stderr
	if [ ! -s out/stderr ] || [ -n "$(find out/stdout -newer out/stderr)" ]; then last=stdout; fi
	{
		masked out/stdout >"out/$1.deploy_stdout"
		masked out/stderr >"out/$1.deploy_stderr"
		cat "out/$1.deploy_stdout" "out/$1.deploy_stderr"
		echo "hotloom: ${why:-complete}"
	} >"$log"
	last=$(LC_ALL=C awk 'NF { l = $0 } END { print substr(l, 1, 400) }' "out/$1.deploy_$last")
	for name in stdout stderr; do
		tail -c "$limit" "out/$1.deploy_$name" >out/cut
		mv out/cut "out/$1.deploy_$name"
	done
	for file in "tree/steps.$1.outputs."*; do
		[ -e "$file" ] || continue
		name=$(cat "$file")
		size=$(wc -c 2>/dev/null <"out/$1.$name") || continue
		[ -z "$why" ] || continue
		if [ "$size" -gt "$limit" ]; then why="output $name has $((size)) bytes, more than $limit"; code=1; fi
	done
	rm -f out/stdout out/stderr
	printf %s "$code" >"out/$1.deploy_status_code"
	[ -z "$why" ] || why=$why${last:+": $last"}
}

# report N: signals that step N is done ($note says how), with its outputs.
report() {
	fields=
	[ ! -e "out/$1.deploy_status_code" ] || fields="\"deploy_status_code\":$code"
	for file in "tree/steps.$1.data."*; do
		[ -e "$file" ] || continue
		name=$(cat "$file")
		[ ! -e "out/$1.$name" ] || fields="${fields:+$fields,}\"$name\":$(json <"out/$1.$name")"
	done
	[ ! -e "tree/steps.$1.handle" ] || signal "$(get "steps.$1.handle")" "$id" SUCCESS "$note" "{$fields}"
}

# fail N: signals the failure of step N to everything that waits for it or for a step after it.
fail() {
	data="{\"deploy_status_code\":$code,\"log\":$(tail -n 40 "$log" | tail -c 4096 | json)}"
	told=' '
	after=$1
	while [ -e "tree/steps.$after.name" ]; do
		handle=$(get "steps.$after.handle" 2>/dev/null)
		case " $told " in
		*" $handle "*) ;;
		*)
			told="$told $handle"
			signal "$handle" "$id" FAILURE "$note" "$data"
			;;
		esac
		after=$((after + 1))
	done
}

server=$(cat "$root/var/lib/cloud/data/instance-id" 2>/dev/null)
case $server in
????????-????-????-????-????????????) ;;
*) server=$(tr '[:upper:]' '[:lower:]' 2>/dev/null <"$root/sys/class/dmi/id/product_uuid" || echo "$server") ;;
esac
if ! unpack '' <program; then
	say "the program that Heat rendered can not be read: $work/program"
	exit 1
fi
host=$(get host)
for file in tree/steps.*.secret.*; do
	[ -e "$file" ] || continue
	name=$(cat "$file")
	file=${file%%.secret.*}
	for value in "$file.inputs.$name" "$file.inputs.$name.leaf."*; do
		[ ! -e "$value" ] || cp "$value" "tree/mask.${file##*.}.${value##*.inputs.}"
	done
done

n=0
while [ -e "tree/steps.$n.name" ]; do
	component=$(get "steps.$n.name")
	deadline=$(get "steps.$n.deadline")
	log=$logs/$(printf '%s.%s' "$host" "$component" | tr -c 'A-Za-z0-9_.-' _).log
	id=$component
	[ ! -e tree/group ] || id=$server
	if [ -e "tree/steps.$n.skip" ]; then
		code=0
		why=
		note="$host.$component: left out by its condition"
		echo "hotloom: left out by its condition" >"$log"
	else
		say "$host.$component begins"
		step "$n"
		note="$host.$component: ${why:-complete}"
	fi
	say "$note"
	if [ -n "$why" ] && [ ! -e "tree/steps.$n.continue" ]; then
		fail "$n"
		exit 1
	fi
	report "$n" || exit 1
	n=$((n + 1))
done
