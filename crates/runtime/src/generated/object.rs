//! Objects with declared members: what `object!` expands to, and all the code that its lines share.

use super::convert::{self, Convert};
use super::encode::{bounded, nested};
use super::{Decode, DecodeError, Depth, Encode};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Gives a struct its wire form: [`Decode`], [`Encode`], and serde's two traits through them.
///
/// ```text
/// object!(Input { query, page_size as "pageSize" = 10, note or null, ..rest });
/// ```
///
/// - `as "pageSize"`: the member's name on the wire, where the field has another.
/// - `= 10`: the value of an absent member; the member is always written.
/// - `via (Option<convert::Text>, "a uuid")`: how a type that is not ours is read, and what is said to be expected; a
///   default is JSON text then.
/// - `or null`: `None` is written as `null`; without it, it is left out.
/// - `..rest`: the field that keeps all members that are not declared; `..rest except "kind"` leaves out the tag that
///   a union keeps.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    ($name:ident { .. $rest:ident $(via $via:tt)? $(except $tag:literal)? }) => {
        $crate::__object!(@impl $name {} $rest [$($via)?] [$($tag)?]);
    };
    ($name:ident { $($field:ident $(as $wire:literal)? $(via $via:tt)? $(or $null:ident)? $(= $default:expr)?),* , .. $rest:ident $(via $of_rest:tt)? $(except $tag:literal)? }) => {
        $crate::__object!(@impl $name { $($field $(as $wire)? $(via $via)? $(or $null)? $(= $default)?),* }
            $rest [$($of_rest)?] [$($crate::__object!(@wire $field $($wire)?),)* $($tag)?]);
    };
    ($name:ident { $($field:ident $(as $wire:literal)? $(via $via:tt)? $(or $null:ident)? $(= $default:expr)?),* $(,)? }) => {
        $crate::__object!(@impl $name { $($field $(as $wire)? $(via $via)? $(or $null)? $(= $default)?),* });
    };
    (@impl $name:ident { $($field:ident $(as $wire:literal)? $(via $via:tt)? $(or $null:ident)? $(= $default:expr)?),* } $($rest:ident $of_rest:tt $declared:tt)?) => {
        impl $crate::generated::Decode for $name {
            fn read(
                value: &$crate::generated::v1::Value,
                depth: $crate::generated::Depth,
            ) -> ::core::result::Result<Self, $crate::generated::DecodeError> {
                #[allow(unused_mut, unused_variables)]
                let mut members = $crate::generated::Members::of(value, depth)?;
                Ok(Self {
                    $($field: $crate::__object!(@read members ($field $($wire)?) [$($via)?] $($default)?),)*
                    $($rest: $crate::__object!(@rest members $of_rest $declared),)?
                })
            }
        }
        impl $crate::generated::Encode for $name {
            fn encode(&self) -> $crate::generated::v1::Value {
                #[allow(unused_mut, unused_variables)]
                let mut written = $crate::generated::Written::new();
                $($crate::__object!(@write written self ($field $($wire)?) [$($via)?] $($null)? $(= $default)?);)*
                $($crate::__object!(@write_rest written self $rest $of_rest $declared);)?
                written.finish()
            }
        }
        $crate::__serde!($name);
    };
    (@wire $field:ident) => { stringify!($field) };
    (@wire $field:ident $wire:literal) => { $wire };
    (@read $members:ident ($($name:tt)*) []) => {
        $members.read($crate::__object!(@wire $($name)*))?
    };
    (@read $members:ident ($($name:tt)*) [] $default:expr) => {
        match $members.optional($crate::__object!(@wire $($name)*))? {
            ::core::option::Option::Some(value) => value,
            ::core::option::Option::None => $default,
        }
    };
    (@read $members:ident ($($name:tt)*) [($marker:ty, $what:literal)]) => {
        $members.read_via::<$marker, _>($crate::__object!(@wire $($name)*), $what)?
    };
    (@read $members:ident ($($name:tt)*) [($marker:ty, $what:literal)] $default:expr) => {
        match $members.optional_via::<$marker, _>($crate::__object!(@wire $($name)*), $what)? {
            ::core::option::Option::Some(value) => value,
            ::core::option::Option::None => {
                $crate::generated::convert::default::<$marker, _>($default, $what)
                    .map_err(|error| error.within($crate::__object!(@wire $($name)*)))?
            }
        }
    };
    (@rest $members:ident [] $declared:tt) => { $members.rest(&$declared)? };
    (@rest $members:ident [($marker:ty, $what:literal)] $declared:tt) => {
        $members.rest_via::<$marker, _>(&$declared, $what)?
    };
    (@write $written:ident $self:ident ($field:ident $($wire:literal)?) []) => {
        $written.member($crate::__object!(@wire $field $($wire)?), &$self.$field)
    };
    (@write $written:ident $self:ident ($field:ident $($wire:literal)?) [] $($always:tt)+) => {
        $written.always($crate::__object!(@wire $field $($wire)?), &$self.$field)
    };
    (@write $written:ident $self:ident ($field:ident $($wire:literal)?) [($marker:ty, $what:literal)]) => {
        $written.member(
            $crate::__object!(@wire $field $($wire)?),
            &$crate::generated::convert::via::<$marker, _>(&$self.$field),
        )
    };
    (@write $written:ident $self:ident ($field:ident $($wire:literal)?) [($marker:ty, $what:literal)] $($always:tt)+) => {
        $written.always(
            $crate::__object!(@wire $field $($wire)?),
            &$crate::generated::convert::via::<$marker, _>(&$self.$field),
        )
    };
    (@write_rest $written:ident $self:ident $rest:ident [] $declared:tt) => {
        $written.rest(&$self.$rest, &$declared)
    };
    (@write_rest $written:ident $self:ident $rest:ident [($marker:ty, $what:literal)] $declared:tt) => {
        $written.rest_via::<$marker, _>(&$self.$rest, &$declared)
    };
}

