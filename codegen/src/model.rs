//! The intermediate form: a contract as Rust items, with every name and every decision made. `render` only spells it.

use crate::Side;
use camino::Utf8PathBuf;
use serde_json::Value;

/// One contract as a Rust module, or one file of shared definitions.
#[derive(Clone, Debug, PartialEq)]
pub struct RustModule {
    /// The modules around it, outermost first, as identifiers without `r#`.
    pub parents: Vec<String>,
    /// The module's identifier without `r#`, and its file's stem.
    pub ident: String,
    /// The contract's or definitions' file, relative to the schemas folder.
    pub source: Utf8PathBuf,
    /// Items in the order in which they are written. A contract's first is `Input`.
    pub items: Vec<RustItem>,
    /// Whether there is an `Output`.
    pub has_output: bool,
    /// What no type says, and why.
    pub notes: Vec<Note>,
}

/// A part of a contract that the generated code does not say as the contract does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The schema the part stands in.
    pub side: Side,
    /// JSON pointer into that schema.
    pub pointer: String,
    /// What is less than the contract says.
    pub about: About,
    /// Why, in one sentence without a full stop.
    pub reason: String,
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The type: it is a `serde_json::Value`, or holds a map of such.
    Type,
    /// The name: an `x-rust-name` could not be used.
    Name,
}

/// An item of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct RustItem {
    /// The type's name.
    pub name: String,
    /// Its description, as it stands in the contract.
    pub docs: Option<String>,
    /// What it is.
    pub kind: ItemKind,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// An object with declared members.
    Struct {
        /// The declared members in declaration order.
        fields: Vec<RustField>,
        /// The field for undeclared members, where the schema allows them in words.
        rest: Option<Rest>,
    },
    /// Some JSON values.
    Literals(Vec<LiteralVariant>),
    /// One of several shapes.
    Union {
        /// What tells the branches apart.
        by: Discriminator,
        /// The branches in the order in which they are asked.
        variants: Vec<UnionVariant>,
    },
    /// Another name for a type: an `Input` that is no struct.
    Alias(RustType),
}

/// A struct's field.
#[derive(Clone, Debug, PartialEq)]
pub struct RustField {
    /// The identifier, with `r#` where it needs it.
    pub ident: String,
    /// The member's name.
    pub wire: String,
    /// The field's whole type.
    pub ty: RustType,
    /// What happens where the member is absent.
    pub presence: Presence,
    /// The member's description.
    pub docs: Option<String>,
    /// Why the type is less than the schema.
    pub note: Option<String>,
}

/// What happens where a member is absent, and when it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    /// It is always there.
    Required,
    /// It is always there and may be `null`.
    Nullable,
    /// It may be absent: `Option` or `Maybe`.
    Optional,
    /// It is filled when absent.
    Defaulted(RustExpr),
}

/// The field for undeclared members.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// The field's identifier.
    pub ident: String,
    /// The type of each member.
    pub ty: RustType,
    /// The tag of the union around the struct: declared, but not here.
    pub tag: Option<String>,
}

/// A variant of an enum of literals.
#[derive(Clone, Debug, PartialEq)]
pub struct LiteralVariant {
    /// The identifier.
    pub ident: String,
    /// The JSON value.
    pub value: Value,
    /// Its description, where the schema has one a value.
    pub docs: Option<String>,
}

/// What tells a union's branches apart.
#[derive(Clone, Debug, PartialEq)]
pub enum Discriminator {
    /// A member that has a constant in each branch.
    Tag(String),
    /// Each branch's [`Guard`] or own schema.
    Guards(Side),
}

/// A branch of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionVariant {
    /// The identifier.
    pub ident: String,
    /// The branch's type.
    pub ty: RustType,
    /// When it is meant.
    pub guard: Guard,
    /// Pointers of the branch's own schemas, where the guard alone does not decide.
    pub schemas: Vec<String>,
    /// Its description.
    pub docs: Option<String>,
}

/// When a branch is meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// The union's tag has this value.
    Tag(Value),
    /// The value has one of these types.
    Types(Vec<&'static str>),
    /// The value is an object with this member.
    Has(String),
    /// The value is an object whose member has one of these values.
    Member(String, Vec<Value>),
}

/// A Rust type.
#[derive(Clone, Debug, PartialEq)]
pub enum RustType {
    /// `bool`
    Bool,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `f64`
    F64,
    /// `String`
    String,
    /// `()`: null and nothing else.
    Unit,
    /// `Value`: any JSON value.
    Value,
    /// `Vec<T>`
    Vec(Box<RustType>),
    /// `Map<String, T>`
    Map(Box<RustType>),
    /// `(A, B)`
    Tuple(Vec<RustType>),
    /// `Option<T>`
    Option(Box<RustType>),
    /// `Maybe<T>`
    Maybe(Box<RustType>),
    /// `Box<T>`: where a type would contain itself.
    Boxed(Box<RustType>),
    /// A type of the user's own.
    Extern(Box<ExternType>),
    /// An item of this module, by its index.
    Item(usize),
    /// An item of a shared definition in another module, by its number among all of them.
    Shared(usize),
}

/// A type of the user's own that stands for a format or a shared definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternType {
    /// Its path, from a crate's root.
    pub path: String,
    /// What a value is expected to be, for whoever sends another.
    pub what: String,
    /// Whether it is a string, which `FromStr` reads and `Display` writes; serde does others.
    pub is_text: bool,
    /// The format that it stands for.
    pub format: Option<String>,
    /// The option that asks for it, by its number.
    pub option: usize,
}

/// An expression for a default.
#[derive(Clone, Debug, PartialEq)]
pub enum RustExpr {
    /// `None`
    None,
    /// `Some(expr)`
    Some(Box<RustExpr>),
    /// `true`
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A float.
    Float(f64),
    /// `"text".into()`
    String(String),
    /// `vec![...]`
    Vec(Vec<RustExpr>),
    /// `Map::new()`
    EmptyMap,
    /// `Item::Variant`
    Variant(usize, usize),
    /// The same of a shared definition's item in another module, with the variant's identifier.
    SharedVariant(usize, String),
    /// `from_json("...")?`
    Json(String),
}
