import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBodyDecoder } from './createBodyDecoder.ts'
import { LayoutError } from './definitions.ts'
import { parseLayoutFile } from './parseLayoutFile.ts'

test('a file of types and messages is parsed', () => {
  const layouts = parseLayoutFile(`{
    "types": ["open$0 = MyState", "closed$1 at:uint32 = MyState"],
    "messages": ["my_report#11223344 query_id:uint64 state:MyState reason:(Maybe ^SnakeString)"]
  }`)
  assert.equal(createBodyDecoder(layouts).nameOf(0x11223344), 'my_report')
  assert.deepEqual([...layouts.types.keys()], ['MyState'])
})

test('both members may be absent', () => {
  assert.equal(parseLayoutFile('{}').messages.size, 0)
})

test('built-in types may be used and replaced', () => {
  const layouts = parseLayoutFile(
    '{"types":["_ rest:Cell = DNSRecord"],"messages":["a#00000099 r:^DNSRecord m:^StateInit"]}',
  )
  assert.equal(createBodyDecoder(layouts).nameOf(0x99), 'a')
})

const cases: readonly (readonly [title: string, text: string, place: string, problem: RegExp])[] = [
  ['no JSON', '{\n  "messages": [\n}', 'line 3', /expected a text, but got "}"/],
  ['half of it', '{"messages": ["a#00000001"', 'line 1', /expected "," or "]", but the file ends/],
  ['more of it', '{}\n{}', 'line 2', /expected the end of the file/],
  ['not an object', '[]', 'line 1', /expected "{"/],
  ['an unknown member', '{"message":[]}', 'line 1', /"message" is not known/],
  ['a member twice', '{"types":[],\n"types":[]}', 'line 2', /"types" is there twice/],
  ['no list', '{"types":{}}', 'line 1', /expected "\["/],
  ['no text', '{"messages":["a#00000001",5]}', 'line 1', /expected a text, but got "5\]}"/],
  ['a bad escape', '{"messages":["a\\q"]}', 'line 1', /an escape/],
  ['an opcode too short', '{"messages":["a#0001"]}', 'line 1, messages[0]', /opcode of 8 hex digits/],
  ['no name', '{"messages":["_#00000001"]}', 'line 1, messages[0]', /needs a name/],
  ['a type among messages', '{"messages":["a#00000001 = B"]}', 'line 1, messages[0]', /has no "="/],
  ['a message among types', '{"types":["a#00000001"]}', 'line 1, types[0]', /a type ends in/],
  [
    'an unknown type',
    '{"messages":[\n"a#00000001",\n"b#00000002 x:uint8 y:(Maybe ^Nowhere)"]}',
    'line 3, messages[1], field "y"',
    /"Nowhere" is not known/,
  ],
  ['too wide an integer', '{"messages":["a#00000001 x:uint257"]}', 'line 1, messages[0], field "x"', /wider than 256/],
  [
    'arguments amiss',
    '{"messages":["a#00000001 x:(Maybe uint8 uint8)"]}',
    'line 1, messages[0], field "x"',
    /takes 1 arg/,
  ],
  ['arguments too many', '{"messages":["a#00000001 x:(Coins 5)"]}', 'line 1, messages[0], field "x"', /no arguments/],
  [
    'a key too long',
    '{"messages":["a#00000001 x:(HashmapE 2000 Cell)"]}',
    'line 1, messages[0], field "x"',
    /from 1 to 1023/,
  ],
  [
    'a number not there',
    '{"messages":["a#00000001 x:(bits len)"]}',
    'line 1, messages[0], field "x"',
    /the number "len" is used before its definition/,
  ],
  [
    'a number too late',
    '{"messages":["a#00000001 x:(bits n) n:uint8"]}',
    'line 1, messages[0], field "x"',
    /is used before its definition/,
  ],
  ['a number as a type', '{"messages":["a#00000001 x:5"]}', 'line 1, messages[0], field "x"', /a number stands/],
  ['parameters that differ', '{"types":["a$0 = T X","b$1 = T"]}', 'line 1, types[1]', /number of parameters/],
  ['a bad text', '{"messages":["a#00000001 x:uint8 x:uint8"]}', 'line 1, messages[0]', /"x" is there twice/],
  [
    'types without end',
    '{"types":["a next:(T (Maybe X)) = T X"],"messages":["a#00000001 x:(T uint8)"]}',
    'line 1, types[0], field "next"',
    /contain one another more than 100 deep/,
  ],
]

for (const [title, text, place, problem] of cases) {
  test(`refused: ${title}`, () => {
    assert.throws(
      () => parseLayoutFile(text),
      (error) => {
        assert.ok(error instanceof LayoutError, String(error))
        assert.equal(error.location, place)
        assert.match(error.message, problem)
        return true
      },
    )
  })
}

test('a file that is too long is refused', () => {
  assert.throws(() => parseLayoutFile(' '.repeat(2 * 1024 * 1024)), LayoutError)
  const many = Array.from({ length: 5001 }, (_, at) => `a#${at.toString(16).padStart(8, '0')}`)
  assert.throws(() => parseLayoutFile(JSON.stringify({ messages: many })), /at most 5000/)
})
