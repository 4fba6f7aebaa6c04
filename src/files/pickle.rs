//! Pickles of tensors, read as data: no code that a pickle names is run.
//!
//! Format: Python's `pickletools`, the opcodes that `torch.save` writes with protocols 2 to 5. A
//! global that is neither a storage nor a function that makes a tensor of one is refused by name.
//!
//! Values are in one list and refer to each other by index, so that a value may hold itself and
//! none is freed by recursion. Each opcode takes a byte at least and makes at most one value, so
//! time and memory are bounded by the pickle's length, and by `MOST_VALUES`.

use super::source::Cursor;
use crate::error::{Code, Error, Result};

/// The index of a value in the machine's list.
pub(super) type Id = usize;

/// A value that a pickle builds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// A tuple, a list or a set.
    List(Vec<Id>),
    /// Pairs of key and value.
    Dict(Vec<(Id, Id)>),
    /// A known global of Python, by its full name.
    Global(Global),
    /// Numbers stored outside the pickle: the value that names them.
    Stored(Id),
    /// A tensor: storage, offset of the first number, sizes and strides.
    Tensor {
        storage: Id,
        offset: Id,
        shape: Id,
        strides: Id,
    },
    /// A number of more than 64 bits, such as the magic number of old files.
    Long(Vec<u8>),
    /// The marker that opens a list on the stack.
    Mark,
}

/// A global of Python that a pickle may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Global {
    /// A storage of numbers: their type, as safetensors names it, and the bytes of a number.
    Storage(&'static str, u64),
    /// The functions `_rebuild_tensor` and `_rebuild_tensor_v2`.
    Tensor,
    /// The function `_rebuild_parameter`, which returns its tensor.
    Parameter,
    /// The class `OrderedDict`.
    Dict,
    /// The class `torch.Size`, a tuple.
    Size,
    /// A type such as `torch.float32`, which adds nothing to a storage.
    Type,
}

/// The known globals, by module and name.
const GLOBALS: &[(&str, &str, Global)] = &[
    ("torch", "DoubleStorage", Global::Storage("F64", 8)),
    ("torch", "FloatStorage", Global::Storage("F32", 4)),
    ("torch", "HalfStorage", Global::Storage("F16", 2)),
    ("torch", "BFloat16Storage", Global::Storage("BF16", 2)),
    ("torch", "LongStorage", Global::Storage("I64", 8)),
    ("torch", "IntStorage", Global::Storage("I32", 4)),
    ("torch", "ShortStorage", Global::Storage("I16", 2)),
    ("torch", "CharStorage", Global::Storage("I8", 1)),
    ("torch", "ByteStorage", Global::Storage("U8", 1)),
    ("torch", "BoolStorage", Global::Storage("BOOL", 1)),
    ("torch._utils", "_rebuild_tensor", Global::Tensor),
    ("torch._utils", "_rebuild_tensor_v2", Global::Tensor),
    ("torch._utils", "_rebuild_parameter", Global::Parameter),
    ("collections", "OrderedDict", Global::Dict),
    ("torch", "Size", Global::Size),
    ("torch", "float64", Global::Type),
    ("torch", "float32", Global::Type),
    ("torch", "float16", Global::Type),
    ("torch", "bfloat16", Global::Type),
    ("torch", "int64", Global::Type),
];

/// The most values of all pickles of a file; a tensor takes about thirty.
const MOST_VALUES: usize = 1 << 21;
/// The longest text that an error message quotes, in characters.
const LONGEST_NAME: usize = 120;

/// A machine that runs pickles, with the values that they have built.
pub(super) struct Machine<'a> {
    /// The file's name, for messages.
    name: &'a str,
    values: Vec<Value>,
    stack: Vec<Id>,
    memo: Vec<Option<Id>>,
}

impl<'a> Machine<'a> {
    pub fn new(name: &'a str) -> Self {
        Self { name, values: Vec::new(), stack: Vec::new(), memo: Vec::new() }
    }

    /// The value with an index.
    pub fn value(&self, id: Id) -> &Value {
        self.values.get(id).unwrap_or(&Value::None)
    }

    /// All values that are stored outside the pickles.
    pub fn stored(&self) -> impl Iterator<Item = Id> {
        (0..self.values.len()).filter(|&id| matches!(self.value(id), Value::Stored(_)))
    }

    /// The whole numbers of a tuple; `None` if the value is another.
    pub fn sizes(&self, id: Id) -> Option<Vec<u64>> {
        let Value::List(all) = self.value(id) else { return None };
        all.iter().map(|&id| self.size(id)).collect()
    }

    /// The value as a whole number from 0.
    pub fn size(&self, id: Id) -> Option<u64> {
        let Value::Int(number) = self.value(id) else { return None };
        u64::try_from(*number).ok()
    }

    /// The value as a text.
    pub fn text(&self, id: Id) -> Option<&str> {
        let Value::Text(text) = self.value(id) else { return None };
        Some(text)
    }

