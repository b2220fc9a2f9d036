//! Who is watching: at most one connection. The newest wins, and when the last is gone the grace begins.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bridge_protocol::frames::Frame;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use super::{Call, Commands, WINDOW};

/// The most output in one frame, in bytes.
const FRAME: usize = 32 * 1024;

/// The place of the one connection.
#[derive(Default)]
pub struct Audience {
    seat: Mutex<Seat>,
    /// How many connections are open, replaced ones that are saying goodbye included.
    open: watch::Sender<usize>,
}

#[derive(Default)]
struct Seat {
    viewer: Option<Arc<Viewer>>,
    /// How often somebody has sat down.
    seated: u64,
}

/// One connection, as the calls see it.
#[derive(Default)]
pub struct Viewer {
    /// Cancelled when a newer connection has taken over.
    pub replaced: CancellationToken,
    news: Notify,
    calls: Mutex<VecDeque<Arc<Call>>>,
}

impl Audience {
    /// A new connection takes over.
    pub fn join(&self) -> Arc<Viewer> {
        let viewer = Arc::new(Viewer::default());
        let mut seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
        seat.seated += 1;
        if let Some(old) = seat.viewer.replace(viewer.clone()) {
            old.dismiss();
        }
        self.open.send_modify(|open| *open += 1);
        viewer
    }

    /// A connection is gone. If it was the last, the commands have the grace to be watched again.
    pub fn leave(self: &Arc<Self>, viewer: &Arc<Viewer>, commands: &Arc<Commands>) {
        self.open.send_modify(|open| *open = open.saturating_sub(1));
        let seated = {
            let mut seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
            if !seat.viewer.as_ref().is_some_and(|current| Arc::ptr_eq(current, viewer)) {
                return;
            }
            seat.viewer = None;
            viewer.dismiss();
            seat.seated
        };
        let (audience, commands) = (self.clone(), commands.clone());
        tokio::spawn(async move {
            tokio::time::sleep(commands.grace()).await;
            let nobody_came = audience.seat.lock().unwrap_or_else(PoisonError::into_inner).seated == seated;
            if nobody_came {
                commands.abandon();
            }
        });
    }

    /// A call has something new to tell.
    pub fn tell(&self) {
        if let Some(viewer) = &self.seat.lock().unwrap_or_else(PoisonError::into_inner).viewer {
            viewer.news.notify_one();
        }
    }

    /// Waits until no connection is open.
    pub async fn empty(&self) {
        let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
    }
}

impl Viewer {
    /// Watches a call, of whose output it has the first `after_seq` bytes.
    pub fn attach(&self, call: Arc<Call>, after_seq: u64) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may be watching by now.
        if self.replaced.is_cancelled() {
            return;
        }
        call.channel().attach(after_seq, WINDOW);
        calls.retain(|watched| !Arc::ptr_eq(watched, &call));
        calls.push_back(call);
        self.news.notify_one();
    }

    /// The next frame of any call, in turns.
    pub fn next_frame(&self) -> Option<Frame> {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..calls.len() {
            let call = calls.pop_front()?;
            let mut channel = call.channel();
            let frame = channel.next_frame(FRAME);
            let is_told = channel.is_told();
            drop(channel);
            if !is_told {
                calls.push_back(call);
            }
            if frame.is_some() {
                return frame;
            }
        }
        None
    }

    /// Waits for something new to tell.
    pub async fn news(&self) {
        self.news.notified().await;
    }

    /// Makes the writer look again.
    pub fn wake(&self) {
        self.news.notify_one();
    }

    fn dismiss(&self) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        self.replaced.cancel();
        for call in calls.drain(..) {
            call.channel().detach();
        }
    }
}
