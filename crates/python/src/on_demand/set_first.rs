//! An attribute that is set anew before anybody looks at it: by every function that uses it, or by what runs before each test.

use tree_sitter::Node;

use super::source::{around, is_field};
use super::uses::Visit;

/// What unittest and pytest call before each test.
const SET_UPS: &[&str] = &["setUp", "asyncSetUp", "setup_method", "setup_function", "setup"];

pub(super) fn is_set_first(visits: &[Visit<'_>]) -> bool {
    if visits.iter().any(|visit| !visit.asks.is_empty()) {
        return false;
    }
    let (outside, inside): (Vec<&Visit<'_>>, Vec<&Visit<'_>>) =
        visits.iter().partition(|visit| visit.function.is_none());
    if !outside.iter().all(|visit| visit.uses.iter().all(|at| is_assigned(*at))) {
        return false;
    }
    let users: Vec<User<'_, '_>> = users(&inside);
    let sets_for = |user: &User<'_, '_>| users.iter().any(|one| one.sets_before(user));
    !users.is_empty() && users.iter().all(|user| user.sets_first() || sets_for(user))
}

/// A function that is in no other one, with all that uses the attribute in it.
struct User<'v, 's> {
    of: &'v Visit<'s>,
    function: Node<'s>,
    first: Node<'s>,
}

fn users<'v, 's>(visits: &[&'v Visit<'s>]) -> Vec<User<'v, 's>> {
    let mut users: Vec<User<'v, 's>> = Vec::new();
    for visit in visits {
        let Some(inner) = visit.function else { continue };
        let is_function = |node: &Node<'_>| node.kind() == "function_definition";
        let function = around(inner).filter(is_function).last().unwrap_or(inner);
        for at in visit.uses.iter().copied() {
            let is_it = |user: &&mut User<'v, 's>| {
                user.function == function && std::ptr::eq(user.of.source, visit.source)
            };
            match users.iter_mut().find(is_it) {
                Some(user) if at.start_byte() < user.first.start_byte() => user.first = at,
                Some(_) => {}
                None => users.push(User { of: visit, function, first: at }),
            }
        }
    }
    users
}

impl User<'_, '_> {
    /// Whatever happens in it: not in a condition or a loop.
    fn sets_first(&self) -> bool {
        let statement = if is_assigned(self.first) {
            self.first.parent().and_then(|assignment| assignment.parent())
        } else {
            self.cleared()
        };
        let block = statement.filter(|one| one.kind() == "expression_statement");
        let block = block.and_then(|statement| statement.parent());
        block.is_some_and(|block| is_field(self.function, "body", block))
    }

    /// The statement that empties it.
    fn cleared(&self) -> Option<Node<'_>> {
        let method =
            self.first.parent().filter(|parent| is_field(*parent, "object", self.first))?;
        let name = method.child_by_field_name("attribute")?;
        let call = method.parent().filter(|call| is_field(*call, "function", method))?;
        self.of.source.is(name, "clear").then(|| call.parent()).flatten()
    }

    /// It runs before each test that is where the other one is.
    fn sets_before(&self, other: &User<'_, '_>) -> bool {
        let home = home(self.function);
        let is_there = || {
            std::ptr::eq(self.of.source, other.of.source)
                && around(other.function).any(|node| node == home)
        };
        self.is_set_up() && self.sets_first() && is_there()
    }

    fn is_set_up(&self) -> bool {
        let source = self.of.source;
        let name = self.function.child_by_field_name("name").map(|name| source.text(name));
        let decorated = self.function.parent().filter(|it| it.kind() == "decorated_definition");
        let is_automatic = decorated.is_some_and(|decorated| {
            let decorators = source.text(decorated).split("def ").next().unwrap_or_default();
            decorators.contains("fixture")
                && decorators.replace(' ', "").contains("autouse=True")
                && !decorators.contains("scope")
        });
        is_automatic || name.is_some_and(|name| SET_UPS.contains(&name))
    }
}

/// The class that it is a method of, or the module.
fn home(function: Node<'_>) -> Node<'_> {
    let is_home = |node: &Node<'_>| ["class_definition", "module"].contains(&node.kind());
    around(function).find(is_home).unwrap_or(function)
}

fn is_assigned(at: Node<'_>) -> bool {
    at.parent().is_some_and(|parent| {
        parent.kind() == "assignment"
            && is_field(parent, "left", at)
            && parent.child_by_field_name("right").is_some()
    })
}
