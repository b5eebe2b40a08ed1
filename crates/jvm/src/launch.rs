//! From what a VM told of itself to a launch that starts one like it.

use std::collections::BTreeMap;

use surefoot_model::event::{SeenTest, VmSeen};
use surefoot_model::{Launch, Test};
use surefoot_runtime::Language;

use crate::command_line::{self, Main};
use crate::{argument_file, identity, inject};

/// How records of JVMs are read.
#[derive(Debug, Clone, Copy)]
pub struct Jvm;

impl Language for Jvm {
    fn launch(&self, seen: &VmSeen) -> Launch {
        launch(seen)
    }

    fn test(&self, seen: SeenTest) -> Test {
        identity::test(seen)
    }
}

/// Properties that the VM sets by itself, from its command line or its surroundings.
const VM_PROPERTIES: &[&str] = &[
    "java.",
    "jdk.",
    "sun.",
    "os.",
    "user.",
    "awt.",
    "file.",
    "line.",
    "path.",
    "native.",
    "stdout.",
    "stderr.",
    "stdin.",
    "http.nonProxyHosts",
    "ftp.nonProxyHosts",
    "socksNonProxyHosts",
    "gopherProxySet",
];

/// Exceptions: names that begin like the VM's own but that build tools do set.
const NOT_VM_PROPERTIES: &[&str] = &[
    "java.io.tmpdir",
    "java.util.logging.",
    "java.security.policy",
    "user.timezone",
    "user.language",
];

/// Differ from VM to VM of one launch and mean nothing to the tests.
const VOLATILE_PROPERTIES: &[&str] =
    &["surefire.real.class.path", "surefire.test.class.path", "org.gradle.native"];
const VOLATILE_VARIABLES: &[&str] = &["_", "SHLVL", "OLDPWD"];

/// Options that must not be used again: they write the user's files or wait for a debugger.
fn is_left_out(option: &str) -> bool {
    let coverage = option.starts_with("-javaagent:") && option.contains("jacoco");
    let debugger = option.starts_with("-agentlib:jdwp")
        || option.starts_with("-Xrunjdwp")
        || option == "-Xdebug";
    // Ours, if the user's build passes JAVA_TOOL_OPTIONS on as arguments.
    let agent = option.starts_with("-agentpath:") && option.contains("=watch=");
    coverage || debugger || agent
}

fn launch(seen: &VmSeen) -> Launch {
    let argv = argument_file::expand(&seen.argv, &seen.argument_files);
    let line = command_line::parse(&argv);
    let property = |name: &str| seen.properties.get(name).cloned().unwrap_or_default();
    let own_path = match &line.main {
        Main::Jar(jar) => jar.clone(),
        _ => line
            .class_path
            .clone()
            .or_else(|| seen.environment.get("CLASSPATH").cloned())
            .unwrap_or_else(|| ".".to_owned()),
    };
    let mut environment = seen.environment.clone();
    inject::restore(&mut environment);
    for name in VOLATILE_VARIABLES {
        environment.remove(*name);
    }
    Launch {
        executable: seen.executable.clone(),
        class_path: class_path(seen, &own_path),
        class_path_property: property("java.class.path"),
        properties: properties(seen, &line.options),
        options: line.options.into_iter().filter(|option| !is_left_out(option)).collect(),
        configuration: seen.configuration.clone(),
        environment,
        directory: seen.directory.clone(),
        pytest: None,
    }
}

/// What the loaders of the test code search, in their order.
fn class_path(seen: &VmSeen, own_path: &str) -> Vec<String> {
    let own = own_path.split(':').filter(|entry| !entry.is_empty()).flat_map(|entry| {
        seen.pathing_jars.get(entry).cloned().unwrap_or_else(|| vec![entry.to_owned()])
    });
    let mut path: Vec<String> = Vec::new();
    let loaders = seen.loader_path.iter().cloned();
    if seen.loader_first {
        path.extend(loaders.chain(own));
    } else {
        path.extend(own.chain(loaders));
    }
    let mut known = std::collections::BTreeSet::new();
    path.retain(|entry| known.insert(entry.trim_end_matches('/').to_owned()));
    path
}

