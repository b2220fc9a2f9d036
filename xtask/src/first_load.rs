//! What a first visit costs: every file of the page as it travels, held to a budget.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::compress::VARIANTS;
use crate::failure::Failure;
use crate::fingerprint::files_under;

/// What the first load may cost in the end. docs/architecture.md, "Budgets": kB as in 1000 bytes.
pub(crate) const BUDGET: u64 = 250_000;

/// What it may cost until then. The page is over its budget; it must not grow, and whoever makes it smaller lowers this.
pub(crate) const CEILING: u64 = 415_000;

/// The files of the built page. Each counts, whether or not the first view asks for it.
pub(crate) struct FirstLoad {
    files: Vec<Sent>,
}

/// One file: its size on disk, and as the bridge sends it to a browser that takes brotli.
struct Sent {
    name: String,
    plain: u64,
    sent: u64,
}

impl FirstLoad {
    /// Of the page in `dist`.
    pub(crate) fn measure(dist: &Path) -> Result<FirstLoad, Failure> {
        let found = files_under(dist, &[]).map_err(|error| Failure::Step(format!("dist: {error}")))?;
        let is_variant = |file: &PathBuf| VARIANTS.iter().any(|ending| file.extension().is_some_and(|e| e == *ending));
        let mut files = found
            .iter()
            .filter(|file| !is_variant(file))
            .map(|file| {
                let plain = size(file)?;
                let sent = size(&PathBuf::from(format!("{}.br", file.display()))).unwrap_or(plain);
                Ok(Sent { name: file.strip_prefix(dist).unwrap_or(file).display().to_string(), plain, sent })
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        files.sort_by_key(|file| std::cmp::Reverse(file.sent));
        if files.is_empty() {
            return Err(Failure::Step("dist holds no page".to_string()));
        }
        Ok(FirstLoad { files })
    }

    pub(crate) fn total(&self) -> u64 {
        self.files.iter().map(|file| file.sent).sum()
    }
}

impl fmt::Display for FirstLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<32} {:>10} {:>10}", "first load, bytes", "plain", "brotli")?;
        for file in &self.files {
            writeln!(f, "{:<32} {:>10} {:>10}", file.name, file.plain, file.sent)?;
        }
        let plain: u64 = self.files.iter().map(|file| file.plain).sum();
        writeln!(f, "{:<32} {plain:>10} {:>10}  (ceiling {CEILING}, budget {BUDGET})", "everything", self.total())
    }
}

fn size(file: &Path) -> Result<u64, Failure> {
    fs::metadata(file).map(|data| data.len()).map_err(|error| Failure::Step(format!("{}: {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_counts_once_and_as_it_travels() {
        let dist = std::env::temp_dir().join(format!("loopglass-first-load-{}", std::process::id()));
        fs::create_dir_all(dist.join("icons")).unwrap();
        for (name, size) in [("a.wasm", 900), ("a.wasm.br", 300), ("a.wasm.gz", 400), ("icons/b.png", 50)] {
            fs::write(dist.join(name), vec![0; size]).unwrap();
        }
        let load = FirstLoad::measure(&dist).unwrap();
        let shown: Vec<_> = load.files.iter().map(|file| (file.name.as_str(), file.plain, file.sent)).collect();
        assert_eq!(shown, [("a.wasm", 900, 300), ("icons/b.png", 50, 50)]);
        assert_eq!(load.total(), 350);
        fs::remove_dir_all(&dist).unwrap();
    }
}
