//! [`Value`]: numbers and words of an attribute, however they are bracketed.

use crate::error::ImportError;
use crate::text::number;

use super::lexer::{Lexer, Token};

/// The numbers and the words of a value, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    pub(super) numbers: Vec<f64>,
    pub(super) words: Vec<String>,
}

impl Value {
    /// Takes a value: one token, or brackets with all that is in them. What is not wanted is passed over.
    pub(super) fn read(lexer: &mut Lexer<'_>, wanted: bool) -> Result<Self, ImportError> {
        let mut value = Self::default();
        match lexer.peek()? {
            Token::Punctuation(b'(' | b'[' | b'{') if !wanted => lexer.pass_brackets()?,
            Token::Punctuation(b'(' | b'[') => {
                // The closing brackets that are awaited, the next one last.
                let mut open = Vec::new();
                loop {
                    match lexer.peek()? {
                        Token::Punctuation(b'(') => open.push(b')'),
                        Token::Punctuation(b'[') => open.push(b']'),
                        Token::Punctuation(sign @ (b')' | b']')) => {
                            if open.pop() != Some(sign) {
                                return Err(lexer.unexpected("brackets that fit"));
                            }
                        }
                        Token::Punctuation(b',') => {}
                        token => value.push(lexer, token)?,
                    }
                    lexer.pass()?;
                    if open.is_empty() {
                        break;
                    }
                }
            }
            Token::Punctuation(b'{') => lexer.pass_brackets()?,
            token => {
                value.push(lexer, token)?;
                lexer.pass()?;
                // An asset or a reference may have a path behind it.
                if !wanted && matches!(lexer.peek()?, Token::Text(_)) {
                    lexer.pass()?;
                }
            }
        }
        Ok(value)
    }

    fn push(&mut self, lexer: &Lexer<'_>, token: Token<'_>) -> Result<(), ImportError> {
        match token {
            Token::Word(b"None") => {}
            Token::Word(word) => match number(word) {
                Some(value) => self.numbers.push(value),
                None => self.words.push(String::from_utf8_lossy(word).into_owned()),
            },
            Token::Text(text) => self.words.push(String::from_utf8_lossy(text).into_owned()),
            _ => return Err(lexer.unexpected("a value")),
        }
        Ok(())
    }

    /// Takes `{ time: value, … }` and keeps the first value.
    pub(super) fn first_sample(lexer: &mut Lexer<'_>) -> Result<Self, ImportError> {
        lexer.punctuation(b'{')?;
        let mut first = None;
        while lexer.peek()? != Token::Punctuation(b'}') {
            lexer.word("the time of a sample")?;
            lexer.punctuation(b':')?;
            let value = Self::read(lexer, first.is_none())?;
            first.get_or_insert(value);
            if lexer.peek()? == Token::Punctuation(b',') {
                lexer.pass()?;
            }
        }
        lexer.punctuation(b'}')?;
        Ok(first.unwrap_or_default())
    }
}
