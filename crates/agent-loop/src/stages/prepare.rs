//! Prepare: from the state to the request, past the first seam.

use std::rc::Rc;

use crate::env::Env;
use crate::fact::Fact;
use crate::gate::ModelSeam;
use crate::host::Offer;
use crate::session::Session;
use crate::settings::OfferTools;
use crate::stages::record_stop;

/// Takes in what the host offers, makes the request, and asks the gate about exactly this request. An edit is
/// recorded, and the request is made and asked about again in the next step.
pub async fn prepare_request(session: &Session, env: &Env<'_>) {
    if env.stop.is_pressed() {
        return record_stop(session, env, Vec::new());
    }
    let record = |fact| session.record(env.clock.now_ms(), fact);
    let state = session.state();
    let wants_host = state.settings.as_ref().is_some_and(|settings| match settings.offer_tools {
        OfferTools::Host | OfferTools::WithBackground => true,
        OfferTools::Pinned | OfferTools::Off => false,
    });
    let nothing_offered = state.offered.tools.is_empty();
    match env.host.offer() {
        Offer::Ready(offered) if offered != *state.offered => record(Fact::Offered { offered: Rc::new(offered) }),
        Offer::Ready(_) => {}
        Offer::Gone(why) if wants_host => return record(Fact::HostUnavailable { why }),
        Offer::Connecting if wants_host && nothing_offered => {
            return record(Fact::HostUnavailable { why: String::new() });
        }
        // The tools stay the ones that were offered last; a call that comes meanwhile waits for the host. Only a host that
        // is gone for good keeps the model from being asked for what nobody could run.
        Offer::Gone(_) | Offer::Connecting => {}
    }
    let Some(request) = session.state().request() else { return };
    match env.stop.or(env.gate.before_model(&request)).await {
        Some(ModelSeam::Go) if session.state().request().as_ref() == Some(&request) => {
            record(Fact::Prepared { repairs: request.repairs.clone() });
        }
        // Something else was recorded meanwhile, and makes another request, which nobody has been asked about.
        Some(ModelSeam::Go) => {}
        Some(ModelSeam::Edit(edits)) => edits.into_iter().for_each(|edit| record(Fact::Edited { edit })),
        Some(ModelSeam::Stop) | None => record_stop(session, env, Vec::new()),
    }
}
