//! Settings of the process: what every test depends on and no variable of the project holds.

use std::ffi::{CStr, c_char, c_int};

use surefoot_model::Access;
use surefoot_state::{EdgeLabel, Value};

use crate::api::{self, Object, Owned};
use crate::known::Known;
use crate::outline::Outline;
use crate::snapshot::identified;
use crate::walk::{Setting, Walk};

unsafe extern "C" {
    fn setlocale(category: c_int, locale: *const c_char) -> *const c_char;
}

const LC_ALL: c_int = 6;

/// Signals that a program may want to handle; 32 and 33 are the C library's own.
const SIGNALS: &[(i64, &str)] = &[
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (10, "SIGUSR1"),
    (11, "SIGSEGV"),
    (12, "SIGUSR2"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (17, "SIGCHLD"),
    (18, "SIGCONT"),
    (20, "SIGTSTP"),
    (21, "SIGTTIN"),
    (22, "SIGTTOU"),
    (23, "SIGURG"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
    (26, "SIGVTALRM"),
    (27, "SIGPROF"),
    (28, "SIGWINCH"),
    (29, "SIGIO"),
];

/// A variable that says which test is under way.
const OF_PYTEST: &str = "PYTEST_CURRENT_TEST";

/// What a logger is set to; the rest is its place in the tree and a cache.
const OF_LOGGER: &[&str] = &["level", "handlers", "filters", "propagate", "disabled"];

pub(crate) fn entry<'a>(dict: Object<'a>, name: &str) -> Option<Object<'a>> {
    dict.entries().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
}

fn attribute<'a>(object: Object<'a>, name: &str) -> Option<Object<'a>> {
    entry(object.instance_dict()?, name)
}

impl Outline {
    /// An attribute of a module.
    fn get<'a>(&self, module: &str, name: &str) -> Option<Object<'a>> {
        entry(self.module(module)?.module_dict()?, name)
    }
}

pub(crate) fn capture<'a>(
    walk: &mut Walk<'a, '_>,
    modules: &Outline,
    collects_garbage: bool,
    generators: bool,
) {
    environment(walk, modules);
    directory(walk);
    for (name, list) in [("sys.path", c"path"), ("sys.argv", c"argv")] {
        if let Some(list) = api::of_sys(list) {
            root(walk, name, list);
        }
    }
    if let Some(zones) = modules.get("time", "tzname") {
        root(walk, "time.tzname", zones);
    }
    locale(walk);
    loggers(walk, modules);
    decimal(walk, modules);
    signals(walk);
    if generators {
        random(walk, modules);
        numpy(walk, modules);
    }
    let on = walk.named(if collects_garbage { "True" } else { "False" });
    walk.setting("gc.isenabled()", on);
    let limit = walk.known.recursion_limit.call(&[]);
    if let Some(limit) = limit.and_then(|limit| limit.get().integer()) {
        walk.setting("sys.getrecursionlimit()", Value::Int(limit));
    }
    timeout(walk, modules);
}

/// What pytest changes itself around each part of a test, and puts back.
pub(crate) fn capture_surface(walk: &mut Walk<'_, '_>) {
    streams(walk);
    let warnings = api::modules().and_then(|modules| entry(modules, "warnings"));
    let warnings = warnings.and_then(Object::module_dict);
    if let Some(filters) = warnings.and_then(|dict| entry(dict, "filters")) {
        root(walk, "warnings.filters", filters);
    }
}

fn root<'a>(walk: &mut Walk<'a, '_>, name: &str, object: Object<'a>) {
    let name = walk.memory.names.label(name);
    walk.root(name, None, Access::Process, object);
}

/// `os.environ`, past its methods.
fn environment<'a>(walk: &mut Walk<'a, '_>, modules: &Outline) {
    let data = modules.get("os", "environ").and_then(|environ| attribute(environ, "_data"));
    let Some(data) = data.filter(|data| data.is_dict()) else { return };
    let of_pytest = walk.text(OF_PYTEST);
    let mut entries = Vec::new();
    for (key, value) in data.entries() {
        let key = walk.kept_text(key);
        if key != of_pytest {
            let value = walk.kept_text(value);
            entries.push((EdgeLabel::Key(key), Setting::Value(value)));
        }
    }
    walk.table("os.environ", entries);
}