fn properties(seen: &VmSeen, options: &[String]) -> BTreeMap<String, String> {
    let on_command_line = |name: &str, value: &str| {
        let define = format!("-D{name}={value}");
        options
            .iter()
            .any(|option| *option == define || (value.is_empty() && *option == format!("-D{name}")))
    };
    let by_vm = |name: &str| {
        VM_PROPERTIES.iter().any(|prefix| name.starts_with(prefix))
            && !NOT_VM_PROPERTIES.iter().any(|prefix| name.starts_with(prefix))
    };
    seen.properties
        .iter()
        .filter(|(name, _)| {
            !by_vm(name) && !VOLATILE_PROPERTIES.iter().any(|p| name.starts_with(p))
        })
        .filter(|(name, value)| !on_command_line(name, value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn seen(argv: &[&str]) -> VmSeen {
        VmSeen {
            protocol: 1,
            pid: 1,
            ancestors: Vec::new(),
            loaded_at_ms: 0,
            executable: "/jdk/bin/java".into(),
            argv: argv.iter().map(|a| (*a).to_owned()).collect(),
            argument_files: BTreeMap::new(),
            directory: "/p".into(),
            environment: map(&[
                ("PATH", "/bin"),
                ("_", "/bin/mvn"),
                ("JAVA_TOOL_OPTIONS", "-Xmx1g -agentpath:/a.so=watch=/p"),
            ]),
            properties: map(&[
                ("java.class.path", "/p/target/test-classes:/p/target/classes"),
                ("java.version", "17"),
                ("java.io.tmpdir", "/p/tmp"),
                ("basedir", "/p"),
                ("given", "yes"),
                ("surefire.real.class.path", "/p/target/surefire/booter1.jar"),
            ]),
            pathing_jars: BTreeMap::new(),
            loader_path: Vec::new(),
            loader_first: false,
            configuration: BTreeMap::new(),
            pytest: None,
        }
    }

    #[test]
    fn surefires_pathing_jar_is_expanded_and_its_properties_are_kept() {
        let booter = "/p/target/surefire/booter1.jar";
        let mut seen = seen(&[
            "java",
            "-Dgiven=yes",
            "-javaagent:/x/jacoco.jar=y",
            "-jar",
            booter,
            "/p/target/surefire",
        ]);
        seen.pathing_jars
            .insert(booter.into(), vec!["/p/target/test-classes/".into(), "/m2/junit.jar".into()]);
        let launch = launch(&seen);
        assert_eq!(launch.class_path, ["/p/target/test-classes/", "/m2/junit.jar"]);
        assert_eq!(launch.class_path_property, "/p/target/test-classes:/p/target/classes");
        assert_eq!(launch.properties, map(&[("basedir", "/p"), ("java.io.tmpdir", "/p/tmp")]));
        assert_eq!(launch.options, ["-Dgiven=yes"]);
        assert_eq!(launch.environment, map(&[("PATH", "/bin"), ("JAVA_TOOL_OPTIONS", "-Xmx1g")]));
    }

    #[test]
    fn two_vms_of_one_build_have_one_launch() {
        let mut other = seen(&["java", "-cp", "a", "Main"]);
        other.pid = 2;
        other
            .properties
            .insert("surefire.real.class.path".into(), "/p/target/surefire/booter2.jar".into());
        assert_eq!(launch(&seen(&["java", "-cp", "a", "Main"])).id(), launch(&other).id());
    }

    #[test]
    fn the_runners_own_loader_comes_after_its_parent_unless_it_is_isolated() {
        let mut seen = seen(&["java", "-jar", "console.jar", "execute"]);
        seen.loader_path = vec!["/p/classes".into()];
        assert_eq!(launch(&seen).class_path, ["console.jar", "/p/classes"]);
        seen.loader_first = true;
        assert_eq!(launch(&seen).class_path, ["/p/classes", "console.jar"]);
    }
}
