//! Compares the state before and after each test.

use std::path::PathBuf;

use jvmti_bindings::sys::jni::jobject;
use surefoot_model::{Observation, StateChange};
use surefoot_state::{Texts, Words};

use super::classes::{Arrivals, Classes};
use super::comparison;
use super::origin::Origins;
use super::picture::{Painter, Scene};
use super::roots::Roots;
use super::snapshot::{Objects, Snapshot};
use super::walk::{self, Again, Walked};
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};

/// New classes and new constants can turn up again and again, but not for ever.
const ATTEMPTS: u32 = 4;

#[derive(Debug)]
pub(crate) struct Observer {
    project: PathBuf,
    classes: Classes,
    roots: Roots,
    objects: Objects,
    texts: Texts,
    painter: Painter,
    origins: Option<Origins>,
    /// The state when it was last looked at, and the class of the test that had just ended.
    last: Option<(Capture, Option<String>)>,
}

/// A state, and the classes whose static fields it is of.
#[derive(Debug)]
struct Capture {
    snapshot: Snapshot,
    classes: Vec<usize>,
}

/// Access to the VM in the thread of a test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vm<'a> {
    pub(crate) arrivals: &'a Arrivals,
    pub(crate) jvmti: Jvmti,
    pub(crate) jni: Jni,
}

impl Observer {
    pub(crate) fn new(_: &Observation) -> Observer {
        Observer {
            project: std::env::current_dir().unwrap_or_default(),
            classes: Classes::default(),
            roots: Roots::default(),
            objects: Objects::default(),
            texts: Texts::new(),
            painter: Painter::new(),
            origins: None,
            last: None,
        }
    }

    /// A test of this class starts. What code around the tests changed since the last one, if it was looked at.
    pub(crate) fn before(
        &mut self,
        class: &str,
        vm: Vm<'_>,
    ) -> Result<Option<StateChange>, JvmtiError> {
        // Between two tests of a class nothing but the framework runs.
        if self.last.as_ref().is_some_and(|(_, of)| of.as_deref() == Some(class)) {
            return Ok(None);
        }
        let capture = self.capture(vm)?;
        let before = self.last.take().map(|(capture, _)| capture);
        let change = before.map(|before| self.compare(&before, &capture, vm));
        self.last = Some((capture, None));
        Ok(change)
    }

    /// A test of this class has ended. None if its beginning was not looked at.
    pub(crate) fn after(
        &mut self,
        class: &str,
        vm: Vm<'_>,
    ) -> Result<Option<StateChange>, JvmtiError> {
        let Some((before, _)) = self.last.take() else { return Ok(None) };
        let capture = self.capture(vm)?;
        let change = self.compare(&before, &capture, vm);
        self.last = Some((capture, Some(class.to_owned())));
        Ok(Some(change))
    }

    /// What happens cannot be put down to one test.
    pub(crate) fn lose_track(&mut self) {
        self.last = None;
    }

    fn capture(&mut self, vm: Vm<'_>) -> Result<Capture, JvmtiError> {
        for _ in 0..ATTEMPTS {
            let new = self.classes.catch_up(vm.arrivals, vm.jvmti, vm.jni)?;
            if let Some(origins) = self.origins(vm.jni) {
                let (jvmti, jni) = (vm.jvmti, vm.jni);
                self.roots.learn(new, &mut self.classes, &origins, &self.project, jvmti, jni);
            }
            let Some(from) = self.roots.gather(&self.classes, vm.jvmti, vm.jni) else { break };
            let walked = self.walk(from, vm);
            vm.jni.delete_local(from);
            match walked? {
                Walked::All(snapshot) => {
                    return Ok(Capture { snapshot, classes: self.roots.initialised().to_vec() });
                }
                Walked::Again(Again::Strangers) => self.classes.learn_loaded(vm.jvmti, vm.jni)?,
                Walked::Again(Again::Misread) => {}
            }
        }
        Err(JvmtiError::UNSETTLED)
    }

    fn walk(&mut self, from: jobject, vm: Vm<'_>) -> Result<Walked, JvmtiError> {
        let treatments = self.classes.treatments();
        walk::walk(vm.jvmti, from, treatments, &self.roots, &mut self.objects, &mut self.texts)
    }

    fn origins(&mut self, jni: Jni) -> Option<Origins> {
        if self.origins.is_none() {
            self.origins = Origins::new(jni);
        }
        self.origins
    }

    fn compare(&mut self, before: &Capture, after: &Capture, vm: Vm<'_>) -> StateChange {
        if before.snapshot.is_same(&after.snapshot) {
            return StateChange::default();
        }
        let mut scene = Scene {
            classes: &mut self.classes,
            roots: &self.roots,
            objects: &self.objects,
            texts: &self.texts,
            jvmti: vm.jvmti,
            jni: vm.jni,
        };
        let before = self.painter.picture(&before.snapshot, &before.classes, &mut scene);
        let after = self.painter.picture(&after.snapshot, &after.classes, &mut scene);
        match before.zip(after) {
            Some((before, after)) => {
                let words = Words { names: &self.painter.names, texts: &self.texts };
                comparison::change(&before, &after, words, &self.roots)
            }
            None => StateChange::default(),
        }
    }
}
