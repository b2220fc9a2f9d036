//! What bubblewrap is told: which part of the machine a command finds, and as what.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::unistd::{AccessFlags, User, access, getuid};

use super::Network;
use super::places::{self, Roots};
use super::scratch::Scratch;
use crate::audit;

/// Always: namespaces of its own, no capability even for root, an end with its bridge, and the supervisor as process 1.
const ALWAYS: &[&str] = &[
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--as-pid-1",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    // Temporary files lie in /tmp; another place for them may not be writable here.
    "--unsetenv",
    "TMPDIR",
    "--chdir",
    "/",
];

/// Where root may write without any capability, and so change the machine from a sandbox.
const OF_THE_KERNEL: &[&str] = &[
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/scsi",
    "/proc/acpi",
    "/proc/mtrr",
];

/// Kept of `/run`, which is hidden for the sockets of services in it: what NixOS finds its programs by.
const KEPT_OF_RUN: &[&str] = &["/run/current-system", "/run/booted-system", "/run/opengl-driver", "/run/wrappers"];

/// The making of sandboxes, all alike, for one start of the bridge.
#[derive(Debug)]
pub struct Bubble {
    program: PathBuf,
    workspace: PathBuf,
    network: Network,
    scratch: Arc<Scratch>,
    outside: Outside,
}

/// What is kept from commands.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside {
    pub(super) roots: Roots,
    /// The bridge's own files: its configuration and its state.
    pub(super) own: Vec<PathBuf>,
}

/// One sandbox, as it would be made now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// bubblewrap's arguments, without the program to run.
    pub arguments: Vec<OsString>,
    /// What is bound over or hidden, by device and inode: another file of the same name needs another sandbox.
    found: Vec<(u64, u64)>,
}

impl Bubble {
    pub(super) fn new(
        program: PathBuf,
        workspace: PathBuf,
        network: Network,
        scratch: Arc<Scratch>,
        outside: Outside,
    ) -> Self {
        Self { program, workspace, network, scratch, outside }
    }

    /// bubblewrap itself.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Where commands start.
    pub(super) fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// The folder behind `/tmp` of all of them.
    pub fn scratch(&self) -> Arc<Scratch> {
        self.scratch.clone()
    }

    pub(super) fn network(&self) -> Network {
        self.network
    }

    /// A sandbox as it has to be now; an error when the workspace is gone.
    pub fn plan(&self) -> io::Result<Plan> {
        let identity = |path: &Path| fs::metadata(path).map(|about| (about.dev(), about.ino()));
        let mut found = vec![identity(&self.workspace)?];
        let mut hidden: Vec<PathBuf> = places::of(&self.outside.roots)
            .chain(self.outside.own.clone())
            .filter_map(|it| it.canonicalize().ok())
            .collect();
        // What is there already is hidden; these must not come into being either, where a command could make them.
        hidden.extend(self.outside.own.iter().filter(|own| own.starts_with(&self.workspace) && !own.exists()).cloned());
        hidden.sort();
        hidden.dedup();
        let mut outermost: Vec<PathBuf> = Vec::new();
        for path in hidden {
            // Sorted: whatever holds it stands before it.
            let is_inside = outermost.last().is_some_and(|last| path.starts_with(last));
            // Further below in a folder that the workspace opens again, it has to be hidden again.
            let is_opened = path.starts_with(&self.workspace);
            // Nothing of the machine is found in these anyway.
            let is_covered = is_inside || ["/run", "/tmp", "/var/tmp"].iter().any(|folder| path.starts_with(folder));
            if is_opened || !is_covered {
                outermost.push(path);
            }
        }
        found.extend(outermost.iter().filter_map(|path| identity(path).ok()));
        let mut words = Words(ALWAYS.iter().map(OsString::from).collect());
        if self.network == Network::Off {
            words.0.push("--unshare-net".into());
        }
        for path in OF_THE_KERNEL {
            words.say("--ro-bind-try", &[path, path]);
        }
        words.say("--tmpfs", &["/run"]);
        for path in KEPT_OF_RUN {
            words.say("--ro-bind-try", &[path, path]);
        }
        // The names of servers are found by a file that often lies there.
        if let Some(path) = Path::new("/etc/resolv.conf").canonicalize().ok().filter(|path| path.starts_with("/run")) {
            words.say("--ro-bind", &[&path, &path]);
        }
        words.say("--bind", &[self.scratch.tmp().as_os_str(), OsStr::new("/tmp")]);
        words.say("--tmpfs", &["/var/tmp"]);
        let (around, within): (Vec<PathBuf>, Vec<PathBuf>) =
            outermost.into_iter().partition(|path| self.workspace.starts_with(path));
        // A workspace in a hidden folder is seen; what is hidden in the workspace is not.
        let mut to_seal = vec![PathBuf::from("/run")];
        for path in around {
            words.say("--tmpfs", &[&path]);
            to_seal.push(path);
        }
        words.say("--bind", &[&self.workspace, &self.workspace]);
        let empty = self.scratch.empty();
        for path in within {
            if path.is_file() {
                words.say("--ro-bind", &[&empty, &path]);
            } else {
                words.say("--tmpfs", &[&path]);
                to_seal.push(path);
            }
        }
        // Last, since bubblewrap makes the places that it binds to.
        for path in to_seal {
            words.say("--remount-ro", &[&path]);
        }
        Ok(Plan { arguments: words.0, found })
    }
}