    /// Reads one pickle to its end and returns its result.
    ///
    /// # Errors
    /// `checkpoint/bad-pickle` for an opcode or a name that is not supported.
    pub fn run(&mut self, cursor: &mut Cursor<'_>) -> Result<Id> {
        self.stack.clear();
        self.memo.clear();
        loop {
            let [opcode] = cursor.array()?;
            if opcode == b'.' {
                return self.pop();
            }
            self.step(opcode, cursor)?;
        }
    }

    fn step(&mut self, opcode: u8, cursor: &mut Cursor<'_>) -> Result<()> {
        match opcode {
            // PROTO and FRAME have no effect here.
            0x80 => cursor.array::<1>().map(drop),
            0x95 => cursor.array::<8>().map(drop),
            b'(' => self.push(Value::Mark),
            // BUILD adds attributes, which no tensor needs.
            b'0' | b'b' => self.pop().map(drop),
            b'1' => self.marked().map(drop),
            b'N' => self.push(Value::None),
            0x88 | 0x89 => self.push(Value::Bool(opcode == 0x88)),
            b'J' => self.int(i64::from(i32::from_le_bytes(cursor.array()?))),
            b'K' => self.int(i64::from(u8::from_le_bytes(cursor.array()?))),
            b'M' => self.int(i64::from(u16::from_le_bytes(cursor.array()?))),
            0x8A => {
                let [size] = cursor.array()?;
                self.long(size, cursor)
            }
            b'G' => self.push(Value::Float(f64::from_be_bytes(cursor.array()?))),
            b'X' => {
                let size = u32::from_le_bytes(cursor.array()?);
                self.read_text(u64::from(size), cursor)
            }
            // BINSTRING and SHORT_BINSTRING are texts of Python 2.
            b'T' => {
                let size = i32::from_le_bytes(cursor.array()?);
                let size = u64::try_from(size).map_err(|_| self.bad("a text of negative size"))?;
                self.read_text(size, cursor)
            }
            b'U' | 0x8C => {
                let [size] = cursor.array()?;
                self.read_text(u64::from(size), cursor)
            }
            b')' | b']' | 0x8F => self.push(Value::List(Vec::new())),
            b'}' => self.push(Value::Dict(Vec::new())),
            b't' | b'l' => {
                let all = self.marked()?;
                self.push(Value::List(all))
            }
            0x85..=0x87 => self.tuple(usize::from(opcode - 0x84)),
            b'a' => {
                let one = self.pop()?;
                self.extend(&[one])
            }
            b'e' | 0x90 => {
                let all = self.marked()?;
                self.extend(&all)
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set(&[key, value])
            }
            b'u' => {
                let all = self.marked()?;
                self.set(&all)
            }
            b'c' => {
                let (module, name) = (line(cursor)?, line(cursor)?);
                self.global(&module, &name)
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let [module, name] = [module, name].map(|id| self.text(id).map(str::to_owned));
                match module.zip(name) {
                    Some((module, name)) => self.global(&module, &name),
                    None => Err(self.bad("a global without a name")),
                }
            }
            b'q' | b'r' | 0x94 => self.remember(opcode, cursor),
            b'h' => {
                let [at] = cursor.array()?;
                self.recall(usize::from(at))
            }
            b'j' => {
                let at = u32::from_le_bytes(cursor.array()?);
                self.recall(at as usize)
            }
            b'Q' => {
                let id = self.pop()?;
                self.push(Value::Stored(id))
            }
            b'R' => self.call(),
            other => Err(self.bad(&format!("the opcode {other}"))),
        }
    }

    fn bad(&self, got: &str) -> Error {
        let expected = "a file that torch.save wrote; download it again";
        Error::new(Code::CheckpointBadPickle, self.name, expected, got)
    }

    fn push(&mut self, value: Value) -> Result<()> {
        self.values.push(value);
        self.push_known(self.values.len() - 1)
    }

    fn push_known(&mut self, id: Id) -> Result<()> {
        self.stack.push(id);
        if self.values.len().max(self.stack.len()) > MOST_VALUES {
            return Err(self.bad("more values than a model has"));
        }
        Ok(())
    }

    fn int(&mut self, number: i64) -> Result<()> {
        self.push(Value::Int(number))
    }

    fn pop(&mut self) -> Result<Id> {
        self.stack.pop().ok_or_else(|| self.bad("too few values"))
    }

    /// Takes the values above the last marker off the stack, with the marker.
    fn marked(&mut self) -> Result<Vec<Id>> {
        let is_mark = |&id: &Id| *self.value(id) == Value::Mark;
        let mark = self.stack.iter().rposition(is_mark);
        let mark = mark.ok_or_else(|| self.bad("an end without its mark"))?;
        let all = self.stack.split_off(mark + 1);
        self.stack.pop();
        Ok(all)
    }

    fn tuple(&mut self, count: usize) -> Result<()> {
        let start = self.stack.len().checked_sub(count);
        let start = start.ok_or_else(|| self.bad("too few values"))?;
        let all = self.stack.split_off(start);
        self.push(Value::List(all))
    }

