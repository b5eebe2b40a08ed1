//! The java launcher's command line, taken apart.

/// Options whose value may be the next argument.
const WITH_VALUE: &[&str] = &[
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--limit-modules",
    "--enable-native-access",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--patch-module",
    "--source",
    "--illegal-native-access",
    "--sun-misc-unsafe-memory-access",
];

const CLASS_PATH: &[&str] = &["-cp", "-classpath", "--class-path"];

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CommandLine {
    /// In order, without the class path; `--option value` as `--option=value` where the launcher takes that too.
    pub(crate) options: Vec<String>,
    pub(crate) class_path: Option<String>,
    pub(crate) main: Main,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Main {
    #[default]
    Missing,
    Class(String),
    Jar(String),
    Module(String),
}

/// `argv` with the launcher's own name first and its `@file`s expanded.
pub(crate) fn parse(argv: &[String]) -> CommandLine {
    let mut parsed = CommandLine::default();
    let mut rest = argv.iter().skip(1);
    while let Some(argument) = rest.next() {
        if CLASS_PATH.contains(&argument.as_str()) {
            parsed.class_path = rest.next().cloned();
        } else if let Some(path) = argument.strip_prefix("--class-path=") {
            parsed.class_path = Some(path.to_owned());
        } else if argument == "-jar" {
            parsed.main = rest.next().map_or(Main::Missing, |jar| Main::Jar(jar.clone()));
            break;
        } else if argument == "-m" || argument == "--module" {
            parsed.main = rest.next().map_or(Main::Missing, |module| Main::Module(module.clone()));
            break;
        } else if let Some(module) = argument.strip_prefix("--module=") {
            parsed.main = Main::Module(module.to_owned());
            break;
        } else if WITH_VALUE.contains(&argument.as_str()) {
            if let Some(value) = rest.next() {
                let name = if argument == "-p" { "--module-path" } else { argument };
                parsed.options.push(format!("{name}={value}"));
            }
        } else if argument.starts_with('-') {
            parsed.options.push(argument.clone());
        } else {
            parsed.main = Main::Class(argument.clone());
            break;
        }
    }
    parsed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> CommandLine {
        parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_class_path_and_a_class() {
        let line = parsed("java -Xmx1g -cp a:b -Dx=y com.acme.Main -cp not-ours");
        assert_eq!(line.options, ["-Xmx1g", "-Dx=y"]);
        assert_eq!(line.class_path.as_deref(), Some("a:b"));
        assert_eq!(line.main, Main::Class("com.acme.Main".into()));
    }

    #[test]
    fn a_jar() {
        assert_eq!(parsed("java -ea -jar x.jar a b").main, Main::Jar("x.jar".into()));
    }

    #[test]
    fn modules_with_their_values_in_either_form() {
        let line = parsed("java -p mods --add-opens a/b=ALL-UNNAMED --add-modules=x -m m/c.D");
        assert_eq!(
            line.options,
            ["--module-path=mods", "--add-opens=a/b=ALL-UNNAMED", "--add-modules=x"]
        );
        assert_eq!(line.main, Main::Module("m/c.D".into()));
    }

    #[test]
    fn a_line_that_breaks_off_is_no_panic() {
        for line in ["", "java", "java -cp", "java -jar", "java --add-opens", "java -m"] {
            assert_eq!(parsed(line).main, Main::Missing);
        }
    }
}
