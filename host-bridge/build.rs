//! Makes cargo look at the built page: a binary must not go on carrying an older one.

use std::path::Path;

fn main() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist");
    // Cargo takes a missing path for one that has changed, at every build; an empty folder is unchanged. Where it cannot
    // be made, the only loss is time.
    let _ = std::fs::create_dir_all(&page);
    println!("cargo:rerun-if-changed={}", page.display());
}
