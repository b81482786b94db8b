//! Results that are files: bytes or a reference, with a media type, a name and metadata.

use serde_json::{Map, Value};

/// Something a tool made beside its value: bytes, or a reference to where they are.
///
/// ```
/// use toolcast::Artifact;
///
/// let export = Artifact::bytes("orders.csv", "text/csv", "id,total\n").metadata("rows", 0);
/// assert_eq!(export.name(), "orders.csv");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Artifact {
    name: String,
    media_type: String,
    body: ArtifactBody,
    metadata: Map<String, Value>,
}

/// Where an artifact's bytes are.
#[derive(Clone, Debug, PartialEq)]
pub enum ArtifactBody {
    /// Here.
    Bytes(Vec<u8>),
    /// Elsewhere, for whoever follows the reference.
    Reference(String),
}

impl Artifact {
    /// An artifact of bytes at hand.
    pub fn bytes(
        name: impl Into<String>,
        media_type: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
    ) -> Self {
        Self::new(name.into(), media_type.into(), ArtifactBody::Bytes(bytes.into()))
    }

    /// An artifact that is somewhere else, under a URI.
    pub fn reference(
        name: impl Into<String>,
        media_type: impl Into<String>,
        uri: impl Into<String>,
    ) -> Self {
        Self::new(name.into(), media_type.into(), ArtifactBody::Reference(uri.into()))
    }

    fn new(name: String, media_type: String, body: ArtifactBody) -> Self {
        Self { name, media_type, body, metadata: Map::new() }
    }

    /// Adds a metadata member.
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// The name, as the tool gave it: a label, not a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The media type.
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// The bytes, or where they are.
    pub fn body(&self) -> &ArtifactBody {
        &self.body
    }

    /// The metadata.
    pub fn metadata_values(&self) -> &Map<String, Value> {
        &self.metadata
    }

    pub(crate) fn refer(&mut self, uri: String) {
        self.body = ArtifactBody::Reference(uri);
    }
}

impl Artifact {
    /// A reference as an MCP resource link; bytes have none until a store holds them.
    pub(crate) fn to_mcp_link(&self) -> Option<Value> {
        let ArtifactBody::Reference(uri) = &self.body else { return None };
        let mut members = Map::new();
        members.insert("type".into(), "resource_link".into());
        members.insert("uri".into(), uri.clone().into());
        members.insert("name".into(), self.name.clone().into());
        members.insert("mimeType".into(), self.media_type.clone().into());
        if !self.metadata.is_empty() {
            members.insert("_meta".into(), self.metadata.clone().into());
        }
        Some(members.into())
    }
}

impl Artifact {
    /// The artifact without its bytes: name, media type, size or reference, metadata.
    pub fn to_json(&self) -> Value {
        let mut members = Map::new();
        members.insert("name".into(), self.name.clone().into());
        members.insert("mediaType".into(), self.media_type.clone().into());
        match &self.body {
            ArtifactBody::Bytes(bytes) => members.insert("size".into(), bytes.len().into()),
            ArtifactBody::Reference(uri) => members.insert("uri".into(), uri.clone().into()),
        };
        if !self.metadata.is_empty() {
            members.insert("metadata".into(), self.metadata.clone().into());
        }
        members.into()
    }
}
