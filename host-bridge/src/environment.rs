//! What of the environment stays: an allow list, because nobody can list every name a secret hides behind.
//!
//! Commands get what finds programs and speaks the person's language, and settings that keep programs from waiting for
//! somebody: there is no terminal, no pager, no editor and nobody to ask for a password. The bridge itself keeps a
//! little more, to open a browser. It executes itself once without the rest, because the environment a process was
//! started with can be read from outside for as long as it runs. The keys that the relay needs reach the second start
//! through a pipe, and from there memory that no child inherits.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};

/// A name and its value.
pub type Variable = (OsString, OsString);

const FOR_COMMANDS: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    // Languages and their package managers.
    "VIRTUAL_ENV",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "PYTHONPATH",
    "PYTHONHOME",
    "UV_CACHE_DIR",
    "CARGO_HOME",
    "CARGO_TARGET_DIR",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "GOPROXY",
    "JAVA_HOME",
    "MAVEN_HOME",
    "GRADLE_HOME",
    "ANDROID_HOME",
    "NVM_DIR",
    "NODE_PATH",
    "NPM_CONFIG_PREFIX",
    "PNPM_HOME",
    "VOLTA_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "GEM_HOME",
    "GEM_PATH",
    "RBENV_ROOT",
    "SDKMAN_DIR",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "HOMEBREW_PREFIX",
    "HOMEBREW_CELLAR",
    "HOMEBREW_REPOSITORY",
    "NIX_PATH",
    "NIX_PROFILES",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "MANPATH",
    "INFOPATH",
    // The way to the network.
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PIP_INDEX_URL",
];

const FOR_COMMANDS_PREFIXES: &[&str] = &["LC_", "CONDA_"];

const FOR_THE_BRIDGE: &[&str] = &[
    "RUST_LOG",
    "RUST_BACKTRACE",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_DIRS",
    "XDG_CONFIG_DIRS",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    "BROWSER",
    "WSL_DISTRO_NAME",
    "WSL_INTEROP",
    SEALED,
];

/// Names the descriptor of the pipe that holds what is kept of the secrets.
const SEALED: &str = "LOOPGLASS_SEALED";

/// The most that is kept of them, in bytes: less than any pipe takes without a reader.
const MOST_SECRETS: usize = 4096;

/// A name with one of these in it holds a secret, whatever list it stands in.
const SECRET_WORDS: &[&str] = &["KEY", "SECRET", "TOKEN", "PASSWORD", "PASSWD", "CREDENTIAL"];

