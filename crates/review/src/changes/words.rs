//! Two texts, word by word: what a reviewer of a description wants to see.

/// A run of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// In both.
    Unchanged(String),
    /// In the old text only.
    Removed(String),
    /// In the new text only.
    Added(String),
}

/// Words of one text that are compared one by one; longer texts are shown whole.
const WORDS: usize = 2_000;

/// The difference of two texts: words are split at white space, which belongs to the word before it.
#[must_use]
pub fn words(old: &str, new: &str) -> Vec<Word> {
    let (left, right) = (split(old), split(new));
    if left.len() > WORDS || right.len() > WORDS {
        return vec![Word::Removed(old.to_owned()), Word::Added(new.to_owned())];
    }
    // The longest common subsequence, by lengths of what is still to come.
    let width = right.len() + 1;
    let mut common = vec![0u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            common[i * width + j] = if left[i].trim_end() == right[j].trim_end() {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        if i < left.len() && j < right.len() && left[i].trim_end() == right[j].trim_end() {
            push(&mut found, Word::Unchanged(right[j].to_owned()));
            (i, j) = (i + 1, j + 1);
        } else if j == right.len()
            || (i < left.len() && common[(i + 1) * width + j] >= common[i * width + j + 1])
        {
            push(&mut found, Word::Removed(left[i].to_owned()));
            i += 1;
        } else {
            push(&mut found, Word::Added(right[j].to_owned()));
            j += 1;
        }
    }
    found
}

fn split(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_space = false;
    for (at, character) in text.char_indices() {
        if in_space && !character.is_whitespace() {
            found.push(&text[start..at]);
            start = at;
        }
        in_space = character.is_whitespace();
    }
    if start < text.len() {
        found.push(&text[start..]);
    }
    found
}

fn push(found: &mut Vec<Word>, word: Word) {
    match (found.last_mut(), &word) {
        (Some(Word::Unchanged(last)), Word::Unchanged(next))
        | (Some(Word::Removed(last)), Word::Removed(next))
        | (Some(Word::Added(last)), Word::Added(next)) => last.push_str(next),
        _ => found.push(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_words_that_changed() {
        assert_eq!(
            words("Look up a ticket's status.", "Look up one ticket's status now."),
            [
                Word::Unchanged("Look up ".into()),
                Word::Removed("a ".into()),
                Word::Added("one ".into()),
                Word::Unchanged("ticket's ".into()),
                Word::Removed("status.".into()),
                Word::Added("status now.".into()),
            ]
        );
        assert_eq!(words("same", "same"), [Word::Unchanged("same".into())]);
        assert_eq!(words("", "new"), [Word::Added("new".into())]);
    }
}
