//! Where secrets lie: what a command in a sandbox does not find.
//!
//! A list, and like every list of its kind it is not complete. What it names is hidden as a whole, folders as empty ones and
//! files as empty ones, where it exists.

use std::path::{Path, PathBuf};

/// In a home directory.
const HOME: &[&str] = &[
    // Keys to other machines and services.
    ".ssh",
    ".gnupg",
    ".pki",
    ".aws",
    ".azure",
    ".oci",
    ".kube",
    ".docker",
    ".minikube",
    ".fly",
    ".boto",
    ".s3cfg",
    ".terraform.d",
    ".terraformrc",
    ".vault-token",
    ".netrc",
    "_netrc",
    ".authinfo",
    ".authinfo.gpg",
    ".git-credentials",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".password-store",
    ".1password",
    ".kaggle",
    ".huggingface",
    ".ngrok2",
    // Of package managers.
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".composer/auth.json",
    ".nuget/NuGet/NuGet.Config",
    // Of other programs that speak to models.
    ".claude",
    ".claude.json",
    ".codex",
    ".gemini",
    ".qwen",
    // Browsers, mail, wallets, and programs in sandboxes of their own.
    ".mozilla",
    ".thunderbird",
    ".librewolf",
    ".waterfox",
    ".zen",
    ".var/app",
    "snap",
    ".bitcoin",
    ".ethereum",
    ".electrum",
    // What was typed.
    ".bash_history",
    ".zsh_history",
    ".zhistory",
    ".histfile",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".rediscli_history",
    ".lesshst",
    ".viminfo",
];

/// In the configuration directory (XDG Base Directory Specification).
const CONFIG: &[&str] = &[
    "gh",
    "hub",
    "glab-cli",
    "git/credentials",
    "gcloud",
    "doctl",
    "hcloud",
    "heroku",
    "netlify",
    "stripe",
    "ngrok",
    "rclone",
    "op",
    "sops",
    "age",
    "pip/pip.conf",
    "composer/auth.json",
    "containers/auth.json",
    "configstore",
    "github-copilot",
    "opencode",
    "anthropic",
    "google-chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "chromium",
    "BraveSoftware",
    "microsoft-edge",
    "vivaldi",
    "opera",
    "mozilla",
    "Bitwarden",
    "1Password",
    "keepassxc",
    "Signal",
    "Slack",
    "discord",
    "Element",
    "evolution",
    "solana",
];

/// In the directory of data.
const DATA: &[&str] =
    &["keyrings", "kwalletd", "fish/fish_history", "gopass", "opencode", "TelegramDesktop", "evolution"];

/// In the directory of caches: pages that a browser has seen, and a token that lies among models.
const CACHE: &[&str] = &[
    "mozilla",
    "google-chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "chromium",
    "BraveSoftware",
    "microsoft-edge",
    "vivaldi",
    "opera",
    "thunderbird",
    "evolution",
    "huggingface/token",
];

/// Outside of any home; what root alone can read is of interest where the bridge is root's.
const SYSTEM: &[&str] =
    &["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssl/private", "/etc/krb5.keytab"];

/// The directories that a person's files lie in. Each may have been moved, and then both places count.
#[derive(Debug, Clone, Default)]
pub(super) struct Roots {
    pub(super) homes: Vec<PathBuf>,
    pub(super) config: Vec<PathBuf>,
    pub(super) data: Vec<PathBuf>,
    pub(super) cache: Vec<PathBuf>,
}

/// Every place that may hold a secret, whether it exists or not.
pub(super) fn of(roots: &Roots) -> impl Iterator<Item = PathBuf> {
    let below = |roots: &[PathBuf], names: &'static [&str]| -> Vec<PathBuf> {
        roots.iter().flat_map(|root| names.iter().map(move |name| root.join(name))).collect()
    };
    let system = SYSTEM.iter().map(|path| Path::new(path).to_path_buf());
    let lists =
        [below(&roots.homes, HOME), below(&roots.config, CONFIG), below(&roots.data, DATA), below(&roots.cache, CACHE)];
    lists.into_iter().flatten().chain(system)
}
