//! What the class files of the project say about its fields.

use std::collections::BTreeMap;

use surefoot_jvm::Fields;
use surefoot_model::{Filling, LaunchId, TestId, Watch};
use surefoot_strategy::Code;

/// The code that each test ran with.
#[derive(Debug)]
pub(crate) struct WatchedCode<'a> {
    launches: BTreeMap<&'a TestId, &'a LaunchId>,
    fields: BTreeMap<&'a LaunchId, Fields>,
}

impl<'a> WatchedCode<'a> {
    /// Nothing is read before somebody asks.
    pub(crate) fn of(watch: &'a Watch) -> WatchedCode<'a> {
        let runs =
            watch.vms.iter().flat_map(|vm| vm.runs.iter().map(|run| (&run.test, &vm.launch)));
        let fields =
            watch.launches.iter().map(|(id, launch)| (id, Fields::new(&launch.class_path)));
        WatchedCode { launches: runs.collect(), fields: fields.collect() }
    }

    fn fields(&self, test: &TestId) -> Option<&Fields> {
        self.fields.get(self.launches.get(test)?)
    }
}

impl Code for WatchedCode<'_> {
    fn set(&self, test: &TestId, field: &str) -> Filling {
        self.fields(test).map_or(Filling::Unknown, |fields| fields.set(field))
    }

    fn entered(&self, test: &TestId, field: &str) -> Filling {
        self.fields(test).map_or(Filling::Unknown, |fields| fields.entered(field))
    }

    fn held(&self, test: &TestId, field: &str) -> Filling {
        self.fields(test).map_or(Filling::Unknown, |fields| fields.held(field))
    }

    fn is_reset_before_use(&self, test: &TestId, field: &str) -> bool {
        self.fields(test).is_some_and(|fields| fields.is_reset_before_use(field))
    }

    fn is_set_before_each(&self, test: &TestId, field: &str) -> bool {
        self.fields(test).is_some_and(|fields| fields.is_set_before_each(field))
    }
}