/// What keeps programs from waiting for somebody. `NO_COLOR` is not among it: output to a pipe is plain anyway, and some
/// programs stumble over it.
const NOBODY_IS_THERE: &[(&str, &str)] = &[
    ("TERM", "dumb"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GH_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("AWS_PAGER", ""),
    ("EDITOR", "false"),
    ("VISUAL", "false"),
    ("GIT_EDITOR", NO_EDITOR),
    ("GIT_SEQUENCE_EDITOR", NO_EDITOR),
    ("GIT_TERMINAL_PROMPT", "0"),
    // Set and empty, so that git does not look for another one.
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", ""),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("SUDO_ASKPASS", "/bin/false"),
    ("GCM_INTERACTIVE", "never"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("PIP_NO_INPUT", "1"),
    // Output that a program holds back is lost when it is killed.
    ("PYTHONUNBUFFERED", "1"),
];

/// Git runs its editor by way of a shell, so it can be told why there is none.
const NO_EDITOR: &str =
    "sh -c 'echo \"There is no editor in this shell: give the text in the command, as in git commit -m.\" >&2; exit 1'";

/// The whole environment of a command.
pub fn for_commands(all: impl Iterator<Item = Variable>) -> Vec<Variable> {
    let is_kept = |(name, value): &Variable| is_for_commands(name, value) && !is_another_charset(name, value);
    let mut kept: Vec<Variable> = all.filter(is_kept).collect();
    if !kept.iter().any(|(name, _)| name == "LANG" || name == "LC_ALL") {
        kept.push(("LANG".into(), "C.UTF-8".into()));
    }
    kept.extend(NOBODY_IS_THERE.iter().map(|(name, value)| (name.into(), value.into())));
    kept
}

/// Whether a variable has programs write anything but UTF-8, which nobody here would read. A language without a charset
/// has an old one.
fn is_another_charset(name: &OsStr, value: &OsStr) -> bool {
    let value = value.to_string_lossy().to_ascii_lowercase().replace('-', "");
    ["LANG", "LC_ALL", "LC_CTYPE"].iter().any(|it| name == *it) && !value.contains("utf8")
}

/// The environment the bridge itself runs in.
fn for_the_bridge(all: impl Iterator<Item = Variable>) -> Vec<Variable> {
    all.filter(|(name, value)| {
        is_for_commands(name, value) || name.to_str().is_some_and(|name| FOR_THE_BRIDGE.contains(&name))
    })
    .collect()
}

/// Makes sure that this process was started without secrets: executes the program anew, in the same process, when it was
/// started with more than it should keep. Returns when there is nothing more to drop, with those of the variables
/// `wanted` that were set when the program was started.
pub fn shed_secrets(wanted: &[&str]) -> io::Result<BTreeMap<String, String>> {
    use std::os::unix::process::CommandExt;

    if let Ok(descriptor) = std::env::var(SEALED) {
        return unseal(&descriptor);
    }
    let secrets: BTreeMap<&str, String> =
        wanted.iter().filter_map(|name| Some((*name, std::env::var(name).ok()?))).collect();
    let mut kept = for_the_bridge(std::env::vars_os());
    if kept.len() == std::env::vars_os().count() {
        return Ok(secrets.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    }
    let text = serde_json::to_vec(&secrets).map_err(io::Error::other)?;
    if text.len() > MOST_SECRETS {
        return Err(io::Error::other("the keys in the environment are too long to be keys"));
    }
    // The reading end stays open over the execution, and is closed by `unseal`, before anything else is started.
    let (reading, writing) = nix::unistd::pipe()?;
    File::from(writing).write_all(&text)?;
    kept.push((SEALED.into(), reading.as_raw_fd().to_string().into()));
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    Err(std::process::Command::new(std::env::current_exe()?).arg0(name).args(arguments).env_clear().envs(kept).exec())
}

/// What the first start left for this one.
fn unseal(descriptor: &str) -> io::Result<BTreeMap<String, String>> {
    let broken = || io::Error::other(format!("{SEALED} is set, which only the program itself may do"));
    let number: RawFd = descriptor.parse().ok().filter(|number| *number > 2).ok_or_else(broken)?;
    let mut text = Vec::new();
    File::open(format!("/dev/fd/{number}"))?.take(MOST_SECRETS as u64).read_to_end(&mut text)?;
    nix::unistd::close(number)?;
    serde_json::from_slice(&text).map_err(|_| broken())
}

fn is_for_commands(name: &OsStr, value: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_listed = FOR_COMMANDS.contains(&name) || FOR_COMMANDS_PREFIXES.iter().any(|it| name.starts_with(it));
    let upper = name.to_ascii_uppercase();
    let sounds_secret = SECRET_WORDS.iter().any(|word| upper.contains(word));
    // The address of a proxy or an index may hold a password.
    let value = value.to_string_lossy();
    let holds_login = value.split_once("://").is_some_and(|(_, rest)| rest.contains('@'));
    is_listed && !sounds_secret && !holds_login
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, value: &str, kept_for_commands: bool, kept_for_the_bridge: bool) {
        let variable = || std::iter::once((OsString::from(name), OsString::from(value)));
        let is_kept = |kept: Vec<Variable>| kept.iter().any(|(n, v)| n == name && v == value);
        assert_eq!(is_kept(for_commands(variable())), kept_for_commands, "{name} for commands");
        assert_eq!(is_kept(for_the_bridge(variable())), kept_for_the_bridge, "{name} for the bridge");
    }

    #[test]
    fn what_is_not_listed_is_dropped() {
        check("PATH", "/bin", true, true);
        check("LC_TIME", "zh_CN.UTF-8", true, true);
        check("CONDA_PREFIX", "/opt/conda", true, true);
        check("DISPLAY", ":0", false, true);
        check("SSH_AUTH_SOCK", "/tmp/agent", false, false);
        check("ANTHROPIC_API_KEY", "sk-1", false, false);
        check("DATABASE_URL", "postgres://u:p@h/d", false, false);
        check("GH_PAT", "ghp_1", false, false);
        check("BASH_ENV", "/tmp/rc", false, false);
        check("LD_PRELOAD", "/tmp/x.so", false, false);
        check("PATHS", "x", false, false);
    }

    #[test]
    fn a_listed_name_with_a_secret_is_dropped() {
        check("CONDA_TOKEN", "t", false, false);
        check("LC_SECRET", "s", false, false);
        check("HTTPS_PROXY", "http://proxy:3128", true, true);
        check("HTTPS_PROXY", "http://user:pass@proxy:3128", false, false);
        check("PIP_INDEX_URL", "https://pass@index/simple", false, false);
    }

    #[test]
    fn a_language_is_always_set() {
        let lang = |all: &[(&str, &str)]| {
            let all = all.iter().map(|(name, value)| (name.into(), value.into()));
            for_commands(all).into_iter().find(|(name, _)| name == "LANG").map(|(_, value)| value)
        };
        assert_eq!(lang(&[]), Some("C.UTF-8".into()));
        assert_eq!(lang(&[("LANG", "de_DE.UTF-8")]), Some("de_DE.UTF-8".into()));
        assert_eq!(lang(&[("LC_ALL", "de_DE.utf8")]), None);
        // One in which programs would not write UTF-8 gives way.
        for other in ["C", "POSIX", "de_DE", "zh_CN.GBK", "ja_JP.eucJP", "ru_RU.KOI8-R", "de_DE@euro", ""] {
            for name in ["LANG", "LC_ALL", "LC_CTYPE"] {
                assert_eq!(lang(&[(name, other)]), Some("C.UTF-8".into()), "{name}={other}");
                assert!(
                    !for_commands(std::iter::once((name.into(), other.into()))).contains(&(name.into(), other.into()))
                );
            }
        }
    }
}
