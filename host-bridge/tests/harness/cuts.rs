//! Connections cut at random moments of a command that talks, and every piece of what comes compared.

use std::time::Duration;

use bridge_protocol::{CallEvent, Event, Outcome};

use super::page::{Page, reconnect};
use super::{Bridge, LONG};

/// The cuts of one call at most; then it may come to its end.
const CUTS_OF_A_CALL: u32 = 4;
/// Longer than such a command takes on an idle machine.
const LATEST: Duration = Duration::from_millis(8);

/// What came of it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Cuts {
    pub calls: u32,
    pub cuts: u32,
    /// Bytes that were told as lost.
    pub lost: u64,
}

/// Numbers that look random and are the same for the same seed (splitmix64, by Sebastiano Vigna).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// Runs `seq 1 20000` and cuts its connection, again and again, until there were so many cuts. No command runs twice, and
/// each byte comes once and in its place or is told as lost.
pub async fn cut(bridge: &Bridge, mut random: Random, cuts: u32) -> Cuts {
    let expected: Vec<u8> = (1..=20_000).flat_map(|number| format!("{number}\n").into_bytes()).collect();
    let mut page = bridge.page().await;
    let mut sum = Cuts::default();
    while sum.cuts < cuts {
        let call = format!("cut {}", sum.calls);
        let mark = bridge.path(&format!("ran-{}", sum.calls));
        page.start(&call, &format!("echo x >> {}; seq 1 20000", mark.display()), None);
        let (mut place, mut starts, mut cuts_left) = (0, 0, random.below(u64::from(CUTS_OF_A_CALL) + 1));
        let ended = loop {
            let moment =
                if cuts_left > 0 { Duration::from_micros(random.below(LATEST.as_micros() as u64)) } else { LONG };
            let Some(event) = first(&mut page, moment, &mut |event| match event {
                CallEvent::Started { .. } => starts += 1,
                CallEvent::Output { bytes, .. } => {
                    assert!(expected[place..].starts_with(&bytes), "{call}: other bytes at {place}");
                    place += bytes.len();
                }
                CallEvent::Gap { bytes } => {
                    place += bytes as usize;
                    sum.lost += bytes;
                }
                CallEvent::Ended(_) => {}
            })
            .await
            else {
                cuts_left -= 1;
                sum.cuts += 1;
                page = reconnect(bridge, page.cut()).await;
                continue;
            };
            break event;
        };
        assert_eq!((ended, place, starts), (Outcome::Exited { code: 0 }, expected.len(), 1), "{call}");
        assert_eq!(super::read(&mark), "x\n", "{call} ran more than once");
        sum.calls += 1;
    }
    sum
}

/// Takes in what is told until the call ends, and then how; `None` when the moment has come before.
async fn first(page: &mut Page, moment: Duration, tell: &mut impl FnMut(CallEvent)) -> Option<Outcome> {
    let all = async {
        loop {
            let Event::Call { event, .. } = page.event().await else { continue };
            if let CallEvent::Ended(ended) = &event {
                return ended.outcome.clone();
            }
            tell(event);
        }
    };
    tokio::time::timeout(moment, all).await.ok()
}
