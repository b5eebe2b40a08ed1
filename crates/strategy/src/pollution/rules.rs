//! Differences that are not worth a report, by named rules with reasons.

use regex::Regex;
use serde::Deserialize;
use surefoot_model::{Access, Difference};
use thiserror::Error;

const SHIPPED: &str = include_str!("rules.toml");

#[derive(Debug)]
pub struct Rules {
    rules: Vec<Rule>,
    ignored: Vec<String>,
}

#[derive(Debug)]
struct Rule {
    name: String,
    reason: String,
    root: Option<Regex>,
    path: Option<Regex>,
    except: Option<Regex>,
    field: Option<Regex>,
    before: Option<Regex>,
    after: Option<Regex>,
    /// About files, and not about what is in the VM.
    file: Option<Regex>,
    of_user: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Written>,
    ignored: Vec<Ignored>,
}

/// Files that nobody looks at. Name and reason are for who reads the rules.
#[derive(Debug, Deserialize)]
struct Ignored {
    entries: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    reason: String,
    root: Option<String>,
    path: Option<String>,
    except: Option<String>,
    field: Option<String>,
    before: Option<String>,
    after: Option<String>,
    file: Option<String>,
}

#[derive(Debug, Error)]
pub enum RulesError {
    #[error("{0:?} is no regular expression")]
    Expression(String, #[source] Box<regex::Error>),
    #[error("the rules that Surefoot comes with cannot be read")]
    Shipped(#[source] Box<toml::de::Error>),
}

impl Rules {
    /// Those that Surefoot comes with, and the user's own.
    pub fn new(exclude_roots: &[String], exclude_fields: &[String]) -> Result<Rules, RulesError> {
        let file: File = toml::from_str(SHIPPED).map_err(|e| RulesError::Shipped(Box::new(e)))?;
        let mut rules = Vec::new();
        for written in file.rule {
            rules.push(Rule {
                name: written.name,
                reason: written.reason,
                root: expression(written.root.as_deref())?,
                path: expression(written.path.as_deref())?,
                except: expression(written.except.as_deref())?,
                field: expression(written.field.as_deref())?,
                before: expression(written.before.as_deref())?,
                after: expression(written.after.as_deref())?,
                file: expression(written.file.as_deref())?,
                of_user: false,
            });
        }
        for root in exclude_roots {
            rules.push(Rule::of_user("exclude-roots", expression(Some(root))?, None));
        }
        for field in exclude_fields {
            rules.push(Rule::of_user("exclude-fields", None, expression(Some(field))?));
        }
        let ignored = file.ignored.into_iter().flat_map(|ignored| ignored.entries).collect();
        Ok(Rules { rules, ignored })
    }

    /// Fails for what is no regular expression.
    pub fn check(expressions: &[String]) -> Result<(), RulesError> {
        expressions.iter().try_for_each(|text| expression(Some(text)).map(drop))
    }

    /// Files that are not even looked at, as [`surefoot_model::FileScope::ignore`] wants them.
    pub fn ignored_files(&self) -> &[String] {
        &self.ignored
    }

    /// The name and the reason of the rule that a difference falls under.
    pub(crate) fn suppresses(&self, difference: &Difference) -> Option<(&str, &str)> {
        let rule = self.rules.iter().find(|rule| rule.matches(difference))?;
        Some((&rule.name, &rule.reason))
    }

    /// Whether it notes that something was worked out.
    pub(crate) fn is_done_flag(&self, difference: &Difference) -> bool {
        self.suppresses(difference).is_some_and(|(name, _)| name == "done-flag")
    }
}

impl Rule {
    fn of_user(option: &str, root: Option<Regex>, path: Option<Regex>) -> Rule {
        let (name, reason) = (option.to_owned(), "you said so".to_owned());
        let (except, field, before, after, file) = (None, None, None, None, None);
        Rule { name, reason, root, path, except, field, before, after, file, of_user: true }
    }

    /// A rule is about classes and fields: what packages are called says nothing. The user sees whole paths, and means them.
    fn seen_of<'a>(&self, difference: &'a Difference) -> &'a str {
        let has_package = !matches!(difference.access, Access::Process | Access::File);
        let path = &difference.path;
        if self.of_user || !has_package { path } else { without_package(path, &difference.root) }
    }

