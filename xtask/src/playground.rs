//! The folder a run works in unless told otherwise, with something in it to ask about.

use std::fs;
use std::io;
use std::path::Path;

const FILES: [(&str, &str); 3] = [
    ("app.py", include_str!("../playground/app.py")),
    ("utils.py", include_str!("../playground/utils.py")),
    ("notes.txt", include_str!("../playground/notes.txt")),
];

/// Puts those files that are missing into `folder` and leaves the others as a run has made them.
pub(crate) fn seed(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, content) in FILES {
        let file = folder.join(name);
        if !file.exists() {
            fs::write(file, content)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_is_put_there() {
        let folder = std::env::temp_dir().join(format!("loopglass-playground-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("app.py"), "print(1)").unwrap();
        seed(&folder).unwrap();
        let read = |name| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("app.py"), "print(1)");
        assert_eq!(read("utils.py"), include_str!("../playground/utils.py"));
        assert_eq!(read("notes.txt"), include_str!("../playground/notes.txt"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
