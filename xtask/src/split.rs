//! Splits the page's wasm into the file of the first visit and the parts that come when they are needed (src/parts.rs).
//! trunk calls it at the end of each build (Trunk.toml), and it puts its own files in the place of trunk's.
//!
//! Every part carries in its name the build it belongs to. Parts of two builds must never meet in one page, whose memory
//! they would read differently: an older page asks for files that are not there any more, and says so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::fingerprint::{Fingerprint, files_under};
use crate::minify::minify;
use crate::process::succeed;
use crate::project::Project;
use crate::setup::PageTools;
use crate::stylesheet;

/// The folder of the parts in the built page.
pub(crate) const PARTS: &str = "parts";

/// The module that fetches the parts, as the splitter names it.
const LOADER: &str = "__wasm_split.js";

/// What rustc's wasm32-unknown-unknown assumes of a browser. The splitter leaves no note of it in the files, and wasm-opt
/// must neither miss one of them nor write what browsers do not read yet.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// What trunk builds, and for whom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Build {
    /// To be given to people: as small as it can be.
    Release,
    /// To be looked at: as soon as it can be.
    Dev,
}

/// Works on the build that trunk has in hand; only trunk can call it, which says by its environment what that is.
pub(crate) fn split(project: &Project) -> Result<(), Failure> {
    let told = |name: &str| std::env::var(name).map_err(|_| Failure::Usage("`split` is for trunk to call".to_string()));
    let staging = PathBuf::from(told("TRUNK_STAGING_DIR")?);
    let (build, profile) = match told("TRUNK_PROFILE")?.as_str() {
        "release" => (Build::Release, "page"),
        _ => (Build::Dev, "page-dev"),
    };
    let whole = project.target().join("wasm32-unknown-unknown").join(profile).join("loopglass.wasm");
    let tools = PageTools::ready(project)?;
    let work = Folder::empty(project.memory().join("split"))?;
    succeed(
        tools.program("wasm-split-cli").args(["--target", "web", "--out-name", "loopglass"]).args([&whole, &work.0]),
    )?;
    succeed(
        tools
            .program("wasm-bindgen")
            .args(["--target", "web", "--keep-lld-exports", "--no-typescript", "--out-name", "loopglass", "--out-dir"])
            .args([&staging, &work.file("loopglass.wasm")]),
    )?;
    let tag = Fingerprint::default().files(&whole, &whole, &[]).map_err(unreadable)?.finish();
    let parts = Folder::empty(staging.join(PARTS))?;
    let mut loader = fs::read_to_string(work.file(LOADER)).map_err(unreadable)?;
    for part in work.wasm_files()? {
        let Some(name) = part.file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "loopglass") else {
            continue;
        };
        let tagged = format!("{name}-{tag}.wasm");
        fs::copy(&part, parts.file(&tagged)).map_err(unreadable)?;
        loader = loader.replace(&format!("\"./{name}.wasm\""), &format!("\"./{PARTS}/{tagged}\""));
    }
    fs::write(staging.join(LOADER), loader).map_err(unreadable)?;
    stylesheet::join(&staging)?;
    if build == Build::Release {
        minify(&tools, &staging)?;
        shrink(&tools, &staging.join("loopglass_bg.wasm"))?;
        parts.wasm_files()?.iter().try_for_each(|part| shrink(&tools, part))?;
    }
    Ok(())
}

/// Makes a file of wasm as small as it can be. A second round takes off another two bytes of a thousand; a third none.
/// Functions no larger than [`IN_PLACE`] go into their callers: a browser compiles a function when it is first called,
/// and that costs the page's start 10 µs for each, however small it is.
pub(crate) fn shrink(tools: &PageTools, file: &Path) -> Result<(), Failure> {
    let mut wasm_opt = tools.program("wasm-opt");
    wasm_opt.args(["-Oz", "-Oz", "--always-inline-max-function-size", IN_PLACE]);
    succeed(wasm_opt.args(FEATURES).arg(file).arg("-o").arg(file))
}

/// In expressions of wasm. The file grows by one to two bytes of a thousand as it is sent; with 6 by five.
const IN_PLACE: &str = "5";

/// A folder whose files this build alone has put there.
struct Folder(PathBuf);

impl Folder {
    fn empty(path: PathBuf) -> Result<Folder, Failure> {
        match fs::remove_dir_all(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unreadable(error)),
        }
        fs::create_dir_all(&path).map_err(unreadable)?;
        Ok(Folder(path))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn wasm_files(&self) -> Result<Vec<PathBuf>, Failure> {
        let all = files_under(&self.0, &[]).map_err(unreadable)?;
        Ok(all.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "wasm")).collect())
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Step(format!("the parts of the page: {error}"))
}
