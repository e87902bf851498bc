#!/usr/bin/env bash
# third_party/setup.sh on systems whose compiler or CMake is too old, simulated by programs that only print a version.
set -uo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# tells NAME OUTPUT: makes a program NAME that always prints OUTPUT
tells() { printf '#!/bin/sh\necho "%s"\n' "$2" >"$folder/$1"; chmod +x "$folder/$1"; }
# check WHAT EXPECTED COMMAND: compares COMMAND's output with EXPECTED, with setup.sh sourced and `folder` first in PATH
check() {
  local got
  got=$(cd "$top" && env -u CXX -u CC PATH="$folder:$PATH" bash -c ". third_party/setup.sh; $3" 2>/dev/null)
  if [ "$got" = "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: got \"$got\", expected \"$2\""; fi
}

tells old_gcc '__clang_major__ 11'; tells new_gcc '__clang_major__ 12'
tells old_clang '13 4'; tells new_clang '14 4'
check "g++ 11 is too old" no 'is_new_enough old_gcc && echo yes || echo no'
check "g++ 12 is new enough" yes 'is_new_enough new_gcc && echo yes || echo no'
check "clang 13 is too old, though it calls itself g++ 4" no 'is_new_enough old_clang && echo yes || echo no'
check "clang 14 is new enough" yes 'is_new_enough new_clang && echo yes || echo no'
check "what is not there is not new enough" no 'is_new_enough not_there && echo yes || echo no'

tells c++ '__clang_major__ 13'
check "a new c++ is left as it is" "" 'choose_compiler; echo "${CXX-}"'
tells c++ '__clang_major__ 9'; tells g++-15 '__clang_major__ 11'; tells g++-14 '__clang_major__ 14'; tells g++-12 '__clang_major__ 12'
check "the newest beside an old c++ is taken, with its C compiler" "g++-14 gcc-14" 'choose_compiler; echo "$CXX $CC"'
check "what CXX names stays" mine 'CXX=mine; choose_compiler; echo "$CXX"'

tells cmake 'cmake version 3.25.1'
check "CMake 3.25 is used" same 'before=$PATH; choose_cmake; [ "$PATH" = "$before" ] && echo same'
tells cmake 'cmake version 4.1.0'
check "CMake 4 is used" same 'before=$PATH; choose_cmake; [ "$PATH" = "$before" ] && echo same'
tells cmake 'cmake version 3.22.1'
mkdir -p "$folder/top/third_party"; printf '#!/bin/sh\necho fetch "$@" >&2\n' >"$folder/top/third_party/fetch"; chmod +x "$folder/top/third_party/fetch"
check "instead of CMake 3.22 the pinned one" there "LANESCOPE_DEPS=$folder/deps; top=$folder/top; choose_cmake; case \$PATH in $folder/deps/tools/bin:*) echo there;; esac"
mkdir -p "$folder/deps/tools/bin"; tells deps/tools/bin/cmake 'cmake version 3.31.10'
check "of a pinned CMake that is there nothing is said" "fetch tools" "LANESCOPE_DEPS=$folder/deps; top=$folder/top; choose_cmake 2>&1"

cp "$top/third_party/packages.txt" "$folder/top/third_party/"; mkdir "$folder/lists"
at_top="top=$folder/top; apt_lists=$folder/lists; rm -rf $folder/top/build; : >$folder/asked"
# apt_knows PACKAGE…: an apt-cache that has these, and counts how often it is asked
apt_knows() {
  printf '#!/bin/sh\necho >>"%s/asked"; shift\nfor one; do case " %s " in *" $one "*) echo "Package: $one";; *) missing=yes;; esac; done\n[ -z "$missing" ]\n' \
    "$folder" "$*" >"$folder/apt-cache"; chmod +x "$folder/apt-cache"
}
apt_knows g++ cmake libfmt-dev
check "toml++ and fonts are not asked of an apt that lacks them" "g++ cmake libfmt-dev " "$at_top; what_apt_has g++ libtomlplusplus-dev cmake fonts-inter libfmt-dev | tr '\n' ' '"
check "apt is asked once, and again when its lists are newer" "1 2 libfmt-dev fonts-inter" "$at_top; touch -d '1 minute ago' $folder/lists
  for turn in 1 2 3; do what_apt_has libfmt-dev fonts-inter fonts-noto-cjk >/dev/null; done; first=\$(wc -l <$folder/asked)
  echo '#!/bin/sh
    echo >>$folder/asked; echo Package: g++; echo Package: fonts-inter' >$folder/apt-cache; touch -d '1 minute' $folder/lists
  has=\$(what_apt_has libfmt-dev fonts-inter fonts-noto-cjk | tr '\n' ' '); echo \$first \$(wc -l <$folder/asked) \$has"
printf '#!/bin/sh\nexit 1\n' >"$folder/apt-cache"
check "an apt without lists may have all" "g++ libtomlplusplus-dev fonts-inter " "$at_top; what_apt_has g++ libtomlplusplus-dev fonts-inter | tr '\n' ' '"

mkdir -p "$folder/built"; touch "$folder/built/build.ninja" "$folder/built/.configured-release" "$folder/built/lanescope"; chmod +x "$folder/built/lanescope"
cat >"$folder/ninja" <<'EOF'
#!/bin/sh
case " $* " in *" --quiet "*) echo "ninja: unrecognized option '--quiet'"; exit 1 ;; esac
echo "[1/2] Building CXX object a.o"; echo "a.cpp:1: warning: unused"
EOF
chmod +x "$folder/ninja"
check "the ninja of Ubuntu 22.04 builds again, and only what it warns of is shown" "a.cpp:1: warning: unused" "build=$folder/built; build_preset release lanescope 2>&1"
rm "$folder/ninja"

check "./test --help tells of each option, and installs nothing" "--asan --fuzz --help --installed --programs " \
  "PATH=/usr/bin:/bin timeout 5 ./test --help | grep -o -e '^  *[.]/test --[a-z]*' | sed 's|.*/test ||' | sort | tr '\n' ' '"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