    fn matches(&self, difference: &Difference) -> bool {
        let matches = |expression: &Option<Regex>, text: &str| {
            expression.as_ref().is_none_or(|expression| expression.is_match(text))
        };
        let is_file = difference.access == Access::File;
        let about = self.of_user || self.file.is_some() == is_file;
        about
            && (!is_file || matches(&self.file, below_root(difference)))
            && matches(&self.root, &difference.root)
            && matches(&self.path, self.seen_of(difference))
            && !self.except.as_ref().is_some_and(|one| one.is_match(self.seen_of(difference)))
            && matches(&self.field, difference.field.as_deref().unwrap_or(""))
            && matches(&self.before, difference.before.as_deref().unwrap_or(""))
            && matches(&self.after, difference.after.as_deref().unwrap_or(""))
    }
}

/// The path of a file without the directory that was to be looked at: who names that one, means what is in it.
fn below_root(difference: &Difference) -> &str {
    match difference.path.strip_prefix(&difference.root) {
        Some("") => "",
        below => below.and_then(|path| path.strip_prefix('/')).unwrap_or(&difference.path),
    }
}

/// Names of packages and of Python's modules begin with a small letter. The last part of a root is never one of them.
fn without_package<'a>(path: &'a str, root: &str) -> &'a str {
    let parts = root.split('.').collect::<Vec<_>>();
    let before_last = &parts[..parts.len().saturating_sub(1)];
    let package =
        before_last.iter().take_while(|part| part.starts_with(|c: char| c.is_lowercase()));
    let length: usize = package.map(|part| part.len() + 1).sum();
    path.get(length..).unwrap_or(path)
}

