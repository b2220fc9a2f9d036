//! Settle a call: parse, validate, authorise. Three layers, none of which starts a process.

use crate::env::Env;
use crate::fact::{Edit, Fact, Ruling};
use crate::gate::ToolSeam;
use crate::host::Review;
use crate::message::ToolCall;
use crate::session::Session;
use crate::settings::RunTools;
use crate::stages::{host_as_offered, record_stop};
use crate::state::CallStatus;
use crate::tool::{Arguments, Refusal, ToolSpec, ValidateFault, parse_arguments, validate};
use crate::wire;

/// Takes one call through the layers and records the ruling. An edit of the arguments is recorded instead, and the
/// call passes all layers again in the next step.
pub async fn settle_tool_call(session: &Session, env: &Env<'_>, call: &ToolCall) {
    if env.stop.is_pressed() {
        return record_stop(session, env, Vec::new());
    }
    let record = |fact| session.record(env.clock.now_ms(), fact);
    let state = session.state();
    let Some(settings) = state.settings.clone() else { return };
    let refuse = |refusal: Refusal<'_>| {
        let result = settings.wording.refusal(call.key, &refusal);
        record(Fact::Ruled { call: call.key, ruling: Ruling::Refused(result) });
    };
    if settings.run_tools == RunTools::Never {
        return refuse(Refusal::ToolsNeverRun);
    }
    let tools = wire::tools_of(&settings, &state.offered);
    let arguments = match checked_arguments(call, &tools) {
        Ok(arguments) => arguments,
        Err(refusal) => return refuse(refusal),
    };
    if let Some(forbidden) = arguments.command().and_then(|command| settings.blacklist.blocks(command)) {
        return refuse(Refusal::Blacklisted(forbidden));
    }
    let Some(offered) = host_as_offered(session, env) else { return };
    let of_host = offered.tools_for(settings.offer_tools);
    if !of_host.iter().any(|tool| tool.name == call.name) {
        // A lesson may pin a tool that this host does not have.
        let names = of_host.iter().map(|tool| tool.name.as_str()).collect();
        return refuse(Refusal::Validate(ValidateFault::UnknownTool(call.name.clone()), names));
    }
    let review = match env.stop.or(env.host.review(call, &arguments)).await {
        Some(Review::Deny(why)) => return refuse(Refusal::Policy(why)),
        Some(review) => review,
        None => return record_stop(session, env, Vec::new()),
    };
    let seam = env.stop.or(env.gate.before_tool(call, &arguments, &review)).await;
    let is_still_asked =
        || session.state().calls().iter().any(|state| state.call == *call && state.status == CallStatus::Unruled);
    match seam {
        Some(ToolSeam::Stop) | None => record_stop(session, env, Vec::new()),
        // The call was changed meanwhile: what was decided is about another one.
        Some(_) if !is_still_asked() => {}
        Some(ToolSeam::Run) => record(Fact::Ruled { call: call.key, ruling: Ruling::Run }),
        Some(ToolSeam::Edit(arguments)) => {
            record(Fact::Edited { edit: Edit::Arguments { call: call.key, arguments } });
        }
        Some(ToolSeam::Deny) => refuse(Refusal::Denied),
    }
}

/// The first two layers: parse, then validate.
pub(super) fn checked_arguments<'a>(call: &ToolCall, tools: &[&'a ToolSpec]) -> Result<Arguments, Refusal<'a>> {
    let parsed = parse_arguments(&call.arguments).map_err(Refusal::Parse)?;
    let names = || tools.iter().map(|tool| tool.name.as_str()).collect();
    let (_, arguments) = validate(&call.name, parsed, tools).map_err(|fault| Refusal::Validate(fault, names()))?;
    Ok(arguments)
}
