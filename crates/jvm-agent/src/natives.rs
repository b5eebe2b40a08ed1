//! The native methods of SurefootProbe. The VM finds them in the agent's library by their names; to register them for a class
//! of java.base would make it print a warning.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use jvmti_bindings::sys::jni::{
    JNI_FALSE, JNIEnv, jboolean, jbyteArray, jclass, jint, jintArray, jlong, jobject, jobjectArray,
    jstring,
};
use surefoot_model::event::SeenTest;
use surefoot_model::{CapturePoint, ClassSetup, Command, Event, Framework, RunResult, Thrown};

use crate::agent::Agent;
use crate::choices::Asking;
use crate::jni::Jni;
use crate::tracker::Ending;
use crate::{bundle, callbacks, facts};

/// The kinds of SurefootProbe.Kind.
mod kind {
    pub(super) const VM: i32 = 0;
    pub(super) const STARTED: i32 = 1;
    pub(super) const FINISHED: i32 = 2;
    pub(super) const SKIPPED: i32 = 3;
    pub(super) const CONTAINER_FAILED: i32 = 4;
    pub(super) const FAILED_SO_FAR: i32 = 5;
    pub(super) const ABORTED_SO_FAR: i32 = 6;
    pub(super) const TROUBLE: i32 = 7;
    pub(super) const DONE: i32 = 8;
    pub(super) const SCOPE_BEGINS: i32 = 9;
    pub(super) const SCOPE_ENDS: i32 = 10;
    pub(super) const SHARES: i32 = 11;
    pub(super) const CLASS_BEGINS: i32 = 12;
    pub(super) const CLASS_ENDS: i32 = 13;
    pub(super) const POINT: i32 = 14;
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_emit")]
extern "system" fn emit(env: *mut JNIEnv, _: jclass, kind: jint, fields: jobjectArray) {
    guarded(env, (), |agent, jni| told(agent, jni, kind, &mut jni.strings(fields)));
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_next")]
extern "system" fn next(env: *mut JNIEnv, _: jclass) -> jobjectArray {
    guarded(env, null_mut(), |agent, jni| {
        let mut words = None;
        while let Some(command) = agent.next_command() {
            match command {
                // For the agent itself; all others are for the driver.
                Command::Observe(observation) => {
                    if let Some(jvmti) = callbacks::jvmti() {
                        agent.watcher.observe(agent, jvmti, jni, &observation);
                    }
                }
                Command::Choose(choosing) => {
                    if let Some(jvmti) = callbacks::jvmti() {
                        agent.choices.make(agent, jvmti, jni, choosing);
                    }
                }
                command => {
                    if matches!(command, Command::Run { .. }) {
                        agent.watcher.tests_come(agent, jni);
                    }
                    words = Some(self::words(command));
                    break;
                }
            }
        }
        words.and_then(|words| jni.new_strings(&words)).unwrap_or(null_mut())
    })
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_initialised")]
extern "system" fn initialised(env: *mut JNIEnv, _: jclass) {
    guarded(env, (), |agent, jni| agent.watcher.class_initialised(agent, jni));
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_observes")]
extern "system" fn observes(env: *mut JNIEnv, _: jclass) -> jboolean {
    guarded(env, JNI_FALSE, |agent, _| jboolean::from(agent.watcher.is_observing()))
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_wantsPoints")]
extern "system" fn wants_points(env: *mut JNIEnv, _: jclass) -> jboolean {
    guarded(env, JNI_FALSE, |agent, _| jboolean::from(agent.watcher.wants_points()))
}

#[unsafe(export_name = "Java_java_util_SurefootChoices_choose")]
extern "system" fn choose(
    env: *mut JNIEnv,
    _: jclass,
    model: jint,
    content: jlong,
    size: jint,
    initialising: jboolean,
    often: jboolean,
) -> jintArray {
    chosen(env, model, content, size, |agent, jni, asking| {
        let asking = Asking { often: often != JNI_FALSE, ..asking };
        agent.choices.choose(callbacks::jvmti()?, jni, asking, initialising != JNI_FALSE)
    })
}

#[unsafe(export_name = "Java_java_util_SurefootChoices_chooseByContent")]
extern "system" fn choose_by_content(
    env: *mut JNIEnv,
    _: jclass,
    model: jint,
    content: jlong,
    size: jint,
) -> jintArray {
    chosen(env, model, content, size, |agent, _, asking| agent.choices.choose_by_content(asking))
}

fn chosen(
    env: *mut JNIEnv,
    model: jint,
    content: jlong,
    size: jint,
    choose: impl FnOnce(&Agent, Jni, Asking) -> Option<Vec<u32>>,
) -> jintArray {
    guarded(env, null_mut(), |agent, jni| {
        let (Ok(model), Ok(size)) = (usize::try_from(model), u32::try_from(size)) else {
            return null_mut();
        };
        let content = content.cast_unsigned();
        let order = choose(agent, jni, Asking { model, content, size, often: false });
        let order: Option<Vec<i32>> =
            order.map(|order| order.iter().map(|at| at.cast_signed()).collect());
        order.and_then(|order| jni.new_ints(&order)).unwrap_or(null_mut())
    })
}

#[unsafe(export_name = "Java_java_util_SurefootChoices_traced")]
extern "system" fn traced(
    env: *mut JNIEnv,
    _: jclass,
    order: jintArray,
    shown: jintArray,
    frames: jobjectArray,
    usual: jobjectArray,
) {
    guarded(env, (), |agent, jni| {
        let texts = |array| jni.strings(array).into_iter().flatten().collect();
        let (order, shown) = (jni.ints(order), jni.ints(shown));
        agent.choices.traced(&order, &shown, texts(frames), texts(usual));
    });
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_frameworkLoader")]
extern "system" fn framework_loader(env: *mut JNIEnv, _: jclass, slot: jint) -> jobject {
    guarded(env, null_mut(), |agent, jni| agent.frameworks.loader(jni, slot).unwrap_or(null_mut()))
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_probeName")]
extern "system" fn probe_name(env: *mut JNIEnv, _: jclass, slot: jint) -> jstring {
    guarded(env, null_mut(), |agent, jni| {
        agent.frameworks.probe(slot).and_then(|name| jni.new_string(name)).unwrap_or(null_mut())
    })
}

#[unsafe(export_name = "Java_java_util_SurefootProbe_classBytes")]
extern "system" fn class_bytes(env: *mut JNIEnv, _: jclass, name: jstring) -> jbyteArray {
    guarded(env, null_mut(), |_, jni| {
        jni.string(name)
            .and_then(|name| bundle::class(&name.replace('.', "/")))
            .and_then(|bytes| jni.new_bytes(bytes))
            .unwrap_or(null_mut())
    })
}

/// Nothing unwinds into the VM.
fn guarded<T>(env: *mut JNIEnv, otherwise: T, work: impl FnOnce(&Agent, Jni) -> T) -> T {
    // SAFETY: the VM passes its environment to a native method.
    let jni = unsafe { Jni::new(env) };
    let (Some(agent), Some(jni)) = (Agent::get(), jni) else { return otherwise };
    catch_unwind(AssertUnwindSafe(|| work(agent, jni))).unwrap_or_else(|_| {
        let _ =
            catch_unwind(AssertUnwindSafe(|| agent.trouble("the agent failed in a native method")));
        otherwise
    })
}

fn told(agent: &Agent, jni: Jni, kind: i32, fields: &mut [Option<String>]) {
    match kind {
        kind::VM => {
            if agent.wants_launch() {
                let (seen, troubles) = facts::vm_seen(agent.loaded_at_ms(), fields);
                agent.tell(&Event::Vm(seen));
                troubles.into_iter().for_each(|what| agent.trouble(what));
            }
            return;
        }
        kind::TROUBLE => return agent.trouble(taken(fields, 0).unwrap_or_default()),
        kind::DONE => {
            agent.watcher.held().iter().for_each(|event| agent.tell(event));
            return agent.tell(&Event::Done { reason: taken(fields, 0) });
        }
        kind::SCOPE_BEGINS => {
            return agent.watcher.scope_begins(agent, jni, &taken(fields, 0).unwrap_or_default());
        }
        kind::SCOPE_ENDS => return agent.watcher.scope_ends(agent, jni),
        kind::POINT => {
            let point = taken(fields, 0).and_then(|name| CapturePoint::named(&name));
            return point.into_iter().for_each(|point| agent.watcher.point(agent, jni, point));
        }
        kind::SHARES => return agent.watcher.tests_share(taken(fields, 0)),
        kind::CLASS_BEGINS | kind::CLASS_ENDS => {
            let framework = fields.first().and_then(|name| framework(name.as_deref()?));
            if let (Some(framework), Some(class)) = (framework, taken(fields, 1)) {
                if kind == kind::CLASS_BEGINS {
                    agent.watcher.class_begins(agent, jni, &class);
                } else {
                    agent.watcher.class_ends(agent, jni, framework, class);
                }
            }
            return;
        }
        _ => {}
    }
    let Some(test) = seen_test(fields) else {
        return agent.trouble("a probe told of a test without a name");
    };
    // JUnit 3 also tells the end of tests whose start only JUnit 4 told, which tells their end next.
    if kind == kind::FINISHED && !agent.is_under_way(&test) {
        return;
    }
    // Looking at the state takes time that is not the test's.
    let mut now = agent.now();
    match kind {
        kind::STARTED => {
            agent.watcher.test_starts(agent, jni, &test);
            now = agent.now();
        }
        kind::FINISHED => agent.watcher.test_ends(agent, jni, &test),
        _ => {}
    }
    if matches!(kind, kind::FINISHED | kind::SKIPPED)
        && agent.under_way() == 1
        && let Some(choices) = agent.choices.test_ends(jni)
    {
        agent.tell(&Event::Chose { test: test.clone(), choices });
    }
    let starts = (kind == kind::STARTED).then(|| test.address.clone());
    agent.track(now, |tracker, thread, now| match kind {
        kind::STARTED => tracker.started(test, thread, now),
        kind::FINISHED => {
            let ending = match taken(fields, 7).as_deref() {
                Some("SUCCESSFUL") => Ending::Result(RunResult::Passed),
                Some("FAILED") => Ending::Result(RunResult::Failed { thrown: thrown(fields) }),
                Some("ABORTED") => {
                    Ending::Result(RunResult::Aborted { thrown: Some(thrown(fields)) })
                }
                _ => Ending::SoFar,
            };
            tracker.finished(test, thread, ending, now)
        }
        kind::SKIPPED => tracker.skipped(test, thread, taken(fields, 7), now),
        kind::CONTAINER_FAILED => tracker.container_failed(test, thread, thrown(fields)),
        kind::FAILED_SO_FAR => {
            tracker.so_far(&test, thread, RunResult::Failed { thrown: thrown(fields) });
            None
        }
        kind::ABORTED_SO_FAR => {
            tracker.so_far(&test, thread, RunResult::Aborted { thrown: Some(thrown(fields)) });
            None
        }
        _ => None,
    });
    if let Some(address) = starts
        && agent.under_way() == 1
    {
        agent.choices.test_starts(jni, &address);
    }
}

fn taken(fields: &mut [Option<String>], index: usize) -> Option<String> {
    fields.get_mut(index).and_then(Option::take)
}

/// The fields of SeenTest.java.
fn seen_test(fields: &mut [Option<String>]) -> Option<SeenTest> {
    Some(SeenTest {
        framework: framework(fields.first()?.as_deref()?)?,
        address: taken(fields, 1)?,
        class: taken(fields, 2).unwrap_or_default(),
        method: taken(fields, 3),
        display: taken(fields, 4).unwrap_or_default(),
        legacy: taken(fields, 5),
        written_for: fields.get(6).and_then(|name| framework(name.as_deref()?)),
    })
}

fn framework(name: &str) -> Option<Framework> {
    match name {
        "junit3" => Some(Framework::JUnit3),
        "junit4" => Some(Framework::JUnit4),
        "junit-platform" => Some(Framework::JunitPlatform),
        "testng" => Some(Framework::TestNg),
        _ => None,
    }
}

/// What SeenTest.java puts behind the status.
fn thrown(fields: &mut [Option<String>]) -> Thrown {
    Thrown {
        class: taken(fields, 8).unwrap_or_default(),
        message: taken(fields, 9),
        stack: taken(fields, 10).unwrap_or_default(),
        assertion: taken(fields, 11).as_deref() == Some("1"),
    }
}

/// A command as the words that Driver.java takes.
fn words(command: Command) -> Vec<String> {
    let flat = |name: &str, values: std::collections::BTreeMap<String, String>| {
        std::iter::once(name.to_owned())
            .chain(values.into_iter().flat_map(|(name, value)| [name, value]))
            .collect()
    };
    match command {
        // For the agent itself, or never to a JVM.
        Command::Observe(_) | Command::Choose(_) | Command::Warm { .. } | Command::Pytest(_) => {
            Vec::new()
        }
        Command::Properties { values } => flat("properties", values),
        Command::Configuration { values } => flat("configuration", values),
        Command::Run { framework, class_setup, addresses, whole, files: _ } => {
            let setup = match class_setup {
                ClassSetup::Shared => "shared",
                ClassSetup::PerRun => "per-run",
            };
            let head =
                ["run", framework.name(), setup, &whole.len().to_string()].map(str::to_owned);
            head.into_iter().chain(whole).chain(addresses).collect()
        }
    }
}
