//! What a command may use at most, tried by commands that want more.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use bridge_protocol::Outcome;
use harness::page::{Page, Ran};
use harness::{Bridge, read};

async fn run(page: &mut Page, command: &str) -> Ran {
    let call = format!("{:?}", std::time::Instant::now());
    page.run(&call, command).await
}

#[tokio::test]
async fn p28_what_a_command_may_use_has_a_ceiling() {
    for sandbox in ["off", "auto"] {
        let bridge = Bridge::with(|command| {
            command.args(["--sandbox", sandbox, "--max-memory", "256M", "--max-file-size", "64K"]);
        });
        let page = &mut bridge.page().await;
        assert_eq!(run(page, "ulimit -Hv; ulimit -Hf").await.out(), "262144\n64\n", "{sandbox}");
        // A shell that holds so much; it says so itself.
        let ran = run(page, "printf -v a '%200000000s' x && b=$a$a && echo ${#b}").await;
        assert!(ran.outcome() != &Outcome::Exited { code: 0 } && ran.err().contains("allocate"), "{sandbox}: {ran:?}");
        let small = run(page, "head -c 65536 /dev/zero > small && wc -c < small").await;
        assert_eq!(small.out(), "65536\n", "{sandbox}");
        for command in ["exec head -c 65537 /dev/zero > large", "head -c 65537 /dev/zero > large; exit $?"] {
            let ran = run(page, command).await;
            assert!(
                ran.err().ends_with("host-bridge: ended by --max-file-size: a file may have 65536 bytes\n"),
                "{ran:?}"
            );
            assert_eq!(read(bridge.path("large")).len(), 65536, "{sandbox}: {command}");
        }
        // Nothing is said of others.
        assert_eq!(run(page, "exit 25").await.err(), "", "{sandbox}");
    }
}

#[tokio::test]
async fn p28_processes_have_a_ceiling_for_whoever_is_not_root() {
    let Some(bridge) = Bridge::unprivileged(&["--max-processes", "20"]) else { return };
    let page = &mut bridge.page().await;
    assert_eq!(run(page, "for n in 1 2 3 4 5; do sleep 0.01 & done; wait; echo fine").await.out(), "fine\n");
    // One at a time, as many as one likes.
    assert_eq!(run(page, "for n in {1..60}; do /bin/true || exit 1; done; echo fine").await.out(), "fine\n");
    page.start("many", "for n in {1..60}; do sleep 20 & done", Some(2000));
    let ran = page.end("many").await;
    assert!(ran.err().contains("fork"), "{ran:?}");
}
