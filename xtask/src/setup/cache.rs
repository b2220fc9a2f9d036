//! The per-user cache of tools: `$XDG_CACHE_HOME/loopglass/<tool>-<version>`.

use std::path::PathBuf;

use crate::failure::Failure;

pub(crate) fn folder() -> Result<PathBuf, Failure> {
    let cache = match (std::env::var_os("XDG_CACHE_HOME"), std::env::home_dir()) {
        (Some(cache), _) if !cache.is_empty() => PathBuf::from(cache),
        (_, Some(home)) => home.join(".cache"),
        (_, None) => return Err(Failure::Missing("no home folder: set XDG_CACHE_HOME".to_string())),
    };
    Ok(cache.join("loopglass"))
}