fn directory(walk: &mut Walk<'_, '_>) {
    let directory = std::env::current_dir();
    let directory = directory.map(|path| path.to_string_lossy().into_owned());
    let value = walk.text(&directory.unwrap_or_else(|_| "a directory that is gone".to_owned()));
    walk.setting("os.getcwd()", value);
    if let Some(mask) = mask() {
        let value = walk.named(&mask);
        walk.setting("os.umask", value);
    }
}

/// To ask for the mask is to set it, for all threads; so the system is asked instead.
fn mask() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    Some(format!("0o{}", mask.trim().trim_start_matches('0')))
}

/// Which streams they are.
fn streams(walk: &mut Walk<'_, '_>) {
    for (shown, name) in
        [("sys.stdout", c"stdout"), ("sys.stderr", c"stderr"), ("sys.stdin", c"stdin")]
    {
        if let Some(stream) = api::of_sys(name) {
            let class = crate::kinds::full_name(stream.type_of());
            let value = walk.named(&identified(&class, stream.address()));
            walk.setting(shown, value);
        }
    }
}

fn locale(walk: &mut Walk<'_, '_>) {
    // SAFETY: without a locale to set it only tells the one that is set, in a text that is read before anybody sets another.
    let text = unsafe {
        let locale = setlocale(LC_ALL, std::ptr::null());
        if locale.is_null() { None } else { Some(CStr::from_ptr(locale).to_string_lossy()) }
    };
    if let Some(text) = text {
        let value = walk.text(&text);
        walk.setting("locale.setlocale()", value);
    }
}

fn loggers<'a>(walk: &mut Walk<'a, '_>, modules: &Outline) {
    let Some(top) = modules.get("logging", "root") else { return };
    logger(walk, "logging.getLogger()", top);
    let Some(manager) = attribute(top, "manager").or_else(|| {
        let class = modules.get("logging", "Logger").filter(|class| class.is_type())?;
        entry(crate::layout::class_dict(class)?, "manager")
    }) else {
        return;
    };
    if let Some(disabled) = attribute(manager, "_disable").or(attribute(manager, "disable")) {
        root(walk, "logging.disable()", disabled);
    }
    let Some(all) = attribute(manager, "loggerDict").filter(|all| all.is_dict()) else { return };
    for (name, object) in all.entries() {
        let Some(name) = name.text() else { continue };
        logger(walk, &format!("logging.getLogger({name:?})"), object);
    }
}

fn logger<'a>(walk: &mut Walk<'a, '_>, name: &str, logger: Object<'a>) {
    let Some(dict) = logger.instance_dict() else { return };
    let (mut entries, mut settings) = (Vec::new(), 0);
    for (key, value) in dict.entries() {
        let Some(key) = key.text().filter(|key| OF_LOGGER.contains(key)) else { continue };
        let label = walk.memory.names.label(key);
        if key == "handlers" && value.flags() & api::LIST != 0 {
            // pytest adds its own while a test is under way.
            let is_own = |class: Object<'_>| crate::kinds::full_name(class).starts_with("_pytest.");
            let handlers = value.list_items().filter(|handler| !is_own(handler.type_of()));
            for (at, handler) in handlers.enumerate() {
                let label = walk.memory.names.label(&format!("handlers[{at}]"));
                entries.push((EdgeLabel::Field(label), Setting::Object(handler)));
            }
            settings += 1;
            continue;
        }
        settings += 1;
        entries.push((EdgeLabel::Field(label), Setting::Object(value)));
    }
    // A place in the tree that nobody has asked for is no logger yet.
    if settings == OF_LOGGER.len() {
        walk.table(name, entries);
    }
}

/// Its flags are set by whoever calculates; the rest is a choice.
fn decimal<'a>(walk: &mut Walk<'a, '_>, modules: &Outline) {
    let getter = modules.get("_decimal", "getcontext").or(modules.get("decimal", "getcontext"));
    let Some(getter) = getter.filter(|getter| is_builtin(*getter, walk.known)) else { return };
    let Some(context) = getter.to_owned().call(&[]) else { return };
    if crate::kinds::full_name(context.get().type_of()) != "decimal.Context" {
        return;
    }
    let Some(text) = context.representation() else { return };
    let text = match (text.find("flags=["), text.find("], traps=")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{}", &text[..start], &text[end + 3..])
        }
        _ => text,
    };
    let value = walk.named(&text);
    walk.setting("decimal.getcontext()", value);
}

