# What .ci/run and .ci/nightly share: a part counts what passed and what failed, and what cannot be counted has failed.
# shellcheck shell=bash
set -uo pipefail
export CI=true npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false
# A registry that fails for a moment is asked again.
export npm_config_fetch_retries=5 npm_config_fetch_timeout=120000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 logs=0

finish() { # some, and none that failed; what failed is said last, where it is found
  if [ -s "$scratch/failures" ]; then cat "$scratch/failures" >&2; fi
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
  exit
}

part() { # title
  printf '\n== %s (%s)\n' "$1" "$(date -u +%T)"
}

stop() { # reason: what could not even be tried counts as failed
  echo "ci: $1" >&2
  failed=$((failed + 1))
  finish
}

count() { # kind, floor, status, file: see count.mjs
  local good bad
  if ! read -r good bad < <(node .ci/count.mjs "$@" 2>>"$scratch/failures") || ! [[ $good$bad =~ ^[0-9]+$ ]]; then good=0 bad=1; fi
  passed=$((passed + good))
  failed=$((failed + bad))
}

counted() { # kind, floor, npm script and its arguments: what it prints is shown, and counted
  local kind=$1 floor=$2 log=$scratch/$((logs += 1)).log
  shift 2
  npm run --silent "$@" </dev/null | tee "$log"
  count "$kind" "$floor" "${PIPESTATUS[0]}" "$log"
}

packages() { # more of them: services that come with them are not started
  local names missing=()
  names=$(npm run --silent stack -- packages) || stop 'the list of Debian packages cannot be had'
  for name in $names "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} = 0 ] && return
  apt_get update || echo 'ci: apt-get update failed, trying with the lists that are there' >&2
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt_get install -y --no-install-recommends "${missing[@]}" ||
    stop "apt-get cannot install ${missing[*]}"
}

apt_get() { # a mirror that fails is asked again, and what else installs something, as a fresh machine does, is waited for
  apt-get -qq -o Acquire::Retries=5 -o DPkg::Lock::Timeout=600 "$@" </dev/null
}
