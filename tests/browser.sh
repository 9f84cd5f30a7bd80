#!/bin/sh
# Print "chromium chromedriver", the two programs that open a page for the tests. On a Debian where we may,
# install them first. Where there are none, say what to install, print nothing and succeed: those tests are skipped.
set -u

first() {
  for name in "$@"; do
    command -v "$name" && return
  done
  return 1
}

found() {
  chromium=$(first chromium chromium-browser google-chrome google-chrome-stable) &&
    driver=$(first chromedriver /usr/lib/chromium/chromedriver /usr/lib/chromium-browser/chromedriver)
}

install() {
  grep -qx 'ID=debian' /etc/os-release 2>/dev/null && command -v apt-get >/dev/null || return
  if [ "$(id -u)" = 0 ]; then
    as_root=
  else
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || return
    as_root="sudo -n"
  fi
  echo "installing chromium and chromium-driver, for the tests of the HTML pages" >&2
  $as_root apt-get -qq update >&2
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends chromium chromium-driver </dev/null >&2
}

found || install
if found; then
  echo "$chromium $driver"
else
  echo "no test opens a page in a browser: install Chromium and chromedriver (on Debian: apt-get install chromium chromium-driver)." >&2
fi
exit 0
