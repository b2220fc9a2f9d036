//! Makes the page's scripts and styles small and few: a third of the generated glue is names that nobody reads, and each
//! file that the first visit asks for costs it a millisecond or more.

use std::fs;
use std::io;
use std::path::Path;

use crate::failure::Failure;
use crate::process::succeed;
use crate::setup::PageTools;
use crate::stylesheet;

/// What www/load.js takes in: the glue of wasm-bindgen, and what fetches the page's parts.
const TAKEN_IN: [&str; 2] = ["loopglass.js", "__wasm_split.js"];

/// Has browsers compile all of a script as it comes in, beside everything else, instead of each function when it is first
/// called: the page calls most of the glue's before it stands. Browsers that do not know it read a comment.
const ALL_AT_ONCE: &str = "--banner:js=//# allFunctionsCalledOnLoad";

/// Works on the page that trunk has in hand, in the folder `staging`.
pub(crate) fn minify(tools: &PageTools, staging: &Path) -> Result<(), Failure> {
    let make = |name: &str, how: &[&str]| {
        let mut esbuild = tools.program("esbuild");
        esbuild.args(["--minify", "--allow-overwrite", "--log-level=error", &format!("--outfile={name}"), name]);
        succeed(esbuild.args(how).current_dir(staging))
    };
    // start.js stays a file of its own: it speaks where this one does not run.
    make("load.js", &["--bundle", "--format=esm", "--external:./start.js", ALL_AT_ONCE])?;
    make("start.js", &[])?;
    make(stylesheet::JOINED, &[])?;
    TAKEN_IN
        .iter()
        .try_for_each(|name| fs::remove_file(staging.join(name)))
        .map_err(|error: io::Error| Failure::Step(format!("the scripts of the page: {error}")))
}