/// serde's two traits by way of [`Decode`] and [`Encode`].
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($name:ident) => {
        impl $crate::generated::serde::Serialize for $name {
            fn serialize<S: $crate::generated::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::generated::serialize(self, serializer)
            }
        }
        impl<'de> $crate::generated::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::generated::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::generated::deserialize(deserializer)
            }
        }
    };
}

/// Serializes by way of the JSON value.
#[doc(hidden)]
pub fn serialize<S: serde::Serializer>(
    value: &dyn Encode,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match bounded(value) {
        Some(value) => serde::Serialize::serialize(&value, serializer),
        None => Err(serde::ser::Error::custom("it is nested too deep to be written")),
    }
}

/// Deserializes by way of a JSON value.
#[doc(hidden)]
pub fn deserialize<'de, T: Decode, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = <Value as serde::Deserialize>::deserialize(deserializer)?;
    T::decode(&value).map_err(serde::de::Error::custom)
}

/// Up to this many members are compared one by one, which is faster than hashing a name.
const SCANNED: usize = 8;

/// An object being read, member by member.
#[doc(hidden)]
pub struct Members<'a> {
    map: &'a Map<String, Value>,
    /// What follows the member found last: models mostly write members in the order of the schema.
    ahead: serde_json::map::Iter<'a>,
    depth: Depth,
}

