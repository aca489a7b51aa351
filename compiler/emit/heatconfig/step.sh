#!/bin/sh
# hotloom: runs one step under heat-config's script hook and adds what the hook lacks: a time limit, a failure reason
# that Heat shows (step, exit code, last log line), no secrets in what is reported, output that Heat can take.
# It leaves the step's environment as it finds it: all its own names begin with hotloom_.
# shellcheck disable=SC2154 # heat_outputs_path comes from the hook
set -u
hotloom_umask=$(umask)
umask 077
cat >"$0.step" <<'@hotloom-end@'
@hotloom-script@
@hotloom-end@
chmod 700 "$0.step"
hotloom_limit=${hotloom_timeout:-3600}

# The step and its children are one process group, which is ended when the time is over.
(
	umask "$hotloom_umask"
	exec setsid "$0.step"
) </dev/null >"$0.stdout" 2>"$0.stderr" &
hotloom_child=$!
(
	trap 'kill "$hotloom_nap"; exit' TERM
	sleep "$hotloom_limit" &
	hotloom_nap=$!
	wait "$hotloom_nap"
	: >"$0.late"
	kill -s TERM -- "-$hotloom_child"
	sleep 10 &
	hotloom_nap=$!
	wait "$hotloom_nap"
	kill -s KILL -- "-$hotloom_child"
) >/dev/null 2>&1 &
hotloom_watch=$!
wait "$hotloom_child" 2>/dev/null
hotloom_code=$?
kill "$hotloom_watch" 2>/dev/null
wait "$hotloom_watch" 2>/dev/null

# masked FILE: its end without the values of hidden inputs. heat-config-notify fails on more than 950,000 characters.
hotloom_masked() {
	tail -c 400000 "$1" | LC_ALL=C awk '
	BEGIN {
		names = split(ENVIRON["hotloom_secrets"], name, " ")
		for (i = 1; i <= names; i++) {
			lines = split(ENVIRON[name[i]], line, "\n")
			for (j = 1; j <= lines; j++) {
				if (line[j] == "" || lines > 1 && length(line[j]) < 4) continue
				for (k = ++n; k > 1 && length(secret[k - 1]) < length(line[j]); k--) secret[k] = secret[k - 1]
				secret[k] = line[j]
			}
		}
	}
	{
		for (i = 1; i <= n; i++) {
			out = ""
			while (at = index($0, secret[i])) {
				out = out substr($0, 1, at - 1) "******"
				$0 = substr($0, at + length(secret[i]))
			}
			$0 = out $0
		}
		print
	}'
}

hotloom_masked "$0.stdout" >"$0.out"
hotloom_masked "$0.stderr" >"$0.err"
hotloom_last=err
if [ ! -s "$0.stderr" ] || [ -n "$(find "$0.stdout" -newer "$0.stderr")" ]; then hotloom_last=out; fi
hotloom_last=$(LC_ALL=C awk 'NF { l = $0 } END { print substr(l, 1, 400) }' "$0.$hotloom_last")
hotloom_why="exit code $hotloom_code"
if [ -e "$0.late" ]; then
	hotloom_code=124
	hotloom_why="no end after $hotloom_limit s"
fi
cat "$0.out"
cat "$0.err" >&2
rm -f "$0".*
umask "$hotloom_umask"
printf %s "$hotloom_code" >"$heat_outputs_path.hotloom_status_code"
[ "$hotloom_code" != 0 ] || exit 0
[ "${hotloom_on_failure:-fail}" != continue ] || exit 0
printf '%s: %s%s' "${hotloom_step:-step}" "$hotloom_why" "${hotloom_last:+: $hotloom_last}" >"$heat_outputs_path.hotloom_failure"
exit "$hotloom_code"
