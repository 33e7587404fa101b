import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from '../../primitives/hex.ts'
import { tlFunctionRows, tlTypeRows } from './constructors.ts'
import { parseSchema, type TlDescription, type TlField } from './parseSchema.ts'
import { TlError } from './TlError.ts'
import { decodeTlObject, encodeTlObject, tlIds } from './tlObject.ts'
import type { TlObject } from './tlTypes.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const schema = parseSchema(tlTypeRows, tlFunctionRows)
const rowOf = (name: string): TlDescription => schema.byName.get(name) as TlDescription
const constructorsOf = (type: string): readonly TlDescription[] => schema.byType.get(type) ?? []

// Lengths around the change of the prefix and every padding; the longest prefix has a test of its own.
const bytesOf = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })
const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(252, 253, 254, 255, 256, 257).chain(bytesOf) },
)
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

const builtins: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  '#': fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  long,
  shard: long.map((n) => BigInt.asUintN(64, n)),
  double: fc.double(),
  int128: bytesOf(16),
  int256: bytesOf(32),
  bytes,
  string: fc.string({ unit: 'binary', maxLength: 300 }),
  Bool: fc.boolean(),
  true: fc.constant(true),
}

const arbitraryOfField = (field: TlField): fc.Arbitrary<unknown> =>
  field.isVector ? fc.array(arbitraryOfItem(field), { maxLength: 3 }) : arbitraryOfItem(field)

const arbitraryOfItem = ({ type, boxedType }: TlField): fc.Arbitrary<unknown> => {
  if (boxedType !== undefined) return fc.oneof(...constructorsOf(boxedType).map(arbitraryOfFields))
  return builtins[type] ?? arbitraryOfFields(rowOf(type))
}

/** Values as the reader gives them: a field is there exactly when its bit is set, and only unions have a kind. */
const arbitraryOfFields = (c: TlDescription): fc.Arbitrary<Record<string, unknown>> => {
  const record = fc.record(Object.fromEntries(c.fields.map((field) => [field.key, arbitraryOfField(field)])), {
    noNullPrototype: true,
  })
  return record.map((values) => {
    const present = c.fields.filter(({ flag }) => flag === undefined || (Number(values[flag.key]) & flag.mask) !== 0)
    const entries = present.map(({ key }) => [key, values[key]])
    const hasKind = !c.isFunction && constructorsOf(c.resultType).length > 1
    return { ...(hasKind && { kind: c.name }), ...Object.fromEntries(entries) }
  })
}

const arbitraryOf = (c: TlDescription): fc.Arbitrary<TlObject> =>
  arbitraryOfFields(c).map((fields) => ({ ...fields, kind: c.name }) as unknown as TlObject)

const flagsWordOf = (c: TlDescription): string | undefined => c.fields.find(({ flag }) => flag !== undefined)?.flag?.key

/** Decodes, or tells that it was refused; anything but our error is a failure of the test. */
const tryDecode = (input: Uint8Array): TlObject | undefined => {
  try {
    return decodeTlObject(input)
  } catch (error) {
    assert.ok(error instanceof TlError, `Expected a TlError, got ${String(error)}`)
    return undefined
  }
}

const usesStrings = (c: TlDescription): boolean =>
  c.fields.some(({ type }) => type === 'string' || (schema.byName.has(type) && usesStrings(rowOf(type))))

test('every row of the table has an id and is tested here', () => {
  assert.deepEqual(
    schema.rows.map(({ name, id }) => [name, id]),
    Object.entries(tlIds),
  )
})

test('decoding what was encoded gives it back', (t) => {
  t.diagnostic(`seed ${seed}`)
  for (const c of schema.rows) {
    fc.assert(
      fc.property(arbitraryOf(c), (object) => {
        const encoded = encodeTlObject(object)
        assert.equal(encoded.length % 4, 0)
        assert.deepEqual(decodeTlObject(encoded), object)
      }),
      { seed, numRuns: 40 },
    )
  }
})

