//! What a test is and how it is named.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What people read and type, the same from run to run: `com.acme.CartTest#total(int)[2]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestId(pub String);

impl TestId {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The suite that makes it: `a.Suite` of `a.Suite>a.CartTest#total`.
    pub fn suite(&self) -> Option<&str> {
        let (suite, _) = self.0.split_once('>')?;
        (!suite.contains(['#', '[', '('])).then_some(suite)
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&str> for TestId {
    fn from(id: &str) -> Self {
        TestId(id.to_owned())
    }
}

/// Who runs the test, and so who must run it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Framework {
    #[serde(rename = "junit3")]
    JUnit3,
    /// JUnit 4's own runners; also below the Vintage engine, which only passes their events on.
    #[serde(rename = "junit4")]
    JUnit4,
    /// Any engine of the JUnit Platform but Vintage: Jupiter above all.
    JunitPlatform,
    #[serde(rename = "testng")]
    TestNg,
    /// Whatever pytest collects: functions, methods, `unittest` test cases, doctests, items of its plug-ins.
    Pytest,
}

impl Framework {
    pub fn name(self) -> &'static str {
        match self {
            Framework::JUnit3 => "junit3",
            Framework::JUnit4 => "junit4",
            Framework::JunitPlatform => "junit-platform",
            Framework::TestNg => "testng",
            Framework::Pytest => "pytest",
        }
    }

    /// Where a test undoes what it did.
    pub fn tear_down(self) -> &'static str {
        match self {
            Framework::JUnit3 => "tearDown",
            Framework::JUnit4 => "@After",
            Framework::JunitPlatform => "@AfterEach",
            Framework::TestNg => "@AfterMethod",
            Framework::Pytest => "a fixture after its yield",
        }
    }
}

impl Framework {
    /// Where a class undoes what its class-level set-up did.
    pub fn class_tear_down(self) -> &'static str {
        match self {
            Framework::JUnit3 => "tearDown of the TestSetup",
            Framework::JUnit4 | Framework::TestNg => "@AfterClass",
            Framework::JunitPlatform => "@AfterAll",
            Framework::Pytest => "a fixture of the class after its yield",
        }
    }
}

impl fmt::Display for Framework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A test as the framework that runs it knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    pub id: TestId,
    pub framework: Framework,
    /// The class whose class-level set-up and tear-down surround the test.
    pub class: String,
    /// The test method; none for a test that is no method of a class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The framework's own address of the test: what it takes to run exactly this one again.
    pub address: String,
    /// The framework's name for it.
    pub display: String,
    /// The JUnit Platform's name for reports in the old XML format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legacy: Option<String>,
    /// Whose rules it follows, if not those of the framework that runs it: JUnit 4 runs test cases of JUnit 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_for: Option<Framework>,
}

impl Test {
    /// The framework that people who change the test have to do with.
    pub fn style(&self) -> Framework {
        self.written_for.unwrap_or(self.framework)
    }
}
