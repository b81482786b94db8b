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
/// Cheap to clone; a clone shares the parts.
///
/// ```
/// struct Database(&'static str);
/// let binding = toolcast::Binding::new().with(Database("orders")).workspace("/srv/run-7".to_owned());
/// assert_eq!(binding.get::<Database>().unwrap().0, "orders");
/// assert_eq!(binding.workspace_as::<String>().unwrap(), "/srv/run-7");
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
    own: HashMap<TypeId, Part>,
}

impl Binding {
    /// A binding without collaborators.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an object of the application's own, found again by its type; a second one of the type replaces the first.
    pub fn with<T: Send + Sync + 'static>(self, part: T) -> Self {
        self.with_shared(Arc::new(part))
    }

    /// Adds an object that is shared with others, found again by its type.
    pub fn with_shared<T: Send + Sync + 'static>(mut self, part: Arc<T>) -> Self {
        Arc::make_mut(&mut self.parts).own.insert(TypeId::of::<T>(), part);
        self
    }

    /// The object of type `T` that the application added.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.own.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The object of type `T`, shared.
    pub fn shared<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(self.parts.own.get(&TypeId::of::<T>())?).downcast().ok()
    }

    /// The object of type `T`, or an error that `?` makes an unexpected one: its words never reach a model.
    ///
    /// # Errors
    ///
    /// [`NotBound`] where the application bound no `T`.
    pub fn require<T: Send + Sync + 'static>(&self) -> Result<&T, NotBound> {
        self.get().ok_or(NotBound { type_name: type_name::<T>() })
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
                    self.parts.$set.as_ref()?.downcast_ref()
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

/// The application bound no object of a type that a tool needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotBound {
    type_name: &'static str,
}

impl fmt::Display for NotBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the binding holds no `{}`", self.type_name)
    }
}

impl std::error::Error for NotBound {}

impl Binding {
    /// Whether the binding holds a `T`: the usual question of `available_if`.
    pub fn has<T: Send + Sync + 'static>(&self) -> bool {
        self.parts.own.contains_key(&TypeId::of::<T>())
    }

    /// As [`Binding::shared`], with an error for a tool's provider.
    ///
    /// # Errors
    ///
    /// [`Error::Unexpected`] with [`NotBound`] where the application bound no `T`.
    pub fn require_shared<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, Error> {
        self.shared().ok_or_else(|| NotBound { type_name: type_name::<T>() }.into())
    }
}