test('bits of fields that are there need not be in the flags word', (t) => {
  t.diagnostic(`seed ${seed}`)
  const governed = schema.rows.filter((c) => flagsWordOf(c) !== undefined)
  assert.ok(governed.length >= 12)
  for (const c of governed) {
    const word = flagsWordOf(c) as string
    const bits = c.fields.reduce((sum, { flag }) => (flag === undefined ? sum : sum | flag.mask), 0)
    fc.assert(
      fc.property(arbitraryOf(c), (object) => {
        const flags = (object as unknown as Record<string, number>)[word] as number
        const bare = { ...object, [word]: (flags & ~bits) >>> 0 } as TlObject
        assert.equal(toHex(encodeTlObject(bare)), toHex(encodeTlObject(object)))
      }),
      { seed, numRuns: 40 },
    )
  }
})

test('input cut short at any byte is refused', (t) => {
  t.diagnostic(`seed ${seed}`)
  for (const c of schema.rows) {
    fc.assert(
      fc.property(arbitraryOf(c), (object) => {
        const encoded = encodeTlObject(object)
        for (let length = 0; length < encoded.length; length++) {
          assert.equal(tryDecode(encoded.subarray(0, length)), undefined, `${c.name} decoded from ${length} bytes`)
        }
      }),
      { seed, numRuns: 4 },
    )
  }
})

test('input with one byte changed is refused, or decodes to what encodes to it again', (t) => {
  t.diagnostic(`seed ${seed}`)
  let decoded = 0
  let refused = 0
  const mutation = fc.record({ at: fc.nat(), xor: fc.integer({ min: 1, max: 255 }) })
  for (const c of schema.rows) {
    fc.assert(
      fc.property(arbitraryOf(c), fc.array(mutation, { minLength: 20, maxLength: 20 }), (object, mutations) => {
        const encoded = encodeTlObject(object)
        for (const { at, xor } of mutations) {
          const mutated = encoded.slice()
          const place = at % mutated.length
          mutated[place] = (mutated[place] as number) ^ xor
          const other = tryDecode(mutated)
          if (other === undefined) refused++
          else {
            decoded++
            assertReencodes(mutated, place, other)
          }
        }
      }),
      { seed, numRuns: 8 },
    )
  }
  t.diagnostic(`${decoded} decoded, ${refused} refused`)
  assert.ok(decoded > 1000 && refused > 1000)
})

// The three ways in which a reader is more generous than a writer: padding, prefixes longer than needed, and text that
// is not UTF-8. Everything else must come back as it was.
const assertReencodes = (mutated: Uint8Array, place: number, object: TlObject): void => {
  const again = encodeTlObject(object)
  assert.deepEqual(decodeTlObject(again), object)
  if (toHex(again) === toHex(mutated)) return
  const c = schema.rows.find(({ name }) => name === object.kind) as TlDescription
  if (usesStrings(c)) return
  // A change in or before the length of a long prefix may leave it longer than needed.
  if (mutated.subarray(Math.max(0, place - 3), place + 1).some((byte) => byte >= 254)) return
  assert.equal(again.length, mutated.length, `${object.kind} changed its length`)
  const differing = [...again.keys()].filter((at) => again[at] !== mutated[at])
  for (const at of differing) assert.equal(again[at], 0, `${object.kind} changed byte ${at}, which is no padding`)
}

test('random bytes behind any id never cause another error', (t) => {
  t.diagnostic(`seed ${seed}`)
  const id = fc.constantFrom(...Object.values(tlIds))
  fc.assert(
    fc.property(id, fc.uint8Array({ maxLength: 400 }), (number, tail) => {
      const input = new Uint8Array(4 + tail.length)
      new DataView(input.buffer).setUint32(0, number, true)
      input.set(tail, 4)
      const object = tryDecode(input)
      if (object !== undefined) assert.deepEqual(decodeTlObject(encodeTlObject(object)), object)
    }),
    { seed, numRuns: 20_000 },
  )
})
