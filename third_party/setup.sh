# What ./run and ./test share; sourced by them. Everything it prints goes to standard error, so that the output of
# `./run … --json` stays clean.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build/release
say() { echo "${0##*/}: $*" >&2; }
give_up() { say "$*"; exit 3; }

# install_packages GROUP…: the packages of packages.txt that are missing. With none missing apt is not touched.
install_packages() {
  local pattern wanted installed missing=() package
  pattern=$(IFS='|'; echo "$*")
  wanted=$(awk -v groups="^($pattern)$" '$1 ~ groups {print $2}' "$top/third_party/packages.txt")
  if ! command -v dpkg-query >/dev/null; then
    say "this is not a Debian system: its own packages for third_party/packages.txt must be there"
    return
  fi
  # dpkg-query fails when it has never heard of one of them
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true; } |
    awk '$1 == "installed" {print $2}')
  for package in $wanted; do
    grep -qxF -e "$package" <<<"$installed" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  local root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || give_up "these packages are missing, and there is no sudo to install them with: ${missing[*]}"
    root=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  local log=$top/build/apt.log update=("${root[@]}" apt-get update -qq)
  if [ -n "${lists_are_new-}" ]; then update=(true); fi
  mkdir -p "$top/build"
  local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
  local install=("${apt[@]}" install -y -qq --no-install-recommends "${missing[@]}")
  if ! { "${update[@]}" && "${install[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" >&2
    give_up "apt-get could not install them (its output: build/apt.log). Is the network there?"
  fi
  lists_are_new=yes
}

# install_and_fetch GROUP…: what building needs, and the pinned dependencies, fetched while packages are installed.
install_and_fetch() {
  install_packages fetch
  local more=()
  if [ "$1" = test ]; then more=(style nvcc); fi
  fetch_dependencies "${more[@]}" & local fetching=$!
  trap "kill $fetching 2>/dev/null || true" EXIT  # when a package cannot be had
  install_packages build "$@"
  wait $fetching || exit
  trap - EXIT
}

# fetch_dependencies [GROUP…]: the pinned ones, the headers and library of the hardware counters included, and more.
fetch_dependencies() {
  "$top/third_party/fetch" cuda gui gpu "$@" >&2 || give_up "the pinned dependencies are not complete (see above)"
}

# build_preset PRESET TARGET…: configures when needed and builds; quiet when there is nothing to do.
build_preset() {
  local preset=$1; shift
  local stamp=$build/.configured-$preset
  if [ ! -e "$build/build.ninja" ] || [ ! -e "$stamp" ] || [ "$top/CMakePresets.json" -nt "$stamp" ]; then
    say "configuring (preset $preset)"
    mkdir -p "$build"
    (cd "$top" && cmake --preset "$preset" >"$build/configure.log" 2>&1) ||
      { tail -n 25 "$build/configure.log" >&2; give_up "cmake failed (its output: build/release/configure.log)"; }
    touch "$stamp"
  fi
  local quiet=()
  if [ -x "$build/lanescope" ]; then quiet=(--quiet); else say "building; the first time takes a minute or two"; fi
  # One compiler a core: ninja's own choice, two more, takes a tenth longer on two cores.
  ninja -C "$build" -j "$(nproc)" "${quiet[@]}" "$@" > >(grep -v --line-buffered -E 'no work to do|Re-checking globbed|Entering directory' >&2) ||
    { say "the build failed (see above)"; exit 1; }
}
