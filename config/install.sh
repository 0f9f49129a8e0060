#!/bin/sh
# Installs Mailstead, or a newer version of it, from any address that has the files of a release:
#
#   sh install.sh --from https://downloads.example.com/mailstead
#   sh install.sh --uninstall
#
# As root it installs for the machine, otherwise in the home of the user. It verifies the signature of SHA256SUMS with the
# key below, and the hash of the archive. `mailstead service install` does the rest: user, folders, configuration, unit.
# It can be repeated; --uninstall keeps data and configuration.
set -eu

# The public key of the releases, in PEM; the build fills it in. Empty: the release is not signed.
key="@RELEASE_KEY@"
case $key in @*) key='' ;; esac

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

usage() {
  say "Usage: install.sh --from URL [--key FILE] [--unsigned] [--root DIR]"
  say "       install.sh --uninstall [--root DIR]"
  say
  say "  --from URL    where SHA256SUMS and the archives are (or MAILSTEAD_FROM)"
  say "  --key FILE    another public key of the releases, in PEM"
  say "  --unsigned    accept a release without a signature; the hash is still verified"
  say "  --root DIR    install below this folder, and start nothing"
  say "  --uninstall   stop the server; remove unit and executable, keep data and configuration"
}

from=${MAILSTEAD_FROM:-} root='' action=install unsigned=no
while [ $# -gt 0 ]; do
  case $1 in
    --from | --key | --root)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case $1 in
        --from) from=$2 ;;
        --key) key=$(cat "$2") || fail "$2 cannot be read" ;;
        --root) root=$2 ;;
      esac
      shift 2
      ;;
    --unsigned) unsigned=yes && shift ;;
    --uninstall) action=uninstall && shift ;;
    --help | -h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
  esac
done

if [ "$(id -u)" -eq 0 ]; then
  program=$root/usr/local/bin/mailstead
  unit=$root/etc/systemd/system/mailstead.service
else
  program=$root${HOME:?}/.local/bin/mailstead
  unit=$root${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/mailstead.service
fi

service() {
  if [ -n "$root" ]; then "$@" --root "$root"; else "$@"; fi
}

if [ "$action" = uninstall ]; then
  if [ -x "$program" ]; then
    [ ! -e "$unit" ] || service "$program" service uninstall
    rm -f "$program" "$program.previous"
    say "Removed $program"
  else
    say "$program is not installed."
  fi
  exit 0
fi

[ -n "$from" ] || {
  usage >&2
  exit 2
}
from=${from%/}

system() {
  libc=''
  case $(uname -s) in
    Linux)
      os=linux
      # What ldd prints differs between the libraries; it exits with 1 on musl.
      case $(ldd --version 2>&1 || true) in *musl*) libc=-musl ;; esac
      ;;
    Darwin) os=darwin ;;
    *) fail "there is no release for $(uname -s); on Windows unpack the zip file" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail "there is no release for $(uname -m)" ;;
  esac
  printf '%s\n' "$os-$cpu$libc"
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --output "$2" "$1" || fail "$1 cannot be fetched"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1" || fail "$1 cannot be fetched"
  else
    fail "curl or wget is missing"
  fi
}

hash_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    shasum -a 256 "$1" | cut -d ' ' -f 1
  fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

platform=$(system)
fetch "$from/SHA256SUMS" "$folder/SHA256SUMS"

if [ "$unsigned" = yes ]; then
  say "The signature is not verified, because of --unsigned."
elif [ -z "$key" ]; then
  fail "this install.sh has no key: name one with --key FILE, or take an unsigned release with --unsigned"
elif ! command -v openssl >/dev/null 2>&1; then
  fail "openssl, which verifies the signature, is missing: install it (apt-get install openssl)"
else
  fetch "$from/SHA256SUMS.sig" "$folder/SHA256SUMS.sig"
  printf '%s\n' "$key" >"$folder/key.pem"
  openssl pkeyutl -verify -pubin -inkey "$folder/key.pem" -rawin -in "$folder/SHA256SUMS" \
    -sigfile "$folder/SHA256SUMS.sig" >/dev/null 2>&1 ||
    fail "the signature of SHA256SUMS is wrong (or openssl is older than 3.0); nothing was installed"
  say "The signature is right."
fi

archive=$(sed -n "s/^[0-9a-f]\{64\}  \(mailstead-[0-9][0-9A-Za-z.-]*-$platform\.tar\.gz\)\$/\1/p" "$folder/SHA256SUMS")
# linux-x64 is not linux-x64-musl: the name ends where the platform ends.
[ "$(printf '%s' "$archive" | grep -c .)" -eq 1 ] || fail "the release has no archive for $platform"
expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$folder/SHA256SUMS")

say "Fetching $from/$archive"
fetch "$from/$archive" "$folder/$archive"
[ "$(hash_of "$folder/$archive")" = "$expected" ] || fail "$archive is not the file that SHA256SUMS names; nothing was installed"
tar -xzf "$folder/$archive" -C "$folder"
unpacked=$folder/${archive%.tar.gz}/mailstead
"$unpacked" version >/dev/null || {
  case $platform in *-musl) say "On Alpine it needs: apk add libstdc++ libgcc" >&2 ;; esac
  fail "the executable does not run on this machine; nothing was installed"
}

if [ "$(uname -s)" = Linux ]; then
  service "$unpacked" service install --update-url "$from/update.json"
else
  mkdir -p "$(dirname "$program")"
  cp "$unpacked" "$program.draft"
  mv "$program.draft" "$program"
  say "Installed $program. Start it with: $program serve"
fi