struct Words(Vec<OsString>);

impl Words {
    fn say(&mut self, option: &str, values: &[impl AsRef<OsStr>]) {
        self.0.push(option.into());
        self.0.extend(values.iter().map(|value| value.as_ref().to_owned()));
    }
}

impl Outside {
    /// As the environment of this process says.
    pub(super) fn of_this_user(config: Option<PathBuf>) -> Self {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let by_name = User::from_uid(getuid()).ok().flatten().map(|user| user.dir);
        let mut homes: Vec<PathBuf> = absolute("HOME").into_iter().chain(by_name).collect();
        homes.dedup();
        let below = |name: &str, usual: &str| -> Vec<PathBuf> {
            absolute(name).into_iter().chain(homes.iter().map(|home| home.join(usual))).collect()
        };
        let (configs, data, cache) = (
            below("XDG_CONFIG_HOME", ".config"),
            below("XDG_DATA_HOME", ".local/share"),
            below("XDG_CACHE_HOME", ".cache"),
        );
        let own = configs.iter().map(|folder| folder.join("loopglass")).chain(audit::folder()).chain(config).collect();
        Self { roots: Roots { homes, config: configs, data, cache }, own }
    }
}

/// bubblewrap, where the system has it: never one from the workspace, which a command could have put there.
pub(super) fn program(workspace: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .filter_map(|folder| folder.join("bwrap").canonicalize().ok())
        .find(|found| found.is_file() && !found.starts_with(workspace) && access(found, AccessFlags::X_OK).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A home that is not below `/tmp`, which a sandbox covers as a whole.
    fn home() -> tempfile::TempDir {
        tempfile::tempdir_in(std::env::current_exe().unwrap().parent().unwrap()).unwrap()
    }

    fn scratch() -> Arc<Scratch> {
        Arc::new(Scratch::new().unwrap())
    }

    /// The options of a sandbox for this workspace in a home with these files, from the first that depends on them; the
    /// home is written as `~`.
    #[track_caller]
    fn check(workspace: &str, folders: &[&str], files: &[&str], expected: &[&str]) {
        let home = home();
        let root = home.path().canonicalize().unwrap();
        let below = |name: &str| name.split('/').skip(1).fold(root.clone(), |path, name| path.join(name));
        folders.iter().for_each(|folder| fs::create_dir_all(below(folder)).unwrap());
        files.iter().for_each(|file| fs::write(below(file), "").unwrap());
        let outside = Outside {
            roots: Roots { homes: vec![root.clone()], config: vec![root.join(".config")], ..Roots::default() },
            own: vec![root.join(".config/loopglass"), root.join(".local/state/loopglass")],
        };
        let bubble = Bubble::new("bwrap".into(), below(workspace), Network::Off, scratch(), outside);
        let words: Vec<String> = bubble
            .plan()
            .unwrap()
            .arguments
            .iter()
            .map(|word| word.to_str().unwrap().replace(bubble.scratch.empty().to_str().unwrap(), "EMPTY"))
            .map(|word| word.replace(root.to_str().unwrap(), "~"))
            .collect();
        let from = words.iter().position(|word| word == "/var/tmp").unwrap() + 1;
        let told = words[from..].join(" ").replace(" --", "\n--");
        let of_the_system = |line: &&str| !line.contains(" /etc/") && !line.ends_with(" /run");
        assert_eq!(told.lines().filter(of_the_system).collect::<Vec<_>>(), expected, "{workspace}");
    }

    #[test]
    fn what_is_there_of_secrets_is_hidden() {
        check("~/play", &["~/play"], &[], &["--bind ~/play ~/play"]);
        check(
            "~/play",
            &["~/play", "~/.ssh", "~/.config/gh", "~/.local/state/loopglass"],
            &["~/.netrc"],
            &[
                "--bind ~/play ~/play",
                "--tmpfs ~/.config/gh",
                "--tmpfs ~/.local/state/loopglass",
                "--ro-bind EMPTY ~/.netrc",
                "--tmpfs ~/.ssh",
                "--remount-ro ~/.config/gh",
                "--remount-ro ~/.local/state/loopglass",
                "--remount-ro ~/.ssh",
            ],
        );
    }

    #[test]
    fn a_workspace_around_secrets_or_within_them_is_the_workspace_all_the_same() {
        // Around: also what of the bridge is not there yet.
        check(
            "~",
            &["~/.ssh"],
            &[],
            &[
                "--bind ~ ~",
                "--tmpfs ~/.config/loopglass",
                "--tmpfs ~/.local/state/loopglass",
                "--tmpfs ~/.ssh",
                "--remount-ro ~/.config/loopglass",
                "--remount-ro ~/.local/state/loopglass",
                "--remount-ro ~/.ssh",
            ],
        );
        // Within: its neighbours stay hidden.
        check(
            "~/snap/play",
            &["~/snap/play", "~/snap/firefox"],
            &[],
            &["--tmpfs ~/snap", "--bind ~/snap/play ~/snap/play", "--remount-ro ~/snap"],
        );
    }

    #[test]
    fn another_file_of_the_same_name_is_another_sandbox() {
        let home = home();
        let outside =
            Outside { roots: Roots { homes: vec![home.path().to_owned()], ..Roots::default() }, own: Vec::new() };
        let workspace = home.path().join("play");
        fs::create_dir(&workspace).unwrap();
        let bubble = Bubble::new("bwrap".into(), workspace.clone(), Network::Off, scratch(), outside);
        let before = bubble.plan().unwrap();
        assert_eq!(bubble.plan().unwrap(), before);
        let secret = home.path().join(".netrc");
        fs::write(&secret, "a").unwrap();
        let with_secret = bubble.plan().unwrap();
        assert_ne!(with_secret, before);
        fs::write(home.path().join("new"), "b").unwrap();
        fs::rename(home.path().join("new"), &secret).unwrap();
        assert_ne!(bubble.plan().unwrap(), with_secret);
        fs::rename(&workspace, home.path().join("old")).unwrap();
        assert!(bubble.plan().is_err());
        fs::create_dir(&workspace).unwrap();
        assert_ne!(bubble.plan().unwrap().found, with_secret.found);
    }
}
