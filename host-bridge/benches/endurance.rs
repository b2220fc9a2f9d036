//! What the bridge bears: connections that break again and again, output without end, commands without number.
//!
//! Exits with 1 when a budget is missed. `SEED=…` repeats the cuts of an earlier run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]
#![allow(missing_docs, unreachable_pub)]

#[path = "../tests/harness/mod.rs"]
mod harness;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bridge_protocol::{CallEvent, Event, Outcome};
use harness::cuts::{Random, cut};
use harness::page::Page;
use harness::{Bridge, children_of, read};
use host_bridge::commands::{Commands, Wanted};
use host_bridge::supervisor;
use host_bridge::supervisor::ceilings::Ceilings;
use serde_json::json;

const CUTS: u32 = 1000;
const COMMANDS: u32 = 10_000;
const FLOOD: Duration = Duration::from_secs(30);
const ANSWER: Duration = Duration::from_millis(100);
const FLOOD_MEMORY_KB: u64 = 32 * 1024;
const COMMANDS_MEMORY_KB: u64 = 1024;

fn main() -> ExitCode {
    // The commands that are counted inside this process are supervised by this program, as the bridge's are by the bridge.
    if std::env::args_os().nth(1).is_some_and(|first| first == supervisor::ARGUMENT) {
        return supervisor::main(std::env::args_os().skip(2));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut budgets = Budgets { are_kept: true };
    runtime.block_on(async {
        many_commands(&mut budgets).await;
        cuts(&mut budgets).await;
        flood(&mut budgets).await;
    });
    if budgets.are_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Budgets {
    are_kept: bool,
}

impl Budgets {
    fn told(&self, what: &str, value: String) {
        println!("{what:<66} {value:>22}");
    }

    fn check(&mut self, what: &str, value: String, is_met: bool) {
        println!("{what:<66} {value:>22}  {}", if is_met { "ok" } else { "MISSED" });
        self.are_kept &= is_met;
    }
}

async fn cuts(budgets: &mut Budgets) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(now);
    budgets.told("connections are cut from SEED", seed.to_string());
    // What is wrong with a piece ends the program there.
    let came = cut(&Bridge::start(), Random(seed), CUTS).await;
    budgets.check("cuts during `seq 1 20000`, no byte twice or untold", came.cuts.to_string(), came.cuts >= CUTS);
    budgets.told("calls that were cut, each run once", came.calls.to_string());
    budgets.told("bytes of them that were told as lost", came.lost.to_string());
}

/// `yes`, for a page that reads all of it.
async fn flood(budgets: &mut Budgets) {
    let bridge = Bridge::start();
    let mut page = bridge.page().await;
    page.run("warm", "true").await;
    let before = memory(bridge.pid());
    page.start("flood", "yes", None);
    page.until_output("y").await;
    let (began, mut answers, mut bare, mut most) = (Instant::now(), Vec::new(), Vec::new(), before);
    while began.elapsed() < FLOOD {
        answers.push(answer(&mut page, answers.len()).await);
        bare.push(bare_answer());
        most = most.max(memory(bridge.pid()));
        let until = Instant::now() + Duration::from_millis(200);
        while Instant::now() < until {
            page.event().await;
        }
    }
    page.client.cancel("flood");
    let cancelled = Instant::now();
    let ran = page.end("flood").await;
    let cancel = cancelled.elapsed();
    assert_eq!(ran.outcome(), &Outcome::Stopped);
    let (median, worst) = median_and_worst(answers);
    let (bare_median, bare_worst) = median_and_worst(bare);
    let bytes = ran.ended.dropped;
    budgets.told("`yes` for 30 s, bytes told as lost", bytes.to_string());
    budgets.check(
        "memory grown by it, at most 32768 kB",
        format!("{} kB", most - before),
        most - before <= FLOOD_MEMORY_KB,
    );
    budgets.check("an `echo` beside it, p50, at most 100 ms", format!("{median:?}"), median <= ANSWER);
    budgets.told("the slowest of them", format!("{worst:?}"));
    // What this machine takes for it in the same seconds: how busy it was.
    budgets.told("an `echo` without a bridge meanwhile, p50 and slowest", format!("{bare_median:?}, {bare_worst:?}"));
    budgets.check("a cancel of it, until its end is told, at most 100 ms", format!("{cancel:?}"), cancel <= ANSWER);
}

fn median_and_worst(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() - 1])
}

fn bare_answer() -> Duration {
    let began = Instant::now();
    let mut command = std::process::Command::new("bash");
    let output = command.args(["-c", "echo through"]).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.stdout, b"through\n");
    began.elapsed()
}

async fn answer(page: &mut Page, number: usize) -> Duration {
    let call = format!("echo {number}");
    let began = Instant::now();
    page.start(&call, "echo through", None);
    page.until(|event| matches!(event, Event::Call { call: about, event: CallEvent::Ended(_) } if *about == call))
        .await;
    began.elapsed()
}

/// Commands one after another, in this very process, so that it can be counted from inside.
async fn many_commands(budgets: &mut Budgets) {
    let workspace = tempfile::tempdir().unwrap();
    let commands = Commands::new(workspace.path().to_owned(), Duration::from_secs(60), None, Ceilings::default());
    commands.warm_up();
    let run = async |first: u32, count: u32| {
        for number in first..first + count {
            let wanted = Wanted {
                call: format!("call {number}"),
                tool: "bash".to_owned(),
                arguments: json!({ "command": "true" }),
                timeout_ms: None,
            };
            let call = commands.run(wanted).unwrap();
            call.call.over().await;
        }
        // The last supervisors are reaped, and the next ones wait.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let children = children_of(std::process::id());
        let zombies = children.iter().filter(|stat| stat.contains(") Z ")).count();
        (std::fs::read_dir("/proc/self/fd").unwrap().count(), children.len(), zombies, memory(std::process::id()))
    };
    let (files, children, zombies, kilobytes) = run(0, 1500).await;
    let after = run(1500, COMMANDS).await;
    let pair = |before: usize, after: usize| format!("{before} → {after}");
    budgets.check("open files before and after 10000 commands", pair(files, after.0), files == after.0);
    budgets.check("child processes", pair(children, after.1), children == after.1);
    budgets.check("zombies", pair(zombies, after.2), zombies == 0 && after.2 == 0);
    let grown = after.3.saturating_sub(kilobytes);
    budgets.check("memory grown by them, at most 1024 kB", format!("{grown} kB"), grown <= COMMANDS_MEMORY_KB);
    commands.shut_down().await;
}

/// Resident memory, in kB.
fn memory(pid: u32) -> u64 {
    let status = read(format!("/proc/{pid}/status"));
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}