    /// The value on top of the stack, which stays there.
    fn top(&mut self) -> Option<&mut Value> {
        let id = *self.stack.last()?;
        self.values.get_mut(id)
    }

    fn extend(&mut self, more: &[Id]) -> Result<()> {
        match self.top() {
            Some(Value::List(all)) => all.extend_from_slice(more),
            _ => return Err(self.bad("a list that is none")),
        }
        Ok(())
    }

    fn set(&mut self, pairs: &[Id]) -> Result<()> {
        match self.top() {
            Some(Value::Dict(all)) => {
                all.extend(pairs.as_chunks().0.iter().map(|&[key, value]| (key, value)));
            }
            _ => return Err(self.bad("a dictionary that is none")),
        }
        Ok(())
    }

    fn long(&mut self, size: u8, cursor: &mut Cursor<'_>) -> Result<()> {
        let bytes = cursor.take(u64::from(size))?.to_vec();
        let negative = bytes.last().is_some_and(|&last| last >= 0x80);
        let fill = if negative { 0xFF } else { 0 };
        let mut whole = [fill; 8];
        match whole.get_mut(..bytes.len()) {
            Some(place) => place.copy_from_slice(&bytes),
            None => return self.push(Value::Long(bytes)),
        }
        self.int(i64::from_le_bytes(whole))
    }

    fn read_text(&mut self, size: u64, cursor: &mut Cursor<'_>) -> Result<()> {
        let text = String::from_utf8_lossy(cursor.take(size)?).into_owned();
        self.push(Value::Text(text))
    }

    fn global(&mut self, module: &str, name: &str) -> Result<()> {
        let known = GLOBALS.iter().find(|known| known.0 == module && known.1 == name);
        match known {
            Some(&(_, _, global)) => self.push(Value::Global(global)),
            None => Err(Error::new(
                Code::CheckpointBadPickle,
                self.name,
                "tensors alone, which are read without running anything; save model.state_dict(), or model.safetensors",
                format!("{module}.{name}").chars().take(LONGEST_NAME).collect::<String>(),
            )),
        }
    }

    fn remember(&mut self, opcode: u8, cursor: &mut Cursor<'_>) -> Result<()> {
        let at = match opcode {
            b'q' => usize::from(u8::from_le_bytes(cursor.array()?)),
            b'r' => u32::from_le_bytes(cursor.array()?) as usize,
            _ => self.memo.len(),
        };
        let id = *self.stack.last().ok_or_else(|| self.bad("too few values"))?;
        // Memo places are numbered in order, so that there are no more than values.
        if at > self.values.len() {
            return Err(self.bad("a place far beyond the others"));
        }
        if at >= self.memo.len() {
            self.memo.resize(at + 1, None);
        }
        self.memo[at] = Some(id);
        Ok(())
    }

    fn recall(&mut self, at: usize) -> Result<()> {
        let found = self.memo.get(at).copied().flatten();
        let id = found.ok_or_else(|| self.bad("a place that holds nothing"))?;
        self.push_known(id)
    }

    /// Calls a known function with the arguments on the stack.
    fn call(&mut self) -> Result<()> {
        let (arguments, function) = (self.pop()?, self.pop()?);
        let Value::List(given) = self.value(arguments) else {
            return Err(self.bad("a call without arguments"));
        };
        match (self.value(function), given.as_slice()) {
            (Value::Global(Global::Tensor), &[storage, offset, shape, strides, ..]) => {
                self.push(Value::Tensor { storage, offset, shape, strides })
            }
            (Value::Global(Global::Parameter | Global::Size), &[first, ..]) => {
                self.push_known(first)
            }
            (Value::Global(Global::Dict), []) => self.push(Value::Dict(Vec::new())),
            // Python 2 gives an ordered dictionary its pairs in the call.
            (Value::Global(Global::Dict), &[pairs]) => self.dict_of(pairs),
            _ => Err(self.bad("a call of something else than a tensor")),
        }
    }

    fn dict_of(&mut self, pairs: Id) -> Result<()> {
        let Value::List(pairs) = self.value(pairs) else {
            return Err(self.bad("a dictionary without pairs"));
        };
        let pair = |&id: &Id| match self.value(id) {
            Value::List(pair) => <[Id; 2]>::try_from(pair.as_slice()).ok(),
            _ => None,
        };
        let pairs: Option<Vec<_>> = pairs.iter().map(|id| pair(id).map(|[a, b]| (a, b))).collect();
        match pairs {
            Some(pairs) => self.push(Value::Dict(pairs)),
            None => Err(self.bad("a dictionary without pairs")),
        }
    }
}

/// The text up to the next line break.
fn line(cursor: &mut Cursor<'_>) -> Result<String> {
    let mut text = Vec::new();
    loop {
        match cursor.array()? {
            [b'\n'] => return Ok(String::from_utf8_lossy(&text).into_owned()),
            [byte] => text.push(byte),
        }
    }
}