impl<'a> Members<'a> {
    /// Starts reading an object.
    ///
    /// # Errors
    ///
    /// Where the value is no object, or no level is left.
    pub fn of(value: &'a Value, depth: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::Object(map) => Ok(Self { map, ahead: map.iter(), depth: depth.enter()? }),
            other => Err(DecodeError::expected("an object", other)),
        }
    }

    fn find(&mut self, name: &str) -> Option<&'a Value> {
        let mut ahead = self.ahead.clone();
        if let Some((key, value)) = ahead.next()
            && key == name
        {
            self.ahead = ahead;
            return Some(value);
        }
        if self.map.len() > SCANNED {
            return self.map.get(name);
        }
        let mut all = self.map.iter();
        let (_, value) = all.find(|(key, _)| *key == name)?;
        self.ahead = all;
        Some(value)
    }

    /// A member that is absent only where its type says what that means.
    ///
    /// # Errors
    ///
    /// Where the member is missing, or has a shape that the type cannot hold.
    pub fn read<T: Decode>(&mut self, name: &str) -> Result<T, DecodeError> {
        match self.find(name) {
            Some(value) => T::read(value, self.depth).map_err(|error| error.within(name)),
            None => T::absent()
                .ok_or_else(|| DecodeError::new(format!("the member `{name}` is missing"))),
        }
    }

    /// A member that a default stands in for.
    ///
    /// # Errors
    ///
    /// Where the member has a shape that the type cannot hold.
    pub fn optional<T: Decode>(&mut self, name: &str) -> Result<Option<T>, DecodeError> {
        match self.find(name) {
            Some(value) => T::read(value, self.depth).map(Some).map_err(|error| error.within(name)),
            None => Ok(None),
        }
    }

    /// All members but the declared ones, in their order.
    ///
    /// # Errors
    ///
    /// Where a member has a shape that the type cannot hold.
    pub fn rest<T: Decode>(&self, declared: &[&str]) -> Result<IndexMap<String, T>, DecodeError> {
        let declared = Declared::new(declared);
        let mut rest = IndexMap::new();
        for (name, value) in self.map {
            if !declared.contains(name) {
                match T::read(value, self.depth) {
                    Ok(value) => rest.insert(name.clone(), value),
                    Err(error) => return Err(error.within(name)),
                };
            }
        }
        Ok(rest)
    }

    /// A member of a type that is not ours: see [`Members::read`].
    ///
    /// # Errors
    ///
    /// Where the member is missing, or does not convert.
    pub fn read_via<A: Convert<T>, T>(&mut self, name: &str, what: &str) -> Result<T, DecodeError> {
        match self.optional_via::<A, T>(name, what)? {
            Some(value) => Ok(value),
            None => A::absent()
                .ok_or_else(|| DecodeError::new(format!("the member `{name}` is missing"))),
        }
    }

    /// A member of a type that is not ours: see [`Members::optional`].
    ///
    /// # Errors
    ///
    /// Where the member does not convert.
    pub fn optional_via<A: Convert<T>, T>(
        &mut self,
        name: &str,
        what: &str,
    ) -> Result<Option<T>, DecodeError> {
        let Some(value) = self.find(name) else { return Ok(None) };
        A::read(value, self.depth, what).map(Some).map_err(|error| error.within(name))
    }

    /// Undeclared members of a type that is not ours: see [`Members::rest`].
    ///
    /// # Errors
    ///
    /// Where a member does not convert.
    pub fn rest_via<A: Convert<T>, T>(
        &self,
        declared: &[&str],
        what: &str,
    ) -> Result<IndexMap<String, T>, DecodeError> {
        let declared = Declared::new(declared);
        let others = self.map.iter().filter(|(name, _)| !declared.contains(name));
        others
            .map(|(name, value)| match A::read(value, self.depth, what) {
                Ok(value) => Ok((name.clone(), value)),
                Err(error) => Err(error.within(name)),
            })
            .collect()
    }
}

/// An object being written, member by member.
#[doc(hidden)]
#[derive(Default)]
pub struct Written(Map<String, Value>);

impl Written {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a member, unless it is absent.
    pub fn member(&mut self, name: &str, value: &dyn Encode) {
        if !value.is_absent() {
            self.0.insert(name.to_owned(), nested(value));
        }
    }

    /// Writes a member; an absent one is `null`.
    pub fn always(&mut self, name: &str, value: &dyn Encode) {
        self.0.insert(name.to_owned(), nested(value));
    }

    /// Writes the undeclared members. A declared member is the field's business and is never overwritten.
    pub fn rest<T: Encode>(&mut self, rest: &IndexMap<String, T>, declared: &[&str]) {
        let declared = Declared::new(declared);
        for (name, value) in rest {
            if !declared.contains(name) {
                self.0.insert(name.clone(), nested(value));
            }
        }
    }

    /// Writes undeclared members of a type that is not ours: see [`Written::rest`].
    pub fn rest_via<A: Convert<T>, T>(&mut self, rest: &IndexMap<String, T>, declared: &[&str]) {
        let declared = Declared::new(declared);
        for (name, value) in rest {
            if !declared.contains(name) {
                self.0.insert(name.clone(), nested(&convert::via::<A, T>(value)));
            }
        }
    }

    /// The object.
    pub fn finish(self) -> Value {
        Value::Object(self.0)
    }
}

/// Declared names; many of them are hashed once, so that a large object stays linear.
enum Declared<'a> {
    Few(&'a [&'a str]),
    Many(HashSet<&'a str>),
}

impl<'a> Declared<'a> {
    fn new(names: &'a [&'a str]) -> Self {
        if names.len() <= 4 * SCANNED {
            Self::Few(names)
        } else {
            Self::Many(names.iter().copied().collect())
        }
    }

    fn contains(&self, name: &str) -> bool {
        match self {
            Self::Few(names) => names.contains(&name),
            Self::Many(names) => names.contains(name),
        }
    }
}
