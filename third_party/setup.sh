# What ./run and ./test share; both source it. It prints only to standard error, so that the output of `./run … --json`
# stays clean.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build/release
say() { echo "${0##*/}: $*" >&2; }
give_up() { say "$*"; exit 3; }

# install_packages GROUP…: installs the missing packages of packages.txt. If none is missing, apt is not called.
install_packages() {
  local pattern wanted installed missing=() package
  pattern=$(IFS='|'; echo "$*")
  wanted=$(awk -v groups="^($pattern)$" '$1 ~ groups {print $2}' "$top/third_party/packages.txt")
  if ! command -v dpkg-query >/dev/null; then
    say "this is not a Debian system: its own packages for third_party/packages.txt must be there"
    return
  fi
  # dpkg-query fails for a package that it does not know
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true; } |
    awk '$1 == "installed" {print $2}')
  for package in $wanted; do
    grep -qxF -e "$package" <<<"$installed" || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then mapfile -t missing < <(what_apt_has "${missing[@]}"); fi
  if [ ${#missing[@]} -gt 0 ]; then install_named "${missing[@]}"; fi
}

# what_apt_has PACKAGE…: these, without what some systems lack and what is replaced there: toml++ by the pinned one
# (choose_toml), and the window's fonts by others. All of them as long as apt knows no packages at all.
what_apt_has() {
  local package lacked
  lacked=$(what_apt_lacks)
  for package; do
    grep -qxF -e "$package" <<<"$lacked" || echo "$package"
  done
}

# what_apt_lacks: of those packages, the ones that apt does not have. Kept until its lists are newer: where apt keeps no
# index, it makes one for each question, which takes seconds.
apt_lists=/var/lib/apt/lists
what_apt_lacks() {
  local kept=$top/build/apt-lacks replaced known package
  if [ ! -e "$kept" ] || [ "$apt_lists" -nt "$kept" ]; then
    replaced=$(awk '$2 ~ /^(libtomlplusplus-dev$|fonts-)/ {print $2}' "$top/third_party/packages.txt")
    known=$({ apt-cache show g++ $replaced 2>/dev/null || true; } | awk '$1 == "Package:" {print $2}')
    if ! grep -qx 'g++' <<<"$known"; then return; fi
    mkdir -p "$top/build"
    for package in $replaced; do
      grep -qxF -e "$package" <<<"$known" || echo "$package"
    done >"$kept"
  fi
  cat "$kept"
}

# install_named PACKAGE…
install_named() {
  local root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || give_up "these packages are missing, and there is no sudo to install them with: $*"
    root=(sudo)
  fi
  say "installing $# packages: $*"
  local log=$top/build/apt.log update=("${root[@]}" apt-get update -qq)
  if [ -n "${lists_are_new-}" ]; then update=(true); fi
  mkdir -p "$top/build"
  local install=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends) known
  if ! { "${update[@]}" && mapfile -t known < <(what_apt_has "$@") && "${install[@]}" "${known[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" >&2
    give_up "apt-get could not install them (its output: build/apt.log). Is the network there?"
  fi
  lists_are_new=yes
}

# install_and_fetch GROUP…: installs what building needs, and fetches the pinned dependencies meanwhile.
install_and_fetch() {
  install_packages fetch
  local more=()
  if [ "$1" = test ]; then more=(style nvcc); fi
  fetch_dependencies "${more[@]}" & local fetching=$!
  trap "kill $fetching 2>/dev/null || true" EXIT  # if a package is not available
  install_packages build "$@"
  wait $fetching || exit
  trap - EXIT
  choose_cmake
  choose_toml
}

# choose_toml: the system's toml++ if it has one, otherwise the pinned one.
choose_toml() {
  local folder
  for folder in /usr/include /usr/local/include; do
    if [ -e "$folder/toml++/toml.h" ]; then return; fi
  done
  "$top/third_party/fetch" toml >&2 || give_up "toml++ could not be had (see above)"
}

# choose_cmake: the system's if it is new enough for the presets, otherwise the pinned one, first in PATH.
choose_cmake() {
  local version
  version=$(cmake --version 2>/dev/null | awk 'NR == 1 {print $3}')
  if [ "$(printf '%s\n' 3.25 "${version:-0}" | sort -V | head -n 1)" = 3.25 ]; then return; fi
  local tools=${LANESCOPE_DEPS:-$top/third_party/.fetched}/tools/bin
  if [ ! -x "$tools/cmake" ]; then say "CMake ${version:-is missing}${version:+ is older than 3.25}: taking the pinned one"; fi
  "$top/third_party/fetch" tools >&2 || give_up "the pinned CMake could not be had (see above)"
  export PATH="$tools:$PATH"
}

# is_new_enough COMPILER: true for g++ 12, clang++ 14, or later.
is_new_enough() {
  local version
  command -v "$1" >/dev/null || return
  version=$(printf '__clang_major__ __GNUC__' | "$1" -E -P -x c++ - 2>/dev/null) || return
  case $version in
    __clang_major__*) [ "${version##* }" -ge 12 ] ;;
    [0-9]*) [ "${version%% *}" -ge 14 ] ;;
    *) false ;;
  esac
}

# choose_compiler: sets CXX and CC to c++ if it is new enough, otherwise to another installed compiler. A CXX that is
# already set stays.
choose_compiler() {
  local candidate
  if [ -n "${CXX-}" ] || is_new_enough c++; then return; fi
  if command -v apt-get >/dev/null && ! is_new_enough g++-12; then
    (install_named g++-12) || true
  fi
  for candidate in g++-15 g++-14 g++-13 g++-12 clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
    if is_new_enough "$candidate"; then
      say "compiling with $candidate: c++ is older than g++ 12 and clang 14"
      export CXX=$candidate CC=${candidate/++/}
      if [[ $candidate == g++* ]]; then export CC=gcc${candidate#g++}; fi
      return
    fi
  done
  give_up "no compiler is new enough for C++20 as used here: install g++ 12 or later, or clang 14 or later, or name one in CXX"
}

# fetch_dependencies [GROUP…]: fetches the pinned dependencies, including headers and library of the hardware counters,
# and the given groups.
fetch_dependencies() {
  "$top/third_party/fetch" cuda gui gpu "$@" >&2 || give_up "the pinned dependencies are not complete (see above)"
}

# build_preset PRESET TARGET…: configures if needed and builds; prints nothing if there is nothing to do.
build_preset() {
  local preset=$1; shift
  local stamp=$build/.configured-$preset
  if [ ! -e "$build/build.ninja" ] || [ ! -e "$stamp" ] || [ "$top/CMakePresets.json" -nt "$stamp" ]; then
    choose_compiler
    say "configuring (preset $preset)"
    mkdir -p "$build"
    (cd "$top" && cmake --preset "$preset" >"$build/configure.log" 2>&1) ||
      { tail -n 25 "$build/configure.log" >&2; give_up "cmake failed (its output: build/release/configure.log)"; }
    touch "$stamp"
  fi
  # By itself: the ninja of Ubuntu 22.04 has no --quiet.
  local hidden='no work to do|Re-checking globbed|Entering directory'
  if [ -x "$build/lanescope" ]; then hidden+='|^\[[0-9]+/[0-9]+\] '; else say "building; the first time takes a minute or two"; fi
  # One compiler per core: ninja's default, two more, takes a tenth longer on two cores.
  ninja -C "$build" -j "$(nproc)" "$@" > >(grep -v --line-buffered -E "$hidden" >&2) ||
    { say "the build failed (see above)"; exit 1; }
}