fn expression(text: Option<&str>) -> Result<Option<Regex>, RulesError> {
    text.map(|text| {
        Regex::new(text).map_err(|e| RulesError::Expression(text.to_owned(), Box::new(e)))
    })
    .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pollution::samples::difference;

    fn rule_of(path: &str, before: &str, after: &str) -> Option<String> {
        let rules = Rules::new(&["^com\\.acme\\.Mine\\.".into()], &["\\.own$".into()]).unwrap();
        let difference = difference(path, before, after);
        rules.suppresses(&difference).map(|(name, _)| name.to_owned())
    }

    #[test]
    fn every_rule_suppresses_what_it_is_for() {
        for (name, path, before) in [
            ("compiler-made", "com.acme.Shop.$assertionsDisabled", "false"),
            ("coverage", "com.acme.Shop.$jacocoData[3]", "false"),
            ("generated-classes", "com.acme.Shop$$EnhancerByCGLIB.calls", "0"),
            ("mocks", "com.acme.ShopTest.mock.mockitoInterceptor.handler", "x"),
            ("test-framework", "org.junit.rules.Counter.count", "0"),
            ("logging", "com.acme.Shop.LOGGER", "null"),
            ("cache", "com.acme.Shop.priceCache[\"x\"]", "absent"),
            ("random", "com.acme.Shop.random.seed.value", "1"),
            ("hash-code", "com.acme.Shop.ORIGIN.hashCode", "0"),
            ("default-time-zone", "TimeZone.getDefault()", "null"),
            ("time-zone-property", "System.getProperties()[\"user.timezone\"]", "absent"),
            ("url-handlers", "System.getProperties()[\"java.protocol.handler.pkgs\"]", "absent"),
            ("awt-properties", "System.getProperties()[\"sun.font.fontmanager\"]", "absent"),
            ("environment-copied", "System.getenv()", "null"),
            ("library-hooks", "shutdown hooks[org.engine.Cleaner of a library]", "absent"),
            ("exclude-roots", "com.acme.Mine.a", "0"),
            ("exclude-fields", "com.acme.Shop.it.own", "0"),
        ] {
            assert_eq!(rule_of(path, before, "1").as_deref(), Some(name), "{path}");
        }
    }

    #[test]
    fn a_class_made_at_run_time_in_place_of_another_is_no_news() {
        let other = |before, after| rule_of("com.acme.Shop.map.target", before, after);
        let made = other("Cart$ByteBuddy$0D5U", "Cart$ByteBuddy$Ul3n");
        assert_eq!(made.as_deref(), Some("generated-classes"));
        assert_eq!(other("Cart", "Cart$ByteBuddy$Ul3n"), None);
        assert_eq!(other("Cart$$Lambda", "CartTest$$Lambda"), None);
    }

    #[test]
    fn a_flag_that_says_what_was_done_counts_when_it_is_set() {
        let path = "pyparsing.Word.is_streamlined";
        assert_eq!(rule_of(path, "False", "True").as_deref(), Some("done-flag"));
        assert_eq!(rule_of(path, "True", "False"), None);
        assert_eq!(rule_of("com.acme.Shop.preloaded", "false", "true"), None);
        assert_eq!(rule_of("shop.parser.recursion_memos[1]", "", "x").as_deref(), Some("cache"));
    }

    #[test]
    fn what_is_compiled_when_it_is_first_needed_is_told_from_what_a_test_puts_in_place() {
        let patch = |after| rule_of("shop.rates.current", "function current", after);
        assert_eq!(patch("function compiled_current_85").as_deref(), Some("generated-functions"));
        assert_eq!(patch("function fake"), None);
        let kept = |before, after| rule_of("shop.parser.scanners[\"line\"]", before, after);
        assert_eq!(kept("", "re.compile(\"a+\")").as_deref(), Some("compiled-patterns"));
        assert_eq!(kept("re.compile(\"a\")", "re.compile(\"a+\")"), None);
        let typed =
            |before| rule_of("shop.Cart.__attrs_attrs__[0].type", before, "typing._GenericAlias");
        assert_eq!(typed("\"List[Cart]\"").as_deref(), Some("forward-references"));
        assert_eq!(typed("class Cart"), None);
        let served = |fixture| rule_of(&format!("{fixture}[0]"), "", "Connection");
        let at_work = served("fixture server (a thread works on it)");
        assert_eq!(at_work.as_deref(), Some("at-work"));
        assert_eq!(served("fixture server"), None);
    }

    #[test]
    fn what_libraries_complete_when_it_is_first_used_is_told_from_what_a_test_sets() {
        let is_lazy =
            |path, before| rule_of(path, before, "Settings").as_deref() == Some("lazy-objects");
        assert!(is_lazy("shop.settings._wrapped", "shop.lazy.Empty"));
        assert!(is_lazy("shop.Shop.config", "lazy_attribute"));
        assert!(!is_lazy("shop.settings._wrapped", "Settings"), "a test has replaced it");
        assert!(!is_lazy("shop.settings.name", "shop.lazy.Empty"));
        let weak = |path, before| rule_of(path, before, "weakref.ReferenceType");
        assert_eq!(weak("shop.Shop.carts[3]", "").as_deref(), Some("weak-references"));
        assert_eq!(weak("shop.Shop.carts[3]", "Cart"), None);
        assert_eq!(weak("shop.Shop.listeners[\"x\"]", ""), None, "it lives on");
        let rules = Rules::new(&[], &[]).unwrap();
        let of_library = |field: &str| {
            let mut change = difference("shop.Cart.id.parent.x", "", "1");
            change.field = Some(field.to_owned());
            rules.suppresses(&change).map(|(name, _)| name.to_owned())
        };
        for field in [
            "sqlalchemy.orm.mapper.Mapper.x",
            "sqlalchemy.dialects.sqlite.pysqlite.SQLiteDialect_pysqlite.x",
            "django.db.backends.base.Wrapper.x",
        ] {
            assert_eq!(of_library(field).as_deref(), Some("database-libraries"), "{field}");
        }
        assert_eq!(of_library("sqlalchemy.orm.session.Session._new"), None);
    }

    #[test]
    fn what_no_rule_is_about_is_reported() {
        for path in [
            "com.acme.cache.Shop.open",
            "com.acme.Shop.log[0]",
            "com.acme.Shop.catalogue[\"pear\"]",
            "System.getProperties()[\"mode\"]",
            "System.getProperties()[\"java.awt.headless\"]",
            "com.acme.Shop.open",
            "shop.paths.Path._MAX_CACHE",
            "com.acme.Shop.CACHE_ENABLED",
        ] {
            assert_eq!(rule_of(path, "0", "1"), None, "{path}");
        }
        assert_eq!(rule_of("TimeZone.getDefault()", "UTC", "CET"), None);
    }

    #[test]
    fn a_soft_reference_that_comes_is_a_cache_and_one_that_goes_is_not() {
        let path = "com.acme.Shop.zones[\"Paris\"]";
        let soft = "java.lang.ref.SoftReference";
        assert_eq!(rule_of(path, "\"Paris\"", soft).as_deref(), Some("soft-reference"));
        assert_eq!(rule_of(path, "absent", soft).as_deref(), Some("soft-reference"));
        assert_eq!(rule_of(path, soft, "null"), None);
        assert_eq!(rule_of(path, "null", "com.acme.SoftReferences"), None);
    }

    #[test]
    fn room_to_work_in_is_what_a_thread_local_itself_holds() {
        let rules = Rules::new(&[], &[]).unwrap();
        for (rule, field, path, before, after) in [
            (Some("thread-buffer"), "a.B.c.get()", "a.B.c.value", "char[] of 2", "char[] of 4"),
            (Some("thread-buffer"), "a.B.c.get()", "a.B.c.get()", "byte[] of 9", "byte[] of 9"),
            (Some("thread-builder"), "a.B.c.get()", "a.B.c.value.count", "0", "7"),
            (None, "a.B.c.get()", "a.B.c.get()", "int[] of 1", "int[] of 1"),
            (None, "a.B.c.get()", "a.B.c.get()", "Call", "char[] of 2"),
            (None, "a.B.c.get()", "a.B.c.get()", "3", "4"),
            (None, "a.B.c", "a.B.c", "char[] of 2", "char[] of 2"),
            (None, "a.B.c", "a.B.c.count", "0", "7"),
        ] {
            let mut change = difference(path, before, after);
            change.field = Some(field.to_owned());
            assert_eq!(rules.suppresses(&change).map(|(name, _)| name), rule, "{path} {before}");
        }
    }

    #[test]
    fn one_more_thread_is_no_change_if_its_pool_was_there() {
        let mut change = difference("live threads[\"server-1-2\"]", "others of its pool", "alive");
        change.access = Access::Process;
        let rules = Rules::new(&[], &[]).unwrap();
        assert_eq!(rules.suppresses(&change).map(|(name, _)| name), Some("grown-pool"));
        change.before = None;
        assert_eq!(rules.suppresses(&change), None);
    }

    fn rule_of_file(root: &str, path: &str) -> Option<String> {
        let rules = Rules::new(&["^/var/".into()], &[]).unwrap();
        let (root, path) = (root.to_owned(), path.to_owned());
        let mut file = difference("", "", "");
        (file.access, file.root, file.path) = (Access::File, root, path);
        rules.suppresses(&file).map(|(name, _)| name.to_owned())
    }

    #[test]
    fn a_provider_that_the_jdk_takes_out_is_no_change_and_one_more_is() {
        let mut change = difference("Security.getProviders()[\"SunPCSC\"]", "provider", "");
        change.access = Access::Process;
        let rules = Rules::new(&[], &[]).unwrap();
        let rule = |change: &Difference| rules.suppresses(change).map(|(name, _)| name.to_owned());
        assert_eq!(rule(&change).as_deref(), Some("invalid-providers"));
        change.before = None;
        assert_eq!(rule(&change), None);
        let mut moved = difference("Security.getProviders()", "provider", "provider");
        moved.access = Access::Process;
        assert_eq!(rule(&moved), None, "another order is somebody's doing");
    }

    #[test]
    fn rules_about_files_are_about_files_alone() {
        for (rule, root, path) in [
            (Some("build-directory"), ".", "target/lucene/index"),
            (Some("build-directory"), ".", "modules/a/build/x"),
            (Some("build-directory"), ".", "target"),
            (None, "target/lucene", "target/lucene/index"),
            (None, "target/lucene", "target/lucene"),
            (None, ".", "targets/x"),
            (Some("log-files"), ".", "derby.log"),
            (Some("log-files"), "/tmp", "/tmp/logs/x.txt"),
            (None, ".", "catalog.xml"),
            (None, ".", "priceCache"),
            (Some("exclude-roots"), "/var/db", "/var/db/x"),
        ] {
            assert_eq!(rule_of_file(root, path).as_deref(), rule, "{path}");
        }
        assert_eq!(rule_of("com.acme.Shop.derby.log[1]", "0", "1"), None);
    }

    #[test]
    fn nonsense_is_told() {
        let error = Rules::new(&["(".into()], &[]).unwrap_err();
        assert_eq!(error.to_string(), "\"(\" is no regular expression");
    }
}
