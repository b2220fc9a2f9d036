//! What a first visit costs: every file of the page as it travels but for the parts that come later, held to a budget.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::compress::VARIANTS;
use crate::failure::Failure;
use crate::fingerprint::files_under;
use crate::split;

/// What the first load may cost. docs/architecture.md, "Budgets": kB as in 1000 bytes.
pub(crate) const BUDGET: u64 = 250_000;

/// The files of the built page. All but the parts count, whether or not the first view asks for them; that it asks for no
/// part is checked in a browser (tests/browser/specs/first-load.spec.mjs).
pub(crate) struct FirstLoad {
    files: Vec<Sent>,
    parts: Vec<Sent>,
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
        let (parts, files): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| Path::new(&file.name).starts_with(split::PARTS));
        if files.is_empty() {
            return Err(Failure::Step("dist holds no page".to_string()));
        }
        Ok(FirstLoad { files, parts })
    }

    pub(crate) fn total(&self) -> u64 {
        sent(&self.files)
    }
}

fn sent(files: &[Sent]) -> u64 {
    files.iter().map(|file| file.sent).sum()
}

impl fmt::Display for FirstLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |name: &str, plain: u64, sent: u64| writeln!(f, "{name:<48} {plain:>10} {sent:>10}");
        for file in self.files.iter().chain(&self.parts) {
            line(&file.name, file.plain, file.sent)?;
        }
        let plain = |files: &[Sent]| files.iter().map(|file| file.plain).sum();
        line("parts, when they are needed", plain(&self.parts), sent(&self.parts))?;
        line("first load", plain(&self.files), self.total())?;
        writeln!(f, "bytes, plain and as brotli; the first load may be {BUDGET}")
    }
}

fn size(file: &Path) -> Result<u64, Failure> {
    fs::metadata(file).map(|data| data.len()).map_err(|error| Failure::Step(format!("{}: {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_but_the_parts_counts_once_and_as_it_travels() {
        let dist = std::env::temp_dir().join(format!("loopglass-first-load-{}", std::process::id()));
        fs::create_dir_all(dist.join("icons")).unwrap();
        fs::create_dir_all(dist.join("parts")).unwrap();
        let files =
            [("a.wasm", 900), ("a.wasm.br", 300), ("a.wasm.gz", 400), ("icons/b.png", 50), ("parts/c.wasm", 70)];
        for (name, size) in files {
            fs::write(dist.join(name), vec![0; size]).unwrap();
        }
        let load = FirstLoad::measure(&dist).unwrap();
        let shown: Vec<_> = load.files.iter().map(|file| (file.name.as_str(), file.plain, file.sent)).collect();
        assert_eq!(shown, [("a.wasm", 900, 300), ("icons/b.png", 50, 50)]);
        assert_eq!(load.total(), 350);
        fs::remove_dir_all(&dist).unwrap();
    }
}
