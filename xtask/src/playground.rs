//! The folder a first run works in: target/playground, with something in it to ask about.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::project::Project;

const FILES: [(&str, &str); 3] = [
    ("app.py", include_str!("../playground/app.py")),
    ("utils.py", include_str!("../playground/utils.py")),
    ("notes.txt", include_str!("../playground/notes.txt")),
];

/// The folder, with those files that are missing put there and the others left as a run has made them.
pub(crate) fn seed(project: &Project) -> Result<PathBuf, Failure> {
    let folder = project.root().join("target/playground");
    let fail = |error: std::io::Error| Failure::Step(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(fail)?;
    for (name, content) in FILES {
        let file = folder.join(name);
        if !file.exists() {
            fs::write(file, content).map_err(fail)?;
        }
    }
    Ok(folder)
}