fn is_builtin(object: Object<'_>, known: &Known) -> bool {
    object.type_of() == known.builtin.get()
}

fn signals(walk: &mut Walk<'_, '_>) {
    let known = walk.known;
    for (number, name) in SIGNALS {
        let handler = known.get_signal.as_ref().and_then(|get| {
            let number = Owned::from_integer(*number)?;
            get.call(&[number.get()])
        });
        let Some(handler) = handler else { continue };
        let object = handler.get();
        let class = object.type_of();
        let text = if object == walk.known.none.get() {
            "None".to_owned()
        } else if object.flags() & api::INT != 0 {
            match object.integer() {
                Some(0) => "SIG_DFL".to_owned(),
                Some(1) => "SIG_IGN".to_owned(),
                _ => "a number".to_owned(),
            }
        } else if class == walk.known.function.get() {
            let crate::walk::Memory { names, labels, .. } = &mut *walk.memory;
            let label = labels.function(object, names);
            identified(names.text(label), object.address())
        } else if class == walk.known.method.get() {
            // Whoever asks for a method gets a new one each time.
            "method".to_owned()
        } else {
            identified(&crate::kinds::full_name(class), object.address())
        };
        let value = walk.named(&text);
        walk.setting(&format!("signal.getsignal({name})"), value);
    }
}

const RANDOM: &str = "random.getstate()";

/// The generator that the functions of the module `random` use.
fn random<'a>(walk: &mut Walk<'a, '_>, modules: &Outline) {
    let Some(generator) = modules.get("random", "_inst") else { return };
    let Some(class) = modules.get("_random", "Random").filter(|class| class.is_type()) else {
        return;
    };
    if !generator.type_of().is_below(class) {
        return;
    }
    // To ask for the state makes hundreds of numbers.
    let memory = xxhash_rust::xxh3::xxh3_64(crate::layout::memory(generator));
    let key = (generator.address(), memory);
    if let Some((_, value)) = walk.memory.generator.filter(|(known, _)| *known == key) {
        return walk.setting(RANDOM, value);
    }
    let state = class.to_owned().own("getstate").and_then(|get| get.call(&[generator]));
    let Some(state) = state.filter(|state| state.get().flags() & api::TUPLE != 0) else { return };
    let mut bytes = Vec::with_capacity(625 * 8);
    for number in state.get().tuple_items() {
        bytes.extend(number.integer().unwrap_or(0).to_le_bytes());
    }
    let value = generator_state(walk, &bytes);
    walk.memory.generator = Some((key, value));
    walk.setting(RANDOM, value);
}

fn generator_state(walk: &mut Walk<'_, '_>, bytes: &[u8]) -> Value {
    let hash = xxhash_rust::xxh3::xxh3_64(bytes);
    walk.named(&format!("state {hash:016x}"))
}

/// The generator that the functions of `numpy.random` use.
fn numpy<'a>(walk: &mut Walk<'a, '_>, modules: &Outline) {
    let Some(generator) = modules.get("numpy.random.mtrand", "_rand") else { return };
    if crate::kinds::full_name(generator.type_of()) != "numpy.random.mtrand.RandomState" {
        return;
    }
    let state = generator.to_owned().attribute(c"get_state").and_then(|get| get.call(&[]));
    let Some(state) = state.filter(|state| state.get().flags() & api::TUPLE != 0) else { return };
    let parts: Vec<Object<'_>> = state.get().tuple_items().collect();
    let (Some(key), Some(position)) = (parts.get(1), parts.get(2)) else { return };
    let position = match position.flags() & api::INT {
        0 => 0,
        _ => position.integer().unwrap_or(0),
    };
    let bytes = key.with_buffer(|key, _| [key, &position.to_le_bytes()].concat());
    let value = generator_state(walk, &bytes.unwrap_or_default());
    walk.setting("numpy.random.get_state()", value);
}

fn timeout<'a>(walk: &mut Walk<'a, '_>, modules: &Outline) {
    let getter = modules.get("_socket", "getdefaulttimeout");
    let Some(getter) = getter.filter(|getter| is_builtin(*getter, walk.known)) else { return };
    let Some(timeout) = getter.to_owned().call(&[]) else { return };
    let value = match timeout.get() == walk.known.none.get() {
        true => walk.named("None"),
        false => Value::double(timeout.get().float()),
    };
    walk.setting("socket.getdefaulttimeout()", value);
}
