//! Who sees an order, from the stack of the call.

use surefoot_model::TestId;

/// Most frames of a stack that are shown,
const MOST_FRAMES: usize = 12;

/// and of these at the call, if there are more: the others lead there from the test.
const AT_THE_CALL: usize = 4;

/// The first method that is not of the language, and what it called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reader<'a> {
    pub(super) frame: &'a str,
    pub(super) api: Option<&'a str>,
}

/// A method that was declared is called as those of the JDK are.
pub(super) fn reader<'a>(stack: &'a [String], model: &str) -> Reader<'a> {
    let frames = visible(stack);
    let is_declared = |frame: &str| frame.split('(').next() == Some(model);
    let user = frames
        .iter()
        .position(|frame| !is_of_the_language(frame) && !is_declared(frame))
        .unwrap_or(0);
    Reader {
        frame: frames.get(user).copied().unwrap_or_default(),
        api: user.checked_sub(1).and_then(|api| frames.get(api)).copied(),
    }
}

/// `com.acme.Cart.total(Cart.java:12) by HashSet.iterator`
pub(super) fn call(stack: &[String], model: &str) -> String {
    let Reader { frame, api } = reader(stack, model);
    match api {
        Some(api) => format!("{frame} by {}", without_package(api)),
        None => frame.to_owned(),
    }
}

/// From the call outwards to the test, or where it is not of the test's own class, to where the framework called it.
pub(super) fn shown(stack: &[String], test: &TestId) -> String {
    let frames = visible(stack);
    let from =
        frames.iter().position(|frame| !is_of_the_language(frame)).unwrap_or(0).saturating_sub(1);
    let own = &frames[from..];
    let end = match own.iter().rposition(|frame| is_of_test(frame, test)) {
        Some(last) => last + 1,
        None => own.iter().position(|frame| is_reflection(frame)).unwrap_or(own.len()),
    };
    let own: Vec<&str> = own[..end].iter().filter(|frame| !is_reflection(frame)).copied().collect();
    if own.len() <= MOST_FRAMES {
        return own.join("\n");
    }
    let (at_the_call, rest) = own.split_at(AT_THE_CALL);
    let (between, from_the_test) = rest.split_at(own.len() - MOST_FRAMES + 1);
    let between = format!("… {} more", between.len());
    [at_the_call, &[&between], from_the_test].concat().join("\n")
}

/// In the class of a test of the JVM, or in one within it.
fn is_of_test(frame: &str, test: &TestId) -> bool {
    let Some((class, _)) = test.as_str().split_once('#') else { return false };
    let class = class.rsplit('>').next().unwrap_or(class);
    frame.strip_prefix(class).is_some_and(|rest| rest.starts_with(['.', '$']))
}

/// A call by reflection, but no question about members.
fn is_reflection(frame: &str) -> bool {
    [
        "jdk.internal.reflect.",
        "java.lang.reflect.Method.invoke(",
        "java.lang.reflect.Constructor.newInstance",
    ]
    .iter()
    .any(|call| frame.starts_with(call))
}

/// `HashSet.iterator` of `java.util.HashSet.iterator(HashSet.java:173)`
fn without_package(frame: &str) -> String {
    let method = frame.split('(').next().unwrap_or(frame);
    let parts: Vec<&str> = method.split('.').collect();
    let call = parts[parts.len().saturating_sub(2)..].join(".");
    match call.split_once("Pipeline.") {
        // What the JDK calls the classes behind its streams.
        Some(("Reference", method)) => format!("Stream.{method}"),
        Some((of @ ("Int" | "Long" | "Double"), method)) => format!("{of}Stream.{method}"),
        _ => call,
    }
}

/// Without our own.
fn visible(stack: &[String]) -> Vec<&str> {
    stack.iter().map(String::as_str).filter(|frame| !frame.contains(".Surefoot")).collect()
}

/// Of the JDK, or of Python's standard library, whose functions that are written in C are in no file.
fn is_of_the_language(frame: &str) -> bool {
    let jdk = ["java.", "jdk.", "sun.", "javax.", "com.sun."];
    let is_jdk = |frame: &str| jdk.iter().any(|package| frame.starts_with(package));
    match frame.split_once('(') {
        Some((_, place)) if place.contains(".py:") => place.starts_with("<python>/"),
        Some(_) => is_jdk(frame),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_stack_both_ends_are_shown() {
        let library = (0..40).map(|at| format!("org.lib.Reader.read{at}(Reader.java:{at})"));
        let stack: Vec<String> = ["java.util.HashSet.iterator(HashSet.java:173)".to_owned()]
            .into_iter()
            .chain(library)
            .chain(
                ["com.acme.Cart.total(Cart.java:12)", "com.acme.CartTest.sums(CartTest.java:7)"]
                    .map(str::to_owned),
            )
            .chain(["java.lang.reflect.Method.invoke(Method.java:569)".to_owned()])
            .collect();
        let test = TestId::from("com.acme.CartTest#sums");
        let lines = shown(&stack, &test);
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines.len(), MOST_FRAMES);
        assert_eq!(lines[0], "java.util.HashSet.iterator(HashSet.java:173)");
        assert_eq!(lines[3..5], ["org.lib.Reader.read2(Reader.java:2)", "… 32 more"]);
        assert_eq!(lines[11], "com.acme.CartTest.sums(CartTest.java:7)");
    }

    #[test]
    fn a_stack_goes_on_to_the_test_where_reflection_calls_in_between() {
        let stack = [
            "java.util.HashSet.iterator(HashSet.java:173)",
            "com.acme.Cart.getItems(Cart.java:12)",
            "jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)",
            "java.lang.reflect.Method.invoke(Method.java:580)",
            "org.lib.Bean.read(Bean.java:3)",
            "com.acme.CartTest$Shop.writes(CartTest.java:20)",
            "java.lang.reflect.Method.invoke(Method.java:580)",
            "org.junit.Runner.run(Runner.java:1)",
        ]
        .map(str::to_owned);
        let lines_of = |test: &str| shown(&stack, &TestId::from(test)).lines().count();
        assert_eq!(lines_of("com.acme.CartTest#sums"), 4);
        assert_eq!(lines_of("com.acme.Suite>com.acme.CartTest#sums"), 4);
        // Of a method that it inherits: whose frames are the framework's is not known.
        assert_eq!(lines_of("com.acme.Cart2Test#sums"), 2);
    }

    #[test]
    fn a_stream_is_called_what_the_user_calls_it() {
        for (frame, called) in [
            (
                "java.util.stream.ReferencePipeline.forEach(ReferencePipeline.java:596)",
                "Stream.forEach",
            ),
            ("java.util.stream.IntPipeline.sum(IntPipeline.java:515)", "IntStream.sum"),
            ("com.acme.Pipeline.run(Pipeline.java:5)", "Pipeline.run"),
        ] {
            assert_eq!(without_package(frame), called);
        }
    }
}
