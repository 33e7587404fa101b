import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RandomBodies } from '../../../test/support/writeRandomBody.ts'
import { builtInLayouts } from './builtInLayouts.ts'
import { createBodyDecoder } from './createBodyDecoder.ts'
import type { Definition } from './definitions.ts'

const layouts = builtInLayouts()
const definitions = [...layouts.messages.values()].flat()

/** Names of the fields that are there in every body, `@type` first. */
const fixedFields = ({ parts }: Definition): string[] => [
  '@type',
  ...parts.flatMap((part) => (part.kind === 'field' && part.condition === undefined ? [part.name] : [])),
]

test('the table has as many layouts as it had', () => {
  assert.deepEqual(
    { opcodes: layouts.messages.size, layouts: definitions.length, types: layouts.types.size },
    {
      opcodes: 508,
      layouts: 558,
      types: 210,
    },
  )
})

test('no layout is there twice', () => {
  const texts = definitions.map(({ name, tag, parts }) => JSON.stringify([name, tag, parts]))
  assert.equal(new Set(texts).size, texts.length)
})

test('every layout reads what is written by it', () => {
  // A fixed seed: the same bodies every time.
  let state = 12345
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state / 2 ** 32
  }
  const bodies = new RandomBodies(layouts, random)
  const decoder = createBodyDecoder()
  let written = 0
  for (const candidates of layouts.messages.values()) {
    candidates.forEach((definition, at) => {
      // Names without bodies, see the table.
      if (definition.parts.some((part) => part.kind === 'field' && JSON.stringify(part.type).includes('"Never"')))
        return
      for (let k = 0; k < 10; k++) {
        const decoded = decoder.decode(bodies.write(definition))
        assert.ok(decoded !== undefined, definition.location)
        // A body of a later candidate may fit an earlier one as well.
        if (candidates.slice(0, at).length > 0 && decoded['@type'] !== definition.name) continue
        assert.equal(decoded['@type'], definition.name, definition.location)
        const shown = new Set(Object.keys(decoded))
        if (at === 0)
          for (const field of fixedFields(definition)) assert.ok(shown.has(field), `${definition.location} ${field}`)
        written++
      }
    })
  }
  assert.ok(written > 5000, String(written))
})
