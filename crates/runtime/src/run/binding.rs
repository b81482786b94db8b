//! The collaborators of one run. They are the application's own objects: no model input reaches them.

use crate::Error;
use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

type Part = Arc<dyn Any + Send + Sync>;

/// The run-scoped collaborators of tools: the run, runtime, model, agent, workspace and sandbox, and any type of the
/// application's own.
///
/// Cheap to clone; a clone shares the parts. A part may be given as a `T` or as an `Arc<T>` that is shared with others: it is
/// found as a `T` either way.
///
/// ```
/// struct Database(&'static str);
/// let binding = toolcast::Binding::new().with(Database("orders")).workspace("/srv/run-7".to_owned());
/// assert_eq!(binding.get::<Database>().unwrap().0, "orders");
/// assert_eq!(binding.workspace_as::<String>().unwrap(), "/srv/run-7");
///
/// let shared = std::sync::Arc::new(Database("invoices"));
/// let binding = binding.with(std::sync::Arc::clone(&shared));
/// assert_eq!(binding.get::<Database>().unwrap().0, "invoices");
/// ```
#[derive(Clone, Default)]
pub struct Binding {
    parts: Arc<Parts>,
}

#[derive(Clone, Default)]
struct Parts {
    run: Option<Part>,
    runtime: Option<Part>,
    model: Option<Part>,
    agent: Option<Part>,
    workspace: Option<Part>,
    sandbox: Option<Part>,
    /// Each with its turn: of a `T` and an `Arc<T>`, the one that came later is the `T`.
    own: HashMap<TypeId, (usize, Part)>,
    turn: usize,
}

/// A part as a `T`, given as one or as an `Arc` of one.
fn as_a<T: Send + Sync + 'static>(part: &Part) -> Option<&T> {
    part.downcast_ref().or_else(|| part.downcast_ref::<Arc<T>>().map(|shared| &**shared))
}

impl Binding {
    /// A binding without collaborators.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an object of the application's own, found again by its type; a second one of the type replaces the first. An
    /// `Arc<T>` is found as a `T`.
    pub fn with<T: Send + Sync + 'static>(self, part: T) -> Self {
        self.with_shared(Arc::new(part))
    }

    /// Adds an object that is shared with others, found again by its type.
    pub fn with_shared<T: Send + Sync + 'static>(mut self, part: Arc<T>) -> Self {
        let parts = Arc::make_mut(&mut self.parts);
        parts.turn += 1;
        parts.own.insert(TypeId::of::<T>(), (parts.turn, part));
        self
    }

    /// The part that is found as a `T`.
    fn part<T: Send + Sync + 'static>(&self) -> Option<&Part> {
        let part = |id| self.parts.own.get(&id);
        let found = [part(TypeId::of::<T>()), part(TypeId::of::<Arc<T>>())];
        found.into_iter().flatten().max_by_key(|(turn, _)| *turn).map(|(_, part)| part)
    }

    /// The object of type `T` that the application added.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        as_a(self.part::<T>()?)
    }

    /// The object of type `T`, shared.
    pub fn shared<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let part = self.part::<T>()?;
        match part.downcast_ref::<Arc<T>>() {
            Some(shared) => Some(Arc::clone(shared)),
            None => Arc::clone(part).downcast().ok(),
        }
    }

    /// The object of type `T`, or an error that `?` makes an unexpected one: its words never reach a model.
    ///
    /// # Errors
    ///
    /// [`NotBound`] where the application bound no `T`.
    pub fn require<T: Send + Sync + 'static>(&self) -> Result<&T, NotBound> {
        self.get().ok_or(NotBound::new::<T>("binding"))
    }
}

macro_rules! named_parts {
    ($($(#[$doc:meta])* $set:ident, $get:ident;)*) => {
        impl Binding {
            $(
                $(#[$doc])*
                pub fn $set<T: Send + Sync + 'static>(mut self, part: T) -> Self {
                    Arc::make_mut(&mut self.parts).$set = Some(Arc::new(part));
                    self
                }

                /// What was set, where it is a `T`.
                pub fn $get<T: Send + Sync + 'static>(&self) -> Option<&T> {
                    as_a(self.parts.$set.as_ref()?)
                }
            )*
        }

        impl fmt::Debug for Binding {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut shown = f.debug_struct("Binding");
                $(shown.field(stringify!($set), &self.parts.$set.is_some());)*
                shown.field("own", &self.parts.own.len()).finish()
            }
        }
    };
}

named_parts! {
    /// Sets the run that the tools belong to.
    run, run_as;
    /// Sets the runtime that drives the run.
    runtime, runtime_as;
    /// Sets the model that calls the tools.
    model, model_as;
    /// Sets the agent that the run belongs to.
    agent, agent_as;
    /// Sets the workspace that the tools may work in.
    workspace, workspace_as;
    /// Sets the sandbox that isolates what the tools do. It, not this crate, enforces isolation.
    sandbox, sandbox_as;
}

/// The application gave no object of a type that a tool needs, in the run's [`Binding`] or the call's
/// [`Invocation`](crate::Invocation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotBound {
    place: &'static str,
    type_name: &'static str,
}

impl NotBound {
    pub(crate) fn new<T>(place: &'static str) -> Self {
        Self { place, type_name: type_name::<T>() }
    }
}

impl fmt::Display for NotBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} holds no `{}`", self.place, self.type_name)
    }
}

impl std::error::Error for NotBound {}

impl Binding {
    /// Whether the binding holds a `T`: the usual question of `available_if`.
    pub fn has<T: Send + Sync + 'static>(&self) -> bool {
        self.part::<T>().is_some()
    }

    /// As [`Binding::shared`], with an error for a tool's provider.
    ///
    /// # Errors
    ///
    /// [`Error::Unexpected`] with [`NotBound`] where the application bound no `T`.
    pub fn require_shared<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, Error> {
        self.shared().ok_or_else(|| NotBound::new::<T>("binding").into())
    }
}
