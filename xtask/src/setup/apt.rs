//! System packages, where we may install them: Debian or Ubuntu, as root or with a sudo that asks nothing.

use std::process::Command;

use crate::failure::Failure;
use crate::process::{answer, program, succeed, timed};

/// Installs `packages`; `what` says in words what they are for.
pub(crate) fn install(what: &str, packages: &[&str]) -> Result<(), Failure> {
    let list = packages.join(" ");
    let Some(may) = Permission::of_this_user() else {
        return Err(Failure::Missing(format!("{what} is missing and cannot be installed here: install {list}")));
    };
    timed(&format!("set-up: {what}: apt-get install {list}"), || {
        let install = || succeed(may.apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages));
        // A fresh container has no package lists, and a stale list names files that are gone.
        install().or_else(|_| succeed(may.apt_get().arg("update")).and_then(|()| install())).map_err(|_| {
            Failure::Missing(format!("{what} is missing and apt-get could not install it: install {list}"))
        })
    })
}

enum Permission {
    Root,
    Sudo,
}

impl Permission {
    fn of_this_user() -> Option<Permission> {
        answer(program("apt-get").arg("--version"))?;
        if answer(program("id").arg("-u"))? == "0" {
            return Some(Permission::Root);
        }
        answer(program("sudo").args(["-n", "true"])).map(|_| Permission::Sudo)
    }

    fn apt_get(&self) -> Command {
        let mut command = match self {
            Permission::Root => program("env"),
            Permission::Sudo => {
                let mut sudo = program("sudo");
                sudo.args(["-n", "env"]);
                sudo
            }
        };
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--quiet"]);
        // Where no mirror answers, that is known soon: there are other ways to most of it.
        command.args(["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1"]);
        command
    }
}
