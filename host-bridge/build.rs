//! Makes cargo look at the built page: an optimised binary, which carries it, must not go on carrying an older one.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist");
    // Cargo takes a missing path for one that has changed, at every build; an empty folder is unchanged. Where it cannot
    // be made, the only loss is time.
    let _ = std::fs::create_dir_all(&page);
    // Unoptimised it reads the page from the disk.
    if std::env::var_os("PROFILE").is_some_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed={}", page.display());
    }
}
