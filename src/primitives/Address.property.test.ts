import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address as CoreAddress } from '@ton/core'
import fc from 'fast-check'
import {
  formatFriendlyAddress,
  formatRawAddress,
  formatUpperRawAddress,
  parseAddress,
  parseFriendlyAddress,
} from './Address.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

test('all forms agree with @ton/core', (t) => {
  t.diagnostic(`seed ${seed}`)
  const workchain = fc.oneof(fc.constantFrom(0, -1), fc.integer({ min: -128, max: 127 }))
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const flags = fc.record({ bounceable: fc.boolean(), testOnly: fc.boolean(), urlSafe: fc.boolean() })
  fc.assert(
    fc.property(fc.record({ workchain, hash }, { noNullPrototype: true }), flags, (address, given) => {
      const core = new CoreAddress(address.workchain, Buffer.from(address.hash))
      const raw = core.toRawString()
      assert.equal(formatRawAddress(address), raw)
      assert.equal(formatUpperRawAddress(address), raw.toUpperCase())
      assert.deepEqual(parseAddress(raw), address)
      assert.deepEqual(parseAddress(raw.toUpperCase()), address)
      const friendly = core.toString(given)
      assert.equal(formatFriendlyAddress(address, given), friendly)
      const { urlSafe, ...rest } = parseFriendlyAddress(friendly)
      assert.deepEqual(rest, { address, bounceable: given.bounceable, testOnly: given.testOnly })
      assert.equal(urlSafe, given.urlSafe || !/[+/]/.test(friendly))
    }),
    { seed, numRuns: 2000 },
  )
})
