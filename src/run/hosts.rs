//! The tool hosts of this page. A further one is a file of its own and a line here, under its name in [`HostChoice`].

use std::rc::Rc;

use agent_loop::ToolHost;

use crate::app::HostChoice;
use crate::run::bridge::BridgeHost;
use crate::run::link::Link;
use crate::run::you::You;

/// The hosts, each under the name it is chosen by.
pub struct Hosts(Vec<(HostChoice, Rc<dyn ToolHost>)>);

impl Hosts {
    /// All of them.
    pub fn new(link: &Rc<Link>, you: &You) -> Hosts {
        Hosts(vec![
            (HostChoice::Bridge, Rc::new(BridgeHost::new(Rc::clone(link)))),
            (HostChoice::You, Rc::new(you.clone())),
        ])
    }

    /// The chosen one.
    pub fn get(&self, choice: HostChoice) -> Option<Rc<dyn ToolHost>> {
        self.0.iter().find(|(name, _)| *name == choice).map(|(_, host)| Rc::clone(host))
    }
}
