//! The sandbox, in English.

use bridge_protocol::frames::{NoSandbox, Sandbox};

pub(crate) fn told(sandbox: &Sandbox) -> String {
    let why = match sandbox {
        Sandbox::On { network: false } => {
            return "In a sandbox: it can write only in the workspace, sees no keys and has no network.".to_owned();
        }
        Sandbox::On { network: true } => {
            return "In a sandbox: it can write only in the workspace and sees no keys. It has the network.".to_owned();
        }
        Sandbox::Off { why: NoSandbox::NotWanted } => "the bridge was started with --sandbox off".to_owned(),
        Sandbox::Off { why: NoSandbox::OtherSystem } => "the bridge has one on Linux only".to_owned(),
        Sandbox::Off { why: NoSandbox::NoBubblewrap } => "bubblewrap is not installed".to_owned(),
        Sandbox::Off { why: NoSandbox::Failed { detail } } => format!("it could not be set up ({detail})"),
    };
    format!("No sandbox, so it has all of your rights: {why}.")
}
