//! [`Value`]: numbers and words of an attribute, however they are bracketed.

use crate::error::ImportError;
use crate::text::number;

use super::lexer::{Lexer, Token};

/// The expected form of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    /// Any: it is skipped.
    Nothing,
    /// All numbers and words, however they are bracketed.
    All,
    /// A list of tuples of so many numbers each.
    Tuples(usize),
}

/// The numbers and the words of a value, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    pub(super) numbers: Vec<f64>,
    pub(super) words: Vec<String>,
}

impl Value {
    /// Takes the value of an attribute: one token, or brackets with everything in them. A value that is not
    /// wanted is skipped.
    pub(super) fn read(lexer: &mut Lexer<'_>, name: &str, wanted: Wanted) -> Result<Self, ImportError> {
        if let Wanted::Tuples(of) = wanted {
            return Self::tuples(lexer, name, of);
        }
        let wanted = wanted != Wanted::Nothing;
        let mut value = Self::default();
        match lexer.peek()? {
            Token::Punctuation(b'(' | b'[' | b'{') if !wanted => lexer.pass_brackets()?,
            Token::Punctuation(b'(' | b'[') => {
                // The closing brackets that must follow, the next one last.
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

    /// Takes `[(x, y, …), …]` with so many numbers in each of the inner brackets, or `None`.
    fn tuples(lexer: &mut Lexer<'_>, name: &str, of: usize) -> Result<Self, ImportError> {
        let mut value = Self::default();
        match lexer.peek()? {
            Token::Punctuation(b'[') => lexer.pass()?,
            Token::Word(b"None") => {
                lexer.pass()?;
                return Ok(value);
            }
            _ => return Err(lexer.unexpected(&format!("a list in brackets for {name}"))),
        }
        loop {
            match lexer.peek()? {
                Token::Punctuation(b']') => {
                    lexer.pass()?;
                    return Ok(value);
                }
                Token::Punctuation(b',') => lexer.pass()?,
                Token::End => return Err(lexer.unexpected("the closing bracket")),
                _ => {
                    let (start, before) = (lexer.clone(), value.numbers.len());
                    if !value.tuple(lexer)? || value.numbers.len() - before != of {
                        let expected = format!("{of} numbers in brackets for {name}[{}]", before / of);
                        return Err(start.unexpected(&expected));
                    }
                }
            }
        }
    }

    /// Takes `(x, y, …)`; whether it is of numbers only.
    fn tuple(&mut self, lexer: &mut Lexer<'_>) -> Result<bool, ImportError> {
        if lexer.peek()? != Token::Punctuation(b'(') {
            return Ok(false);
        }
        lexer.pass()?;
        loop {
            match lexer.peek()? {
                Token::Punctuation(b')') => {
                    lexer.pass()?;
                    return Ok(true);
                }
                Token::Punctuation(b',') => {}
                Token::Punctuation(b']') => return Err(lexer.unexpected("brackets that fit")),
                Token::End => return Err(lexer.unexpected("the closing bracket")),
                Token::Word(word) => match number(word) {
                    Some(number) => self.numbers.push(number),
                    None => return Ok(false),
                },
                _ => return Ok(false),
            }
            lexer.pass()?;
        }
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
    pub(super) fn first_sample(
        lexer: &mut Lexer<'_>,
        name: &str,
        wanted: Wanted,
    ) -> Result<Self, ImportError> {
        lexer.punctuation(b'{')?;
        let mut first = None;
        while lexer.peek()? != Token::Punctuation(b'}') {
            lexer.word("the time of a sample")?;
            lexer.punctuation(b':')?;
            let value = Self::read(lexer, name, if first.is_none() { wanted } else { Wanted::Nothing })?;
            first.get_or_insert(value);
            if lexer.peek()? == Token::Punctuation(b',') {
                lexer.pass()?;
            }
        }
        lexer.punctuation(b'}')?;
        Ok(first.unwrap_or_default())
    }
}
