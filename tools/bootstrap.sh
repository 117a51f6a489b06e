# SPDX-License-Identifier: Apache-2.0
# Sourced by ./pyrometer and ./test (POSIX sh): packages, configuring, building.
# Only a shell, coreutils, util-linux and apt are taken for granted. Everything
# is said on stderr, because stdout belongs to the program that runs next.

say() { printf 'pyrometer: %s\n' "$*" >&2; }

# A line every so many seconds tells someone who waits that it goes on.
beat_seconds=${PYROMETER_BEAT_SECONDS:-30}

# timed WHAT COMMAND...: says what is being done, that it goes on, and how long it took.
timed() {
  what=$1
  shift
  say "$what"
  started=$(date +%s)
  beat "$what" "$started" &
  beating=$!
  "$@"
  result=$?
  kill "$beating" 2>/dev/null
  wait "$beating" 2>/dev/null
  say "$what: $(($(date +%s) - started)) s"
  return "$result"
}

# Until it is killed, or who started it is gone.
beat() {
  next=$beat_seconds
  while sleep 1 9>&- >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    seconds=$(($(date +%s) - $2))
    [ "$seconds" -ge "$next" ] || continue
    next=$((seconds + beat_seconds))
    say "$1, $seconds s so far"
  done
}

# Prints the packages of the given kinds (build, test, optional, long) that are not
# installed, unless one of the commands behind a package is there without it.
missing_packages() {
  for kind in "$@"; do
    sed -n "s/^$kind  *//p" "$root/tools/packages.txt"
  done | while read -r package commands; do
    for command in $commands; do
      if command -v "$command" >/dev/null 2>&1; then continue 2; fi
    done
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s ' "$package"
  done
}

# Installs what is missing, or names the exact command and fails with 2. Where
# there is no dpkg the compiler says what is missing.
ensure_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0
  missing=$(missing_packages "$@")
  missing=${missing% }
  [ -n "$missing" ] || return 0

  find_root
  if [ -n "$as_root" ]; then
    if timed "installing packages: $missing" apt_get_them $missing; then
      return 0
    fi
    tail -n 15 "$root/build/apt.log" >&2
  fi
  say "these packages are missing and could not be installed; please run:"
  printf '  sudo apt-get install --no-install-recommends %s\n' "$missing" >&2
  return 2
}

# Sets as_root to what commands for root begin with, empty if we cannot be root.
find_root() {
  if [ "$(id -u)" = 0 ]; then
    as_root=env
  elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root="sudo env"
  else
    as_root=
  fi
}

# Installs what is missing and can do without: what fails is only said.
try_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0
  find_root
  for package in $(missing_packages "$@"); do
    if [ -n "$as_root" ]; then
      if timed "installing package: $package" apt_get_them "$package"; then continue; fi
    fi
    say "without the package $package, tests that need it are skipped"
  done
}

# The package lists of a fresh machine may be empty or old: fetch them only then.
apt_get_them() { apt_install "$@" || { apt_run update && apt_install "$@"; }; }
apt_install() { apt_run install -y --no-install-recommends "$@"; }
apt_run() {
  $as_root DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >>"$root/build/apt.log" 2>&1 </dev/null 9>&-
}

# Holds build/.lock on descriptor 9 until the calling (sub)shell ends.
take_build_lock() {
  mkdir -p "$root/build" || return
  exec 9>"$root/build/.lock"
  flock -n 9 || {
    say "waiting for another build of this tree"
    flock 9
  }
}

# build_tree TESTS TARGET...: configures build/release when that was not done
# or when TESTS (ON, OFF) needs it, and builds. Once built with tests, a tree
# keeps them: ninja builds only the targets that it is asked for.
build_tree() {
  tests=$1
  shift
  tree=$root/build/release
  log=$tree/build.log
  mkdir -p "$tree"
  : >"$log"
  if [ ! -e "$tree/build.ninja" ] ||
    { [ "$tests" = ON ] && ! grep -q '^PYRO_TESTS:BOOL=ON' "$tree/CMakeCache.txt"; }; then
    timed "configuring build/release" configure || {
      cat "$log" >&2
      say "configuring failed (the log is build/release/build.log)"
      return 1
    }
  fi
  started=$(date +%s)
  # The status file carries ninja's exit code past the pipe.
  {
    NINJA_STATUS='[%f/%t] ' ninja -C "$tree" "$@" 2>&1 9>&- && echo 0 >"$tree/.status" ||
      echo 1 >"$tree/.status"
  } | tee -a "$log" | show_progress
  if [ "$(cat "$tree/.status")" != 0 ]; then
    grep -v '^\[[0-9]*/[0-9]*\] \(Building\|Linking\|Generating\)' "$log" >&2
    say "the build failed (the log is build/release/build.log)"
    return 1
  fi
  seconds=$(($(date +%s) - started))
  [ "$seconds" -lt 2 ] || say "built in $seconds s"
}

configure() {
  (cd "$root" && cmake --preset release -DPYRO_TESTS="$tests") >>"$log" 2>&1 9>&-
}

# Turns ninja's lines on stdin into one line that is drawn over and over, or, when
# stderr is not a terminal, into a line now and then.
show_progress() {
  if [ ! -t 2 ] || [ "${TERM:-dumb}" = dumb ]; then
    next=$((started + beat_seconds))
    while IFS= read -r line; do
      now=$(date +%s)
      [ "$now" -ge "$next" ] || continue
      next=$((now + beat_seconds))
      case $line in \[*/*\]*) say "building, $((now - started)) s so far: ${line%%]*}] steps" ;; esac
    done
    return
  fi
  full='########################################'
  none='                                        '
  while IFS= read -r line; do
    case $line in
    \[*/*\]*)
      count=${line%%]*}
      count=${count#[}
      finished=${count%/*}
      total=${count#*/}
      filled=$((finished * 40 / total))
      printf '\rpyrometer: building [%.*s%.*s] %s ' "$filled" "$full" $((40 - filled)) "$none" \
        "$count" >&2
      ;;
    esac
  done
  printf '\r\033[K' >&2
}

# The program and what it loads, under the lock. The stamp carries the time from
# before the build, so that an edit made during it is not missed.
bootstrap_program() {
  root=$1
  take_build_lock && ensure_packages build || return
  touch "$root/build/.building"
  build_tree OFF pyrometer || return
  mv "$root/build/.building" "$root/build/release/.built"
}

# bootstrap_tests ROOT [KIND...]: everything that ./test needs: all targets, build/venv with pytest, and
# what can be had of the packages of other kinds.
bootstrap_tests() {
  root=$1
  shift
  take_build_lock && ensure_packages build test || return
  try_packages optional "$@"
  touch "$root/build/.building"
  build_tree ON all || return
  mv "$root/build/.building" "$root/build/release/.built"
  venv=$root/build/venv
  if [ -z "$(find "$venv/.installed" -newer "$root/tools/requirements-test.txt" 2>/dev/null)" ]; then
    timed "setting up build/venv" make_venv || {
      cat "$root/build/venv.log" >&2
      say "setting up build/venv failed"
      return 1
    }
  fi
}

make_venv() {
  {
    python3 -m venv --clear "$venv" &&
      "$venv/bin/python" -m pip install -q -r "$root/tools/requirements-test.txt" &&
      touch "$venv/.installed"
  } >"$root/build/venv.log" 2>&1 9>&-
}
