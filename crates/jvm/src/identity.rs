//! Names for tests that people can read and type, made of the framework's own addresses.

use surefoot_model::event::SeenTest;
use surefoot_model::{Framework, Test, TestId};

pub(crate) fn test(seen: SeenTest) -> Test {
    Test {
        id: TestId(name(&seen)),
        framework: seen.framework,
        class: seen.class,
        method: seen.method,
        address: seen.address,
        display: seen.display,
        legacy: seen.legacy,
        written_for: seen.written_for,
    }
}

fn name(seen: &SeenTest) -> String {
    match seen.framework {
        Framework::JUnit3 | Framework::JUnit4 => description(&seen.address),
        Framework::JunitPlatform => {
            unique_id(&seen.address).unwrap_or_else(|| seen.address.clone())
        }
        Framework::TestNg => parameters(&seen.address),
        // No JVM runs it.
        Framework::Pytest => seen.address.clone(),
    }
}

/// `method(a.B)` is `a.B#method`; below a suite, `a.Suite>method(a.B)` is `a.Suite>a.B#method`.
fn description(address: &str) -> String {
    let (suite, test) = match address.split_once('>') {
        Some((suite, test)) if is_class_name(suite) => (format!("{suite}>"), test),
        _ => (String::new(), address),
    };
    match test.strip_suffix(')').and_then(|test| test.rsplit_once('(')) {
        Some((method, class)) if is_class_name(class) => format!("{suite}{class}#{method}"),
        _ => format!("{suite}{test}"),
    }
}

fn is_class_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "._$".contains(c))
}

/// Jupiter's unique ids; none for an engine whose segments we do not know.
fn unique_id(address: &str) -> Option<String> {
    let mut name = String::new();
    for segment in address.strip_prefix('[')?.strip_suffix(']')?.split("]/[") {
        let (kind, value) = segment.split_once(':')?;
        let value = decode(value);
        match kind {
            "engine" if value == "junit-jupiter" => {}
            "engine" if value == "junit-platform-suite" => {}
            "suite" => {
                name.push_str(&value);
                name.push('>');
            }
            "class" | "class-template" => name.push_str(&value),
            "nested-class" | "nested-class-template" => {
                name.push('$');
                name.push_str(&value);
            }
            "method" | "test-template" | "test-factory" => {
                name.push('#');
                name.push_str(&parameters(&value));
            }
            "class-template-invocation"
            | "test-template-invocation"
            | "dynamic-container"
            | "dynamic-test" => {
                name.push('[');
                name.push_str(value.strip_prefix('#')?);
                name.push(']');
            }
            _ => return None,
        }
    }
    (!name.is_empty()).then_some(name)
}

/// `m()` is `m`, and `m(java.lang.String, a.B)` is `m(String,a.B)`.
fn parameters(method: &str) -> String {
    match method.split_once('(') {
        Some((name, rest)) => match rest.rsplit_once(')') {
            Some(("", after)) => format!("{name}{after}"),
            Some((types, after)) => {
                let types: Vec<&str> = types
                    .split(',')
                    .map(|name| {
                        let name = name.trim();
                        match name.strip_prefix("java.lang.") {
                            Some(simple) if !simple.contains('.') => simple,
                            _ => name,
                        }
                    })
                    .collect();
                format!("{name}({}){after}", types.join(","))
            }
            None => method.to_owned(),
        },
        None => method.to_owned(),
    }
}

/// The platform writes characters with a meaning in unique ids as `%5B`.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let byte = code
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(framework: Framework, address: &str) -> String {
        name(&SeenTest {
            framework,
            address: address.into(),
            class: String::new(),
            method: None,
            display: String::new(),
            legacy: None,
            written_for: None,
        })
    }

    #[test]
    fn jupiters_tests_are_named_by_class_method_and_number() {
        let expected = [
            ("[engine:junit-jupiter]/[class:a.B]/[method:c()]", "a.B#c"),
            (
                "[engine:junit-jupiter]/[class:a.B]/[nested-class:N]/[method:c(int, java.lang.String)]",
                "a.B$N#c(int,String)",
            ),
            (
                "[engine:junit-jupiter]/[class:a.B]/[test-template:c(int)]/[test-template-invocation:#12]",
                "a.B#c(int)[12]",
            ),
            (
                "[engine:junit-jupiter]/[class:a.B]/[test-factory:f()]/[dynamic-container:#1]/[dynamic-test:#2]",
                "a.B#f[1][2]",
            ),
            (
                "[engine:junit-jupiter]/[class-template:a.B]/[class-template-invocation:#1]/[method:c()]",
                "a.B[1]#c",
            ),
            ("[engine:junit-jupiter]/[class:a.B]/[method:c(%5BI)]", "a.B#c([I)"),
            (
                "[engine:junit-platform-suite]/[suite:a.S]/[engine:junit-jupiter]/[class:a.B]/[method:c()]",
                "a.S>a.B#c",
            ),
        ];
        for (address, name) in expected {
            assert_eq!(named(Framework::JunitPlatform, address), name);
        }
    }

    #[test]
    fn an_unknown_engines_tests_keep_their_addresses() {
        let address = "[engine:spek]/[scope:x]/[test:y]";
        assert_eq!(named(Framework::JunitPlatform, address), address);
    }

    #[test]
    fn junit4s_tests_are_named_by_class_and_method() {
        let expected = [
            ("c(a.B)", "a.B#c"),
            ("c[0: x (y)](a.B)", "a.B#c[0: x (y)]"),
            ("a.S>c(a.B)", "a.S>a.B#c"),
            ("a.B", "a.B"),
            ("x > y(a.B)", "a.B#x > y"),
        ];
        for (address, name) in expected {
            assert_eq!(named(Framework::JUnit4, address), name);
        }
    }

    #[test]
    fn testngs_tests_are_named_by_class_instance_method_and_row() {
        assert_eq!(
            named(Framework::TestNg, "a.B@1#c(int,java.lang.String)[2]"),
            "a.B@1#c(int,String)[2]"
        );
        assert_eq!(named(Framework::TestNg, "a.B#c()"), "a.B#c");
    }
}
