//! The person's configuration: `loopglass/host-bridge.toml` in the user's configuration directory.
//!
//! It says where keys go and what runs without a question, so it must be a file that nobody but the person can change: it
//! is theirs, nobody else may write to it (nor read it, when a key is in it), and it does not lie in the workspace, where
//! a command can write. From the workspace nothing is ever read.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use serde::Deserialize;

use crate::policy::Rules;
use crate::relay::Configured;

/// What can stand in the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// `[relay.NAME]`: services the relay goes to.
    pub relay: BTreeMap<String, Configured>,
    /// `[policy]`: what runs without a question, and what never does.
    pub policy: Rules,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// What the file says; nothing, where there is none.
    pub config: Config,
    /// The file, when it was left unread because it lies in the workspace.
    pub left: Option<PathBuf>,
}

/// Why the configuration cannot be used. Each is one line for the person who wrote it.
#[derive(Debug)]
pub enum ConfigError {
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Others could have written it, or can read the key in it; what to do.
    Exposed(PathBuf, &'static str),
    /// It was named, and lies in the workspace.
    InWorkspace(PathBuf),
    /// It does not say what it may, and where.
    Wrong(PathBuf, usize, String),
}

/// Reads the file that was named, or the usual one if there is one. `workspace` is an absolute path without links.
pub fn read(named: Option<&Path>, workspace: &Path) -> Result<Found, ConfigError> {
    let Some(path) = named.map(Path::to_path_buf).or_else(usual) else { return Ok(Found::default()) };
    let unreadable = |error| ConfigError::Unreadable(path.clone(), error);
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => return Ok(Found::default()),
        Err(error) => return Err(unreadable(error)),
    };
    let absolute = std::path::absolute(&path).map_err(unreadable)?;
    if real.starts_with(workspace) || absolute.starts_with(workspace) {
        return match named {
            Some(_) => Err(ConfigError::InWorkspace(path)),
            None => Ok(Found { left: Some(path), ..Found::default() }),
        };
    }
    let about = fs::metadata(&real).map_err(unreadable)?;
    let owner = about.uid();
    if owner != nix::unistd::geteuid().as_raw() && owner != 0 {
        return Err(ConfigError::Exposed(path, "it belongs to somebody else"));
    }
    if about.mode() & 0o022 != 0 {
        return Err(ConfigError::Exposed(path, "others may write to it; chmod 600 makes it yours"));
    }
    let text = fs::read_to_string(&real).map_err(unreadable)?;
    let config: Config = toml::from_str(&text).map_err(|error| {
        // The library's own sentence quotes the line, and with it perhaps a key.
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        ConfigError::Wrong(path.clone(), before.matches('\n').count() + 1, error.message().to_owned())
    })?;
    if about.mode() & 0o044 != 0 && config.relay.values().any(|relay| relay.key.is_some()) {
        return Err(ConfigError::Exposed(path, "a key is in it, and others may read it; chmod 600 makes it yours"));
    }
    Ok(Found { config, left: None })
}

/// The usual place (XDG Base Directory Specification). A relative path in the environment counts as none: it would lead
/// into the workspace.
fn usual() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(folder.join("loopglass/host-bridge.toml"))
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "the configuration {} cannot be read: {error}", path.display()),
            Self::Exposed(path, why) => write!(f, "the configuration {} is not read: {why}", path.display()),
            Self::InWorkspace(path) => write!(
                f,
                "the configuration {} lies in the workspace, where a command could change it; keep it elsewhere",
                path.display()
            ),
            Self::Wrong(path, line, what) => {
                write!(f, "the configuration {} is wrong in line {line}: {}", path.display(), what.trim_end())
            }
        }
    }
}

impl std::error::Error for ConfigError {}
