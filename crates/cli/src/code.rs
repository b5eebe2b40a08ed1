//! What the project's code says about its fields and attributes.

use std::collections::BTreeMap;

use surefoot_jvm::Fields;
use surefoot_model::{Filling, Launch, LaunchId, TestId, Watch};
use surefoot_python::Attributes;
use surefoot_strategy::Code;

/// The code that each test ran with.
#[derive(Debug)]
pub(crate) struct WatchedCode<'a> {
    launches: BTreeMap<&'a TestId, &'a LaunchId>,
    programs: BTreeMap<&'a LaunchId, Program>,
}

#[derive(Debug)]
enum Program {
    Java(Fields),
    Python(Attributes),
}

impl Program {
    /// Nothing is read before somebody asks.
    fn of(launch: &Launch) -> Program {
        match launch.pytest {
            Some(_) => Program::Python(Attributes::of(launch)),
            None => Program::Java(Fields::new(&launch.class_path)),
        }
    }
}

impl<'a> WatchedCode<'a> {
    pub(crate) fn of(watch: &'a Watch) -> WatchedCode<'a> {
        let runs =
            watch.vms.iter().flat_map(|vm| vm.runs.iter().map(|run| (&run.test, &vm.launch)));
        let programs = watch.launches.iter().map(|(id, launch)| (id, Program::of(launch)));
        WatchedCode { launches: runs.collect(), programs: programs.collect() }
    }

    fn program(&self, test: &TestId) -> Option<&Program> {
        self.programs.get(self.launches.get(test)?)
    }

    fn fields(&self, test: &TestId) -> Option<&Fields> {
        match self.program(test)? {
            Program::Java(fields) => Some(fields),
            Program::Python(_) => None,
        }
    }
}

impl Code for WatchedCode<'_> {
    fn set(&self, test: &TestId, field: &str) -> Filling {
        match self.program(test) {
            Some(Program::Java(fields)) => fields.set(field),
            Some(Program::Python(attributes)) => attributes.set(field),
            None => Filling::Unknown,
        }
    }

    fn entered(&self, test: &TestId, field: &str) -> Filling {
        match self.program(test) {
            Some(Program::Java(fields)) => fields.entered(field),
            Some(Program::Python(attributes)) => attributes.entered(field),
            None => Filling::Unknown,
        }
    }

    fn held(&self, test: &TestId, field: &str) -> Filling {
        self.fields(test).map_or(Filling::Unknown, |fields| fields.held(field))
    }

    fn is_reset_before_use(&self, test: &TestId, field: &str) -> bool {
        self.fields(test).is_some_and(|fields| fields.is_reset_before_use(field))
    }

    fn is_set_before_each(&self, test: &TestId, field: &str) -> bool {
        match self.program(test) {
            Some(Program::Java(fields)) => fields.is_set_before_each(field),
            Some(Program::Python(attributes)) => attributes.is_set_first(field),
            None => false,
        }
    }
}
